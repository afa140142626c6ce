import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const CONTEXT = "## Context\n\n- ctx-root: docs/spec.md\n  - ctx-api: docs/api/*.md\n\n";
const reads = (text: string) => `run: grep -q "${text}" "$ESPALIER_CONTEXT"`;

/** A task file of phases whose tasks read `ctx-api`. */
function tasks(phases: Parameters<typeof tasksFile>[0]): string {
  return tasksFile(phases).replace("# Job\n\n", `# Job\n\n${CONTEXT}`);
}

const FILES = { "docs/spec.md": "# Spec\n\n- gate: oak\n", "docs/api/a.md": "# A\n" };

describe("documents that a task changes on its phase's branch", { timeout: 120_000 }, () => {
  itWhole(
    "[G12] are new versions for later tasks of the phase and of the next, before anything is merged",
    async () => {
      await using lab = openRepositoryLab({
        "espalier.yaml": "phase: { merge: never }\nbackoff: { first: 0s }\n",
        ...FILES,
        "TASKS.md": tasks({
          "1: parts": {
            "T1.1": ["context: ctx-api", "run: sed -i s/oak/iron/ docs/spec.md; echo '# B' > docs/api/b.md"],
            "T1.2": ["context: ctx-api", "depends_on: [T1.1]", reads("gate: iron")],
            "T1.3": ["context: ctx-api", "depends_on: [T1.1]", reads("# B")],
          },
          "2: more": { "T2.1": ["context: ctx-api", reads("gate: iron")] },
        }),
      });
      const { code, stderr } = await lab.cli(["run", "--yes"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(lab.read("docs/spec.md")).toContain("oak");
      const tree = (await lab.ask("context", "tree")).stdout;
      expect(tree).toContain("docs-spec.md v2");
      expect(tree).toContain("docs-api-b.md v1");
      const receipt = (await lab.ask("context", "receipt", "T1.2")).stdout;
      expect(receipt).toContain("docs-spec.md v2");
    },
  );

  it("[G12] [G15] are not those of an attempt that has not landed; what a fill writes there is its document", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "maxAttempts: 2\nsameError: 0\nphase: { merge: auto }\nbackoff: { first: 0s }\n",
      ...FILES,
      "TASKS.md": tasks({
        "1: parts": {
          "T1.1": [
            "fills: ctx-api",
            "expects: docs/found.md",
            "run: echo '# Found in the worktree' > docs/found.md",
          ],
          "T1.2": ["context: ctx-api", reads("Found in the worktree")],
          "T1.3": [
            "context: ctx-api",
            "run: sed -i s/oak/wrong/ docs/spec.md; test -e docs/found.md",
            "verify: test -e /nowhere",
          ],
          "T1.4": ["context: ctx-api", "depends_on: [T1.2]", `run: '! grep -q wrong "$ESPALIER_CONTEXT"'`],
        },
      }),
    });
    const { stdout } = await lab.cli(["run", "--yes"]);
    for (const task of ["T1.1", "T1.2", "T1.4"]) expect(stdout).toContain(`[DONE] ${task}`);
    expect((await lab.ask("context", "show", "fill-T1.1")).stdout).toBe("# Found in the worktree\n");
    expect((await lab.ask("context", "tree")).stdout).toContain("docs-spec.md v1");
  });
});
