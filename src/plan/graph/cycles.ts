import type { Task } from "../types.ts";
import { buildGraph, type Graph } from "./graph.ts";

/** Work spent on finding the shortest of the cycles that hang together; beyond it a short one is good enough. */
const SEARCH_BUDGET = 2_000_000;

/** Groups of nodes that lie on common cycles (Tarjan, without recursion). */
function tangles(graph: Graph): number[][] {
  const { before } = graph;
  const count = before.length;
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  const found: number[][] = [];
  let next = 0;
  for (let root = 0; root < count; root++) {
    if (index[root] !== -1) continue;
    const path: { node: number; edge: number }[] = [{ node: root, edge: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      if (top.edge === 0) {
        index[node] = low[node] = next++;
        stack.push(node);
        onStack[node] = 1;
      }
      const edges = before[node]!;
      let descended = false;
      while (top.edge < edges.length) {
        const to = edges[top.edge++]!;
        if (index[to] === -1) {
          path.push({ node: to, edge: 0 });
          descended = true;
          break;
        }
        if (onStack[to] === 1) low[node] = Math.min(low[node]!, index[to]!);
      }
      if (descended) continue;
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node]!, low[node]!);
      if (low[node] !== index[node]) continue;
      const members: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop()!;
        onStack[member] = 0;
        members.push(member);
      }
      if (members.length > 1 || edges.includes(node)) found.push(members.sort((a, b) => a - b));
    }
  }
  return found;
}

/** The shortest way from a node back to itself inside its tangle, and how many edges were looked at. */
function shortestThrough(
  graph: Graph,
  start: number,
  inside: ReadonlySet<number>,
  atMost: number,
): { cycle: number[] | undefined; work: number } {
  const from = new Map<number, number>();
  let frontier = [start];
  let work = 0;
  for (let length = 1; frontier.length > 0 && length <= atMost; length++) {
    const further: number[] = [];
    for (const node of frontier) {
      for (const to of graph.before[node]!) {
        work++;
        if (to === start) {
          const cycle = [start];
          for (let at = node; at !== start; at = from.get(at)!) cycle.push(at);
          cycle.push(start);
          return { cycle: cycle.reverse(), work };
        }
        if (!inside.has(to) || from.has(to)) continue;
        from.set(to, node);
        further.push(to);
      }
    }
    frontier = further;
  }
  return { cycle: undefined, work };
}

function shortestOf(graph: Graph, members: readonly number[]): number[] {
  const inside = new Set(members);
  let best: number[] | undefined;
  let spent = 0;
  for (const start of members) {
    const { cycle, work } = shortestThrough(
      graph,
      start,
      inside,
      best === undefined ? members.length : best.length - 2,
    );
    spent += work;
    if (cycle !== undefined && (best === undefined || cycle.length < best.length)) best = cycle;
    if (best !== undefined && (best.length === 2 || spent > SEARCH_BUDGET)) break;
  }
  return best ?? [];
}

/** Nodes as the tasks they stand for, the earliest in the file first, without repeating neighbours. */
function asIds(graph: Graph, tasks: readonly Task[], cycle: readonly number[]): string[] {
  const shown: number[] = [];
  for (const node of cycle.slice(0, -1)) {
    const task = graph.shownAs[node]!;
    if (task >= 0 && shown.at(-1) !== task) shown.push(task);
  }
  if (shown.length > 1 && shown[0] === shown.at(-1)) shown.pop();
  let first = 0;
  for (const [index, task] of shown.entries()) if (task < shown[first]!) first = index;
  const turned = [...shown.slice(first), ...shown.slice(0, first)];
  return [...turned, turned[0]!].map(task => tasks[task]!.id);
}

/** Most plans only wait for tasks above: those have no cycle, and need no graph to tell. */
export function pointsBackwards(tasks: readonly Task[]): boolean {
  const seen = new Set<string>();
  for (const task of tasks) {
    if (task.children !== undefined || !task.dependsOn.every(id => seen.has(id))) return false;
    if (task.preparedBy?.every(id => seen.has(id)) === false) return false;
    seen.add(task.id);
  }
  return true;
}

/**
 * One shortest cycle of every group of tasks that wait for each other, as ids with the first repeated at the end:
 * `[T1.3, T1.4, T1.3]`. Shortest first.
 */
export function findCycles(tasks: readonly Task[]): string[][] {
  if (pointsBackwards(tasks)) return [];
  const graph = buildGraph(tasks, { order: false });
  return tangles(graph)
    .map(members => asIds(graph, tasks, shortestOf(graph, members)))
    .sort((a, b) => a.length - b.length);
}
