import { join } from "node:path";
import { expect, it } from "vitest";
import { unbornAt } from "../../src/adapters/vcs/git/index.ts";
import { openGitLab } from "./lab.ts";

it("[V107] a branch that is gone is known by the commit that it stood at, wherever the checkout was since", () => {
  using lab = openGitLab();
  const commit = (name: string) => {
    lab.git("commit", "-q", "--allow-empty", "-m", name);
    return lab.git("rev-parse", "HEAD").trim();
  };
  const first = commit("first");
  const entry = join(lab.root, ".git");
  expect(unbornAt(entry)).toBe(undefined);
  const last = commit("last");
  lab.git("update-ref", "-d", "refs/heads/main");
  expect(unbornAt(entry)).toEqual({ branch: "main", last });
  lab.git("update-ref", "refs/heads/main", last);
  lab.git("checkout", "-q", "-b", "docs", first);
  commit("of docs");
  lab.git("branch", "-q", "-D", "main");
  lab.git("symbolic-ref", "HEAD", "refs/heads/main");
  expect(unbornAt(entry)).toEqual({ branch: "main", last });
});
