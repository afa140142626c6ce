/**
 * A dashboard over a store of our own making: the server, the hub and the store are the real ones, the process that would
 * run the project is played by the test. `await using stage = await openStage(…)` removes everything at the end.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SYSTEM_CLOCK } from "../../src/adapters/local/clock.ts";
import { openState, type SqliteStore } from "../../src/adapters/store/index.ts";
import type { ControlReply, ControlRequest } from "../../src/engine/control/protocol.ts";
import { readingMonitor } from "../../src/host/monitor/reading.ts";
import { findProject } from "../../src/host/project/project.ts";
import { storedPlanJson } from "../../src/host/project/stored-plan.ts";
import type { Whereabouts } from "../../src/host/run/phase-work.ts";
import { type Plan, readPlan } from "../../src/plan/index.ts";
import type { AttemptRow, Change, RunEvent, RunRow, StampedEvent, TaskRow } from "../../src/ports/index.ts";
import {
  type Dashboard,
  type LinkFacts,
  type Monitor,
  type News,
  type ServeOptions,
  serveDashboard,
} from "../../src/server/index.ts";
import { scratchFolder } from "../scratch.ts";

export const RUN = "run-1";
/** When the played run began. */
export const BEGAN = Date.UTC(2030, 4, 6, 9, 0, 0);

export interface Stage extends AsyncDisposable {
  readonly root: string;
  readonly store: SqliteStore;
  readonly plan: Plan;
  readonly page: Dashboard;
  readonly monitor: Monitor;
  /** What the page asked of the process that runs. */
  readonly asked: ControlRequest[];
  /** What that process says; undefined plays one that is not there. */
  reply: ControlReply | undefined;
  /** Commits a change of the run and tells the page. */
  commit(change: Partial<Change>): void;
  /** Makes events durable and tells the page. */
  happen(...events: readonly RunEvent[]): void;
  /** The same at moments of their own. */
  happened(...events: readonly (readonly [at: number, event: RunEvent])[]): void;
  /** Tells the page what is not durable. */
  say(event: RunEvent): void;
  setLink(link: Partial<LinkFacts>): void;
  /** How many say that somebody is there to answer agents. */
  present(): number;
  /** A request with the token. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export interface StageOptions {
  readonly tasks: string;
  /** Instead of what the task file says: a plan no file could hold. */
  readonly plan?: Plan;
  readonly rows?: (plan: Plan) => readonly TaskRow[];
  readonly run?: Partial<RunRow>;
  readonly attempts?: readonly AttemptRow[];
  readonly live?: boolean;
  /** Where its work is, as git would tell. */
  readonly work?: Whereabouts;
  /** The machines of its hub. */
  readonly machines?: Monitor["machines"];
  readonly serve?: Partial<ServeOptions>;
  /** Nothing is committed: there is no run yet. */
  readonly empty?: boolean;
}

export function planOf(tasks: string): Plan {
  return readPlan(new TextEncoder().encode(tasks), { path: "TASKS.md" }).plan;
}

/** A task's row as it begins. */
export function row(id: string, more: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    status: "pending",
    retries: 0,
    attempts: 0,
    reason: undefined,
    sameError: 0,
    textHash: "",
    notBefore: 0,
    ...more,
  };
}

/** An attempt that has ended well. */
export function attempt(task: string, number: number, more: Partial<AttemptRow> = {}): AttemptRow {
  return {
    task,
    number,
    token: `token-${task}-${number}`,
    nonce: "k7f2",
    agent: "shell",
    startedAt: BEGAN,
    endedAt: BEGAN + 60_000,
    outcome: "done",
    reason: undefined,
    evidence: "",
    finalMessage: "",
    feedback: "",
    ...more,
  };
}

export function runRow(plan: Plan, more: Partial<RunRow> = {}): RunRow {
  return {
    id: RUN,
    project: plan.project,
    state: "running",
    phase: String(plan.phases[0]?.phase ?? ""),
    file: "TASKS.md",
    planHash: "0".repeat(64),
    plan: storedPlanJson(plan, {}),
    startedAt: BEGAN,
    updatedAt: BEGAN + 1000,
    forced: [],
    leadTokens: 0,
    reason: undefined,
    ...more,
  };
}

/** Opens a stage. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const root = scratchFolder("espalier-stage-");
  const opened = openState(join(root, ".espalier"), { project: root, now: BEGAN });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const { store } = opened.value;
  const epoch = store.claimEpoch();
  if (!epoch.ok) throw new Error("no epoch");
  const plan = options.plan ?? planOf(options.tasks);
  let seq = 0;
  let present = 0;
  let link: LinkFacts = { live: options.live !== false, held: false, asked: [] };
  const listeners = new Set<(news: News) => void>();
  const tell = (news: News) => {
    for (const listener of listeners) listener(news);
  };
  const write = (change: Partial<Change>) => {
    const done = store.commit({ epoch: epoch.value, runId: RUN, ...change });
    if (!done.ok) throw new Error(JSON.stringify(done.failure));
  };
  if (options.empty !== true)
    write({
      run: runRow(plan, options.run),
      tasks: options.rows?.(plan) ?? plan.tasks.map(task => row(task.id)),
      attempts: options.attempts ?? [],
    });
  const reading = readingMonitor(findProject(root), {});
  const asked: ControlRequest[] = [];
  const monitor: Monitor = {
    ...reading,
    link: () => link,
    attend() {
      present++;
      return () => {
        present--;
      };
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act(request) {
      asked.push(request);
      return Promise.resolve(stage.reply);
    },
    machines: options.machines ?? reading.machines,
    whereabouts: () => (options.work === undefined ? reading.whereabouts() : Promise.resolve(options.work)),
    goOn: () => Promise.resolve({ ok: true, message: "the run goes on" }),
  };
  const served = await serveDashboard({
    monitor,
    clock: SYSTEM_CLOCK,
    who: "dashboard (ann)",
    pages: new Map(),
    port: 0,
    ...options.serve,
  });
  if (!served.ok) {
    monitor.close();
    store.close();
    rmSync(root, { recursive: true, force: true });
    throw new Error(served.failure);
  }
  const page = served.value;
  const authorized = { authorization: `Bearer ${page.token}` };
  const stage: Stage = {
    root,
    store,
    plan,
    page,
    monitor,
    asked,
    reply: { ok: true, message: "done" },
    commit(change) {
      write(change);
      tell("changed");
    },
    happen: (...events) =>
      stage.happened(...events.map((event, at) => [BEGAN + (seq + at + 1) * 1000, event] as const)),
    happened(...events) {
      const stamped = events.map(([at, event]): StampedEvent => ({ seq: ++seq, at, event }));
      write({ events: stamped });
      for (const event of stamped) tell(event);
    },
    say: event => tell({ seq: 0, at: BEGAN, event }),
    present: () => present,
    setLink(next) {
      link = { ...link, ...next };
      tell("changed");
    },
    get: (path, headers = {}) => fetch(`${page.origin}${path}`, { headers: { ...authorized, ...headers } }),
    post: (body, headers = {}) =>
      fetch(`${page.origin}/api/act`, {
        method: "POST",
        headers: { ...authorized, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await page.close();
      monitor.close();
      store.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return stage;
}
