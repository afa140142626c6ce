import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Lab, openLab } from "../lab.ts";
import { openRepositoryLab } from "../repository/lab.ts";

const TASKS = `# Shed
## Context
- ctx-root: docs/*.md
## Phase 1: Build
### [ ] T1.1: Change the rules
### [ ] T1.2: Read them
- depends_on: [T1.1]
`;

const FILES = { "TASKS.md": TASKS, "docs/rules.md": "Gates are oak.\n" };

/** An agent that keeps its prompts in a folder beside the project, and changes documents as T1.1. */
function withAgent(lab: Lab): (task: string) => string[] {
  const out = join(dirname(lab.root), "prompts");
  mkdirSync(out);
  writeFileSync(
    join(out, "agent.sh"),
    [
      `cat > ${out}/$ESPALIER_TASK`,
      'if [ "$ESPALIER_TASK" = T1.1 ]; then',
      "  echo 'Walls are brick.' >> docs/rules.md",
      "  echo 'Roofs are slate.' > docs/made.md",
      "fi",
      'echo "DONE:$ESPALIER_SIGNAL_ID"',
    ].join("\n"),
  );
  lab.write(
    "espalier.yaml",
    `agent: w\nagents: { w: { command: sh ${out}/agent.sh } }\nphase: { merge: auto }\n`,
  );
  // What documents and updates are said to be from, each by the last line in which it is.
  return task =>
    [...readFileSync(join(out, task), "utf8").matchAll(/^<(?:document|update) .*? from="([^"]*)"/gm)].map(
      ([, from]) => from!,
    );
}

describe("declared files that an attempt changed", { timeout: 120_000 }, () => {
  for (const folder of ["", "packages/shed/"])
    it(`[G126] are told as its, made or changed, until somebody else changes them, in ${folder || "the top"}`, async () => {
      const files = Object.entries(FILES).map(([path, text]) => [`${folder}${path}`, text] as const);
      await using lab = openRepositoryLab(Object.fromEntries(files));
      const from = withAgent(lab);
      if (folder !== "") lab.write(`${folder}espalier.yaml`, lab.read("espalier.yaml"));
      const options = { cwd: folder };
      expect(await lab.cli(["run", "--yes"], options)).toMatchObject({ code: 0 });
      expect(from("T1.1")).toEqual(["file docs/rules.md"]);
      expect(from("T1.2").toSorted()).toEqual([
        "file docs/made.md, changed by T1.1, attempt 1, w",
        "file docs/rules.md",
        "file docs/rules.md, changed by T1.1, attempt 1, w",
      ]);
      lab.write(`${folder}docs/rules.md`, "Gates are larch.\nWalls are brick.\n");
      lab.git("commit", "-qam", "ours");
      lab.write(`${folder}TASKS.md`, `${lab.read(`${folder}TASKS.md`)}### [ ] T1.3: Read them again\n`);
      expect(await lab.cli(["run", "--yes"], options)).toMatchObject({ code: 0 });
      expect(from("T1.3").toSorted()).toEqual([
        "file docs/made.md, changed by T1.1, attempt 1, w",
        "file docs/rules.md",
      ]);
    });

  it("[G126] are told so without git, too, where they were read before", async () => {
    await using lab = openLab(FILES);
    const from = withAgent(lab);
    expect(await lab.cli(["run", "--yes"])).toMatchObject({ code: 0 });
    expect(from("T1.2").toSorted()).toEqual([
      "file docs/made.md, changed by T1.1, attempt 1, w",
      "file docs/rules.md",
      "file docs/rules.md, changed by T1.1, attempt 1, w",
    ]);
    const tree = await lab.ask("--locale", "ko", "context", "tree");
    expect(tree.stdout).toContain("파일 docs/rules.md, T1.1 변경 (1번째 시도, w)");
  });
});
