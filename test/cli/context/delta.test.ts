import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";
import { FILES, LAST, NEXT, OLD, withUpdate } from "./delta-lab.ts";

describe("espalier delta diff, apply, verify", () => {
  it("prints the message and carries it out byte for byte", async () => {
    await using lab = await withUpdate();
    const message = lab.read("update.md");
    expect(message.split("\n")[0]).toMatch(/^\[CONTEXT-UPDATE\] GC-v3→4 [0-9a-f]{4}→[0-9a-f]{6}$/);
    expect(message).toContain("IN_PROGRESS → COMPLETE");
    expect(await lab.ask("delta", "apply", "old.md", "update.md")).toEqual({
      code: 0,
      stdout: NEXT,
      stderr: "",
    });
    const verified = await lab.ask("delta", "verify", "old.md", "update.md", "next.md");
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(/^exact: old\.md → next\.md [0-9a-f]{12}; 2 places, 2 lines in, 2 out; /);
  });

  it.each([
    ["no final newline", "a\nb", "a\nc"],
    ["CRLF", "# A\r\n\r\nb\r\n", "# A\r\n\r\nc\r\n"],
    ["a BOM", "\ufeff# A\n\nb\n", "\ufeff# A\n\nc\n"],
    ["NUL and emoji", "a \0\n🍞 b\n", "a \0\n🥖 b\n"],
    ["an empty base", "", "# New\n\ntext\n"],
    ["an empty result", "# Old\n", ""],
    ["blanks at the end", "a\n", "a\n \n\n\n"],
    ["nothing", "same\n", "same\n"],
  ])("survives the way through files: %s", async (_, old, next) => {
    await using lab = openLab({ "a.md": old, "b.md": next });
    const made = await lab.ask("delta", "diff", "a.md", "b.md");
    expect(made.stderr).toBe("");
    lab.write("m.md", made.stdout);
    expect(await lab.ask("delta", "apply", "a.md", "m.md")).toEqual({ code: 0, stdout: next, stderr: "" });
  });

  it("reads a message that an editor gave a BOM and CRLF", async () => {
    await using lab = await withUpdate();
    lab.write("crlf.md", `\ufeff${lab.read("update.md").replaceAll("\n", "\r\n")}`);
    expect((await lab.ask("delta", "apply", "old.md", "crlf.md")).stdout).toBe(NEXT);
  });

  it("names versions by --from and --to, each by the other when it is not given", async () => {
    await using lab = openLab(FILES);
    const header = async (...args: string[]) =>
      (await lab.ask("delta", "diff", "old.md", "next.md", ...args)).stdout.split(" ")[1];
    expect(await header()).toBe("GC-v1→2");
    expect(await header("--from", "7")).toBe("GC-v7→8");
    expect(await header("--to", "7", "--label", "PLAN")).toBe("PLAN-v6→7");
    expect((await lab.ask("delta", "diff", "old.md", "next.md", "--from", "-1")).code).toBe(2);
    const label = await lab.ask("delta", "diff", "old.md", "next.md", "--label", "no label");
    expect([label.code, label.stderr]).toEqual([2, expect.stringContaining("no label")]);
  });

  it("says what was expected and found when the base is another, and prints nothing", async () => {
    await using lab = await withUpdate();
    const wrong = await lab.ask("delta", "apply", "next.md", "update.md");
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toMatch(/^DELTA_BASE: .*\n {2}expected [0-9a-f]{4}, found [0-9a-f]{12}\n/);
    expect(wrong.stderr).toContain("GC-v3 → GC-v4");
  });

  it("refuses a message that was cut off, edited, or is none", async () => {
    await using lab = await withUpdate();
    const message = lab.read("update.md");
    lab.write("edited.md", message.replace("COMPLETE", "STARTED"));
    lab.write("cut.md", message.split("\n").slice(0, 3).join("\n"));
    lab.write("none.md", "hello\n");
    lab.write("prose.md", "[CONTEXT-UPDATE] GC-v3 → GC-v4 | Delta: phase 2 ended\n");
    for (const [file, kind] of [
      ["edited.md", "DELTA_RESULT"],
      ["cut.md", "DELTA_"],
      ["none.md", "DELTA_NOT_AN_UPDATE"],
      ["prose.md", "DELTA_PROSE"],
    ] as const) {
      const { code, stdout, stderr } = await lab.ask("delta", "apply", "old.md", file);
      expect([file, code, stdout]).toEqual([file, 1, ""]);
      expect(stderr).toContain(kind);
    }
  });

  it("says when nothing proves the outcome", async () => {
    await using lab = await withUpdate();
    const [, ...rest] = lab.read("update.md").split("\n");
    lab.write("older.md", ["[CONTEXT-UPDATE] GC-v3 → GC-v4", ...rest].join("\n"));
    const { code, stdout, stderr } = await lab.ask("delta", "apply", "old.md", "older.md");
    expect([code, stdout]).toEqual([0, NEXT]);
    expect(stderr).toContain("nothing proves");
  });

  it("shows where the result differs from what was claimed", async () => {
    await using lab = await withUpdate();
    const { code, stdout, stderr } = await lab.ask("delta", "verify", "old.md", "update.md", "last.md");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/line 22, column 8: expected .*bakes.*, found .*takes/);
    lab.write("longer.md", `${NEXT}more`);
    const longer = await lab.ask("delta", "verify", "old.md", "update.md", "longer.md");
    expect(longer.stderr).toContain('expected "more", found the end');
  });

  it("tells unreadable input with exit 2", async () => {
    await using lab = await withUpdate({ "bad.md": Buffer.from([0x61, 0x62, 0xff, 0x63]) });
    mkdirSync(lab.path("folder"));
    const bad = await lab.ask("delta", "diff", "old.md", "bad.md");
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("offset 2")]);
    expect((await lab.ask("delta", "apply", "old.md", "bad.md")).code).toBe(2);
    const missing = await lab.ask("delta", "diff", "old.md", "nowhere.md");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("INPUT_NOT_FOUND")]);
    const folder = await lab.ask("delta", "diff", "folder", "old.md");
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining("INPUT_NOT_A_FILE")]);
    expect((await lab.ask("delta", "diff", "-", "-")).stderr).toContain("only once");
  });

  it("reads standard input", async () => {
    await using lab = await withUpdate();
    const line = lab.line(["delta", "apply", "old.md", "-"]);
    const stdout = execFileSync("sh", ["-c", line], {
      cwd: lab.root,
      env: lab.env,
      input: lab.read("update.md"),
      encoding: "utf8",
    });
    expect(stdout).toBe(NEXT);
  });
});

describe("espalier delta invert, squash, show", () => {
  it("leads back", async () => {
    await using lab = await withUpdate();
    const { code, stdout } = await lab.ask("delta", "invert", "old.md", "update.md");
    expect([code, stdout.startsWith("[CONTEXT-UPDATE] GC-v4→3 ")]).toEqual([0, true]);
    lab.write("back.md", stdout);
    expect((await lab.ask("delta", "apply", "next.md", "back.md")).stdout).toBe(OLD);
  });

  it("makes one message of several, with what each asked for", async () => {
    await using lab = await withUpdate();
    const next = (await lab.ask("delta", "diff", "next.md", "last.md", "--from", "4")).stdout;
    lab.write(
      "last-update.md",
      `${next}\n## Impact Assessment\n- Affected teammates: tester\n- Required actions: NONE\n`,
    );
    const { code, stdout, stderr } = await lab.ask(
      "delta",
      "squash",
      "old.md",
      "update.md",
      "last-update.md",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\[CONTEXT-UPDATE\] GC-v3→5 /);
    expect(stdout).toContain("- Affected teammates: tester\n- Required actions: NONE");
    lab.write("both.md", stdout);
    expect((await lab.ask("delta", "apply", "old.md", "both.md")).stdout).toBe(LAST);
  });

  it("squashes a message and its inverse to nothing", async () => {
    await using lab = await withUpdate();
    lab.write("back.md", (await lab.ask("delta", "invert", "old.md", "update.md")).stdout);
    const { stdout } = await lab.ask("delta", "squash", "old.md", "update.md", "back.md");
    expect(stdout).toMatch(/^\[CONTEXT-UPDATE\] GC-v3→3 \S+\n\n## Delta\n$/);
  });

  it("refuses what does not follow: another text, or another version", async () => {
    await using lab = await withUpdate();
    lab.write("gap.md", (await lab.ask("delta", "diff", "next.md", "last.md", "--from", "9")).stdout);
    const gap = await lab.ask("delta", "squash", "old.md", "update.md", "gap.md");
    expect([gap.code, gap.stdout]).toEqual([1, ""]);
    expect(gap.stderr).toContain("expected GC-v4, found GC-v9");
    const swapped = await lab.ask("delta", "squash", "old.md", "gap.md", "update.md");
    expect([swapped.code, swapped.stderr]).toEqual([1, expect.stringContaining("DELTA_BASE: gap.md")]);
  });

  it("shows a message, with its base also the lines", async () => {
    await using lab = await withUpdate();
    const plain = await lab.ask("delta", "show", "update.md");
    expect([plain.code, plain.stdout.trimEnd()]).toEqual([0, lab.read("update.md").trimEnd()]);
    const { stdout } = await lab.ask("delta", "show", "update.md", "old.md");
    expect(stdout).toContain(
      "§Status\n  line 6 progress\n  − - Phase 2: IN_PROGRESS\n  + - Phase 2: COMPLETE\n",
    );
    expect(stdout).toMatch(
      /applies exactly: 2 places \(.*1 progress\), \+2 −2 lines; \d+ tokens instead of \d+\n$/,
    );
    expect((await lab.ask("delta", "show", "update.md", "last.md")).code).toBe(1);
  });

  it("colours for a terminal and lets no foreign control character through", async () => {
    await using lab = await withUpdate({
      "evil.md": "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- ADDED §A: \x1b[2Jx\n",
    });
    const colored = await lab.cli(["delta", "show", "update.md", "old.md"], { env: { FORCE_COLOR: "1" } });
    expect(colored.stdout).toContain("\x1b[33m- CHANGED\x1b[39m");
    expect(colored.stdout).toContain("\x1b[31m  − ");
    const evil = await lab.ask("delta", "show", "evil.md");
    expect(evil.stdout).toContain("\\x1b[2Jx");
    expect(evil.stdout).not.toContain("\x1b");
  });
});
