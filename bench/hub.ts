/**
 * What work on other machines costs, beside the bare engine in the same run: processor time of an attempt that does nothing, over the
 * engine and all of ours (coordinator, hub and worker in one process); from handing an attempt over to its agent's being ready;
 * from an agent's question to the run to its answer; machines that only beat. Wants the engine of many machines:
 * `npm ci --prefix test/hub/engine --ignore-scripts && node bench/hub.ts [attempts]`
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { openHub } from "../src/adapters/fleet/hub-client.ts";
import { helloShape, syncShape, tasksShape, WIRE } from "../src/fleet/index.ts";
import { createHub, type KeyedEngine, PATIENCE, serveHub } from "../src/hub/index.ts";
import { type Agent, type AgentEvent, type Fleet, ok } from "../src/ports/index.ts";
import { noEngine, place, testEngine, who } from "../test/hub/bench.ts";
import { order } from "../test/order.ts";

const COUNT = Number(process.argv[2] ?? 400);
const AT_ONCE = 4;
const CALLS = 50;
const MACHINES = 500;
const BEAT_SECONDS = 20;
const LIMITS = { attempt: 25, dispatch: 150, beats: 25 };
/** Of a second, as Linux counts processor time. */
const TICKS = 100;

if (noEngine !== undefined) {
  console.error(noEngine);
  process.exit(2);
}

const engine = await testEngine();
const pid = Number(readFileSync(join(engine.folder, "server.pid"), "utf8"));

/** Milliseconds of processor time of the engine and of this process. */
function spent(): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user = 0, system = 0] = rest.split(" ").slice(11, 13).map(Number);
  const own = process.cpuUsage();
  return ((user + system) * 1000) / TICKS + (own.user + own.system) / 1000;
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;

/** So many uses, some at once: milliseconds that each took, and those of processor time for one. */
async function measure(count: number, use: (at: number) => Promise<number>) {
  const times: number[] = [];
  let next = 0;
  const before = spent();
  const lane = async () => {
    while (next < count) times.push(await use(next++));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { times, each: (spent() - before) / count };
}

async function timed(use: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await use();
  return performance.now() - from;
}

const END: AgentEvent = {
  type: "ended",
  end: { kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 },
};
const idle: Agent = {
  portVersion: 1,
  name: "idle",
  reports: "signal",
  probe: async () => ({ found: true }),
  open: async () =>
    ok({
      async *turn() {
        yield END;
      },
      cancel: async () => {},
      close: async () => {},
    }),
};

/** One attempt from hand-over to its last report; milliseconds until its agent was ready. */
async function attempt(fleet: Fleet, number: number): Promise<number> {
  const id = `bench-${number}/1`;
  const from = performance.now();
  await fleet.submit(order({ id, agent: "idle", token: `bench-${number}` }));
  let ready = Number.NaN;
  for await (const { event } of fleet.follow(id, 1)) {
    if (event.type === "opened") ready = performance.now() - from;
    if (event.type === "ended") await fleet.tell(id, { type: "end" });
  }
  return ready;
}

let failed = false;
function report(what: string, figure: number, limit: number | undefined, beside: string): void {
  const bound = limit === undefined ? "" : ` (at most ${limit})`;
  console.log(`${what}: ${figure.toFixed(1)}${bound}; ${beside}`);
  if (limit !== undefined && !(figure <= limit)) failed = true;
}

async function attempts(): Promise<void> {
  const there = await place(engine, [idle], { slots: 8 });
  try {
    const bare = (number: number) =>
      timed(() => engine.call("EspalierOrder", `nobody/${number % AT_ONCE}`, "read"));
    await measure(COUNT / 4, number => attempt(there.fleet, COUNT + number));
    await measure(COUNT / 4, bare);
    const engineOnly = await measure(COUNT, bare);
    const ours = await measure(COUNT, number => attempt(there.fleet, number));
    report(
      "an attempt without work, ms of processor time over all processes",
      ours.each,
      LIMITS.attempt,
      `one bare call of the engine ${engineOnly.each.toFixed(1)}`,
    );
    report(
      "from hand-over to a ready agent, ms, 95 of 100",
      at(ours.times, 0.95),
      LIMITS.dispatch,
      `in the middle ${at(ours.times, 0.5).toFixed(1)}; one bare call of the engine ${at(engineOnly.times, 0.95).toFixed(1)}`,
    );
  } finally {
    await there.dispose();
  }
}

/** An agent asks the run, which answers at once. */
async function calls(): Promise<void> {
  const release = Promise.withResolvers<void>();
  const asking: Agent = {
    ...idle,
    open: async () =>
      ok({
        async *turn() {
          await release.promise;
          yield END;
        },
        cancel: async () => {},
        close: async () => {},
      }),
  };
  const there = await place(engine, [asking]);
  const id = "calls/1";
  await there.fleet.submit(order({ id, agent: "idle", token: "calls" }));
  const answering = (async () => {
    for await (const { event } of there.fleet.follow(id, 1))
      if (event.type === "call")
        void there.fleet.tell(id, { type: "reply", call: event.call, text: '{"ok":true}' });
  })();
  const asked = { task: "T1.1", token: "calls", op: "get", text: '{"op":"get"}' };
  // It has to be at work first.
  for (let tries = 0; (await there.worker.call(asked)) === undefined && tries < 100; tries++) await pause(50);
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) times.push(await timed(() => there.worker.call(asked)));
  release.resolve();
  await there.fleet.tell(id, { type: "end" });
  await answering;
  await there.dispose();
  report(
    "an agent's question to its run and back, ms, 95 of 100",
    at(times, 0.95),
    undefined,
    `in the middle ${at(times, 0.5).toFixed(1)}`,
  );
}

/** Machines that have nothing to do; each asks from this process, which is counted as well. */
async function beats(core: KeyedEngine): Promise<void> {
  const hub = createHub(core, PATIENCE);
  const served = await serveHub({ hub, patience: PATIENCE, host: "127.0.0.1", port: 0, who });
  let isOver = false;
  const machine = async (number: number) => {
    const client = openHub(served.url, `machine:beats:m${number}`);
    const hello = { wire: WIRE, boot: "b", slots: 1, agents: [], labels: [] };
    await client.ask("hello", helloShape, hello, z.unknown());
    while (!isOver) {
      const given = { boot: "b", free: 1, holds: [], wait: PATIENCE.beatMs };
      await client.ask("sync", syncShape, given, tasksShape, PATIENCE.beatMs + 20_000);
    }
    client.close();
  };
  const all = Array.from({ length: MACHINES }, (_, number) => machine(number));
  await pause(10_000);
  const [before, from] = [spent(), performance.now()];
  await pause(BEAT_SECONDS * 1000);
  const share = ((spent() - before) * 100) / (performance.now() - from);
  isOver = true;
  await Promise.all(all);
  await served.close();
  hub.close();
  report(
    `${MACHINES} machines without work, percent of a core`,
    share,
    LIMITS.beats,
    "the machines' own part is in it",
  );
}

try {
  await attempts();
  await calls();
  await beats(engine);
} finally {
  await engine.close();
}
process.exitCode = failed ? 1 : 0;
