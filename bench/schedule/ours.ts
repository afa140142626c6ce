import type { Plan, Task } from "../../src/plan/index.ts";
import { DEFAULT_POLICY, freshRun, type RunState, step } from "../../src/run/index.ts";
import type { Node } from "./graph.ts";

function taskOf({ id, dependsOn }: Node): Task {
  const none = { parallelWith: [], files: [], line: 1, text: id };
  return { ...none, id, phase: 1, title: id, kind: "worker", done: false, dependsOn };
}

/** The plan of a graph: one phase, nothing but dependencies. */
export function planOf(nodes: readonly Node[]): Plan {
  const phases = [{ phase: 1, title: "all" }];
  return { format: "tasks-md", project: "bench", phases, tasks: nodes.map(taskOf), contextNodes: [] };
}

/** A fresh run over a plan with `parallel` slots; `asked` when a lead takes the tasks by itself. */
export function runOf(plan: Plan, parallel: number, advance: "auto" | "asked" = "auto"): RunState {
  return freshRun(plan, { policy: { ...DEFAULT_POLICY, parallel, advance } }, text => text);
}

/** Builds the run and drives it through `step` to its end, each agent done at once; returns how many ran. */
export function schedule(plan: Plan, parallel: number): number {
  const run = runOf(plan, parallel);
  const queue: { task: string; attempt: number }[] = [];
  const take = (out: ReturnType<typeof step>) => {
    for (const command of out.commands) if (command.type === "dispatch") queue.push(command);
  };
  take(step(run, { type: "start", resumed: false, now: 0 }));
  let at = 0;
  for (; at < queue.length; at++) {
    const { task, attempt } = queue[at]!;
    const outcome = { kind: "done", verified: true, textHash: "" } as const;
    take(step(run, { type: "attempt-ended", task, attempt, outcome, ms: 0, now: at }));
  }
  if (run.ended?.outcome !== "completed") throw new Error(`the run ended as ${run.ended?.outcome}`);
  return at;
}
