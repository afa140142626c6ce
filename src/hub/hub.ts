import {
  type Hello,
  type KnownMachine,
  MOST_REPLY,
  type Received,
  type Submitted,
  type Sync,
  type Taker,
  type Tasks,
} from "../fleet/index.ts";
import type { Order, OrderMessage, Report } from "../ports/index.ts";
import { createBook, idOf, keyOf, offerOf, type Present } from "./book.ts";
import type { KeyedEngine } from "./engine.ts";
import { type Coordinator, createFence } from "./fence.ts";
import {
  isHeldBy,
  isOver,
  type KeptOrder,
  type KeptPool,
  type Life,
  suits,
  type Taken,
  waitingOf,
} from "./kept.ts";
import { type Admitted, type Claim, type Claimed, TAKEN } from "./objects.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import { type Lets, watch } from "./watch.ts";

/** What a coordinator asks of an order's reports. */
export interface Asked {
  readonly id: string;
  readonly from: number;
  /** Milliseconds. */
  readonly wait: number;
  /** Reports up to this number need not be kept for anybody; those before `from`, where it is not told. */
  readonly done?: number;
}

/** Orders that one answer carries. */
const AT_ONCE = 16;

/** Why a worker is not listened to: another start of its machine has taken its place, or it has to say hello first. */
export class NotThisMachine extends Error {
  readonly code: "superseded" | "unknown";
  constructor(code: "superseded" | "unknown") {
    super(code);
    this.code = code;
  }
}

export interface Hub {
  hello(pool: string, machine: string, given: Hello): Promise<void>;
  /** Throws `NotThisMachine`. */
  sync(pool: string, machine: string, given: Sync): Promise<Tasks>;
  reports(
    pool: string,
    machine: string,
    given: { readonly boot: string; readonly id: string; readonly reports: readonly Report[] },
  ): Promise<Received>;
  /** The next epoch of a run; what it has handed over goes on where it belongs to attempts that are kept, by their tokens. */
  claim(pool: string, run: string, by: Taker, keep?: readonly string[]): Promise<number>;
  /** This and what follows throw `TakenOver` where a newer coordinator has the run. */
  submit(pool: string, from: Coordinator, order: Order): Promise<Submitted>;
  follow(
    pool: string,
    coordinator: Coordinator,
    asked: Asked,
  ): Promise<{ readonly reports: readonly Report[]; readonly over: boolean }>;
  tell(pool: string, from: Coordinator, id: string, message: OrderMessage): Promise<void>;
  cancel(pool: string, from: Coordinator, id: string, how: "soft" | "hard"): Promise<void>;
  machines(
    pool: string,
  ): Promise<{ readonly machines: readonly KnownMachine[]; readonly waiting: readonly string[] }>;
  drain(pool: string, machine: string, on: boolean): Promise<void>;
  /** Gives a machine up at once. */
  forget(pool: string, machine: string): Promise<void>;
  /** Throws where a newer coordinator has the run. */
  pass(pool: string, from: Coordinator): Promise<void>;
  /** Who may reach the work of an order: its pool's coordinators, and the machine that holds it. */
  holder(pool: string, id: string): Promise<string | undefined>;
  /** Whether nobody works on an order any more, or ever did. */
  isOver(pool: string, id: string): Promise<boolean>;
  close(): void;
}

/**
 * What stands between coordinators and workers: what must not be lost lies in the engine, what streams passes by it. A machine that
 * `lets` does not let work any more is given up at once.
 */
export function createHub(engine: KeyedEngine, patience: Patience = PATIENCE, lets: Lets = () => true): Hub {
  const book = createBook(engine);
  const { present, orders, known, read, note, lost, lose, expire, wake, offer, able, queueOf, doubt } = book;
  const fence = createFence(engine);
  const pass = (pool: string, { run, epoch }: Coordinator) => fence.pass({ run: keyOf(pool, run), epoch });
  const now = () => performance.now();
  const began = now();
  const stir = (pool: string, machine: string) => wake(present.get(keyOf(pool, machine)));

  /** Says to a call what the run does; one that nobody waits for any more is forgotten. */
  async function reply(pool: string, key: string, { call, text }: Extract<OrderMessage, { type: "reply" }>) {
    const one = await known(key);
    if (one?.kept.life.at !== "held") return;
    one.replies.set(call, { text, isSent: false });
    stir(pool, one.kept.life.machine);
  }

  const unwatch = watch(book, patience, lets);

  function machineOf(pool: string, machine: string, boot: string): Present {
    const own = present.get(keyOf(pool, machine));
    if (own !== undefined && own.boot !== boot) throw new NotThisMachine("superseded");
    if (own?.agents === undefined) throw new NotThisMachine("unknown");
    own.seen = now();
    return own;
  }

  /** Where an order is over that this machine still holds, or holds no more. */
  function isDropped(key: string, machine: string, boot: string): boolean {
    const one = orders.get(key);
    if (one === undefined) return true;
    const { life } = one.kept;
    return life.at === "closed" ? life.machine !== machine : !isHeldBy(one.kept, machine, boot);
  }

  async function tasksFor(pool: string, machine: string, given: Sync, own: Present): Promise<Tasks> {
    const heard = new Map(given.holds.map(one => [one.id, one.heard]));
    await Promise.all(given.holds.map(({ id }) => known(keyOf(pool, id))));
    const free = Math.min(given.free, AT_ONCE, own.slots - own.holds.size);
    const queue = await queueOf(pool);
    const able = offerOf(own);
    if (free > 0 && [...queue.values()].some(waiting => suits(able, waiting))) {
      const taking = { machine, boot: given.boot, free, ...able };
      const taken = await engine.call<Taken[]>("EspalierPool", pool, "take", taking, true);
      // What was to be had is gone elsewhere, or over.
      if (taken.length === 0) doubt(pool);
      for (const { key, ...part } of taken) {
        own.holds.add(key);
        queue.delete(key);
        const one = orders.get(key);
        if (one === undefined) await read(key);
        else note(key, { ...one.kept, ...part, life: { at: "held", machine, boot: given.boot } });
      }
    }
    let room = MOST_REPLY;
    const waiting = new Map(given.holds.map(one => [one.id, new Set(one.calls)]));
    const tasks = {
      orders: [],
      told: [],
      replies: [],
      cancels: [],
      arrived: [],
      dropped: [],
    } as Mutable<Tasks>;
    for (const key of own.holds) {
      const id = idOf(pool, key);
      const one = await known(key);
      if (one === undefined || !isHeldBy(one.kept, machine, given.boot)) {
        own.holds.delete(key);
        continue;
      }
      const { kept } = one;
      if (!heard.has(id) && kept.order !== undefined) tasks.orders.push(kept.order);
      const from = heard.get(id) ?? 0;
      if (kept.told.length > from) tasks.told.push({ id, from, messages: kept.told.slice(from) });
      for (const [call, reply] of one.replies) {
        if (reply.isSent && waiting.get(id)?.has(call) !== true) one.replies.delete(call);
        else if (room > 0) {
          room -= reply.text.length;
          reply.isSent = true;
          tasks.replies.push({ id, call, text: reply.text });
        }
      }
      if (kept.cancel !== undefined) tasks.cancels.push({ id, ...kept.cancel });
    }
    for (const { id } of given.holds) {
      const key = keyOf(pool, id);
      const one = orders.get(key);
      if (one !== undefined) tasks.arrived.push({ id, seq: one.relay.arrived });
      if (isDropped(key, machine, given.boot)) tasks.dropped.push(id);
    }
    return tasks;
  }

  return {
    async hello(pool, machine, { boot, agents, labels, slots }) {
      const name = keyOf(pool, machine);
      const why = `machine ${machine} was started anew`;
      lost(await engine.call<string[]>("EspalierPool", pool, "hello", { machine, boot }, true), why);
      const { machines } = await engine.call<KeptPool>("EspalierPool", pool, "read");
      present.get(name)?.news.resolve();
      const holds = new Set(machines[machine]?.boot === boot ? machines[machine].holds : []);
      const own = [...new Set([machine, ...labels])];
      present.set(name, {
        boot,
        agents,
        labels: own,
        slots,
        seen: now(),
        news: Promise.withResolvers(),
        holds,
      });
    },
    async sync(pool, machine, given) {
      const own = machineOf(pool, machine, given.boot);
      const until = now() + Math.min(given.wait, patience.beatMs);
      const { promise } = own.news;
      const tasks = await tasksFor(pool, machine, given, own);
      const isNews = [tasks.orders, tasks.told, tasks.replies, tasks.dropped].some(one => one.length > 0);
      const left = until - now();
      if (isNews || left <= 0) return tasks;
      // A cancel is told at every beat: only whoever is woken for it comes back sooner.
      let timer: NodeJS.Timeout | undefined;
      const isLate = await Promise.race([
        promise.then(() => false),
        new Promise<boolean>(resolve => (timer = setTimeout(resolve, left, true))),
      ]);
      clearTimeout(timer);
      if (isLate) return tasks;
      return tasksFor(pool, machine, given, machineOf(pool, machine, given.boot));
    },
    async reports(pool, machine, { boot, id, reports }) {
      machineOf(pool, machine, boot);
      const key = keyOf(pool, id);
      const one = await known(key);
      const gone = { next: 1, arrived: 0, dropped: true };
      if (one === undefined) return gone;
      const { relay } = one;
      const isClosed = one.kept.life.at === "closed" && one.kept.life.machine === machine;
      if (!isHeldBy(one.kept, machine, boot) && !isClosed) return gone;
      if (relay.isFull) await relay.changed(patience.beatMs);
      const last = reports.at(-1);
      if (!isClosed && last?.event.type === "closed") {
        // Nobody is told of the end before it counts.
        const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "close", { machine, boot });
        if (kept?.life.at !== "closed") {
          if (kept !== null) note(key, kept);
          return gone;
        }
        relay.put(reports);
        note(key, kept);
        present.get(keyOf(pool, machine))?.holds.delete(key);
      } else {
        relay.put(reports);
        if (last?.event.type === "lost") await lose(key, last.event.why);
      }
      return { next: relay.next, arrived: relay.arrived, dropped: false };
    },
    async claim(pool, run, by, keep = []) {
      const key = keyOf(pool, run);
      const given: Claim = { by, keep: keep.map(token => keyOf(pool, token)) };
      const claiming = engine.call<Claimed>("EspalierRun", key, "claim", given, true);
      const claimed = await fence.claimed(
        key,
        claiming.then(one => ({ ...one, by })),
      );
      const { epoch, lost: gone, kept } = claimed;
      lost(gone, TAKEN);
      const goOn = await Promise.all(kept.map(known));
      for (const one of goOn) {
        if (one === undefined) continue;
        Object.assign(one, { run, asked: now() });
        // Whoever followed it before is told that it is not theirs any more.
        one.relay.wake();
      }
      for (const [name, one] of present) if (name.startsWith(`${pool}/`)) wake(one);
      return epoch;
    },
    async submit(pool, { run, epoch }, order) {
      await pass(pool, { run, epoch });
      const key = keyOf(pool, order.id);
      const waiting = { key, agent: order.agent, labels: order.labels ?? [] };
      if (able(pool, waiting).length === 0 && (await known(key)) === undefined) return { is: "no-machine" };
      const submission = { epoch, pool, key, order };
      const admitted = await engine.call<Admitted>("EspalierRun", keyOf(pool, run), "admit", submission);
      const { is } = admitted;
      if (is === "fenced") return { is };
      const fresh = { pool, change: 1, life: { at: "queued" }, order, told: [] } as const;
      const one = note(key, admitted.kept ?? fresh);
      one.run = run;
      if (one.kept.life.at === "queued") (await queueOf(pool)).set(key, waiting);
      offer(pool, waiting);
      return { is };
    },
    async follow(pool, coordinator, { id, from, wait, done }) {
      const end = (why: string) => ({
        reports: [{ version: 1, seq: from, event: { type: "lost", why } } as const],
        over: true,
      });
      await pass(pool, coordinator);
      const one = await known(keyOf(pool, id));
      if (one === undefined) return end(`nothing is known of order ${id}`);
      const { relay } = one;
      const until = now() + wait;
      for (;;) {
        // Nothing is awaited from here to the reports: asking for some tells the worker that those before have arrived.
        await pass(pool, coordinator);
        one.asked = now();
        const reports = relay.from(from, done);
        if (reports === undefined) return end(`report ${from} has arrived before`);
        const { life }: { readonly life: Life } = one.kept;
        const isLast = reports.at(-1)?.event.type === "closed";
        if (reports.length > 0) return { reports, over: isLast };
        if (life.at === "lost") return end(life.why);
        // Its worker still has them, and brings them.
        const isHeard = relay.next > 1;
        if (life.at === "closed" && isHeard && from >= relay.next) {
          if (one.run !== undefined)
            void engine
              .call("EspalierRun", keyOf(pool, one.run), "done", { key: keyOf(pool, id) })
              .catch(() => {});
          delete one.run;
          return { reports, over: true };
        }
        if (life.at === "closed" && !isHeard && now() - began > patience.leaseMs)
          return end("its reports are gone with its machine");
        if (now() >= until) return { reports, over: false };
        await relay.changed(until - now());
      }
    },
    async tell(pool, from, id, message) {
      await pass(pool, from);
      const key = keyOf(pool, id);
      if (message.type === "reply") return reply(pool, key, message);
      const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "say", message);
      if (kept === null) return;
      note(key, kept);
      if (kept.life.at === "held") stir(pool, kept.life.machine);
    },
    async cancel(pool, from, id, how) {
      await pass(pool, from);
      const key = keyOf(pool, id);
      const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "cancel", { how });
      if (kept === null) return;
      note(key, kept);
      if (kept.life.at === "held") stir(pool, kept.life.machine);
    },
    async machines(pool) {
      const { machines, queue } = await engine.call<KeptPool>("EspalierPool", pool, "read");
      const there = [...present].filter(([name]) => name.startsWith(`${pool}/`));
      return {
        machines: there.map(([name, { agents = [], labels, slots, seen }]) => {
          const machine = name.slice(pool.length + 1);
          const { holds = [], draining = false } = machines[machine] ?? {};
          return {
            name: machine,
            agents,
            labels,
            slots,
            holds: holds.map(key => idOf(pool, key)),
            silent: Math.round(now() - seen),
            draining,
          };
        }) as KnownMachine[],
        waiting: queue.map(line => idOf(pool, waitingOf(line).key)),
      };
    },
    drain: (pool, machine, on) => engine.call<void>("EspalierPool", pool, "drain", { machine, on }),
    forget: (pool, machine) => expire(keyOf(pool, machine), `machine ${machine} was given up`),
    pass,
    async holder(pool, id) {
      const life = (await known(keyOf(pool, id)))?.kept.life;
      return life?.at === "held" ? life.machine : undefined;
    },
    async isOver(pool, id) {
      const one = await known(keyOf(pool, id));
      return one === undefined || isOver(one.kept);
    },
    close: () => unwatch(),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
