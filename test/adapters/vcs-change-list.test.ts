import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChangeList } from "../../src/adapters/vcs/git/index.ts";

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
  const changes = (commit: string) => openChangeList(root, process.env)(commit);

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "espalier-changes-"));
    git("init", "-q", "-b", "main");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("[W38] lines added and removed by file, with odd names, binary files and the first commit", async () => {
    write("a.txt", "one\ntwo\n");
    const first = record("first");
    expect(await changes(first)).toEqual({ ok: true, value: [{ path: "a.txt", added: 2, removed: 0 }] });
    write("a.txt", "one\n2\nthree\n");
    write("나무\t.md", "x\n");
    write("icon.bin", new Uint8Array([0, 1, 2, 0]));
    const second = record("second");
    expect(await changes(second)).toEqual({
      ok: true,
      value: [
        { path: "a.txt", added: 2, removed: 1 },
        { path: "icon.bin" },
        { path: "나무\t.md", added: 1, removed: 0 },
      ],
    });
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
    expect(found).toEqual({ ok: true, value: [{ path: "side.txt", added: 1, removed: 0 }] });
  });

  it("[W38] what names no commit is never given to git, and a commit that is gone is said in words", async () => {
    for (const bad of ["", "--output=x", "HEAD", "main", "a b", "ABCDEF1", "../../x"])
      expect(await changes(bad)).toEqual({ ok: false, failure: `${bad} names no commit` });
    expect(await changes("0123456789abcdef0123456789abcdef01234567")).toMatchObject({ ok: false });
    expect(await openChangeList(root, { PATH: "" })("0123456")).toMatchObject({ ok: false });
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
