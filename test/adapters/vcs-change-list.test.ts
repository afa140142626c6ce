import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changedFiles, openReading, patchesOf, rangeOfCommit } from "../../src/adapters/vcs/git/index.ts";
import { because, fail, few } from "../../src/ports/index.ts";

describe("what a commit changed", () => {
  let root = "";
  const git = (...args: readonly string[]) => {
    const who = ["-c", "user.name=Ann", "-c", "user.email=ann@localhost"];
    return execFileSync("git", [...who, ...args], { cwd: root, encoding: "utf8" }).trim();
  };
  const write = (path: string, text: string | Uint8Array) => writeFileSync(join(root, path), text);
  const record = (message: string) => {
    git("add", "-A");
    git("commit", "-qm", message);
    return git("rev-parse", "HEAD");
  };
  const changes = async (commit: string, env: NodeJS.ProcessEnv = process.env) => {
    const reading = openReading(root, env);
    const range = reading.ok ? await rangeOfCommit(reading.value, commit) : reading;
    return reading.ok && range.ok ? changedFiles(reading.value, range.value) : range;
  };
  const NONE = "000000";
  const FILE = "100644";
  const fresh = { status: "A", oldMode: NONE, newMode: FILE };

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "espalier-changes-"));
    git("init", "-q", "-b", "main");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("[W38] lines added and removed by file, with odd names, binary files and the first commit", async () => {
    write("a.txt", "one\ntwo\n");
    const first = record("first");
    expect(await changes(first)).toEqual({
      ok: true,
      value: [{ path: "a.txt", ...fresh, added: 2, removed: 0 }],
    });
    write("a.txt", "one\n2\nthree\n");
    write("나무\t.md", "x\n");
    write("icon.bin", new Uint8Array([0, 1, 2, 0]));
    const second = record("second");
    expect(await changes(second)).toEqual({
      ok: true,
      value: [
        { path: "a.txt", status: "M", oldMode: FILE, newMode: FILE, added: 2, removed: 1 },
        { path: "icon.bin", ...fresh },
        { path: "나무\t.md", ...fresh, added: 1, removed: 0 },
      ],
    });
  });

  it("[W38] moves, modes, links, modules and what has become of another type, each beside its own patch", async () => {
    const long = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    write("moved.txt", `${long}\n`);
    write("run.sh", "exit 0\n");
    write("turns.txt", "diff --git a/x b/x\n--- a/x\n+++ b/x\n");
    const before = record("before");
    git("mv", "moved.txt", "갔다.txt");
    write("갔다.txt", `${long}\nmore\n`);
    git("update-index", "--chmod=+x", "run.sh");
    git("rm", "-q", "--cached", "turns.txt");
    rmSync(join(root, "turns.txt"));
    symlinkSync("run.sh", join(root, "turns.txt"));
    git("add", "갔다.txt", "turns.txt");
    git("update-index", "--add", "--cacheinfo", `160000,${before},module`);
    git("commit", "-qm", "after");
    const reading = openReading(root, process.env);
    if (!reading.ok) throw new Error(reading.failure.code);
    const range = { from: before, to: git("rev-parse", "HEAD") };
    const found = await changedFiles(reading.value, range);
    if (!found.ok) throw new Error(found.failure.code);
    expect(found.value).toEqual([
      { path: "module", status: "A", oldMode: NONE, newMode: "160000", added: 1, removed: 0 },
      { path: "run.sh", status: "M", oldMode: FILE, newMode: "100755", added: 0, removed: 0 },
      { path: "turns.txt", status: "T", oldMode: FILE, newMode: "120000", added: 1, removed: 3 },
      {
        path: "갔다.txt",
        from: "moved.txt",
        status: "R",
        oldMode: FILE,
        newMode: FILE,
        added: 1,
        removed: 0,
      },
    ]);
    const patches = await patchesOf(reading.value, range, found.value);
    if (!patches.ok) throw new Error(patches.failure.code);
    const [module = "", run = "", turns = "", moved = ""] = patches.value;
    expect(module).toContain(`+Subproject commit ${before}`);
    expect(run).toContain("new mode 100755");
    expect(turns).toContain("-diff --git a/x b/x\n");
    expect(turns).toContain("+run.sh\n");
    expect(moved).toContain("rename from moved.txt");
    expect(moved).toContain("+more\n");
    git("reset", "-q", "--hard", before);
  });

  it("[W38] a merge is told against the branch it came into", async () => {
    git("checkout", "-qb", "side");
    write("side.txt", "s\n");
    record("side");
    git("checkout", "-q", "main");
    write("main.txt", "m\n");
    record("main");
    git("merge", "-q", "--no-ff", "-m", "joined", "side");
    const found = await changes(git("rev-parse", "HEAD"));
    expect(found).toEqual({ ok: true, value: [{ path: "side.txt", ...fresh, added: 1, removed: 0 }] });
  });

  it("[W38] what names no commit is never given to git, and a commit that is gone is said in words", async () => {
    for (const bad of ["", "--output=x", "HEAD", "main", "a b", "ABCDEF1", "../../x"])
      expect(await changes(bad)).toEqual(fail(because("commit-unnamed", { name: bad })));
    expect(await changes("0123456789abcdef0123456789abcdef01234567")).toMatchObject({ ok: false });
    expect(await changes("0123456", { PATH: "" })).toMatchObject({ ok: false });
  });

  it("[XR7] says what stands against it, also where that is no word of git's", async () => {
    const reason = because("git-config-changed", { keys: few(["core.fsmonitor"]) });
    const run = async () => fail({ kind: "config-changed", keys: ["core.fsmonitor"], reason } as const);
    expect(await changedFiles({ run }, { from: "a", to: "b" })).toEqual(fail(reason));
  });

  it("[W38] the repository's own diff programs are not started", async () => {
    write(".gitattributes", "*.txt diff=evil\n");
    git("config", "diff.evil.command", "touch started");
    git("config", "diff.evil.textconv", "touch started");
    git("config", "diff.external", "touch started");
    write("a.txt", "changed\n");
    const found = await changes(record("evil"));
    expect(found).toMatchObject({ ok: true });
    expect(git("status", "--porcelain")).toBe("");
  });
});
