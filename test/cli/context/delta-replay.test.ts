import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";
import { commit, git, LAST, NEXT, OLD, type Report, replayed } from "./delta-lab.ts";

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
    const { countTokens } = await import("../../../src/tokens/index.ts");
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

  it("leaves out a version that is no text, and shows the others", async () => {
    await using lab = openLab({
      "docs/0001.md": OLD,
      "docs/0002.md": Buffer.from([0x61, 0xff]),
      "docs/0003.md": NEXT,
    });
    const { code, stdout, stderr } = await lab.ask("delta", "replay", "docs", "--json");
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^left out 0002\.md: .*UTF-8/)]);
    const { steps } = JSON.parse(stdout) as Report;
    expect(steps).toMatchObject([{ from: 1, to: 3, exact: true }]);
  });

  it("tells folders it cannot walk", async () => {
    await using lab = openLab({
      "one/1.md": OLD,
      "none/a.md": OLD,
    });
    const { steps, total } = await replayed(lab, "one");
    expect([steps, total]).toEqual([[], { steps: 0, exact: 0, meanPercent: null, medianPercent: null }]);
    expect((await lab.ask("delta", "replay", "one")).stdout).toContain("do not differ");
    const none = await lab.ask("delta", "replay", "none");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("expected 0001.md")]);
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
