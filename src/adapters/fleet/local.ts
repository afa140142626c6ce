import {
  type Agent,
  type AgentEvent,
  type AgentFailure,
  type AgentSession,
  type ByteMask,
  because,
  type Fleet,
  fail,
  HERE,
  type Order,
  type OrderEvent,
  type OrderMessage,
  ok,
  type PermissionAnswer,
  type PermissionQuestion,
  type SessionRequest,
} from "../../ports/index.ts";
import { failedFor, unsuitable } from "../../text/index.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createPatience, LEFT, type Patience } from "./patience.ts";

/** Bytes of raw output that are passed on beyond an order's limit: masks that stand behind this may take some away. */
const BEYOND_LIMIT = 1 << 20;
/** Milliseconds that an agent is waited for beyond what its order allows, before it is left to itself. */
const PATIENCE = 30_000;

export interface LocalFleetOptions {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Masks secrets in what agents keep the end of; see `SessionRequest.mask`. */
  readonly mask?: () => ByteMask;
  /** Milliseconds that an agent is waited for beyond what its order allows. */
  readonly patienceMs?: number;
}

/** An order under way in this process. */
interface Underway {
  readonly outbox: Outbox;
  readonly patience: Patience;
  readonly graceMs: number;
  session: AgentSession | undefined;
  /** A cancel from before the session was open. */
  cancelled: "soft" | "hard" | undefined;
  /** Number of the turn that was begun last. */
  turn: number;
  readonly answers: Map<number, (answer: PermissionAnswer) => void>;
  /** Turns that wait for the one before; `undefined` is the end. */
  readonly waiting: (string | undefined)[];
  /** Called when one more waits. */
  wake: () => void;
}

/** A fleet of one machine: this process. Orders live as long as it does. */
export function createLocalFleet({ agents, mask, patienceMs = PATIENCE }: LocalFleetOptions): Fleet {
  const orders = new Map<string, Underway | "over">();

  const underway = (id: string): Underway | undefined => {
    const order = orders.get(id);
    return order === "over" ? undefined : order;
  };

  return {
    portVersion: 1,
    async submit(order) {
      if (orders.has(order.id)) return ok(undefined);
      const agent = agents.get(order.agent);
      if (agent === undefined)
        return fail({ kind: "no-machine", message: `no machine has an agent ${order.agent}` });
      const own: Underway = {
        outbox: createOutbox(),
        patience: createPatience(patienceMs),
        graceMs: order.limits.graceMs,
        session: undefined,
        cancelled: undefined,
        turn: 1,
        answers: new Map(),
        waiting: [],
        wake: () => {},
      };
      orders.set(order.id, own);
      void carryOut(order, agent, own, mask);
      return ok(undefined);
    },
    async *follow(id, fromSeq) {
      const own = underway(id);
      if (own === undefined) {
        yield { version: 1, seq: fromSeq, event: { type: "lost", why: `nothing is known of order ${id}` } };
        return;
      }
      let last: OrderEvent["type"] | undefined;
      for await (const report of own.outbox.from(fromSeq)) {
        last = report.event.type;
        yield report;
      }
      // It was asked for what comes after its end, so that has arrived.
      if (last === "closed") orders.set(id, "over");
    },
    async tell(id, message) {
      const own = underway(id);
      if (own !== undefined) hear(own, message);
    },
    async cancel(id, how) {
      const own = underway(id);
      if (own === undefined) return;
      if (own.cancelled !== "hard") own.cancelled = how;
      // By the ladder it is asked, then told, then ended.
      own.patience.hurry(how === "hard" ? 0 : 2 * own.graceMs);
      void kept(async () => own.session?.cancel(how));
    },
    machines: async () => [
      {
        name: HERE,
        agents: Array.from(agents.values(), ({ name, reports, abilities }) => ({
          name,
          reports,
          ...(abilities === undefined ? {} : { abilities }),
        })),
      },
    ],
  };
}

/** Ends something of an agent. What that throws changes nothing: there is no more to be done about it. */
async function kept(end: () => Promise<void>): Promise<void> {
  try {
    await end();
  } catch {
    // It broke its contract; whoever waits for the end waits no longer.
  }
}

function hear(own: Underway, message: OrderMessage): void {
  switch (message.type) {
    case "turn":
      if (message.turn <= own.turn) return;
      own.turn = message.turn;
      own.waiting.push(message.text);
      own.wake();
      return;
    case "answer":
      own.answers.get(message.question)?.({ answer: message.answer, by: message.by });
      own.answers.delete(message.question);
      return;
    case "reply":
      // Agents of this process ask the run itself.
      return;
    case "end":
      own.waiting.push(undefined);
      own.wake();
      return;
    default:
      message satisfies never;
  }
}

/** One order from its first message to its end. Never rejects. */
async function carryOut(order: Order, agent: Agent, own: Underway, mask?: () => ByteMask): Promise<void> {
  const { outbox, patience } = own;
  const { wallMs, graceMs } = order.limits;
  try {
    patience.begin(wallMs + graceMs);
    const opened = await patience.of(agent.open(sessionRequest(order, own, mask)));
    if (opened === LEFT) {
      outbox.put({ type: "refused", failure: endless(agent, own) });
      return;
    }
    if (!opened.ok) {
      outbox.put({ type: "refused", failure: opened.failure });
      return;
    }
    own.session = opened.value;
    if (own.cancelled !== undefined) {
      outbox.put({ type: "refused", failure: cancelledOf(agent) });
      return;
    }
    outbox.put({ type: "opened", machine: HERE });
    let text: string | undefined = order.message;
    while (text !== undefined) {
      patience.begin(wallMs + graceMs);
      if (!(await turn(own.session, text, own))) {
        outbox.put({
          type: "ended",
          end: { kind: "failed", failure: endless(agent, own), finalMessage: "" },
        });
        return;
      }
      patience.rest();
      text = await nextTurn(own);
    }
  } catch (error) {
    // An agent never throws: this one broke its contract.
    const message = error instanceof Error ? error.message : String(error);
    const reason = because("internal-error", { said: message });
    outbox.put({ type: "refused", failure: { kind: "unsuitable", message, reason, retryable: false } });
  } finally {
    patience.begin(graceMs);
    await patience.of(kept(async () => own.session?.close()));
    patience.rest();
    outbox.put({ type: "closed" });
  }
}

function cancelledOf({ name }: Agent): AgentFailure {
  return failedFor(because("agent-cancelled", { agent: name }), { kind: "cancelled", retryable: true });
}

/** Of an agent that breaks its contract and does not end: nobody waits for it, and it is not begun a second time beside itself. */
function endless(agent: Agent, { cancelled }: Underway): AgentFailure {
  return cancelled === undefined
    ? unsuitable(because("agent-endless", { agent: agent.name }))
    : cancelledOf(agent);
}

/** One turn; false where the agent did not come to its end. */
async function turn(session: AgentSession, text: string, { outbox, patience }: Underway): Promise<boolean> {
  let last: AgentEvent["type"] | undefined;
  const events = session.turn(text)[Symbol.asyncIterator]();
  for (;;) {
    const next = await patience.of(events.next());
    if (next === LEFT) return false;
    if (next.done === true) break;
    last = next.value.type;
    outbox.put(next.value);
    await outbox.room();
  }
  if (last !== "ended") throw new Error("the agent ended its turn without an 'ended' event");
  return true;
}

/** The text of the next turn once it is known; undefined for the end. */
async function nextTurn(own: Underway): Promise<string | undefined> {
  if (own.waiting.length === 0) await new Promise<void>(wake => (own.wake = wake));
  return own.waiting.shift();
}

/** What the agent is asked for: the order, with its functions made into reports. */
function sessionRequest(order: Order, own: Underway, mask?: () => ByteMask): SessionRequest {
  const { version: _, id: __, agent: ___, message: ____, asks, limits, ...rest } = order;
  const { outbox, answers } = own;
  let questions = 0;
  const ask = (wish: PermissionQuestion) => {
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
    const question = ++questions;
    answers.set(question, resolve);
    outbox.put({ type: "question", question, ...wish });
    return promise;
  };
  return {
    ...rest,
    limits: { ...limits, logBytes: limits.logBytes + BEYOND_LIMIT },
    log: (stream, bytes) => outbox.put({ type: "output", stream, bytes: new Uint8Array(bytes) }),
    ...(mask === undefined ? {} : { mask }),
    ...(asks ? { ask } : {}),
  };
}
