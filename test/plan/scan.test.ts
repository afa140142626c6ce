import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, readFrontMatter, scanLines } from "../../src/plan/syntax/scan.ts";

interface Seen {
  readonly kind: string;
  readonly number: number;
  readonly content: string;
}

function scan(text: string): { lines: (Line & { text: string })[]; open: ReturnType<typeof scanLines> } {
  const lines: (Line & { text: string })[] = [];
  const open = scanLines(
    text,
    { offset: 0, line: 1 },
    1000,
    line => {
      lines.push({ ...line, text: text.slice(line.body, line.end) });
      return true;
    },
    () => {},
  );
  return { lines, open };
}

function seen(text: string): Seen[] {
  return scan(text).lines.map(({ kind, number, text: content }) => ({ kind, number, content }));
}

describe("lines", () => {
  it.each([
    ["# a", "heading", "a"],
    ["###### a", "heading", "a"],
    ["####### a", "heading", "a"],
    ["#[ ] T1: a", "heading", "[ ] T1: a"],
    ["#hashtag", "text", "#hashtag"],
    ["- a", "item", "a"],
    ["* a", "item", "a"],
    ["+ a", "item", "a"],
    ["• a", "item", "a"],
    ["-[ ] a", "item", "[ ] a"],
    ["12. a", "item", "a"],
    ["3) a", "item", "a"],
    ["12.a", "text", "12.a"],
    ["1234567890. a", "text", "1234567890. a"],
    ["-a", "text", "-a"],
    ["**bold** a", "text", "**bold** a"],
    ["*[ ] a", "text", "*[ ] a"],
    ["| a | b |", "row", "| a | b |"],
    ["plain", "text", "plain"],
    ["> quoted", "text", "quoted"],
    ["-", "item", ""],
    ["#", "heading", ""],
  ])("[L10] %j is a %s", (text, kind, content) => {
    expect(seen(text)).toEqual([{ kind, number: 1, content }]);
  });

  it("[L10] a heading's level is its number of hashes", () => {
    expect(scan("# a\n### b\n###### c").lines.map(line => line.level)).toEqual([1, 3, 6]);
  });

  it("[L10] indentation counts tabs to the next stop of four", () => {
    expect(scan("- a\n\t- b\n  \t- c\n     - d\n").lines.map(line => line.indent)).toEqual([0, 4, 4, 5]);
  });

  it("[L10] wide and unbreakable spaces indent too", () => {
    expect(scan("\u3000- a\n\u00a0\u00a0- b\n").lines.map(line => [line.indent, line.kind])).toEqual([
      [2, "item"],
      [2, "item"],
    ]);
  });

  it("[L8] tells which lines stand in a quote", () => {
    expect(scan("a\n> b\n>> c\n> > d\n").lines.map(line => line.quoted)).toEqual([false, true, true, true]);
  });

  it("[L8] calls the lines of a fence open, code and close", () => {
    expect(seen("```sh\n# a\n\n- b\n```\nc")).toEqual([
      { kind: "open", number: 1, content: "```sh" },
      { kind: "code", number: 2, content: "# a" },
      { kind: "code", number: 3, content: "" },
      { kind: "code", number: 4, content: "- b" },
      { kind: "close", number: 5, content: "```" },
      { kind: "text", number: 6, content: "c" },
    ]);
  });

  it("[L8] hands the info of a fence to its lines", () => {
    expect(scan("``` mermaid x\na\n```").lines.map(line => line.info)).toEqual([
      "mermaid x",
      "mermaid x",
      "mermaid x",
    ]);
  });

  it("[L8] tells what was left open and where", () => {
    expect(scan("a\n```\nb").open).toEqual({ what: "fence", line: 2 });
    expect(scan("a\nb\n<!-- c").open).toEqual({ what: "comment", line: 3 });
    expect(scan("a\n```\nb\n```").open).toBeUndefined();
  });

  it("[L1] tells which lines come after a blank one", () => {
    expect(scan("a\nb\n\nc\n \t\nd").lines.map(line => line.afterBlank)).toEqual([true, false, true, true]);
  });

  it("[L1] numbers lines as an editor does, whatever ends them", () => {
    const part = fc.constantFrom("a", "- b", "## c", "", "  d", "> e", "| f |");
    const ending = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(fc.array(fc.tuple(part, ending), { maxLength: 30 }), parts => {
        const text = parts.map(([content, end]) => content + end).join("");
        const lines = text.split(/\r\n|\r|\n/);
        const expected = lines.flatMap((line, index) => (line.trim() === "" ? [] : [[index + 1, line]]));
        expect(scan(text).lines.map(line => [line.number, text.slice(line.start, line.end)])).toEqual(
          expected,
        );
      }),
      { numRuns: 300 },
    );
  });

  it("[L4] visits every character at most once per line, in order", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("`", "~", "-", "#", ">", "|", "\n", "\r", " ", "<!--", "-->", "x"),
        }),
        text => {
          let last = 0;
          for (const line of scan(text).lines) {
            expect(line.start).toBeGreaterThanOrEqual(last);
            expect(line.body).toBeGreaterThanOrEqual(line.start);
            expect(line.end).toBeGreaterThanOrEqual(line.body);
            last = line.end;
          }
          expect(last).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("[L4] stops when the visitor has seen enough", () => {
    let count = 0;
    scanLines(
      "a\nb\nc\n",
      { offset: 0, line: 1 },
      100,
      () => ++count < 2,
      () => {},
    );
    expect(count).toBe(2);
  });

  it("[L3] reports a line beyond the limit and reads no further", () => {
    const found: number[][] = [];
    const visited: number[] = [];
    scanLines(
      "ok\ntoo long\nok\n",
      { offset: 0, line: 1 },
      5,
      line => visited.push(line.number) > 0,
      (line, length) => found.push([line, length]),
    );
    expect(found).toEqual([[2, 8]]);
    expect(visited).toEqual([1]);
  });
});

describe("front matter", () => {
  it("[L9] reads keys in lower case and values without quotes", () => {
    const { values, after } = readFrontMatter("---\nProject: 'a b'\nFEATURE : \"c: d\"\nempty:\n---\nrest");
    expect([...values]).toEqual([
      ["project", "a b"],
      ["feature", "c: d"],
      ["empty", ""],
    ]);
    expect(after).toEqual({
      offset: "---\nProject: 'a b'\nFEATURE : \"c: d\"\nempty:\n---\n".length,
      line: 6,
    });
  });

  it("[L9] ends at three dots as well", () => {
    expect(readFrontMatter("---\na: b\n...\nx").after.line).toBe(4);
  });

  it.each(["----\na: b\n---\n", " ---\na: b\n---\n", "--- x\na: b\n---\n", "a: b\n---\n", "", "---"])(
    "[L9] %j has none",
    text => {
      expect(readFrontMatter(text)).toEqual({ values: new Map(), after: { offset: 0, line: 1 } });
    },
  );

  it("[L9] begins behind a byte-order mark", () => {
    expect(readFrontMatter("\uFEFF---\na: b\n---\n").values.get("a")).toBe("b");
    expect(readFrontMatter("\uFEFFx").after).toEqual({ offset: 1, line: 1 });
  });

  it("[L9] does not read indented lines and lists as keys", () => {
    expect([...readFrontMatter("---\na:\n  b: c\n- d: e\n---\n").values.keys()]).toEqual(["a", "- d"]);
  });
});
