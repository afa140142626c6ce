import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesOf, sampleOf } from "../../sample.ts";
import type { Planting } from "../../torture/stranger/plant.ts";
import { Ground, type Visit, visits } from "../../torture/stranger/visit.ts";

const ground = new Ground();
beforeAll(() => ground.prepare(), 120_000);
afterAll(() => ground.remove());

const visit = (command: string, kind: Planting["kind"], ...names: string[]): Visit => {
  const args = command.split(" ");
  return {
    plantings: names.map(name => ({ name, kind })),
    seasoned: false,
    call: { args, yes: args.includes("--yes") },
  };
};

describe("a repository that a stranger made", { timeout: 240_000 }, () => {
  it.each(
    sampleOf<[string, Visit]>(
      [
        ["a lock that is a link", visit("run", "link to a file", ".espalier/lock.db")],
        ["a lock that is a link, for a lead", visit("next", "link to a file", ".espalier/lock.db")],
        ["a lock that leads to nothing", visit("run", "link to nothing", ".espalier/lock.db")],
        ["a linked state folder", visit("run --yes", "link to a folder", ".espalier")],
        ["a log with a name elsewhere", visit("run --yes", "hard link", ".espalier/orchestrate.log")],
        ["a database with a log elsewhere", visit("next", "link to nothing", ".espalier/espalier.db-wal")],
        ["a linked folder of exclusions", visit("run --yes", "link to a folder", ".git/info")],
        ["refs that lead out", visit("run --yes", "link to a folder", ".git/refs/heads")],
        ["a repository that is a link", visit("run --yes", "link to a folder", ".git")],
        ["a folder of tasks that leads out", visit("run --yes", "link to a folder", "docs/planning")],
        [
          "pipes at every turn",
          visit("run", "pipe", ".git/HEAD", ".espalier/espalier.db", "docs/planning/TASKS.md"),
        ],
        ["pipes where git reads", visit("run", "pipe", ".git/packed-refs", ".git/objects/info/alternates")],
        [
          "a pipe deep among the files",
          visit("run --yes", "pipe", "docs/.gitignore", "docs/planning/.gitattributes"),
        ],
        ["a pipe for a lead", visit("next", "pipe", ".git/info/exclude", ".gitignore")],
        ["a pipe where the project is looked at", visit("init", "pipe", "package.json", "Makefile")],
        ["files without end", visit("doctor", "endless", ".git/packed-refs", ".gitattributes", ".env")],
        [
          "a resume of files without end",
          visit("resume", "endless", ".git/config", "docs/planning/TASKS.md"),
        ],
        ["links to a device", visit("plan", "link to a device", ".git/config", "docs/planning/TASKS.md")],
        ["settings without end", visit("run --yes", "link to a device", "espalier.yaml", ".git/shallow")],
        ["nothing wrong with it, and a no", visit("run", "garbage", "AGENTS.md")],
      ],
      1,
      4,
      5,
      7,
      9,
      15,
      19,
    ),
  )("[OF1] with %s changes nothing around it", async (_, one) => {
    expect(await ground.visit(one)).toEqual([]);
  });

  it("[OF1] planted in any way changes nothing around it, and ends", async () => {
    await fc.assert(
      fc.asyncProperty(visits, async one => {
        expect(await ground.visit(one)).toEqual([]);
      }),
      { numRuns: casesOf(2, 4) },
    );
  });
});
