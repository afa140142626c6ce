import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Repository } from "../../../src/adapters/vcs/git/repository/repository.ts";
import { passingRef } from "../../../src/adapters/vcs/git/travel/passing.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({ "1: All": { "T1.1": ["run: echo 1 > one.txt"] } });

describe("what a process held while it took it in, and was killed", { timeout: 120_000 }, () => {
  it("[V94] is let go of by the next run of its project, and by none of another one in the repository", async () => {
    await using lab = openRepositoryLab({
      "a/TASKS.md": TASKS,
      "a/espalier.yaml": "\n",
      "b/TASKS.md": TASKS,
      "b/espalier.yaml": "\n",
    });
    const refOf = (project: string, kind: "came" | "copy", name: string) => {
      const rescueDir = join(lab.root, project, ".espalier", "rescued");
      const place = { facts: { common: join(lab.root, ".git") }, rescueDir };
      return passingRef(place as unknown as Repository, kind, name);
    };
    const held = () =>
      lab.git("for-each-ref", "--format=%(refname)", "refs/espalier/came", "refs/espalier/copy");
    const [loose, packed, copy] = [
      refOf("a", "came", "c0ffee"),
      refOf("a", "came", "decade"),
      refOf("a", "copy", "r1/2"),
    ];
    lab.git("update-ref", packed, "HEAD");
    lab.git("pack-refs", "--all");
    for (const ref of [loose, copy]) lab.git("update-ref", ref, "HEAD");
    expect((await lab.cli(["run", "--yes"], { cwd: "b" })).code).toBe(0);
    expect(held().split("\n")).toEqual([loose, packed, copy]);
    expect((await lab.cli(["run", "--yes"], { cwd: "a" })).code).toBe(0);
    expect(held()).toBe("");
  });
});
