import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { localStateFiles } from "../../src/adapters/local/state-files.ts";
import { type MemoryPlace, memoryPlace, openMemoryStore } from "../../src/adapters/store/index.ts";
import {
  Engine,
  type EngineEnd,
  type EngineOptions,
  type History,
  keptWork,
  type ShellEnd,
  type StateFiles,
  type World,
} from "../../src/engine/index.ts";
import { type Plan, readPlan } from "../../src/plan/index.ts";
import {
  type Agent,
  type Change,
  type Fleet,
  ok,
  type RunEvent,
  type StampedEvent,
  type StoreFailure,
} from "../../src/ports/index.ts";
import { DEFAULT_POLICY, freshRun, type RunPolicy, type RunState, restoreRun } from "../../src/run/index.ts";
import { overJson } from "../../src/testing/index.ts";
import { createRedactor, ENGLISH, textHash } from "../../src/text/index.ts";
import { scratchFolder } from "../scratch.ts";
import { ManualClock } from "./manual-clock.ts";
import { type PuppetOptions, Puppets } from "./puppets.ts";

export interface BenchOptions {
  /** The body of the task file, below its two headings. */
  readonly tasks: string;
  readonly policy?: Partial<RunPolicy>;
  /** The tasks that a fresh run is about; without it all. */
  readonly only?: readonly string[];
  readonly engine?: Partial<EngineOptions>;
  readonly puppets?: PuppetOptions;
  readonly agents?: Readonly<Record<string, Agent>>;
  readonly refuse?: (change: Change) => StoreFailure | undefined;
  readonly shell?: World["shell"];
  readonly world?: Partial<World>;
  /** What stands between the engine and the machine. */
  readonly fleet?: (fleet: Fleet) => Fleet;
  readonly backup?: StateFiles["backup"];
  /** State of an earlier engine over the same place. */
  readonly place?: MemoryPlace;
  /** Wall time at the start, where files tell it too. */
  readonly wall?: number;
  readonly resume?: boolean;
  /** Agents that the earlier engine knew to be out of quota. */
  readonly outOfQuota?: History["outOfQuota"];
  /** Tasks whose attempts had landed when the earlier engine died. */
  readonly landed?: ReadonlySet<string>;
}

/** An engine over a store in memory, agents that are puppets, time that stands still, and files in a scratch folder. */
export interface Bench extends Disposable {
  readonly engine: Engine;
  readonly run: RunState;
  readonly clock: ManualClock;
  readonly puppets: Puppets;
  readonly place: MemoryPlace;
  /** What happened, in order: commits, opened sessions, events, ticks, writes of the thin state. */
  readonly trace: string[];
  readonly events: RunEvent[];
  readonly changes: Change[];
  readonly folder: string;
  readonly taskFile: string;
  start(): Promise<EngineEnd>;
  /** Resolves with the first event, past or future, that matches. */
  event(matches: (event: RunEvent) => boolean): Promise<RunEvent>;
  /** What the store holds. */
  stored(task: string): string | undefined;
  plan(text: string): Plan;
}

export const SHELL_OK: ShellEnd = { exitCode: 0, killed: undefined, tail: "", ms: 1 };

export function planOf(text: string): Plan {
  const { plan, diagnostics } = readPlan(Buffer.from(text), { path: "TASKS.md", allowMissing: false });
  const errors = diagnostics.filter(diagnostic => diagnostic.severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return plan;
}

export function openBench(options: BenchOptions): Bench {
  const folder = scratchFolder("espalier-engine-");
  const taskFile = join(folder, "TASKS.md");
  const text = `# Bench\n## Phase 1: p\n${options.tasks}`;
  writeFileSync(taskFile, text);
  const plan = planOf(text);
  const trace: string[] = [];
  const events: RunEvent[] = [];
  const changes: Change[] = [];
  const clock = new ManualClock(options.wall);
  const place = options.place ?? memoryPlace();
  const inner = openMemoryStore({
    place,
    ...(options.refuse === undefined ? {} : { refuse: options.refuse }),
  });
  const epoch = inner.claimEpoch();
  if (!epoch.ok) throw new Error("no epoch");
  const loaded = inner.load();
  const before = loaded.ok ? loaded.value : undefined;
  const isLanded = (task: string) => options.landed?.has(task) === true;
  const policy = { ...DEFAULT_POLICY, backoffMs: 0, ...options.policy };
  const run =
    options.resume === true && before !== undefined
      ? restoreRun(
          plan,
          before.tasks.map(row => (isLanded(row.id) ? { ...row, status: "completed" as const } : row)),
          { policy, phase: before.run.phase, stored: before.tasks },
        )
      : freshRun(
          plan,
          { policy, ...(options.only === undefined ? {} : { only: new Set(options.only) }) },
          textHash,
        );
  const puppets = new Puppets({ trace: what => trace.push(what), ...options.puppets });
  const agents = new Map<string, Agent>([["puppet", puppets.agent], ...Object.entries(options.agents ?? {})]);
  const files = localStateFiles({
    root: folder,
    redact: createRedactor(["hunter2-hunter2"]),
    stateDir: join(folder, ".espalier"),
    backup: options.backup ?? (async () => ok(undefined)),
  });
  const world: World = {
    clock,
    store: {
      ...inner,
      commit(change) {
        const done = inner.commit(change);
        trace.push(done.ok ? `commit ${describe(change)}` : `refused ${done.failure.kind}`);
        if (done.ok) changes.push(change);
        return done;
      },
    },
    epoch: epoch.value,
    stillOurs: () => true,
    taskFile: {
      displayPath: "TASKS.md",
      read: () => ok(readFileSync(taskFile)),
      write(bytes) {
        trace.push("tick");
        writeFileSync(taskFile, bytes);
        return ok(undefined);
      },
    },
    files: {
      ...files,
      writeThin(json) {
        trace.push("thin");
        return files.writeThin(json);
      },
    },
    agent: name => agents.get(name),
    // Whatever a test does, orders and reports are data: they pass through JSON.
    fleet: (options.fleet ?? (fleet => fleet))(
      overJson(createLocalFleet({ agents, mask: () => createRedactor(["hunter2-hunter2"]).stream() })),
    ),
    shell: options.shell ?? (async () => SHELL_OK),
    exists: () => false,
    random: randomNames(),
    env: { PATH: process.env["PATH"] ?? "" },
    redact: createRedactor(["hunter2-hunter2"]),
    ...options.world,
  };
  const engineOptions: EngineOptions = {
    runId: before?.run.id ?? "run-1",
    cwd: folder,
    messages: ENGLISH,
    limits: { wallMs: 1000, idleMs: 1000, graceMs: 100, logBytes: 10_000 },
    signals: "nonce",
    defaultAgent: "puppet",
    agents: new Set(),
    roles: new Map(),
    verify: undefined,
    heartbeatMs: 30_000,
    ...options.engine,
  };
  const attempts = [
    ...(options.resume === true ? ([...place.runs.values()].at(-1)?.attempts.values() ?? []) : []),
  ];
  const history: History = {
    kept: attempts.flatMap(numbered => {
      const last = [...numbered.values()].at(-1)?.row;
      return last === undefined || last.endedAt === 0 || keptWork(last) === undefined ? [] : [last];
    }),
    lastSeq: before?.lastSeq ?? 0,
    feedback: new Map(),
    crashed: (before?.openAttempts ?? []).map(row => ({
      ...row,
      endedAt: 1,
      outcome: isLanded(row.task) ? "done" : "crashed",
    })),
    removedTasks: [],
    ...(options.outOfQuota === undefined ? {} : { outOfQuota: options.outOfQuota }),
  };
  const facts = { startedAt: 1, file: taskFile, planHash: "h", planJson: "{}", leadTokens: 0 };
  const engine = new Engine(run, world, engineOptions, facts, history);
  const listeners = new Set<(event: RunEvent) => void>();
  engine.listen(({ event }: StampedEvent) => {
    events.push(event);
    trace.push(`event ${event.type}${"task" in event ? ` ${event.task}` : ""}`);
    for (const listener of listeners) listener(event);
  });
  return {
    engine,
    run,
    clock,
    puppets,
    place,
    trace,
    events,
    changes,
    folder,
    taskFile,
    start: () => engine.start(options.resume === true && before !== undefined),
    event: matches =>
      new Promise(resolve => {
        const past = events.find(matches);
        if (past !== undefined) return resolve(past);
        const look = (event: RunEvent) => {
          if (!matches(event)) return;
          listeners.delete(look);
          resolve(event);
        };
        listeners.add(look);
      }),
    stored: task => [...place.runs.values()].at(-1)?.tasks.get(task)?.status,
    plan: planOf,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function describe({ tasks, attempts }: Change): string {
  return [
    ...(tasks ?? []).map(row => `${row.id}=${row.status}`),
    ...(attempts ?? []).map(row => `${row.task}.${row.number}:${row.outcome}`),
  ].join(" ");
}

function randomNames(): (length: number) => string {
  let count = 0;
  return length => {
    count += 1;
    return `n${count}`.padEnd(length, "x").slice(0, Math.max(length, 2));
  };
}
