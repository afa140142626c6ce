import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { nextAnswer, type RunState, step, thinLine, thinTask } from "../src/run/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { layeredGraph, type Node } from "./schedule/graph.ts";
import { planOf, runOf } from "./schedule/ours.ts";

/**
 * What a lead is made to read, in o200k tokens: one task of the thin state, and the answer to "what next?" at any plan
 * size; beside task-master-ai 0.43.1 on the same tasks. `npx node bench/tokens.ts`
 */
const CAP = 60_000;
const SIZES = [10, 1000, 100_000];
/** In a package of its own, like every peer; `knip` must not take it for one of ours. */
const PEER = join(import.meta.dirname, "peers", "task-master", "node_modules");
const CLI = join(PEER, "task-master-ai", "dist", "task-master.js");

/** A graph whose every task also has two partners: six full fields. */
function runAt(size: number): RunState {
  const plan = planOf(layeredGraph(size));
  const tasks = plan.tasks.map((task, at) => {
    const partners = [at ^ 1, at ^ 2].flatMap(other => plan.tasks[other]?.id ?? []);
    return { ...task, parallelWith: partners };
  });
  const run = runOf({ ...plan, tasks }, 5, "asked");
  step(run, { type: "start", resumed: false, now: 0 });
  return run;
}

function ours(run: RunState): { thin: number; json: number; next: number; answer: string } {
  const some = run.tasks.filter(state => state.task.dependsOn.length === 3).slice(0, 200);
  const sample = some.length > 0 ? some : run.tasks;
  const mean = (text: (state: RunState["tasks"][number]) => string) =>
    sample.reduce((sum, state) => sum + countTokens(text(state)), 0) / sample.length;
  const answer = nextAnswer(run);
  const json = mean(state => JSON.stringify(thinTask(state)));
  return { thin: mean(thinLine), json, next: countTokens(answer), answer };
}

/** The same tasks in task-master's own file, with nothing in the fields but what it insists on. */
function taskMasterFile(nodes: readonly Node[]): string {
  const numberOf = new Map(nodes.map(({ id }, at) => [id, at + 1]));
  const empty = { details: "", testStrategy: "", priority: "medium", subtasks: [] };
  const tasks = nodes.map(({ id, dependsOn }) => ({
    ...empty,
    id: numberOf.get(id),
    title: id,
    description: id,
    status: "pending",
    dependencies: dependsOn.map(dep => numberOf.get(dep)),
  }));
  const date = "2026-01-01T00:00:00.000Z";
  return JSON.stringify({
    master: { tasks, metadata: { created: date, updated: date, description: "bench" } },
  });
}

/** Tokens of what its command line prints, colours removed; or why there is no number. */
function taskMaster(folder: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    NO_COLOR: "1",
    TASKMASTER_SKIP_AUTO_UPDATE: "1",
    COLUMNS: "100",
  };
  const child = spawnSync(process.execPath, [CLI, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: CAP,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 30,
  });
  if (child.signal !== null || child.error !== undefined) return `over ${CAP / 1000} s`;
  if (child.status !== 0 || child.stdout === "")
    return `failed: ${(child.stderr || child.stdout).trim().slice(0, 300)}`;
  return String(countTokens(stripVTControlCharacters(child.stdout)));
}

function peerColumns(size: number): readonly string[] {
  if (!existsSync(CLI))
    return Array<string>(4).fill("not installed: npm ci --prefix bench/peers/task-master");
  const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  try {
    mkdirSync(join(folder, ".taskmaster", "tasks"), { recursive: true });
    writeFileSync(join(folder, ".taskmaster", "tasks", "tasks.json"), taskMasterFile(layeredGraph(size)));
    const asked = [["next"], ["next", "--format", "json"], ["list"], ["list", "--json"]];
    return asked.map(args => taskMaster(folder, ...args));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

console.log("tokens (o200k) a lead reads");
console.log(
  "| tasks | thin line | thin JSON | our next | its next | its next json | its list | its list json |",
);
console.log("|---:|---:|---:|---:|---:|---:|---:|---:|");
for (const size of SIZES) {
  const { thin, json, next, answer } = ours(runAt(size));
  const cells = [size, `${thin.toFixed(1)} each`, `${json.toFixed(1)} each`, next, ...peerColumns(size)];
  console.log(`| ${cells.join(" | ")} |`);
  console.log(`  ${answer}`);
}
