import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMemory } from "../../src/adapters/vcs/git/repository/memory.ts";
import { openStoredRefs } from "../../src/adapters/vcs/git/repository/stored-refs.ts";
import { type GitLab, openGitLab } from "./lab.ts";

/** Git's own answer; a pattern would match what lies below a name as well. */
function commitOf(lab: GitLab, ref: string): string {
  const lines = lab.git("for-each-ref", "--format=%(objectname) %(refname)").split("\n");
  return lines.find(line => line.endsWith(` ${ref}`))?.split(" ")[0] ?? "";
}

const unclear = { kind: "unclear" };

describe("refs read as files", () => {
  it("are what git says, single and packed, moved and deleted", () => {
    using lab = openGitLab();
    const refs = openStoredRefs(join(lab.root, ".git"));
    const same = (name: string) => {
      const commit = commitOf(lab, `refs/heads/${name}`);
      const expected = commit === "" ? { kind: "absent" } : { kind: "commit", commit };
      expect(refs.read(`refs/heads/${name}`)).toEqual(expected);
    };
    lab.git("branch", "a/b");
    for (const name of ["main", "a/b", "a", "none"]) same(name);
    lab.git("pack-refs", "--all");
    for (const name of ["main", "a/b", "a", "b", "in", "none"]) same(name);
    lab.commit("more");
    for (const name of ["main", "a/b"]) same(name);
    lab.git("branch", "-D", "a/b");
    same("a/b");
  });

  it("[V88] are listed as git lists them, whatever has changed since the last time", () => {
    using lab = openGitLab();
    const refs = openStoredRefs(join(lab.root, ".git"));
    const below = ["refs/heads", "refs/tags", "refs/notes"];
    const same = () => {
      const lines = lab.git("for-each-ref", "--format=%(refname) %(objectname)", ...below).split("\n");
      expect([...(refs.list(below) ?? [])].map(one => one.join(" ")).toSorted()).toEqual(lines);
    };
    const rest = () => {
      const folders = ["refs/heads", "refs/heads/a", "refs/heads/a/b", "refs/tags"];
      for (const folder of folders)
        if (lab.has(`.git/${folder}`)) utimesSync(join(lab.root, ".git", folder), 1, 1);
      same();
      same();
    };
    for (const name of ["one", "a/b/c", "a/d"]) lab.git("branch", name);
    lab.git("tag", "v1");
    rest();
    const next = lab.git("commit-tree", "-m", "next", "-p", "main", "main^{tree}");
    lab.git("branch", "-f", "a/b/c", next);
    rest();
    lab.git("notes", "add", "-m", "note", "main");
    lab.git("branch", "-D", "a/d");
    lab.git("pack-refs", "--all");
    rest();
    lab.git("branch", "-f", "a/b/c", "main");
    lab.git("tag", "-d", "v1");
    rest();
    lab.git("branch", "-D", "a/b/c");
    lab.git("branch", "-D", "one");
    lab.git("branch", "one/more");
    rest();
  });

  it("[V88] are not read again where nothing has changed beside them", () => {
    using lab = openGitLab();
    lab.git("branch", "mine");
    const refs = openStoredRefs(join(lab.root, ".git"));
    utimesSync(join(lab.root, ".git/refs/heads"), 1, 1);
    const first = refs.list(["refs/heads"])?.get("refs/heads/mine");
    // Git never writes into a ref's own file.
    writeFileSync(join(lab.root, ".git/refs/heads/mine"), `${"1".repeat(40)}\n`);
    expect(refs.list(["refs/heads"])?.get("refs/heads/mine")).toBe(first);
    lab.git("branch", "another");
    expect(refs.list(["refs/heads"])?.get("refs/heads/mine")).toBe("1".repeat(40));
  });

  it("leave to git whatever is not plainly a commit", () => {
    using lab = openGitLab();
    const refs = openStoredRefs(join(lab.root, ".git"));
    lab.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    symlinkSync("main", join(lab.root, ".git/refs/heads/link"));
    lab.write(".git/refs/heads/empty", "");
    lab.write(".git/refs/heads/zeros", "\0".repeat(41));
    lab.write(".git/refs/heads/short", "abc123\n");
    for (const name of ["alias", "link", "empty", "zeros", "short", "main/x"])
      expect([name, refs.read(`refs/heads/${name}`)]).toEqual([name, unclear]);
    lab.write(".git/reftable/tables.list", "");
    expect(refs.read("refs/heads/none")).toEqual(unclear);
  });
});

describe("what a run remembers of its repository", () => {
  it("forgets an index that anybody has written", () => {
    using lab = openGitLab();
    const memory = createMemory();
    const index = join(lab.root, ".git/index");
    expect(memory.indexTree(index)).toBeUndefined();
    memory.noteIndex(index, "tree");
    expect(memory.indexTree(index)).toBe("tree");
    lab.write("new.txt", "x");
    lab.git("add", "-A");
    expect(memory.indexTree(index)).toBeUndefined();
    memory.noteIndex(index, "tree");
    memory.forgetIndex(index);
    expect(memory.indexTree(index)).toBeUndefined();
  });

  it("knows landed attempts only of the commit a branch stands at", () => {
    const memory = createMemory();
    memory.addLanded("b", "1", "2", "early");
    expect(memory.landedOn("b", "2")).toBeUndefined();
    memory.noteLanded("b", "1", new Map([["first", "1"]]));
    memory.addLanded("b", "1", "2", "second");
    memory.addLanded("b", "1", "9", "stray");
    expect([...(memory.landedOn("b", "2") ?? [])]).toEqual([
      ["first", "1"],
      ["second", "2"],
    ]);
    expect(memory.landedOn("b", "1")).toBeUndefined();
  });

  it("names the tree of a commit it made, and any other name by itself", () => {
    const memory = createMemory();
    memory.noteCommit("c", "t", "attempt");
    memory.noteCommit("c", "t");
    expect([memory.treeNamed("c"), memory.treeNamed("t"), memory.attemptOf("c")]).toEqual([
      "t",
      "t",
      "attempt",
    ]);
    expect(memory.attemptOf("other")).toBeUndefined();
  });
});
