import { createRequire } from "node:module";
import type { Node } from "./graph.ts";

/** The peers live in a package of their own, so that nobody who only wants Espalier installs them. */
const load = createRequire(new URL("../peers/package.json", import.meta.url));

function required<T>(name: string): T {
  try {
    return load(name) as T;
  } catch (cause) {
    throw new Error(`${name} is not installed: npm ci --prefix bench/peers`, { cause });
  }
}

interface PGraphModule {
  readonly PGraph: new (
    nodes: Map<string, { run: () => Promise<void> }>,
    dependencies: readonly (readonly [string, string])[],
  ) => { run(options: { concurrency?: number }): Promise<unknown> };
}

/** p-graph over the same graph, every node a resolved promise. */
export async function runPGraph(nodes: readonly Node[], parallel: number): Promise<number> {
  const { PGraph } = required<PGraphModule>("p-graph");
  let ran = 0;
  const run = async () => {
    ran++;
  };
  const edges = nodes.flatMap(({ id, dependsOn }) => dependsOn.map(dep => [dep, id] as const));
  const graph = new PGraph(new Map(nodes.map(({ id }) => [id, { run }])), edges);
  await graph.run(Number.isFinite(parallel) ? { concurrency: parallel } : {});
  return ran;
}

interface StateGraph {
  addNode(name: string, run: () => object): void;
  addEdge(from: string | readonly string[], to: string): void;
  compile(): { invoke(input: object, config: object): Promise<unknown> };
}

interface LangGraphModule {
  readonly StateGraph: new (state: unknown) => StateGraph;
  readonly Annotation: ((channel: object) => unknown) & { Root(channels: object): unknown };
  readonly START: string;
  readonly END: string;
}

/** LangGraph.js over the same graph: joins as edges from several nodes, every node returns an empty update. */
export async function runLangGraph(nodes: readonly Node[], parallel: number): Promise<number> {
  const { StateGraph, Annotation, START, END } = required<LangGraphModule>("@langchain/langgraph");
  let ran = 0;
  const state = Annotation.Root({ ran: Annotation({ reducer: (a: number) => a, default: () => 0 }) });
  const graph = new StateGraph(state);
  const leaves = new Set(nodes.map(({ id }) => id));
  for (const { id, dependsOn } of nodes) {
    graph.addNode(id, () => {
      ran++;
      return {};
    });
    for (const dep of dependsOn) leaves.delete(dep);
  }
  for (const { id, dependsOn } of nodes) {
    if (dependsOn.length === 0) graph.addEdge(START, id);
    else graph.addEdge(dependsOn, id);
  }
  for (const id of leaves) graph.addEdge(id, END);
  const limits = Number.isFinite(parallel) ? { maxConcurrency: parallel } : {};
  await graph.compile().invoke({ ran: 0 }, { recursionLimit: nodes.length + 10, ...limits });
  return ran;
}
