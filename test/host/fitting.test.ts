import { describe, expect, it } from "vitest";
import { offersOf } from "../../src/cli/commands/worker.ts";
import { readConfig } from "../../src/config/index.ts";
import { engineOptions, policyOf } from "../../src/host/project/settings.ts";
import { askedOfMachines, lacksOf, unserved } from "../../src/host/run/fitting.ts";
import { readPlan } from "../../src/plan/index.ts";
import type { Machine } from "../../src/ports/index.ts";
import { freshRun } from "../../src/run/index.ts";
import { textHash } from "../../src/text/index.ts";

const PLAN = `# J
## Phase 1: a
### [x] T1.1: done
- agent: gemini
### [ ] T1.2: train
- agent: codex
- machine: [gpu]
### [ ] T1.3: say it
- agent: shell
\`\`\`sh run
echo hi
\`\`\`
### [ ] T1.4: whoever there is
### [ ] T1.5: where
- agent: codex
- uses: [sim, db, toString]
`;

function asked(
  settings: string,
  machines?: readonly Pick<Machine, "resources" | "repositories">[],
  repository?: string,
) {
  const { plan } = readPlan(Buffer.from(PLAN), { path: "TASKS.md", allowMissing: false });
  const config = readConfig(`resources: { db: 1, toString: 1, sim: 1 }\n${settings}`);
  if (!config.ok) throw new Error("configuration");
  const run = freshRun(plan, { policy: policyOf(config.value, {}, "auto") }, textHash);
  return askedOfMachines(run, engineOptions(config.value, {}, "", "/"), machines, repository);
}

const machine = (agents: readonly string[], labels: readonly string[] = []): Omit<Machine, "name"> => ({
  agents: agents.map(name => ({ name, reports: "signal" })),
  labels,
});

describe("what machines have for the open tasks", () => {
  it("[HO38] is told for each agent and label with the tasks that ask for it", () => {
    const wanted = asked("agent: claude\n");
    expect(Object.fromEntries(lacksOf(machine(["shell"]), wanted))).toEqual({
      codex: ["T1.2", "T1.5"],
      gpu: ["T1.2"],
      claude: ["T1.4"],
    });
    expect(lacksOf(machine(["shell", "codex", "claude"], ["gpu"]), wanted).size).toBe(0);
  });

  it("[HO38] counts as enough where one machine has all that a task asks for", () => {
    const wanted = asked("agent: auto\n");
    const apart = [machine(["codex", "shell"]), machine(["claude"], ["gpu"])];
    expect(unserved(apart, wanted).map(({ task }) => task)).toEqual(["T1.2"]);
    expect(unserved([machine(["shell"])], wanted).map(({ task }) => task)).toEqual(["T1.2", "T1.4", "T1.5"]);
    expect(unserved([machine(["codex", "shell"], ["gpu"])], wanted)).toEqual([]);
  });

  it("[HO38] counts what the run caps itself as asked for only where a machine offers it", () => {
    const offering = { ...machine(["codex"]), resources: { sim: { offers: 1, taken: 1 } } };
    const wanted = asked("agent: claude\n", [offering, machine([])]);
    expect(wanted.map(({ uses }) => uses)).toEqual([[], [], [], ["sim"]]);
    expect(lacksOf(machine(["codex", "claude", "shell"], ["gpu"]), wanted)).toEqual(
      new Map([["sim", ["T1.5"]]]),
    );
    expect(unserved([offering], wanted).map(({ task }) => task)).not.toContain("T1.5");
  });

  it("[HO38] is told of the repository where a machine is let work in others alone", () => {
    const all = machine(["codex", "claude", "shell"], ["gpu"]);
    const [own, other] = ["a".repeat(40), "b".repeat(40)];
    const apart = { ...all, repositories: [other] };
    const wanted = asked("agent: claude\n", [all, apart], own);
    const tasks = ["T1.2", "T1.3", "T1.4", "T1.5"];
    expect(lacksOf(apart, wanted)).toEqual(new Map([[`repositories: ${own}`, tasks]]));
    expect(unserved([apart], wanted).map(({ task }) => task)).toEqual(tasks);
    expect(unserved([apart, all], wanted)).toEqual([]);
    expect(lacksOf({ ...all, repositories: [other, own] }, wanted).size).toBe(0);
    expect(asked("agent: claude\n", [all], own)[0]).not.toHaveProperty("repository");
    expect(offersOf(apart)).toEqual(["repositories: [bbbbbbbbbbbb]"]);
    const many = { repositories: ["1", "2", "3", "4"].map(one => one.repeat(40)) };
    expect(offersOf(many)[0]).toMatch(/^repositories: \[1{12}, 2{12}, 3{12}, …\]$/);
  });
});
