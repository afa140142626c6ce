import { layeredGraph } from "./graph.ts";
import { planOf, schedule } from "./ours.ts";
import { runLangGraph, runPGraph } from "./peers.ts";

/** `measure.ts WHICH SIZE PARALLEL`: times of several runs in this fresh process, as JSON on stdout. */
const [which, size, slots] = process.argv.slice(2);
const parallel = slots === "all" ? Number.POSITIVE_INFINITY : Number(slots);
const nodes = layeredGraph(Number(size));
const plan = planOf(nodes);
const RUNS = 25;
/** No further run begins after this many milliseconds. */
const ENOUGH = 20_000;

const run = {
  espalier: async () => schedule(plan, parallel),
  "p-graph": () => runPGraph(nodes, parallel),
  langgraph: () => runLangGraph(nodes, parallel),
}[which ?? ""];
if (run === undefined) throw new Error(`unknown: ${which}`);

const times: number[] = [];
const began = performance.now();
while (times.length < RUNS && performance.now() - began < ENOUGH) {
  const before = performance.now();
  const ran = await run();
  times.push(performance.now() - before);
  if (ran !== nodes.length) throw new Error(`${which} ran ${ran} of ${nodes.length} tasks`);
}
console.log(JSON.stringify(times));
