import { z } from "zod";
import { createOutbox, type Outbox } from "../adapters/fleet/outbox.ts";
import { callAfter } from "../adapters/process/index.ts";
import { insideShape, readyingShape, reportShape, type ToInside, WIRE } from "../fleet/index.ts";
import { type Fleet, fail, HERE, type Machine, type Order, ok, type Report } from "../ports/index.ts";

/** Milliseconds that what has told its last report, or was cancelled hard, may take to end. */
const ENDS_IN = 10_000;
/** Milliseconds that a turn may take beyond its own limits before what carries it out is thought to hang. */
const BEYOND = 60_000;
/** Milliseconds that what is getting ready may be silent, where it does not have longer to be there. */
const SILENT = 60_000;

/** What carries one order out, reached by lines of text. */
export interface Inside {
  send(line: string): void;
  /** Nothing more is said to it, which ends it. */
  leave(): void;
  kill(): void;
  /** Resolves with what it said last, once nothing of it runs any more. */
  readonly ended: Promise<string>;
}

export interface SpawnedFleetOptions {
  readonly agents: Machine["agents"];
  /** Milliseconds in which it has to be there. */
  readonly startsInMs: number;
  /** Starts what carries an order out; each line that it writes is heard. */
  readonly start: (order: Order, hear: (line: string) => void) => Promise<Inside>;
  /** Hears whether what was started was there, or why not. */
  readonly began?: (order: Order, why: string | undefined) => void;
}

interface Own {
  readonly outbox: Outbox;
  say: (what: ToInside) => void;
  cancel: (how: "soft" | "hard") => void;
  follows: (seq: number) => void;
}

/**
 * A machine that starts an environment of its own for each order, which lives as long as that does. One that ends or hangs before
 * its order is over has lost it: that is no fault of the work.
 */
export function createSpawnedFleet(options: SpawnedFleetOptions): Fleet {
  const orders = new Map<string, Own | "over">();
  const under = (id: string): Own | undefined => {
    const own = orders.get(id);
    return own === "over" ? undefined : own;
  };
  return {
    portVersion: 1,
    async submit(order) {
      if (orders.has(order.id)) return ok(undefined);
      if (!options.agents.some(({ name }) => name === order.agent))
        return fail({ kind: "no-machine", message: `no machine has an agent ${order.agent}` });
      const own: Own = { outbox: createOutbox(), say: () => {}, cancel: () => {}, follows: () => {} };
      orders.set(order.id, own);
      void carryOut(order, own, options);
      return ok(undefined);
    },
    async *follow(id, fromSeq) {
      const own = under(id);
      if (own === undefined) {
        yield { version: 1, seq: fromSeq, event: { type: "lost", why: `nothing is known of order ${id}` } };
        return;
      }
      let last: Report["event"]["type"] | undefined;
      for await (const report of own.outbox.from(fromSeq)) {
        last = report.event.type;
        own.follows(report.seq);
        yield report;
      }
      if (last === "closed") orders.set(id, "over");
    },
    async tell(id, message) {
      under(id)?.say({ is: "tell", message });
    },
    async cancel(id, how) {
      under(id)?.cancel(how);
    },
    machines: async () => [
      {
        name: HERE,
        agents: options.agents.map(({ name, reports, abilities }) => ({
          name,
          reports,
          ...(abilities === undefined ? {} : { abilities }),
        })),
      },
    ],
  };
}

/** What a line of it tells; undefined where it is some other output. */
function readLine(line: string): Report | "readying" | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const given: unknown = JSON.parse(line);
    const read = z.safeDecode(reportShape, given as z.input<typeof reportShape>);
    if (read.success) return read.data as Report;
    const isReadying = z.safeDecode(readyingShape, given as z.input<typeof readyingShape>).success;
    return isReadying ? "readying" : undefined;
  } catch {
    return undefined;
  }
}

async function carryOut(order: Order, own: Own, options: SpawnedFleetOptions): Promise<void> {
  const { outbox } = own;
  const { limits } = order;
  const before: ToInside[] = [{ is: "order", wire: WIRE, order }];
  let inside: Inside | undefined;
  let next = 1;
  let isClosed = false;
  /** It was told to end at once: nothing that it says but the end gives it more time. */
  let isEnding = false;
  /** Why it is ended by this side. */
  let why: string | undefined;
  let forget = (): void => {};

  const endIt = (said: string): void => {
    why ??= said;
    inside?.kill();
  };
  const within = (ms: number, said: string): void => {
    forget();
    forget = callAfter(ms, () => endIt(said));
  };
  own.say = what => {
    if (inside === undefined) before.push(what);
    else inside.send(JSON.stringify(z.encode(insideShape, what)));
  };
  own.cancel = how => {
    own.say({ is: "cancel", how });
    if (how !== "hard") return;
    isEnding = true;
    within(limits.graceMs + ENDS_IN, "it did not end when it was told to");
  };
  own.follows = seq => own.say({ is: "arrived", seq });

  const hear = (line: string): void => {
    const report = readLine(line);
    if (report === "readying") {
      if (next === 1 && !isEnding)
        within(Math.max(options.startsInMs, SILENT), "it was not heard any more while it got ready");
      return;
    }
    if (report === undefined || report.seq !== next || isClosed) return;
    if (next++ === 1) options.began?.(order, undefined);
    const { event } = report;
    if (event.type === "closed") {
      isClosed = true;
      within(ENDS_IN, "");
      inside?.leave();
      return;
    }
    if (event.type === "ended" || event.type === "refused") {
      isEnding = false;
      forget();
    } else if (!isEnding && (event.type === "opened" || event.type === "process"))
      within(limits.wallMs + limits.graceMs + BEYOND, "it was not heard any more");
    outbox.put(event.type === "opened" ? { ...event, machine: HERE } : event);
  };
  within(options.startsInMs, `it was not there within ${Math.round(options.startsInMs / 1000)} s`);
  let said: string;
  try {
    inside = await options.start(order, hear);
    for (const what of before.splice(0)) own.say(what);
    if (why !== undefined) inside.kill();
    said = await inside.ended;
  } catch (error) {
    said = error instanceof Error ? error.message : String(error);
  }
  forget();
  if (isClosed) return outbox.put({ type: "closed" });
  const message = why ?? (said === "" ? "it ended without a word" : said);
  if (next === 1) options.began?.(order, message);
  outbox.put({ type: "lost", why: `what was started for it: ${message}` });
}
