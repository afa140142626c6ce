import { setTimeout as pause } from "node:timers/promises";
import type { HubClient } from "../adapters/fleet/hub-client.ts";
import { MOST_CALLS, MOST_REPORTS, receivedShape, reportsShape, weightOf } from "../fleet/index.ts";
import {
  type AgentFailure,
  because,
  type Fleet,
  type Order,
  type OrderEvent,
  type OrderMessage,
  type Report,
} from "../ports/index.ts";
import type { Bench } from "./bench.ts";

/** Weight of reports that have not arrived, beyond which an agent is listened to no further. */
const MOST_KEPT = 2 * 1024 ** 2;
/** Pieces of output from before an agent is open that are told behind what became of that. */
const MOST_BEFORE = 64;
const AGAIN_MS = 500;
/** Milliseconds for which the reports of an order that has ended are kept for a coordinator that does not ask. */
const KEPT_MS = 600_000;

/** An order on this machine. */
export interface Carrying {
  readonly order: Order;
  /** How many messages it has heard. */
  readonly heard: number;
  /** Numbers of the calls of its agent that wait for a reply. */
  readonly calls: readonly number[];
  /** Asks the run for the agent, as JSON; undefined where nobody answers any more, or too many wait. */
  call(op: string, text: string): Promise<string | undefined>;
  /** What the run says to a call. */
  reply(call: number, text: string): void;
  /** Nothing of it runs any more: only its reports are on their way. */
  readonly isDone: boolean;
  hear(from: number, messages: readonly OrderMessage[]): void;
  /** A cancel of a number that was heard before is the same. */
  cancel(how: "soft" | "hard", number: number): void;
  /** So many reports have arrived, and need not be kept. */
  arrived(seq: number): void;
  /** Everything that has not arrived is sent again. */
  again(): void;
  /** Its machine ends: it is ended at once, and what it made is kept here; what was handed in is with the hub. */
  end(): void;
  /** Ends it at once; what it made is kept here. */
  drop(): void;
  readonly over: Promise<"closed" | "dropped">;
}

interface Carried {
  readonly client: HubClient;
  readonly fleet: Fleet;
  readonly bench: Bench;
  readonly boot: string;
  readonly hasRoom?: () => boolean;
  /** What this machine is called at the hub. */
  readonly machine: string;
  /** Called once nothing of it runs any more. */
  readonly whenDone: () => void;
}

/** A refusal with the machine that it comes from: whoever reads it has many. */
function refusedBy(machine: string, failure: AgentFailure): AgentFailure {
  const { reason } = failure;
  if (reason?.code !== "machine-refuses") return failure;
  return { ...failure, reason: because("machine-refuses", { ...reason.args, machine }) };
}

/** Carries one order out, and sends what is told of it until all of that has arrived. */
export function carry(carried: Carried, order: Order): Carrying {
  const { client, fleet, bench, boot, machine, hasRoom, whenDone } = carried;
  const { id } = order;
  let kept: Report[] = [];
  let weight = 0;
  let last = 0;
  /** Number of the report that is sent next. */
  let next = 1;
  let gone = 0;
  let heard = 0;
  let cancelled = 0;
  let isDropped = false;
  let isClosed = false;
  let isLost = false;
  let asked = 0;
  const waiting = new Map<number, (text: string | undefined) => void>();
  let change = Promise.withResolvers<void>();
  const dropped = Promise.withResolvers<void>();
  /** Resolves once the machine knows the order, or never will: what is said before would be heard by nobody. */
  const ready = Promise.withResolvers<void>();

  const wake = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const put = (event: OrderEvent) => {
    const report = { version: 1, seq: ++last, event } as const;
    kept.push(report);
    weight += weightOf(report);
    wake();
  };
  const forget = (seq: number) => {
    for (const one of kept) if (one.seq <= seq) weight -= weightOf(one);
    kept = kept.filter(one => one.seq > seq);
    gone = Math.max(gone, Math.min(seq, last));
    wake();
  };

  /** What the machine tells, with the end of each turn held back until its work is handed in. */
  async function listen(): Promise<void> {
    const opened = await bench.open(order);
    if (!opened.ok && hasRoom?.() === false) {
      // Another machine has room for it.
      isLost = true;
      return put({ type: "lost", why: `the disk of ${machine} is full`, how: "full", machine });
    }
    if (!opened.ok) {
      put({ type: "refused", failure: refusedBy(machine, opened.failure) });
      return put({ type: "closed" });
    }
    const submitted = await fleet.submit(opened.value);
    ready.resolve();
    if (!submitted.ok) {
      const { message } = submitted.failure;
      put({ type: "refused", failure: { kind: "not-found", message, retryable: true } });
      return put({ type: "closed" });
    }
    let isBegun = false;
    const before: OrderEvent[] = [];
    for await (const { event } of fleet.follow(id, 1)) {
      // A refusal comes first: whether another machine has it is asked before anything was heard of it.
      if (!isBegun && event.type === "output" && before.length < MOST_BEFORE) {
        before.push(event);
        continue;
      }
      if (!isBegun && event.type !== "refused") for (const one of before.splice(0)) put(one);
      isBegun = true;
      while (weight > MOST_KEPT && !isDropped) await change.promise;
      if (event.type === "closed" && !isLost && !isDropped) bench.closed?.(order);
      if (event.type === "session") bench.named?.(order, event.id);
      // Whoever hears of the end of a turn has its work.
      const why =
        event.type === "ended" && !isDropped ? await bench.handIn(order, () => !isDropped) : undefined;
      if (why !== undefined) {
        isLost = true;
        put({ type: "lost", why });
        await fleet.tell(id, { type: "end" });
      } else if (!isLost) put(event.type === "opened" ? { ...event, machine } : event);
      for (const one of before.splice(0)) put(one);
      if (event.type === "lost") isLost = true;
    }
  }

  /** Reports that go out together. */
  function batch(): Report[] {
    const found: Report[] = [];
    let size = 0;
    for (const one of kept) {
      if (one.seq < next) continue;
      size += weightOf(one);
      if (found.length > 0 && (size > MOST_REPORTS || found.length >= 1000)) break;
      found.push(one);
    }
    return found;
  }

  async function send(): Promise<void> {
    while (!isDropped) {
      const reports = batch();
      if (reports.length === 0) {
        if (isClosed && gone >= last) return;
        await Promise.race([change.promise, dropped.promise]);
        continue;
      }
      const given = { boot, id, reports };
      const answered = await Promise.race([
        client.ask("reports", reportsShape, given, receivedShape),
        dropped.promise.then(() => undefined),
      ]);
      if (answered === undefined) return;
      if (!answered.ok) {
        // The hub is away, or does not know this machine yet: its beat sees to that.
        await Promise.race([pause(AGAIN_MS), dropped.promise]);
        continue;
      }
      const { value } = answered;
      if (value.dropped) return drop();
      next = value.next;
      forget(value.arrived);
      const end = reports.at(-1)!;
      isClosed = end.seq < next && (end.event.type === "closed" || end.event.type === "lost");
      if (!isClosed) continue;
      hangUp();
      setTimeout(() => forget(last), KEPT_MS).unref();
      whenDone();
    }
  }

  /** Whoever waits for the run is told that nobody answers. */
  function hangUp(): void {
    for (const leave of waiting.values()) leave(undefined);
    waiting.clear();
  }

  function drop(): void {
    if (isDropped) return;
    isDropped = true;
    dropped.resolve();
    hangUp();
    wake();
    void ready.promise.then(async () => {
      await fleet.cancel(id, "hard");
      await fleet.tell(id, { type: "end" });
    });
  }

  async function whole(): Promise<"closed" | "dropped"> {
    const listening = listen();
    await send();
    await listening;
    if (isDropped || isLost) await bench.keep(order);
    await bench.leave(order);
    return isDropped ? "dropped" : "closed";
  }

  return {
    order,
    get heard() {
      return heard;
    },
    get isDone() {
      return isClosed;
    },
    get calls() {
      return [...waiting.keys()];
    },
    call(op, text) {
      if (isDropped || isClosed || waiting.size >= MOST_CALLS) return Promise.resolve(undefined);
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      const call = ++asked;
      waiting.set(call, resolve);
      put({ type: "call", call, op, text });
      return promise;
    },
    reply(call, text) {
      waiting.get(call)?.(text);
      waiting.delete(call);
    },
    hear(from, messages) {
      for (const [at, message] of messages.entries()) {
        if (from + at < heard) continue;
        heard = from + at + 1;
        void ready.promise.then(() => fleet.tell(id, message));
      }
    },
    cancel(how, number) {
      if (number <= cancelled) return;
      cancelled = number;
      void ready.promise.then(() => fleet.cancel(id, how));
    },
    arrived(seq) {
      if (seq > gone) forget(seq);
    },
    again() {
      next = gone + 1;
      wake();
    },
    end() {
      if (isClosed) forget(last);
      else drop();
    },
    drop,
    over: whole(),
  };
}
