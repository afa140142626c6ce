import { expect } from "vitest";
import { readingMonitor } from "../../src/host/monitor/reading.ts";
import { findProject } from "../../src/host/project/project.ts";
import { openRepositoryLab } from "../cli/repository/lab.ts";
import { itWhole } from "../sample.ts";

itWhole(
  "[W43] what stands in the worktree of a task that has not landed is shown, and the folder stays as it is",
  async () => {
    await using lab = openRepositoryLab({
      "a.txt": "one\n",
      "worker.sh":
        '#!/bin/sh\ncat > /dev/null; echo 둘 >> a.txt; echo new > b.txt; echo "DONE:$ESPALIER_SIGNAL_ID"\n',
      "TASKS.md": "# Job\n## Phase 1: a\n### [ ] T1.1: never proved\n- verify: `grep -q three a.txt`\n",
      "espalier.yaml": "agent: worker\nagents: { worker: { command: sh worker.sh } }\nmaxAttempts: 1\n",
    });
    expect(await lab.cli(["run", "--yes"])).toMatchObject({ code: 1 });
    const monitor = readingMonitor(findProject(lab.root), process.env);
    try {
      for (let again = 0; again < 2; again++) {
        const found = await monitor.work({ task: "T1.1" }, "all");
        if (!found.ok || found.value === undefined) throw new Error(JSON.stringify(found));
        const { state, attempt, files, patches } = found.value;
        expect({ state, attempt, paths: files.map(({ path }) => path) }).toEqual({
          state: "standing",
          attempt: 1,
          paths: ["a.txt", "b.txt"],
        });
        expect(patches[0]).toContain(" one\n+둘\n");
        expect(patches[1]).toContain("+new\n");
      }
      expect(await monitor.work({ phase: "1" }, "all")).toMatchObject({
        value: { state: "nothing", files: [] },
      });
      expect(lab.git("status", "--short")).toBe("");
    } finally {
      monitor.close();
    }
  },
);
