import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitCommand } from "../../src/adapters/agent/index.ts";
import { growth, LINEAR } from "../growth.ts";

describe("splitting a command line", () => {
  it.each<[string, readonly string[]]>([
    ["claude", ["claude"]],
    ["  claude \t -p\n", ["claude", "-p"]],
    [`my-agent --flag "x y"`, ["my-agent", "--flag", "x y"]],
    [`a 'b c' "d"e'f'`, ["a", "b c", "def"]],
    [`a '' ""`, ["a", "", ""]],
    [`a "it's" 'say "hi"'`, ["a", "it's", 'say "hi"']],
    [`a b\\ c \\'d \\"e`, ["a", "b c", "'d", '"e']],
    [`a "\\"b\\" \\\\ \\$c \\\` \\n"`, ["a", '"b" \\ $c ` \\n']],
    [`a '\\n $x \`y\`'`, ["a", "\\n $x `y`"]],
    ["a \\\n  b", ["a", "b"]],
    ['a "b\\\nc"', ["a", "bc"]],
    ["a 'b\nc'", ["a", "b\nc"]],
    ["한국어 --옵션 é🌱", ["한국어", "--옵션", "é🌱"]],
    [
      "a *.ts ?x [y] {z} #w !v %u a=b --c=d",
      ["a", "*.ts", "?x", "[y]", "{z}", "#w", "!v", "%u", "a=b", "--c=d"],
    ],
    ["a b~ ~user --home=~", ["a", "b~", "~user", "--home=~"]],
    ["a 'http://x/?b=1&c=2'", ["a", "http://x/?b=1&c=2"]],
    ["sh -c 'cat | agent > \"$HOME/log\" 2>&1'", ["sh", "-c", 'cat | agent > "$HOME/log" 2>&1']],
    ["./x=y/agent", ["./x=y/agent"]],
  ])("%j", (line, words) => {
    expect(splitCommand(line)).toEqual({ ok: true, value: words });
  });

  it.each([
    ["", 1, "names no program"],
    [" \n\t", 1, "names no program"],
    ["'' x", 1, "names no program"],
    ["a 'b c", 3, "quote ' is never closed"],
    ['a "b c', 3, 'quote " is never closed'],
    [`a "b\\"`, 3, 'quote " is never closed'],
    [`"`, 1, "never closed"],
    ["a b\\", 4, "lone backslash"],
    ["cat | agent", 5, "a pipe, which needs a shell: quote it, or wrap the command in sh -c '…'"],
    ["agent > log", 7, "a redirection"],
    ["agent 2>log", 8, "a redirection"],
    ["agent < in", 7, "a redirection"],
    ["agent && b", 7, "a background job or `&&`"],
    ["agent http://x/?a&b", 18, "a background job"],
    ["agent; b", 6, "a second command"],
    ["(agent)", 1, "a subshell"],
    ["agent $(x)", 7, "`$` is not expanded"],
    ["agent $HOME", 7, "`$` is not expanded"],
    ["agent `x`", 7, "not expanded"],
    ['agent "a $HOME"', 10, "`$` is not expanded here: put it in single quotes"],
    ["agent ~/x", 7, "write the whole path"],
    ["~/bin/agent", 1, "write the whole path"],
    ["agent ~", 7, "write the whole path"],
    ["KEY=value agent", 1, "`env KEY=value …`"],
    ["a\0b", 2, "NUL"],
    ["a 'b\0'", 5, "NUL"],
  ])("refuses %j at column %d", (line, column, message) => {
    expect(splitCommand(line)).toEqual({
      ok: false,
      failure: { column, message: expect.stringContaining(message) },
    });
  });

  const word = fc.string({
    unit: fc.constantFrom("a", "é", "🌱", " ", "\n", "'", '"', "\\", "$", "|", "~", "=", "*"),
  });

  it("gives back any words that were put in single quotes", () => {
    fc.assert(
      fc.property(fc.array(word), words => {
        const line = ["program", ...words.map(each => `'${each.replaceAll("'", "'\\''")}'`)].join("  ");
        expect(splitCommand(line)).toEqual({ ok: true, value: ["program", ...words] });
      }),
    );
  });

  it("gives back any words that were put in double quotes", () => {
    fc.assert(
      fc.property(fc.array(word), words => {
        const quoted = words.map(each => `"${each.replaceAll(/["\\$`]/g, found => `\\${found}`)}"`);
        expect(splitCommand(["program", ...quoted].join(" "))).toEqual({
          ok: true,
          value: ["program", ...words],
        });
      }),
    );
  });

  it("never throws, and points into the line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), line => {
        const split = splitCommand(line);
        const column = split.ok ? 1 : split.failure.column;
        expect(column >= 1 && column <= Math.max(1, line.length)).toBe(true);
      }),
    );
  });

  it("agrees with the shell wherever it does not refuse", () => {
    const piece = fc.constantFrom(
      "a",
      "b c",
      "'",
      '"',
      "\\",
      " ",
      "$",
      "é",
      "*x",
      "'q r'",
      '"s t"',
      "\\\\",
      '\\"',
      "&",
      "#z",
    );
    const lines = fc
      .sample(fc.array(piece, { maxLength: 8 }), { numRuns: 300, seed: 7 })
      .map(parts => `a${parts.join("")}`);
    const good = lines.flatMap(line => {
      const split = splitCommand(line);
      return split.ok && !line.includes(" #") ? [{ line, words: split.value }] : [];
    });
    expect(good.length).toBeGreaterThan(60);
    // One shell for all lines; `set -f` because wildcards are not expanded here.
    const script = good.map(({ line }) => `set -- ${line}\nprintf '%s\\0' "$@" END`).join("\n");
    const said = execFileSync("sh", ["-f", "-c", script], { encoding: "utf8" });
    const expected = good.map(({ words }) => [...words, "END", ""].join("\0")).join("");
    expect(said).toBe(expected);
  });

  it("is linear", () => {
    for (const unit of ["a ", "'a' ", '"a"', "\\a", "\\\n", " "]) {
      const lineOf = (size: number) => `a ${unit.repeat(size)}`;
      expect(splitCommand(lineOf(200_000)).ok).toBe(true);
      expect(growth(20_000, lineOf, splitCommand)).toBeLessThan(LINEAR);
    }
  });
});
