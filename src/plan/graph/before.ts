import type { Plan, Task } from "../types.ts";
import { buildGraph, type Graph } from "./graph.ts";

interface Numbered {
  readonly graph: Graph;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly builtOn: ReadonlySet<number>;
}

/** Graphs of plans as they were read: an edit makes another list of tasks. */
const graphs = new WeakMap<readonly Task[], Numbered>();

function numbered(tasks: readonly Task[]): Numbered {
  const known = graphs.get(tasks);
  if (known !== undefined) return known;
  // Where the order of the file is that of the work, a phase goes on where the one before it has ended.
  const phases = tasks.some(({ order }) => order !== undefined);
  const graph = buildGraph(tasks, { phases });
  const numberOf = new Map(tasks.map(({ id }, at) => [id, at]));
  const made = { graph, numberOf, builtOn: waitedFor(graph) };
  graphs.set(tasks, made);
  return made;
}

/**
 * The tasks that a task builds on, near or far, the nearest first and of those the last in the file: what it waits for by its
 * dependencies, by what the containers around it wait for, and by the order of the file in formats where that is the order of
 * work. Containers are passed through. About `most` of them at the most, in a time that grows with that alone once the plan is known.
 */
export function* tasksBefore({ tasks }: Pick<Plan, "tasks">, id: string, most = Infinity): Generator<Task> {
  const { graph, numberOf } = numbered(tasks);
  const start = numberOf.get(id);
  if (start === undefined) return;
  const seen = new Set([start]);
  for (let layer = [start]; layer.length > 0 && seen.size <= most; ) {
    const found: number[] = [];
    // Grows while it is walked: steps and containers lie at no distance.
    const open = [...layer];
    for (const node of open) {
      for (const before of graph.before[node]!.toReversed()) {
        if (seen.size > most) break;
        if (seen.has(before)) continue;
        seen.add(before);
        if (graph.weight[before] === 1) found.push(before);
        else open.push(before);
      }
    }
    found.sort((a, b) => b - a);
    for (const at of found) yield tasks[at]!;
    layer = found;
  }
}

/** Whether any other task builds on one, near or far. */
export function isBuiltOn({ tasks }: Pick<Plan, "tasks">, id: string): boolean {
  const { builtOn, numberOf } = numbered(tasks);
  return builtOn.has(numberOf.get(id) ?? -1);
}

/** Nodes that some task waits for, by way of steps and containers too. */
function waitedFor({ before, weight }: Graph): ReadonlySet<number> {
  const found = new Set(before.flatMap((nodes, at) => (weight[at] === 1 ? nodes : [])));
  // Grows while it is walked.
  for (const node of found) if (weight[node] !== 1) for (const one of before[node]!) found.add(one);
  return found;
}
