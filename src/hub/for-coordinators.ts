import type { KnownMachine, Stuck, Submitted, Taker } from "../fleet/index.ts";
import type { Loss, Order, OrderMessage, Report } from "../ports/index.ts";
import { type Book, idOf, keyOf, type Present } from "./book.ts";
import type { KeyedEngine } from "./engine.ts";
import { type Coordinator, createFence } from "./fence.ts";
import {
  isOver,
  type KeptOrder,
  type KeptPool,
  type Life,
  lossOf,
  offered,
  timesUsed,
  type Waiting,
  waitingOf,
} from "./kept.ts";
import type { Later } from "./later.ts";
import { type Admitted, type Claim, type Claimed, type Holder, startedAnew, TAKEN } from "./objects.ts";
import type { Patience } from "./patience.ts";
import { lackOf, offersIn, stuckIn } from "./stuck.ts";

/** What a coordinator asks of an order's reports. */
export interface Asked {
  readonly id: string;
  readonly from: number;
  /** Milliseconds. */
  readonly wait: number;
  /** Reports up to this number need not be kept for anybody; those before `from`, where it is not told. */
  readonly done?: number;
}

/** What the hub answers to those who conduct runs. */
export interface ForCoordinators {
  /** The next epoch of a run; what it has handed over goes on where it belongs to attempts that are kept, by their tokens. */
  claim(pool: string, run: string, by: Taker, keep?: readonly string[]): Promise<number>;
  /** This and what follows throw `TakenOver` where a newer coordinator has the run. */
  submit(pool: string, from: Coordinator, order: Order, counted?: readonly string[]): Promise<Submitted>;
  /** How many of each resource the machines of a pool offer together. */
  offers(pool: string): Readonly<Record<string, number>>;
  /** Orders of a run that wait, and that no machine which is there takes now. */
  stuck(pool: string, run: string): readonly Stuck[];
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
}

/** Milliseconds that an order waits for the machine that it prefers, where that has room. */
const PREFERRED_MS = 2000;

/** What is told of an order that was ended before a machine had it. */
const WITHDRAWN: readonly Report[] = (
  [
    {
      type: "refused",
      failure: { kind: "cancelled", message: "it was ended before a machine had it", retryable: true },
    },
    { type: "closed" },
  ] as const
).map((event, at) => ({ version: 1, seq: at + 1, event }));

interface Parts {
  readonly engine: KeyedEngine;
  readonly book: Book;
  readonly later: Later;
  readonly patience: Patience;
}

export function forCoordinators({ engine, book, later, patience }: Parts): ForCoordinators {
  const { present, known, note, lost, lose, expire, wake, offer, ready, takers, lacks, queueOf, doubt } =
    book;
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

  /** Has the machine that holds an order hear of it. */
  async function handTo(pool: string, key: string, { machine, boot }: Holder): Promise<void> {
    const own = present.get(keyOf(pool, machine));
    if (own?.boot !== boot) return lose(key, startedAnew(machine));
    own.holds.add(key);
    own.free--;
    wake(own);
  }

  /** The resource for which an order waits at every machine that takes work and could take it. */
  function inUseOf(pool: string, waiting: Waiting) {
    const all = takers(pool, waiting);
    const taken = all.map((one: Present) => lacks(one, waiting));
    const [resource] = taken;
    if (resource === undefined || taken.includes(undefined)) return undefined;
    return { resource, machines: all.map(({ machine }) => machine) };
  }

  /** Waits a moment for a machine that has room, and is about to ask for work. */
  async function preferred(pool: string, waiting: Waiting, name: string): Promise<void> {
    const own = takers(pool, waiting).find(({ machine }) => machine === name);
    if (own === undefined || own.free > own.promised || own.slots <= own.holds.size + own.promised) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      own.asks.promise,
      new Promise(resolve => (timer = setTimeout(resolve, PREFERRED_MS))),
    ]);
    clearTimeout(timer);
  }

  return {
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
    offers: pool => offersIn(book, pool),
    // Machines of before this hub was started may be silent for that long.
    stuck: (pool, run) => stuckIn(book, pool, run, now() - began > patience.leaseMs),
    async submit(pool, { run, epoch }, order, counted = []) {
      await pass(pool, { run, epoch });
      const key = keyOf(pool, order.id);
      const there = offersIn(book, pool);
      const isOffered = (name: string) => offered(there, name) > 0;
      const asked = [...new Set(order.uses)].filter(name => isOffered(name) || !counted.includes(name));
      const uses = asked.length === 0 ? {} : { uses: asked };
      const of = order.base === undefined ? {} : { repository: order.base.repository };
      const waiting: Waiting = { key, agent: order.agent, labels: order.labels ?? [], ...uses, ...of };
      const lack = lackOf(book, pool, waiting);
      if (lack !== undefined && (await known(key)) === undefined) return { is: "no-machine", ...lack };
      if (order.prefers !== undefined) await preferred(pool, waiting, order.prefers);
      const to = ready(pool, waiting, order.prefers);
      const holder = to === undefined ? undefined : { machine: to.machine, boot: to.boot };
      const given = holder === undefined ? {} : { to: { ...holder, resources: to?.own.resources } };
      const submission = { epoch, pool, key, order, ...uses, ...of, ...given };
      // It is kept free for this one until that is decided.
      if (to !== undefined) to.own.promised++;
      const admitted = await engine
        .call<Admitted>("EspalierRun", keyOf(pool, run), "admit", submission)
        .finally(() => to !== undefined && to.own.promised--);
      const { is, isHeld = false } = admitted;
      if (is === "fenced") return { is };
      const life =
        isHeld && holder !== undefined ? ({ at: "held", ...holder } as const) : ({ at: "queued" } as const);
      const fresh = { pool, change: 1, life, order, told: [] } as const;
      const one = note(key, admitted.kept ?? fresh);
      Object.assign(one, { run, uses: asked });
      if (one.kept.life.at === "held") {
        await handTo(pool, key, one.kept.life);
        return { is };
      }
      const { refused = [] } = one.kept;
      const again = refused.length === 0 ? waiting : { ...waiting, avoids: refused.map(({ boot }) => boot) };
      if (one.kept.life.at === "queued") (await queueOf(pool)).set(key, again);
      offer(pool, again);
      const waits = one.kept.life.at === "queued" ? inUseOf(pool, waiting) : undefined;
      return waits === undefined ? { is } : { is, waits };
    },
    async follow(pool, coordinator, { id, from, wait, done }) {
      const end = (loss: Loss) => ({
        reports: [{ version: 1, seq: from, event: { type: "lost", ...loss } } as const],
        over: true,
      });
      await pass(pool, coordinator);
      const one = await known(keyOf(pool, id));
      if (one === undefined) return end({ why: "the hub knows nothing of it any more", how: "unknown" });
      if (!isOver(one.kept)) one.run ??= coordinator.run;
      const { relay } = one;
      const until = now() + wait;
      for (;;) {
        // Nothing is awaited from here to the reports: asking for some tells the worker that those before have arrived.
        await pass(pool, coordinator);
        one.asked = now();
        const reports = relay.from(from, done);
        if (reports === undefined) return end({ why: `report ${from} has arrived before` });
        const { life }: { readonly life: Life } = one.kept;
        const isLast = reports.at(-1)?.event.type === "closed";
        if (reports.length > 0) return { reports, over: isLast };
        if (life.at === "lost") return end(lossOf(life));
        if (life.at === "withdrawn")
          return { reports: WITHDRAWN.filter(({ seq }) => seq >= from), over: true };
        // Its worker still has them, and brings them.
        const isHeard = relay.next > 1;
        if (life.at === "closed" && isHeard && from >= relay.next) {
          if (one.run !== undefined) later.done(keyOf(pool, one.run), keyOf(pool, id));
          delete one.run;
          return { reports, over: true };
        }
        if (life.at === "closed" && !isHeard && now() - began > patience.leaseMs)
          return end({ why: "its reports are gone with its machine", how: "unread" });
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
      if (kept.life.at === "withdrawn") doubt(pool);
      if (kept.life.at === "held") stir(pool, kept.life.machine);
    },
    async machines(pool) {
      const { machines, queue } = await engine.call<KeptPool>("EspalierPool", pool, "read");
      const there = [...present].filter(([name]) => name.startsWith(`${pool}/`));
      return {
        machines: there.map(([name, one]) => {
          const { agents = [], labels, resources: own, repositories, slots, seen, holds, isFull } = one;
          const machine = name.slice(pool.length + 1);
          const { draining = false, uses = {} } = machines[machine] ?? {};
          const resources = Object.entries(own).map(([what, many]) => {
            return [what, { offers: many, taken: timesUsed(Object.values(uses), what) }] as const;
          });
          return {
            name: machine,
            agents,
            labels,
            resources: Object.fromEntries(resources),
            ...(repositories === undefined ? {} : { repositories }),
            slots,
            holds: [...holds].map(key => idOf(pool, key)),
            silent: Math.round(now() - seen),
            draining,
            ...(isFull ? { full: true } : {}),
          };
        }) as KnownMachine[],
        waiting: queue.map(line => idOf(pool, waitingOf(line).key)),
      };
    },
    async drain(pool, machine, on) {
      await engine.call("EspalierPool", pool, "drain", { machine, on });
      const own = present.get(keyOf(pool, machine));
      if (own === undefined) return;
      own.draining = on;
      if (!on) wake(own);
    },
    forget: (pool, machine) =>
      expire(keyOf(pool, machine), { why: `machine ${machine} was given up`, how: "given-up" }),
    pass,
    async holder(pool, id) {
      const life = (await known(keyOf(pool, id)))?.kept.life;
      return life?.at === "held" ? life.machine : undefined;
    },
    async isOver(pool, id) {
      const one = await known(keyOf(pool, id));
      return one === undefined || isOver(one.kept);
    },
  };
}
