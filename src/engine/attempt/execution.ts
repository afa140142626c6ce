import {
  type AgentEvent,
  type AgentFailure,
  type Fleet,
  fail,
  type Loss,
  type Order,
  type OrderEvent,
  type OrderMessage,
  type OutputLog,
  ok,
  type PermissionAnswer,
  type PermissionQuestion,
  type Result,
  type Waits,
} from "../../ports/index.ts";

/** The machine that carried out an order is gone: what became of its work nobody knows. */
export class MachineLost extends Error {
  readonly loss: Loss;
  /** An agent had begun to work there. */
  readonly begun: boolean;
  constructor(loss: Loss, begun: boolean) {
    super(loss.why);
    this.loss = loss;
    this.begun = begun;
  }
}

/** What an order under way is heard with. */
export interface Hearing {
  /** The machine is gone: what it has not told by now is told no more. */
  readonly lost?: (loss: Loss) => void;
  /** Hears why no machine begins it. */
  readonly waits?: Waits;
  /** Receives the raw output, which is masked nowhere yet. */
  readonly log: OutputLog;
  /** Answers what the agent asks, at once when it is ended; absent where nobody can. */
  readonly ask?: Ask;
  /** What the run says, as JSON, to what the agent asks of it in the middle of a turn; absent where it has no tools. Never rejects. */
  readonly serve?: (asked: string) => Promise<string>;
}

/** One session of an agent that some machine of a fleet runs. */
export interface Execution {
  /** Resolves with the machine it runs on once the agent is ready. To be asked once. Throws `MachineLost`. */
  opened(): Promise<Result<string, AgentFailure>>;
  /** The events of the next turn; the first is given the order's own message. Throws `MachineLost`. */
  turn(message: string): AsyncIterable<AgentEvent>;
  cancel(how: "soft" | "hard"): void;
  /** Ends the session; resolves when no process of it is left, as far as anybody can know. Idempotent. */
  close(): Promise<void>;
}

/** Asks a person. What `over` ends waits for nobody any more. */
export type Ask = (question: PermissionQuestion, over: AbortSignal) => Promise<PermissionAnswer>;

/** The reply to a call where nobody serves it. */
const NOBODY = JSON.stringify({ ok: false, message: "NOT_SERVED: this session has no tools of the run" });

/** What is left for whoever speaks with the agent. */
type Said = Exclude<OrderEvent, { readonly type: "output" | "question" | "call" | "closed" | "lost" }>;

/** Hands an order to a fleet and follows it. */
export function execute(fleet: Fleet, order: Order, hearing: Hearing): Execution {
  const { id } = order;
  const reports = fleet.follow(id, 1)[Symbol.asyncIterator]();
  let turns = 0;
  let isTurning = false;
  let isSubmitted = false;
  let isBegun = false;
  let isOver = false;
  let isCancelled = false;
  let closing: Promise<void> | undefined;
  /** Whoever asks is being ended. */
  const over = new AbortController();

  const tell = (message: OrderMessage) => fleet.tell(id, message);

  async function answer(question: number, wish: PermissionQuestion): Promise<void> {
    const given = await hearing.ask?.(wish, over.signal);
    await tell({ type: "answer", question, ...(given ?? { answer: "rejected", by: "nobody" }) });
  }

  async function reply(call: number, asked: string): Promise<void> {
    await tell({ type: "reply", call, text: (await hearing.serve?.(asked)) ?? NOBODY });
  }

  /** What is told next and not heard here; undefined after the last. */
  async function next(): Promise<Said | undefined> {
    while (!isOver) {
      const { value, done } = await reports.next();
      if (done === true) {
        isOver = true;
        return undefined;
      }
      const { event } = value;
      if (event.type === "output") hearing.log(event.stream, event.bytes);
      else if (event.type === "question") {
        const { question, kind, title } = event;
        void answer(question, { kind, title });
      } else if (event.type === "call") void reply(event.call, event.text);
      else if (event.type === "lost") {
        isOver = true;
        hearing.lost?.(event);
        throw new MachineLost(event, isBegun);
      } else if (event.type !== "closed") {
        isBegun ||= event.type === "opened";
        return event;
      }
    }
    return undefined;
  }

  async function opened(): Promise<Result<string, AgentFailure>> {
    const submitted = await fleet.submit(order, hearing.waits);
    // Whoever is ended while no machine has taken it was not refused.
    const kind = isCancelled ? "cancelled" : "spawn";
    if (!submitted.ok) return fail({ kind, message: submitted.failure.message, retryable: true });
    isSubmitted = true;
    const first = await next();
    if (first?.type === "refused") return fail(first.failure);
    if (first?.type === "opened") return ok(first.machine);
    throw new Error(`order ${id} began with ${first?.type ?? "nothing"} instead of 'opened'`);
  }

  async function* turn(message: string): AsyncGenerator<AgentEvent, void, undefined> {
    turns++;
    isTurning = true;
    if (turns > 1) await tell({ type: "turn", turn: turns, text: message });
    for (;;) {
      const event = await next();
      if (event === undefined) throw new Error(`order ${id} ended without the end of turn ${turns}`);
      if (event.type === "refused") {
        const { failure } = event;
        yield { type: "ended", end: { kind: "failed", failure, finalMessage: "" } };
        return;
      }
      if (event.type === "opened") continue;
      isTurning &&= event.type !== "ended";
      yield event;
      if (event.type === "ended") return;
    }
  }

  /** What still runs is ended, and what it says on its way is kept. */
  async function close(): Promise<void> {
    over.abort();
    if (!isSubmitted) return;
    await tell({ type: "end" });
    if (isTurning && !isOver) await fleet.cancel(id, "soft");
    try {
      while ((await next()) !== undefined);
    } catch (error) {
      if (!(error instanceof MachineLost)) throw error;
    }
  }

  return {
    opened,
    turn,
    cancel(how) {
      isCancelled = true;
      over.abort();
      void fleet.cancel(id, how);
    },
    close: () => (closing ??= close()),
  };
}
