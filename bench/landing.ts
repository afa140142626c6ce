import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plan, readPlan } from "../src/plan/index.ts";
import { plainConflicts } from "./landing/plain.ts";

/**
 * Real plans worked through in parallel by agents that all write one file besides their own, and that keep both sides of a
 * conflict: how many plans complete, turns for each task, pauses, and whether every task's line is there once. Beside it how
 * many merges of the same tasks plain git would stop at. Then sixteen tasks that all edit the same twenty lines.
 * `npm run build && node bench/landing.ts FOLDER [--new] [--most N]`; with `--new` the shared file is not there at first.
 */
const CLI = fileURLToPath(new URL("../bin/espalier.js", import.meta.url));
const AGENT = fileURLToPath(new URL("./landing/agent.ts", import.meta.url));
const AUTHOR = ["-c", "user.name=b", "-c", "user.email=b@b"];
/** Tasks of a plan that is taken, and how many run at once. */
const [FEWEST, MOST, AT_ONCE] = [8, 80, 5];
/** Plans that are taken at least. */
const ENOUGH = 12;
const CAP = 15 * 60_000;

const args = process.argv.slice(2);
const isNew = args.includes("--new");
const atMost = args.includes("--most") ? Number(args[args.indexOf("--most") + 1]) : Infinity;
const folder = args.find(arg => !arg.startsWith("--") && arg !== String(atMost));

interface Job {
  readonly name: string;
  readonly text: string;
  readonly plan: Plan;
}

/** A real file with all boxes open, where its tasks can be done by an agent that only writes files. */
function jobOf(path: string, name: string): Job | undefined {
  const text = readFileSync(path, "utf8").replace(/\[[xX]\]/g, "[ ]");
  const { plan, diagnostics } = readPlan(Buffer.from(text), { path: "TASKS.md", allowMissing: false });
  const isSound = diagnostics.every(({ severity }) => severity !== "error");
  const work = plan.tasks.filter(task => task.children === undefined);
  const asks = work.some(
    ({ run, test, verify, expects, skip, done }) =>
      done || [run, test, verify, expects, skip].some(field => field !== undefined && field !== false),
  );
  const fits = work.length >= FEWEST && work.length <= MOST;
  return isSound && fits && !asks ? { name, text, plan } : undefined;
}

/** Of each author the largest plan that fits; then their next ones, until there are enough. */
function jobsIn(root: string): Job[] {
  const byAuthor = new Map<string, Job[]>();
  for (const path of globSync("**/*.md", { cwd: root }).sort()) {
    const [author = ""] = path.split("/");
    const job = jobOf(join(root, path), path);
    if (job !== undefined) byAuthor.set(author, [...(byAuthor.get(author) ?? []), job]);
  }
  const ranked = [...byAuthor.values()].map(jobs =>
    jobs.toSorted((one, other) => other.plan.tasks.length - one.plan.tasks.length),
  );
  const first = ranked.flatMap(([job]) => job ?? []);
  const rest = ranked.flatMap(([, ...jobs]) => jobs);
  return [...first, ...rest.slice(0, Math.max(0, ENOUGH - first.length))].slice(0, atMost);
}

interface Outcome {
  readonly tasks: number;
  readonly completed: number;
  readonly turns: number;
  readonly pauses: number;
  readonly seconds: number;
  readonly exit: number | null;
  /** What the shared file has come to on the target. */
  readonly shared: string;
}

function runJob(
  { text, plan }: Pick<Job, "text" | "plan">,
  how: "append" | "edit",
  shared: Record<string, string>,
): Outcome {
  const around = mkdtempSync(join(tmpdir(), "espalier-landing-"));
  const root = join(around, "project");
  mkdirSync(root);
  const turns = join(around, "turns");
  const command = `${process.execPath} ${AGENT} ${how}`;
  const names = new Set(["scripted", ...plan.tasks.flatMap(({ agent }) => agent ?? [])]);
  const agents = Object.fromEntries(Array.from(names, name => [name, { command }]));
  const config = { agent: "scripted", agents, env: ["BENCH_TURNS"], phase: { merge: "auto" } };
  const files = { ...shared, "TASKS.md": text, "espalier.yaml": JSON.stringify(config) };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, name), content);
  writeFileSync(turns, "");
  const git = (...line: string[]) =>
    execFileSync("git", [...AUTHOR, ...line], { cwd: root, encoding: "utf8", stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  const began = performance.now();
  const env = { ...process.env, BENCH_TURNS: turns };
  const done = spawnSync(process.execPath, [CLI, "run", "--yes"], {
    cwd: root,
    env,
    encoding: "utf8",
    timeout: CAP,
  });
  const seconds = (performance.now() - began) / 1000;
  const work = plan.tasks.filter(task => task.children === undefined);
  const count = (pattern: RegExp) => done.stdout.match(pattern)?.length ?? 0;
  const landed = git("log", "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)", "main").split(
    "\n",
  );
  const ids = new Set(landed);
  const outcome = {
    tasks: work.length,
    completed: work.filter(({ id }) => ids.has(id)).length,
    turns: readFileSync(turns, "utf8").split("\n").length - 1,
    pauses: count(/^\[PAUSED\]/gm),
    seconds,
    exit: done.status,
    shared: git("show", `main:${how === "append" ? "CHANGES.md" : "table.txt"}`),
  };
  if (args.includes("--log")) process.stderr.write(done.stdout + done.stderr);
  rmSync(around, { recursive: true, force: true });
  return outcome;
}

/** The tasks as they would go out, five of a phase at once. */
function wavesOf({ plan }: Job): string[][] {
  const waves: string[][] = [];
  const work = plan.tasks.filter(task => task.children === undefined);
  for (const phase of new Set(work.map(task => task.phase))) {
    const ids = work.filter(task => task.phase === phase).map(({ id }) => id);
    for (let at = 0; at < ids.length; at += AT_ONCE) waves.push(ids.slice(at, at + AT_ONCE));
  }
  return waves;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const row = (...cells: readonly string[]) =>
  say(cells.map((cell, at) => (at === 0 ? cell.slice(0, 60).padEnd(62) : cell.padStart(11))).join(""));

function tell(
  name: string,
  { tasks, completed, turns, pauses, seconds, exit }: Outcome,
  lost: number,
  plain: string,
): void {
  const perTask = (turns / tasks).toFixed(2);
  row(
    name,
    `${tasks}`,
    `${completed}`,
    perTask,
    `${pauses}`,
    `${lost}`,
    seconds.toFixed(1),
    `${exit}`,
    plain,
  );
}

row("plan", "tasks", "completed", "turns/task", "pauses", "lost/twice", "seconds", "exit", "plain git");
const jobs = folder === undefined ? [] : jobsIn(folder);
const all = { tasks: 0, turns: 0, pauses: 0, complete: 0 };
for (const job of jobs) {
  const outcome = runJob(job, "append", isNew ? {} : { "CHANGES.md": "# Changes\n" });
  const lines = outcome.shared.split("\n");
  const work = job.plan.tasks.filter(task => task.children === undefined);
  const lost = work.filter(({ id }) => lines.filter(line => line === `- ${id} is done`).length !== 1).length;
  tell(job.name, outcome, lost, `${plainConflicts(wavesOf(job))}`);
  all.tasks += outcome.tasks;
  all.turns += outcome.turns;
  all.pauses += outcome.pauses;
  if (outcome.completed === outcome.tasks && outcome.exit === 0) all.complete++;
}
if (jobs.length > 0)
  say(
    `${all.complete} of ${jobs.length} plans complete, ${(all.turns / all.tasks).toFixed(2)} turns per task, ${all.pauses} pauses`,
  );

const numbers = Array.from({ length: 16 }, (_, n) => n + 1);
const text = `# Same lines\n\n## Phase 1: all\n\n${numbers.map(n => `### [ ] T1.${n}: part ${n}\n\n`).join("")}`;
const { plan } = readPlan(Buffer.from(text), { path: "TASKS.md", allowMissing: false });
const table = Array.from({ length: 20 }, (_, n) => `line${n + 1} start\n`).join("");
const edited = runJob({ text, plan }, "edit", { "table.txt": table });
const words = edited.shared
  .trim()
  .split("\n")
  .map(line => line.split(" "));
const once = (id: string) => words.every(line => line.filter(word => word === id).length === 1);
const gone = plan.tasks.filter(({ id }) => !once(id)).length + (words.length === 20 ? 0 : 1);
tell("16 tasks on the same 20 lines", edited, gone, "15");
