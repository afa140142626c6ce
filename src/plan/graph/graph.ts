import { comparePhases } from "../syntax/phase.ts";
import type { Plan, Task } from "../types.ts";

/** What else than declared dependencies decides when a task may start. */
export interface GraphOptions {
  /** Heed the file order of formats where it is execution order. Default true. */
  readonly order?: boolean;
  /** Heed that a phase starts when the one before it has ended. Default false: the runner's business, not an edge. */
  readonly phases?: boolean;
}

/** Tasks and, behind them, auxiliary nodes that stand for "a container may start" and "a step has ended". */
export interface Graph {
  /** Nodes each node waits for; task numbers come first. */
  readonly before: readonly (readonly number[])[];
  /** 1 for what is dispatched, 0 for containers, tasks that are left out and auxiliary nodes. */
  readonly weight: readonly number[];
  /** The task a node is shown as; -1 for steps. */
  readonly shownAs: readonly number[];
}

/** Builds the graph of a plan. Linear in tasks and edges: containers and steps add nodes, never products. */
export function buildGraph(tasks: readonly Task[], options: GraphOptions = {}): Graph {
  const numberOf = new Map(tasks.map((task, index) => [task.id, index]));
  const known = (ids: readonly string[]) => ids.flatMap(id => numberOf.get(id) ?? []);
  const before = tasks.map(({ dependsOn, preparedBy = [] }) =>
    known(preparedBy.length === 0 ? dependsOn : [...new Set([...dependsOn, ...preparedBy])]),
  );
  const weight = tasks.map(task => (task.children === undefined && task.skip !== true ? 1 : 0));
  const shownAs = tasks.map((_, index) => index);

  const addNode = (waitsFor: number[], shown: number): number => {
    before.push(waitsFor);
    weight.push(0);
    shownAs.push(shown);
    return before.length - 1;
  };
  const starts = new Map<number, number>();
  for (const [index, task] of tasks.entries()) {
    if (task.children !== undefined) starts.set(index, addNode([...before[index]!], index));
  }
  for (const [index, start] of starts) {
    const children = known(tasks[index]!.children ?? []);
    for (const child of children) {
      before[child]!.push(start);
      const inner = starts.get(child);
      if (inner !== undefined) before[inner]!.push(start);
      before[index]!.push(child);
    }
  }
  if (options.order !== false) addSteps(tasks, before, addNode);
  if (options.phases === true) addPhases(tasks, before, addNode);
  return { before, weight, shownAs };
}

type AddNode = (waitsFor: number[], shown: number) => number;

function addSteps(tasks: readonly Task[], before: number[][], addNode: AddNode): void {
  const open = new Map<string, { step: number[]; ended: number; parallel: boolean }>();
  for (const [index, task] of tasks.entries()) {
    if (task.order === undefined) continue;
    const state = open.get(String(task.phase)) ?? { step: [], ended: -1, parallel: false };
    open.set(String(task.phase), state);
    const isParallel = task.order === "parallel";
    if (state.step.length > 0 && !(isParallel && state.parallel)) {
      state.ended = addNode([...state.step, ...(state.ended < 0 ? [] : [state.ended])], -1);
      state.step = [];
    }
    if (state.ended >= 0) before[index]!.push(state.ended);
    state.step.push(index);
    state.parallel = isParallel;
  }
}

function addPhases(tasks: readonly Task[], before: number[][], addNode: AddNode): void {
  const phases = new Map<string, number[]>();
  for (const [index, task] of tasks.entries()) {
    const members = phases.get(String(task.phase));
    if (members === undefined) phases.set(String(task.phase), [index]);
    else members.push(index);
  }
  const sorted = [...phases.values()].sort((a, b) => comparePhases(tasks[a[0]!]!.phase, tasks[b[0]!]!.phase));
  let ended = -1;
  for (const members of sorted) {
    if (ended >= 0) for (const member of members) before[member]!.push(ended);
    ended = addNode([...members, ...(ended < 0 ? [] : [ended])], -1);
  }
}

/** Kahn's order: every node after those it waits for. Nodes on or behind a cycle are left out. */
export function sortNodes(graph: Graph): number[] {
  const { before } = graph;
  const after: number[][] = before.map(() => []);
  const waiting = before.map(nodes => nodes.length);
  for (const [node, nodes] of before.entries()) for (const earlier of nodes) after[earlier]!.push(node);
  const sorted: number[] = [];
  for (const [node, count] of waiting.entries()) if (count === 0) sorted.push(node);
  for (let i = 0; i < sorted.length; i++) {
    for (const later of after[sorted[i]!]!) if (--waiting[later]! === 0) sorted.push(later);
  }
  return sorted;
}

/** For every node the length of the longest chain of tasks before it, and the node that chain comes from. */
function longest(graph: Graph): { depth: Int32Array; from: Int32Array } {
  const depth = new Int32Array(graph.before.length).fill(-1);
  const from = new Int32Array(graph.before.length).fill(-1);
  for (const node of sortNodes(graph)) {
    let best = 0;
    for (const earlier of graph.before[node]!) {
      const length = depth[earlier]! + graph.weight[earlier]!;
      if (length > best || (length === best && from[node]! < 0)) {
        best = length;
        from[node] = earlier;
      }
    }
    depth[node] = best;
  }
  return { depth, from };
}

/** Tasks by earliest possible start: level 0 waits for nothing. Only tasks that are dispatched, none on a cycle. */
export function levels(plan: Plan, options: GraphOptions = {}): string[][] {
  const graph = buildGraph(plan.tasks, options);
  const { depth } = longest(graph);
  const found: string[][] = [];
  for (const [index, task] of plan.tasks.entries()) {
    const level = depth[index]!;
    if (level < 0 || graph.weight[index] === 0) continue;
    while (found.length <= level) found.push([]);
    found[level]!.push(task.id);
  }
  return found;
}

/** The largest set of tasks that may start at the same earliest moment. */
export function widestFront(plan: Plan, options: GraphOptions = {}): string[] {
  let widest: string[] = [];
  for (const level of levels(plan, options)) if (level.length > widest.length) widest = level;
  return widest;
}

/** The longest chain of tasks, each waiting for the one before. */
export function criticalPath(plan: Plan, options: GraphOptions = {}): string[] {
  const graph = buildGraph(plan.tasks, options);
  const { depth, from } = longest(graph);
  let last = -1;
  for (let node = 0; node < plan.tasks.length; node++) {
    if (graph.weight[node] === 1 && depth[node]! >= 0 && (last < 0 || depth[node]! > depth[last]!))
      last = node;
  }
  const path: string[] = [];
  for (let node = last; node >= 0; node = from[node]!)
    if (graph.weight[node] === 1) path.push(plan.tasks[node]!.id);
  return path.reverse();
}
