import type { AgentFacts, Loss } from "../ports/index.ts";
import type { KeyedEngine } from "./engine.ts";
import {
  inUse,
  isOver,
  type KeptOrder,
  type KeptPool,
  type Offer,
  over,
  type Resources,
  suits,
  type Waiting,
  waitingOf,
} from "./kept.ts";
import type { Holder } from "./objects.ts";
import { createRelay, type Relay } from "./relay.ts";

/** A machine that was heard since this hub was started. */
export interface Present {
  /** Its name in its pool. */
  readonly machine: string;
  readonly boot: string;
  /** Undefined of one that an earlier hub has heard, and this one not yet. */
  readonly agents: readonly AgentFacts[] | undefined;
  /** What it has, its name among them. */
  readonly labels: readonly string[];
  readonly resources: Resources;
  /** First commits of the repositories that its owner lets be worked in there; undefined: all. */
  readonly repositories?: readonly string[] | undefined;
  readonly slots: number;
  /** It takes nothing more. */
  draining: boolean;
  /** Its disk is full, as it has said last. */
  isFull: boolean;
  seen: number;
  /** How many orders it waits for at this moment. */
  free: number;
  /** How many are about to be its own. */
  promised: number;
  /** Resolves when there may be something for it. */
  news: PromiseWithResolvers<void>;
  /** Resolves when it waits for work. */
  asks: PromiseWithResolvers<void>;
  /** Keys of the orders it holds. */
  readonly holds: Set<string>;
}

/** What is said to a call. */
export interface Reply {
  readonly text: string;
  /** Whether its worker was told, and may not have heard it. */
  isSent: boolean;
}

/** An order as this process knows it, which is as the engine does. */
export interface Known {
  kept: KeptOrder;
  readonly relay: Relay;
  /** What the run says to calls of its agent, by their numbers; beside the engine: whoever asked does not wait for long. */
  readonly replies: Map<number, Reply>;
  /** When its coordinator asked for it last. */
  asked: number;
  /** Whose it is, as far as whoever hands it over or asks for it has said to this hub. */
  run?: string;
  /** What it uses of its machine, where it was handed over to this hub. */
  uses?: readonly string[];
}

/** What it can carry out. */
export const offerOf = ({ boot, agents = [], labels, resources, repositories }: Present): Offer => ({
  boot,
  agents: agents.map(({ name }) => name),
  labels,
  resources,
  ...(repositories === undefined ? {} : { repositories }),
});

export const keyOf = (pool: string, id: string): string => `${pool}/${id}`;
export const idOf = (pool: string, key: string): string => key.slice(pool.length + 1);
/** A pool, and what stands behind it in a key. */
export function partsOf(key: string): readonly [pool: string, name: string] {
  const at = key.indexOf("/");
  return [key.slice(0, at), key.slice(at + 1)];
}

/** What a hub remembers of what the engine holds, and of who was heard: all of it can be read or heard again. */
export interface Book {
  readonly present: Map<string, Present>;
  readonly orders: Map<string, Known>;
  /** An order, read where it is not known here. */
  known(key: string): Promise<Known | undefined>;
  read(key: string): Promise<Known | undefined>;
  /** Takes what the engine has answered, where that is newer. */
  note(key: string, kept: KeptOrder): Known;
  /** These are lost, as the engine knows already. */
  lost(keys: readonly string[], loss: Loss): void;
  lose(key: string, loss: Loss): Promise<void>;
  /** Gives up a machine with everything it holds; with `boot` only where that is its newest start. */
  expire(name: string, loss: Loss, boot?: string): Promise<void>;
  wake(machine: Present | undefined): void;
  /** Has the machine with the most room look for work; any other does at its next beat. */
  offer(pool: string, waiting: Waiting): void;
  /** The machine that waits for the most work of this kind, or the one that is preferred where it waits as well. */
  ready(pool: string, waiting: Waiting, prefers?: string): (Holder & { readonly own: Present }) | undefined;
  /** The machines of a pool that can carry an order out, those that take nothing more among them. */
  able(pool: string, waiting: Waiting): readonly Present[];
  /** Those of them that take work. */
  takers(pool: string, waiting: Waiting): readonly Present[];
  /** A resource of a machine that what it holds leaves none of, as far as is known here: its pool decides. */
  lacks(own: Present, waiting: Waiting): string | undefined;
  /** Orders that wait in a pool, by their keys: as the engine has them, or more. */
  queueOf(pool: string): Promise<Map<string, Waiting>>;
  /** The queue is read again before it is asked next. */
  doubt(pool: string): void;
}

export function createBook(engine: KeyedEngine): Book {
  const present = new Map<string, Present>();
  const orders = new Map<string, Known>();
  const now = () => performance.now();
  const queues = new Map<string, Promise<Map<string, Waiting>>>();

  const wake = (one: Present | undefined) => {
    one?.news.resolve();
    if (one !== undefined) one.news = Promise.withResolvers();
  };

  const able = (pool: string, waiting: Waiting) =>
    [...present].flatMap(([name, one]) =>
      name.startsWith(`${pool}/`) && suits(offerOf(one), waiting) ? [one] : [],
    );

  const lacks = (own: Present, waiting: Waiting) => {
    const held = [...own.holds].map(key => orders.get(key)?.kept.order?.uses ?? []);
    return waiting.uses === undefined ? undefined : inUse(held, own.resources, waiting);
  };

  const takers = (pool: string, waiting: Waiting) => able(pool, waiting).filter(one => !one.draining);

  const ready = (pool: string, waiting: Waiting, prefers?: string) => {
    const free = takers(pool, waiting)
      .filter(one => one.free > one.promised && lacks(one, waiting) === undefined)
      .toSorted((one, other) => other.free - other.promised - (one.free - one.promised));
    const first = free.find(({ machine }) => machine === prefers) ?? free[0];
    return first === undefined ? undefined : { machine: first.machine, boot: first.boot, own: first };
  };

  const offer = (pool: string, waiting: Waiting) => {
    const room = ({ slots, holds }: Present) => slots - holds.size;
    const [first] = takers(pool, waiting)
      .filter(one => lacks(one, waiting) === undefined)
      .toSorted((one, other) => room(other) - room(one));
    wake(first);
  };

  const queueOf = (pool: string): Promise<Map<string, Waiting>> => {
    const there = queues.get(pool);
    if (there !== undefined) return there;
    const reading = engine.call<KeptPool>("EspalierPool", pool, "read").then(
      ({ queue }) =>
        new Map(
          queue.map(line => {
            const waiting = waitingOf(line);
            return [waiting.key, waiting] as const;
          }),
        ),
    );
    queues.set(pool, reading);
    reading.catch(() => queues.delete(pool));
    return reading;
  };

  async function known(key: string): Promise<Known | undefined> {
    const here = orders.get(key);
    return here ?? read(key);
  }

  async function read(key: string): Promise<Known | undefined> {
    const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "read");
    return kept === null ? undefined : note(key, kept);
  }

  function note(key: string, kept: KeptOrder): Known {
    const here = orders.get(key);
    const { life, pool } = kept;
    if (here !== undefined) {
      if (kept.change > here.kept.change) here.kept = kept;
      here.relay.wake();
      return here;
    }
    const fresh = { kept, relay: createRelay(), replies: new Map(), asked: now() };
    orders.set(key, fresh);
    if (life.at === "held" && !present.has(keyOf(pool, life.machine)))
      present.set(keyOf(pool, life.machine), {
        machine: life.machine,
        boot: life.boot,
        agents: undefined,
        labels: [],
        resources: {},
        slots: 0,
        draining: false,
        isFull: false,
        free: 0,
        promised: 0,
        seen: now(),
        news: Promise.withResolvers(),
        asks: Promise.withResolvers(),
        holds: new Set([key]),
      });
    return fresh;
  }

  const lost = (keys: readonly string[], loss: Loss) => {
    for (const key of keys) {
      const one = orders.get(key);
      if (one !== undefined && !isOver(one.kept)) note(key, over(one.kept, { at: "lost", ...loss }));
    }
  };

  async function lose(key: string, loss: Loss): Promise<void> {
    const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "lose", loss);
    if (kept !== null) note(key, kept);
  }

  async function expire(name: string, loss: Loss, boot?: string): Promise<void> {
    const [pool, machine] = partsOf(name);
    if (boot !== undefined && present.get(name)?.boot !== boot) return;
    present.get(name)?.news.resolve();
    present.delete(name);
    const given = { ...loss, machine };
    const asked = boot === undefined ? given : { ...given, boot };
    lost(await engine.call<string[]>("EspalierPool", pool, "expire", asked, true), given);
  }

  const doubt = (pool: string) => void queues.delete(pool);
  return {
    present,
    orders,
    known,
    read,
    note,
    lost,
    lose,
    expire,
    wake,
    offer,
    ready,
    able,
    takers,
    lacks,
    queueOf,
    doubt,
  };
}
