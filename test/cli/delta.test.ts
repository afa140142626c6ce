import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Lab, openLab } from "./lab.ts";

const OLD = `# Bakery

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS

## Decisions

- **D-1:** Prices are integers in cents
- **D-2:** Orders are kept in one table

## Notes

${Array.from({ length: 20 }, (_, at) => `Oven ${at} takes ${at * 3 + 7} loaves and needs to rest afterwards.`).join("\n")}
`;
const NEXT = OLD.replace("IN_PROGRESS", "COMPLETE").replace("one table", "one table per shop");
const LAST = NEXT.replace("Oven 7 takes", "Oven 7 bakes");
const FILES = { "old.md": OLD, "next.md": NEXT, "last.md": LAST };

/** A lab with the message from `old.md` to `next.md` as `update.md`. */
async function withUpdate(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Lab> {
  const lab = openLab({ ...FILES, ...files });
  const { stdout } = await lab.ask("delta", "diff", "old.md", "next.md", "--from", "3", "--to", "4");
  lab.write("update.md", stdout);
  return lab;
}

function git(lab: Lab, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=t@example.org", ...args], {
    cwd: lab.root,
    stdio: "ignore",
  });
}

function commit(lab: Lab, name: string, text: string | Uint8Array): void {
  lab.write(name, text);
  git(lab, "add", "-A");
  git(lab, "commit", "-q", "-m", "step");
}

interface Report {
  readonly steps: readonly {
    readonly from: number | string;
    readonly to: number | string;
    readonly exact: boolean;
    readonly form: string;
    readonly tokens: { readonly sent: number; delta: number; full: number; u0: number | null };
  }[];
  readonly total: Readonly<Record<string, number | null>>;
}

async function replayed(lab: Lab, ...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await lab.ask("delta", "replay", ...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Report;
}

describe("espalier delta diff, apply, verify", () => {
  it("prints the message and carries it out byte for byte", async () => {
    await using lab = await withUpdate();
    const message = lab.read("update.md");
    expect(message.split("\n")[0]).toMatch(/^\[CONTEXT-UPDATE\] GC-v3 → GC-v4 [0-9a-f]{4}→[0-9a-f]{6}$/);
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
      (await lab.ask("delta", "diff", "old.md", "next.md", ...args)).stdout.split(" ").slice(1, 4).join(" ");
    expect(await header()).toBe("GC-v1 → GC-v2");
    expect(await header("--from", "7")).toBe("GC-v7 → GC-v8");
    expect(await header("--to", "7", "--label", "PLAN")).toBe("PLAN-v6 → PLAN-v7");
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
    lab.write("cut.md", message.split("\n").slice(0, 4).join("\n"));
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
    expect([code, stdout.startsWith("[CONTEXT-UPDATE] GC-v4 → GC-v3 ")]).toEqual([0, true]);
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
    expect(stdout).toMatch(/^\[CONTEXT-UPDATE\] GC-v3 → GC-v5 /);
    expect(stdout).toContain("- Affected teammates: tester\n- Required actions: NONE");
    lab.write("both.md", stdout);
    expect((await lab.ask("delta", "apply", "old.md", "both.md")).stdout).toBe(LAST);
  });

  it("squashes a message and its inverse to nothing", async () => {
    await using lab = await withUpdate();
    lab.write("back.md", (await lab.ask("delta", "invert", "old.md", "update.md")).stdout);
    const { stdout } = await lab.ask("delta", "squash", "old.md", "update.md", "back.md");
    expect(stdout).toMatch(/^\[CONTEXT-UPDATE\] GC-v3 → GC-v3 \S+\n\n## Delta\n$/);
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

describe("espalier delta replay on a folder", () => {
  const folder = {
    "h/0001.md": OLD,
    "h/0002.md": OLD,
    "h/0003.md": NEXT,
    "h/0010.md": LAST,
    "h/notes.md": "x",
  };

  it("prints exactly the promised JSON", async () => {
    await using lab = openLab(folder);
    const { steps, total } = await replayed(lab, "h");
    expect(steps.map(({ from, to, exact, form }) => [from, to, exact, form])).toEqual([
      [2, 3, true, "delta"],
      [3, 10, true, "delta"],
    ]);
    for (const step of steps) {
      expect(Object.keys(step)).toEqual(["from", "to", "exact", "form", "tokens"]);
      expect(Object.keys(step.tokens)).toEqual(["sent", "delta", "full", "u0"]);
      expect(step.tokens.sent).toBe(step.tokens.delta);
      expect(step.tokens.sent).toBeLessThan(step.tokens.full);
      expect(step.tokens.u0).toBeGreaterThan(10);
    }
    const [a, b] = steps.map(({ tokens: { sent, full } }) => (100 * sent) / full);
    const mean = expect.closeTo((a! + b!) / 2, 1);
    expect(total).toEqual({ steps: 2, exact: 2, meanPercent: mean, medianPercent: mean });
  });

  it("counts what git diff -U0 really says, in one batch, whatever the text looks like", async () => {
    const tricky = "diff --git a/0 b/0\n--- a\n+++ b\n@@ -1 +1 @@\n\0\n";
    await using lab = openLab({
      "h/1.md": "a\nb\n",
      "h/2.md": tricky,
      "h/3.md": `${tricky}c\n`,
      "h/4.md": "",
    });
    const { steps } = await replayed(lab, "h");
    const { countTokens } = await import("../../src/tokens/index.ts");
    const real = spawnSync("git", ["diff", "--no-index", "--text", "-U0", "--", "h/2.md", "h/3.md"], {
      cwd: lab.root,
      encoding: "utf8",
    });
    expect(real.stdout).toContain("\n+c\n");
    expect(steps[1]?.tokens.u0).toBe(countTokens(real.stdout.split("\n").slice(4).join("\n")));
    expect(steps).toHaveLength(3);
    expect(steps.every(({ exact, tokens: { u0 } }) => exact && u0 !== null)).toBe(true);
  });

  it("reports for people", async () => {
    await using lab = openLab(folder);
    const { code, stdout } = await lab.ask("delta", "replay", "h");
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ 2 → 3 +delta +\d+ +\d+ +\d+ +\d+\.\d %\n/);
    expect(stdout).toMatch(/2 of 2 steps exact; sent \d+\.\d % of the document on average/);
    expect(stdout).toContain("forms: delta 2\n");
    expect(stdout).not.toContain("\x1b");
  });

  it("follows the documents' rule when asked", async () => {
    const old = "# A\n\none two three four five six seven eight\n";
    const files = {
      "h/1.md": OLD,
      "h/2.md": OLD.replaceAll("loaves", "cakes").replaceAll("rest", "cool down"),
    };
    await using lab = openLab({ ...files, "s/1.md": old, "s/2.md": old.replace("two", "2") });
    const [byCost] = (await replayed(lab, "h")).steps;
    const [bySpec] = (await replayed(lab, "h", "--policy", "spec")).steps;
    expect(byCost?.tokens.sent).toBeLessThanOrEqual(bySpec?.tokens.sent ?? 0);
    expect(bySpec?.form === "full" || bySpec!.tokens.sent <= bySpec!.tokens.full * 0.6).toBe(true);
    expect((await replayed(lab, "s", "--policy", "spec")).steps[0]?.form).toBe("full");
    expect((await lab.ask("delta", "replay", "h", "--policy", "other")).code).toBe(2);
  });

  it("has no u0 where git is missing", async () => {
    await using lab = openLab(folder);
    mkdirSync(lab.path("bin"));
    const { code, stdout } = await lab.cli(["delta", "replay", "h", "--json"], {
      env: { PATH: lab.path("bin") },
    });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Report).steps.map(({ tokens }) => tokens.u0)).toEqual([null, null]);
    const shown = await lab.cli(["delta", "replay", "h"], { env: { PATH: lab.path("bin") } });
    expect(shown.stdout).toContain("git was not found");
    const history = await lab.cli(["delta", "replay", "old.md"], { env: { PATH: lab.path("bin") } });
    expect([history.code, history.stderr]).toEqual([2, expect.stringContaining("git was not found")]);
  });

  it("tells folders it cannot walk", async () => {
    await using lab = openLab({
      "one/1.md": OLD,
      "none/a.md": OLD,
      "bad/1.md": OLD,
      "bad/2.md": Buffer.from([0xc0]),
    });
    const { steps, total } = await replayed(lab, "one");
    expect([steps, total]).toEqual([[], { steps: 0, exact: 0, meanPercent: null, medianPercent: null }]);
    expect((await lab.ask("delta", "replay", "one")).stdout).toContain("do not differ");
    const none = await lab.ask("delta", "replay", "none");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("expected 0001.md")]);
    const bad = await lab.ask("delta", "replay", "bad");
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("offset 0")]);
    expect((await lab.ask("delta", "replay", "one", "--git")).code).toBe(2);
  });
});

describe("espalier delta replay on a git history", () => {
  it("walks through renames, merges, deletions and odd names", async () => {
    await using lab = openLab();
    git(lab, "init", "-q", "-b", "main");
    commit(lab, ":first.md", OLD);
    renameSync(lab.path(":first.md"), lab.path("CLAUDE notes.md"));
    git(lab, "add", "-A");
    git(lab, "commit", "-q", "-m", "renamed");
    git(lab, "checkout", "-q", "-b", "side");
    commit(lab, "CLAUDE notes.md", NEXT.replace("Oven 3", "Stove 3"));
    commit(lab, "CLAUDE notes.md", NEXT);
    git(lab, "checkout", "-q", "main");
    git(lab, "merge", "-q", "--no-ff", "-m", "merged", "side");
    rmSync(lab.path("CLAUDE notes.md"));
    git(lab, "commit", "-q", "-a", "-m", "gone");
    commit(lab, "CLAUDE notes.md", LAST);
    const { steps, total } = await replayed(lab, "--git", "CLAUDE notes.md");
    expect(steps.at(-1)?.exact).toBe(true);
    expect(total["exact"]).toBe(total["steps"]);
    // The second branch's own commits are no versions: its merge is one.
    expect(steps).toHaveLength(2);
    expect(steps[0]?.to).toMatch(/^[0-9a-f]{12}$/);
    expect(steps[1]?.from).toBe(steps[0]?.to);
  });

  it("follows a link to its file, from another folder", async () => {
    await using lab = openLab();
    git(lab, "init", "-q");
    commit(lab, "docs/AGENTS.md", OLD);
    commit(lab, "docs/AGENTS.md", NEXT);
    symlinkSync("docs/AGENTS.md", lab.path("CLAUDE.md"));
    const { steps } = await replayed(lab, "CLAUDE.md");
    expect(steps.map(({ exact, form }) => [exact, form])).toEqual([[true, "delta"]]);
  });

  it("leaves out versions that are no text, and says so", async () => {
    await using lab = openLab();
    git(lab, "init", "-q");
    commit(lab, "a.md", OLD);
    commit(lab, "a.md", Buffer.from([0x61, 0xff]));
    commit(lab, "a.md", NEXT);
    const { code, stdout, stderr } = await lab.ask("delta", "replay", "a.md", "--json");
    expect(code).toBe(0);
    expect(stderr).toMatch(/^left out [0-9a-f]{12}: Not UTF-8: byte 1/);
    expect((JSON.parse(stdout) as Report).steps).toHaveLength(1);
  });

  it("runs nothing that the repository configures", async () => {
    await using lab = openLab();
    git(lab, "init", "-q");
    lab.write("trap.sh", `#!/bin/sh\ntouch ${lab.path("sprung")}\ncat\n`);
    chmodSync(lab.path("trap.sh"), 0o755);
    lab.write(".gitattributes", "*.md diff=trap filter=trap\n");
    commit(lab, "a.md", OLD);
    commit(lab, "a.md", NEXT);
    const trap = lab.path("trap.sh");
    for (const key of [
      "diff.external",
      "diff.trap.textconv",
      "diff.trap.command",
      "core.fsmonitor",
      "core.pager",
    ])
      git(lab, "config", key, trap);
    for (const key of ["gpg.program", "filter.trap.smudge", "filter.trap.clean"])
      git(lab, "config", key, trap);
    git(lab, "config", "log.showSignature", "true");
    rmSync(lab.path("sprung"), { force: true });
    expect((await replayed(lab, "a.md")).steps).toHaveLength(1);
    expect(existsSync(lab.path("sprung"))).toBe(false);
  });

  it("tells a file without a history", async () => {
    await using lab = openLab({ "a.md": OLD });
    const outside = await lab.ask("delta", "replay", "--git", "a.md");
    expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining("HISTORY_UNREADABLE")]);
    git(lab, "init", "-q");
    commit(lab, "b.md", OLD);
    const unknown = await lab.ask("delta", "replay", "c.md");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("git knows no version")]);
    expect((await lab.ask("delta", "replay", "nowhere/c.md")).stderr).toContain("does not exist");
  });
});
