import {
  type Agent,
  type AgentAbilities,
  type AgentEvent,
  type AgentSession,
  fail,
  ok,
  type PermissionQuestion,
  type SessionRequest,
  type TurnEnd,
} from "../../src/ports/index.ts";

/** One turn of a puppet agent, which does what the test says. */
export interface Part {
  readonly request: SessionRequest;
  readonly prompt: string;
  /** The signal id the attempt was given. */
  readonly id: string;
  line(text: string): void;
  /** Tells anything else. */
  tell(event: AgentEvent): void;
  /** Ends the turn by itself with this final message. */
  say(finalMessage: string, exitCode?: number): void;
  end(end: TurnEnd): void;
  /** Resolves with the first cancel. */
  readonly cancelled: Promise<"soft" | "hard">;
  /** Whether the turn has ended. */
  readonly over: boolean;
}

export interface PuppetOptions {
  readonly name?: string;
  readonly reports?: "signal" | "exit";
  /** It takes a second message in the same session. */
  readonly followUp?: boolean;
  /** What it can beside that, and what it cannot after all. */
  readonly abilities?: Partial<AgentAbilities>;
  /** Cancelled turns go on until the test ends them. */
  readonly stubborn?: boolean;
  /** Sessions open only when this resolves. */
  readonly opening?: (request: SessionRequest) => Promise<unknown>;
  readonly trace?: (what: string) => void;
}

const TALKATIVE: AgentAbilities = {
  followUp: true,
  resume: true,
  usage: true,
  cost: false,
  budget: false,
  sandbox: false,
  asks: false,
  mcp: false,
};

/** Agents inside the test: no process, no time, the same contract. */
export class Puppets {
  readonly agent: Agent;
  readonly #options: PuppetOptions;
  readonly #waiting: Part[] = [];
  readonly #takers: { readonly task: string | undefined; readonly give: (part: Part) => void }[] = [];
  /** Turns under way by task: more than one of a task is what must never happen. */
  readonly running = new Map<string, number>();
  most = 0;
  turns = 0;

  constructor(options: PuppetOptions = {}) {
    this.#options = options;
    this.agent = {
      portVersion: 1,
      name: options.name ?? "puppet",
      reports: options.reports ?? "signal",
      ...(options.followUp === true ? { abilities: { ...TALKATIVE, ...options.abilities } } : {}),
      probe: async () => ({ found: true }),
      open: async request => {
        options.trace?.(`open ${request.task}.${request.attempt}`);
        await options.opening?.(request);
        return ok(this.#session(request));
      },
    };
  }

  /** The next turn, of a task if one is named. */
  next(task?: string): Promise<Part> {
    const at = this.#waiting.findIndex(part => task === undefined || part.request.task === task);
    const [part] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (part !== undefined) return Promise.resolve(part);
    return new Promise(give => this.#takers.push({ task, give }));
  }

  #session(request: SessionRequest): AgentSession {
    let current: { cancel: (how: "soft" | "hard") => void; ended: Promise<void> } | undefined;
    const cancel = async (how: "soft" | "hard") => {
      current?.cancel(how);
      await current?.ended;
    };
    return {
      turn: message => {
        const { part, events, ended, stop } = this.#part(request, message);
        current = { cancel: stop, ended };
        const at = this.#takers.findIndex(({ task }) => task === undefined || task === request.task);
        const [taker] = at < 0 ? [] : this.#takers.splice(at, 1);
        if (taker === undefined) this.#waiting.push(part);
        else taker.give(part);
        return events;
      },
      cancel,
      close: () => cancel("soft"),
    };
  }

  #part(request: SessionRequest, prompt: string) {
    const queue: AgentEvent[] = [];
    let wake = () => {};
    let over = false;
    const { promise: ended, resolve: finish } = Promise.withResolvers<void>();
    const { promise: cancelled, resolve: cancelNow } = Promise.withResolvers<"soft" | "hard">();
    const now = (this.running.get(request.task) ?? 0) + 1;
    this.running.set(request.task, now);
    this.most = Math.max(this.most, now);
    this.turns++;
    this.#options.trace?.(`turn ${request.task}.${request.attempt}`);
    const push = (event: AgentEvent) => {
      if (over) return;
      over = event.type === "ended";
      queue.push(event);
      wake();
      if (!over) return;
      this.running.set(request.task, (this.running.get(request.task) ?? 1) - 1);
      finish();
    };
    async function* read(): AsyncGenerator<AgentEvent, void, undefined> {
      for (;;) {
        const event = queue.shift();
        if (event === undefined) await new Promise<void>(resolve => (wake = resolve));
        else {
          yield event;
          if (event.type === "ended") return;
        }
      }
    }
    const end = (how: TurnEnd) => push({ type: "ended", end: how });
    const part: Part = {
      request,
      prompt,
      id: request.env["ESPALIER_SIGNAL_ID"] ?? "",
      tell: push,
      line: text => push({ type: "line", stream: "stdout", text }),
      say: (finalMessage, exitCode = 0) =>
        end({ kind: "completed", finalMessage, exitCode, outputBytes: finalMessage.length }),
      end,
      cancelled,
      get over() {
        return over;
      },
    };
    const failure = { kind: "cancelled", message: "cancelled", retryable: true } as const;
    return {
      part,
      events: read(),
      ended,
      stop: (how: "soft" | "hard") => {
        cancelNow(how);
        if (this.#options.stubborn !== true || how === "hard")
          end({ kind: "failed", failure, finalMessage: "" });
      },
    };
  }
}

/** An agent that cannot be opened. */
export function brokenAgent(name: string, failure: Parameters<typeof fail>[0]): Agent {
  return {
    portVersion: 1,
    name,
    reports: "signal",
    probe: async () => ({ found: true }),
    open: async () => fail(failure) as never,
  };
}

/** An agent without a word of its own: it asks for something, hands on what was answered, and is done. */
export function askingAgent(
  wish: PermissionQuestion,
  heard: (answer: unknown) => void = () => {},
  exitCode = 0,
): Agent {
  const end: TurnEnd = { kind: "completed", finalMessage: "", exitCode, outputBytes: 0 };
  return {
    portVersion: 1,
    name: "asking",
    reports: "exit",
    probe: async () => ({ found: true }),
    open: async ({ ask }) =>
      ok({
        async *turn() {
          const answer = (await ask?.(wish)) ?? ({ answer: "rejected", by: "nobody" } as const);
          heard(answer);
          yield { type: "permission", ...wish, ...answer } as const;
          yield { type: "ended", end } as const;
        },
        cancel: async () => {},
        close: async () => {},
      }),
  };
}
