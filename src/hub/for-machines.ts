import { type Hello, MOST_REPLY, type Received, type Sync, type Tasks } from "../fleet/index.ts";
import type { Report } from "../ports/index.ts";
import { type Book, idOf, keyOf, offerOf, type Present } from "./book.ts";
import type { KeyedEngine } from "./engine.ts";
import { isHeldBy, type KeptOrder, type KeptPool, lossOf, suits, type Taken } from "./kept.ts";
import type { Later } from "./later.ts";
import { startedAnew } from "./objects.ts";
import { createPassOn } from "./pass-on.ts";
import type { Patience } from "./patience.ts";

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

/** What the hub answers to machines. */
export interface ForMachines {
  hello(pool: string, machine: string, given: Hello): Promise<void>;
  /** Throws `NotThisMachine`. */
  sync(pool: string, machine: string, given: Sync): Promise<Tasks>;
  reports(
    pool: string,
    machine: string,
    given: { readonly boot: string; readonly id: string; readonly reports: readonly Report[] },
  ): Promise<Received>;
  /** This start of a machine ends: it is given up at once, with what it holds. */
  leave(pool: string, machine: string, boot: string): Promise<void>;
}

interface Parts {
  readonly engine: KeyedEngine;
  readonly book: Book;
  readonly later: Later;
  readonly patience: Patience;
}

export function forMachines({ engine, book, later, patience }: Parts): ForMachines {
  const passOn = createPassOn({ engine, book });
  const { present, orders, known, read, note, lost, lose, expire, lacks, wake, queueOf, doubt } = book;
  const now = () => performance.now();

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

  /** A machine holds an order no more. What that has used is free at once: others wait for it. */
  function free(pool: string, machine: string, key: string, isUsing: boolean): void {
    const own = present.get(keyOf(pool, machine));
    own?.holds.delete(key);
    if (isUsing)
      void engine.call("EspalierPool", pool, "settle", { [machine]: [key] }).then(
        () => wake(own),
        () => {},
      );
    else later.settled(pool, machine, key);
  }

  async function tasksFor(pool: string, machine: string, given: Sync, own: Present): Promise<Tasks> {
    const heard = new Map(given.holds.map(one => [one.id, one.heard]));
    await Promise.all(given.holds.map(({ id }) => known(keyOf(pool, id))));
    const free = Math.min(given.free - own.promised, AT_ONCE, own.slots - own.holds.size - own.promised);
    const queue = await queueOf(pool);
    const able = offerOf(own);
    if (
      free > 0 &&
      [...queue.values()].some(waiting => suits(able, waiting) && lacks(own, waiting) === undefined)
    ) {
      const taking = { machine, free, ...able };
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
        later.settled(pool, machine, key);
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
    async hello(pool, machine, { boot, agents, labels, resources = {}, repositories, slots }) {
      const name = keyOf(pool, machine);
      const why = startedAnew(machine);
      lost(await engine.call<string[]>("EspalierPool", pool, "hello", { machine, boot }, true), why);
      const { machines } = await engine.call<KeptPool>("EspalierPool", pool, "read");
      present.get(name)?.news.resolve();
      const holds = new Set(machines[machine]?.boot === boot ? machines[machine].holds : []);
      const own = [...new Set([machine, ...labels])];
      present.set(name, {
        machine,
        boot,
        agents,
        labels: own,
        resources,
        repositories,
        slots,
        draining: machines[machine]?.draining === true,
        isFull: false,
        free: 0,
        promised: 0,
        seen: now(),
        news: Promise.withResolvers(),
        asks: Promise.withResolvers(),
        holds,
      });
    },
    async sync(pool, machine, given) {
      const own = machineOf(pool, machine, given.boot);
      own.isFull = given.full === true;
      const until = now() + Math.min(given.wait, patience.beatMs);
      const { promise } = own.news;
      const tasks = await tasksFor(pool, machine, given, own);
      const isNews = [tasks.orders, tasks.told, tasks.replies, tasks.dropped].some(one => one.length > 0);
      const left = until - now();
      if (isNews || left <= 0) return tasks;
      own.free = Math.min(given.free, own.slots - own.holds.size);
      own.asks.resolve();
      own.asks = Promise.withResolvers();
      // A cancel is told at every beat: only whoever is woken for it comes back sooner.
      let timer: NodeJS.Timeout | undefined;
      const isLate = await Promise.race([
        promise.then(() => false),
        new Promise<boolean>(resolve => (timer = setTimeout(resolve, left, true))),
      ]);
      clearTimeout(timer);
      own.free = 0;
      if (isLate) return tasks;
      return tasksFor(pool, machine, given, machineOf(pool, machine, given.boot));
    },
    async reports(pool, machine, { boot, id, reports: given }) {
      machineOf(pool, machine, boot);
      const key = keyOf(pool, id);
      const one = await known(key);
      const gone = { next: 1, arrived: 0, dropped: true };
      if (one === undefined) return gone;
      const { relay } = one;
      const isClosed = one.kept.life.at === "closed" && one.kept.life.machine === machine;
      if (!isHeldBy(one.kept, machine, boot) && !isClosed) return gone;
      if (relay.isFull) await relay.changed(patience.beatMs);
      const isBegun = isClosed || relay.next > 1;
      const reports = isBegun ? given : await passOn(pool, one, { machine, boot, key }, given);
      const last = reports?.at(-1);
      if (reports === undefined) {
        const { seq } = given.at(-1)!;
        return { next: seq + 1, arrived: seq, dropped: false };
      }
      if (!isClosed && last?.event.type === "closed") {
        const isUsing = (one.kept.order?.uses ?? []).length > 0;
        // Nobody is told of the end before it counts.
        const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "finish", { machine, boot });
        if (kept?.life.at !== "closed") {
          if (kept !== null) note(key, kept);
          return gone;
        }
        relay.put(reports);
        note(key, kept);
        free(pool, machine, key, isUsing);
      } else {
        relay.put(reports);
        if (last?.event.type === "lost") await lose(key, lossOf(last.event));
      }
      return { next: relay.next, arrived: relay.arrived, dropped: false };
    },
    leave: (pool, machine, boot) =>
      expire(keyOf(pool, machine), { why: `machine ${machine} was stopped`, how: "given-up" }, boot),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
