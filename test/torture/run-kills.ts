import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "./random.ts";

/** What a series of kills of the whole program came to. Everything but `kills` and `rounds` must be 0. */
export interface KillReport {
  kills: number;
  /** Plans run from the first start to the last task. */
  rounds: number;
  /** Completions told to the person (`[DONE]`) that a later start did not know of. */
  lostCompletions: number;
  /** Tasks with more than one accepted completion. */
  completedTwice: number;
  /** Agent processes, detached ones included, alive 10 s after their orchestrator was killed. */
  orphans: number;
  /** Starts that could not read the state. */
  unreadable: number;
  /** What was wrong with the repository at the end of a round: tasks missing or twice, things left lying about. */
  repository: number;
  /** Files of half-finished writes that a later start left lying about. */
  leftovers: number;
  /** What went wrong, in words, with the seed to repeat it. */
  problems: string[];
}

const CLI = fileURLToPath(new URL("../../bin/espalier.js", import.meta.url));
const TASKS = 50;
/** Milliseconds after which agents of a killed orchestrator must be gone. */
const ORPHAN_TIME = 10_000;
const KILLS_PER_ROUND = 120;

/** Fifty quick tasks in three phases; every seventh detaches a child that would live for an hour. */
function taskFile(random: Random, mark: string): string {
  const lines = ["# Kill test", ""];
  for (let n = 0; n < TASKS; n++) {
    const phase = n < 5 ? 0 : n < 30 ? 1 : 2;
    if (n === 0 || n === 5 || n === 30) lines.push(`## Phase ${phase}: part ${phase}`, "");
    const before =
      phase === 0 || n % 5 === 0
        ? []
        : [`T${phase}.${n - 1 - random.below(Math.min(3, n - (phase === 1 ? 5 : 30)) || 1)}`];
    const detach = n % 7 === 3 ? `setsid sh -c 'exec sleep 3600 # ${mark}' >/dev/null 2>&1 &\n  ` : "";
    lines.push(
      `### [ ] T${phase}.${n}: quick work`,
      ...(before.length > 0 && n !== 5 && n !== 30 ? [`- depends_on: [${before.join(", ")}]`] : []),
      "- run:",
      "  ```sh",
      `  ${detach}sleep 0.0${random.below(5)}`,
      `  mkdir -p work; echo x >> work/${n}`,
      "  ```",
      `- verify: test -s work/${n}`,
      "",
    );
  }
  return lines.join("\n");
}

interface Start {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
  output(): string;
}

const RUN = ["run", "--yes", "--parallel", "8"];

function startCli(folder: string, state: string, args: readonly string[] = RUN): Start {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: state, XDG_STATE_HOME: state, ESPALIER_TEST: state },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<{ code: number | null; output: string }>(resolve => {
    child.on("close", code => resolve({ code, output }));
  });
  return { child, ended, output: () => output };
}

/** Live processes that work in a folder: agents and their children keep it as their working directory. */
function living(folder: string, except: number | undefined): number[] {
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === except) continue;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const dead = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) === "Z";
      if (
        !dead &&
        environment.includes("ESPALIER_ATTEMPT=") &&
        environment.includes(`XDG_STATE_HOME=${folder}`)
      )
        found.push(pid);
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

async function pause(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms));
}

async function orphansLeft(state: string): Promise<number> {
  const until = performance.now() + ORPHAN_TIME;
  for (;;) {
    const left = living(state, undefined);
    if (left.length === 0 || performance.now() > until) return left.length;
    await pause(50);
  }
}

function doneIn(output: string): string[] {
  return output
    .split("\n")
    .flatMap(line => (line.startsWith("[DONE] ") ? [line.slice(7).split(" ")[0] ?? ""] : []));
}

interface StoredFacts {
  readonly completed: ReadonlySet<string>;
  readonly twice: number;
}

async function readState(folder: string): Promise<StoredFacts> {
  const { openSqliteReader } = await import("../../src/adapters/store/index.ts");
  const opened = openSqliteReader({ path: join(folder, ".espalier", "espalier.db") });
  if (!opened.ok || opened.value === undefined) throw new Error("the state cannot be opened");
  try {
    const loaded = opened.value.load();
    if (!loaded.ok || loaded.value === undefined) throw new Error("the state cannot be read");
    const events = opened.value.events(loaded.value.run.id, 0, 100_000);
    const times = new Map<string, number>();
    if (events.ok) {
      for (const { event } of events.value) {
        if (event.type === "completed") times.set(event.task, (times.get(event.task) ?? 0) + 1);
      }
    }
    return {
      completed: new Set(loaded.value.tasks.filter(task => task.status === "completed").map(task => task.id)),
      twice: [...times.values()].filter(count => count > 1).length,
    };
  } finally {
    opened.value.close();
  }
}

/** A repository around the task file, whose phases are merged by themselves. */
function makeRepository(folder: string): void {
  writeFileSync(join(folder, "espalier.yaml"), "phase: { merge: auto }\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: folder });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
}

/** What is wrong with a repository after the last task: every task is to be on the target exactly once. */
function repositoryProblems(folder: string): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trimEnd();
  const trailers = "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)";
  const landed = git("log", trailers, "main").split("\n").filter(Boolean);
  const missing = TASKS - new Set(landed).size;
  return [
    ...(landed.length === TASKS && missing === 0
      ? []
      : [`main holds ${landed.length} commits of tasks, ${missing} tasks are missing`]),
    ...(git("worktree", "list").split("\n").length === 1 ? [] : [`left: ${git("worktree", "list")}`]),
    ...(git("branch", "--format=%(refname:short)") === "main" ? [] : [`branches: ${git("branch")}`]),
    ...(git("status", "--porcelain") === "" ? [] : [`status: ${git("status", "--porcelain")}`]),
    ...(git("fsck", "--no-dangling", "--no-progress") === "" ? [] : ["fsck complains"]),
  ];
}

async function round(
  seed: number,
  report: KillReport,
  maxKills: number,
  inRepository: boolean,
): Promise<void> {
  const random = new Random(seed);
  const around = mkdtempSync(join(tmpdir(), "espalier-kills-"));
  const folder = join(around, "project");
  mkdirSync(folder);
  const state = mkdtempSync(join(tmpdir(), "espalier-kills-home-"));
  const acknowledged = new Set<string>();
  const problem = (text: string) => report.problems.push(`seed ${seed}: ${text}`);
  try {
    mkdirSync(join(folder, "work"));
    writeFileSync(join(folder, "TASKS.md"), taskFile(random, state));
    if (inRepository) makeRepository(folder);
    for (let starts = 0; ; starts++) {
      const running = startCli(folder, state);
      // On a slow machine most starts die before they get anywhere: after enough of them a round is let finish.
      const kill = report.kills < maxKills && starts < KILLS_PER_ROUND;
      if (kill) {
        await Promise.race([pause(100 + random.below(900)), running.ended]);
        running.child.kill("SIGKILL");
      }
      const { code, output } = await running.ended;
      for (const id of doneIn(output)) acknowledged.add(id);
      if (code === null) {
        report.kills++;
        const left = await orphansLeft(state);
        if (left > 0) problem(`${left} agents alive after a kill`);
        report.orphans += left;
        // Now and then a person looks in before the run goes on.
        const acts = random.below(8) === 0 ? ["pause", "resume"] : [];
        for (const act of acts) await startCli(folder, state, ["task", act, "T2.49"]).ended;
        continue;
      }
      if (code !== 0) {
        report.unreadable++;
        problem(`exit ${code}: ${output.slice(-600)}`);
        return;
      }
      break;
    }
    const facts = await readState(folder);
    const lost = [...acknowledged].filter(id => !facts.completed.has(id));
    report.lostCompletions += lost.length + (TASKS - facts.completed.size);
    if (lost.length > 0 || facts.completed.size < TASKS)
      problem(`lost ${lost.join(", ")}; ${facts.completed.size} of ${TASKS} completed`);
    report.completedTwice += facts.twice;
    if (facts.twice > 0) problem(`${facts.twice} tasks completed twice`);
    const temporary = readdirSync(join(folder, ".espalier")).filter(name => name.includes(".tmp"));
    report.leftovers += temporary.length;
    if (temporary.length > 0) problem(`left behind: ${temporary.join(", ")}`);
    if (!readFileSync(join(folder, "TASKS.md"), "utf8").includes("[x] T2.49")) problem("boxes not ticked");
    const wrong = inRepository ? repositoryProblems(folder) : [];
    report.repository += wrong.length;
    for (const text of wrong) problem(text);
    report.rounds++;
  } finally {
    rmSync(around, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  }
}

/** SIGKILLs the whole program at random moments of 50-task runs until `kills` are reached; each run is resumed to its end. */
export async function killRuns(kills: number, seed: number, inRepository = false): Promise<KillReport> {
  const report: KillReport = {
    kills: 0,
    rounds: 0,
    lostCompletions: 0,
    completedTwice: 0,
    orphans: 0,
    unreadable: 0,
    repository: 0,
    leftovers: 0,
    problems: [],
  };
  for (let at = 0; report.kills < kills && report.problems.length < 10; at++) {
    await round(seed + at, report, kills, inRepository);
  }
  return report;
}
