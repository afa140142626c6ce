import type { AgentEvent, AgentProblem, AgentSession, AgentUsage } from "../../ports/index.ts";
import { defined } from "./fields.ts";

/** Bytes of text for one token: the fewest that ordinary text has, as a cap must not be passed unseen. */
const BYTES_PER_TOKEN = 3;

/**
 * Tokens that an agent's own instructions and tools take in each call of its model, where it does not tell how full its
 * window is: of the programs that are known none takes more.
 */
const OWN_TOKENS = 24_000;

/** Tokens that a tool may have returned to a call of the model, where it does not show. */
export const RESULT_TOKENS = 1_000;
/** Tokens that a call of the model writes at least: of what it writes for tools only a title shows. */
const ANSWER_TOKENS = 100;

/**
 * What an agent that counts message by message may ask its model besides, for no message: to judge a command, a part of each
 * call's reading; after a turn, to remember and to suggest, so many times what its last call read. Qwen Code 0.24 takes less.
 */
const ASIDE_SHARE = 0.25;
const ASIDE_CALLS = 3;

/** Tools at work that are told apart. */
const MOST_RUNNING = 1_000;

/** What a turn ended with before any model was asked, or after it refused: nothing was spent. */
const UNSPENT: ReadonlySet<AgentProblem> = new Set([
  "not-found",
  "spawn",
  "auth",
  "quota",
  "overloaded",
  "budget",
  "protocol",
  "unsuitable",
]);

export interface TallyOptions {
  /**
   * What the agent's count at the end of a turn is about: all calls of the model in it, or the last one alone. Where nobody
   * knows, it is taken for the last one if it is no more than what stood in the window then.
   */
  readonly tells?: "turn" | "last" | undefined;
  /** A conversation is gone on with: the agent need not tell of it before it works. */
  readonly resumed?: boolean | undefined;
  /** It is known by now to count message by message, and not whether it asks its model for anything besides. */
  readonly asksAside?: (() => boolean) | undefined;
}

type Counted = Extract<AgentEvent, { type: "usage" }>;
type Ended = Extract<AgentEvent, { type: "ended" }>;

/** Calls of the model: how many, the most that each showed to read, added up, and that of the last one. */
interface Calls {
  readonly count: number;
  readonly sum: number;
  readonly last: number;
}

const NO_CALLS: Calls = { count: 0, sum: 0, last: 0 };

function withCall({ count, sum }: Calls, reads: number): Calls {
  return { count: count + 1, sum: sum + reads, last: reads };
}

/** The last call showed to read this; the only one where none was known. */
function withLast({ count, sum, last }: Calls, reads: number): Calls {
  return { count: Math.max(count, 1), sum: sum - last + reads, last: reads };
}

/** What one turn is seen to use. */
interface Turn {
  /** Tokens told by the time it began. */
  readonly before: number;
  /** The calls of the model that no count was told of yet. */
  open: Calls;
  /** The last of them is as the agent told it. */
  isShown: boolean;
  /** Tools at work, by their ids; not more than can be. */
  readonly running: Set<string>;
  /** A tool was begun. */
  hasTools: boolean;
  /** A tool has ended: whatever the model does next is another call. */
  between: boolean;
  /** Tokens that were said since the last count. */
  said: number;
  /** Tokens that the last count was about the reading of. */
  read: number;
}

/**
 * Follows what a session's events show of the calls of its model, and fills in what its agent does not count: calls that a
 * cancelled or killed turn never told of, and those before the last where only that one is told.
 */
export interface Tally {
  began(message: string): void;
  /** What is told after this event beside it, or instead of it where it is a count. */
  hear(event: AgentEvent): readonly AgentEvent[];
}

function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function tokensOf({ inputTokens = 0, outputTokens = 0 }: AgentUsage): number {
  return inputTokens + outputTokens;
}

/** What so many calls of the model wrote, of which so much was seen. */
function written(calls: number, said: number): number {
  return calls === 0 ? 0 : Math.max(said, calls * ANSWER_TOKENS);
}

/** A tally of one session. */
export function createTally({ tells, resumed = false, asksAside }: TallyOptions = {}): Tally {
  /** It had a conversation to send a message to. */
  let conversing = resumed;
  /** As the agent counts: cumulative over the session. */
  let told: AgentUsage = {};
  /** Estimates of what was never counted. */
  let guessed = { inputTokens: 0, outputTokens: 0 };
  /** Tokens that the conversation is known to hold. */
  let context = 0;
  /** They are counted, and no longer only what was seen of it. */
  let isSized = false;
  let turn: Turn | undefined;

  /** The count with estimates in it. */
  function usage(): Counted {
    const { open = NO_CALLS, said = 0 } = turn ?? {};
    const input = guessed.inputTokens + open.sum;
    const output = guessed.outputTokens + written(open.count, said);
    return {
      ...told,
      type: "usage",
      inputTokens: (told.inputTokens ?? 0) + input,
      outputTokens: (told.outputTokens ?? 0) + output,
      estimatedTokens: (told.estimatedTokens ?? 0) + input + output,
    };
  }

  /** What a call of the model reads now, as far as it shows. */
  function reads(): number {
    return context + (isSized ? 0 : OWN_TOKENS);
  }

  /** The model may have read so much besides, which no count tells. */
  function aside(read: number): void {
    if (asksAside?.() !== true) return;
    guessed = { ...guessed, inputTokens: guessed.inputTokens + Math.ceil(read) };
  }

  /** The model does something: another call of it, where a tool has ended since the last one. */
  function worked(now: Turn): readonly AgentEvent[] {
    if (!now.between) return [];
    now.between = false;
    now.isShown = false;
    now.open = withCall(now.open, reads());
    return [usage()];
  }

  function count(now: Turn, counted: Counted): readonly AgentEvent[] {
    const { inputTokens, outputTokens, estimatedTokens, contextUsed = 0, contextSize, costUsd } = counted;
    const facts = defined<AgentUsage>({ contextUsed: counted.contextUsed, contextSize, costUsd });
    // What stands in the window before the model has done anything is no call of it: some tell the message alone.
    if (contextUsed > 0 && !(now.between && now.open.count === 0)) {
      worked(now);
      isSized = true;
      now.open = withLast(now.open, now.isShown ? Math.max(now.open.last, contextUsed) : contextUsed);
      now.isShown = true;
      context = contextUsed;
    }
    const grown = {
      inputTokens: (inputTokens ?? 0) - (told.inputTokens ?? 0),
      outputTokens: (outputTokens ?? 0) - (told.outputTokens ?? 0),
    };
    // A cancelled turn may be told as nothing: what was seen of it stands.
    if (tokensOf(grown) <= 0) {
      told = { ...told, ...facts };
      return [usage()];
    }
    told = { ...told, ...counted };
    if (estimatedTokens !== undefined) guessed = { inputTokens: 0, outputTokens: 0 };
    else if (isLastOnly(now, grown.inputTokens)) {
      guessed = {
        inputTokens: guessed.inputTokens + grown.inputTokens * (now.open.count - 1),
        outputTokens: guessed.outputTokens + Math.max(0, now.said - grown.outputTokens),
      };
    }
    now.read = grown.inputTokens;
    aside(now.read * ASIDE_SHARE);
    // A count of one call tells how large the conversation is.
    if (now.open.count <= 1 && tells !== "last") {
      context = Math.max(context, tokensOf(grown));
      isSized = true;
    }
    // What shows nothing before it is counted is counted all the same.
    if (now.open.count === 0) now.between = false;
    now.open = NO_CALLS;
    now.said = 0;
    return [usage()];
  }

  /** Whether a count is that of the last of several calls: the cautious side where nothing tells. */
  function isLastOnly(now: Turn, read: number): boolean {
    if (now.open.count < 2 || tells === "turn") return false;
    return tells === "last" || told.contextUsed === undefined || read <= told.contextUsed;
  }

  function ended(now: Turn, end: Ended): readonly AgentEvent[] {
    const isCounted = tokensOf(told) > now.before;
    const failed = end.end.kind === "failed" ? end.end.failure.kind : undefined;
    // Who breaks the protocol once a conversation is open may have asked its model before.
    const isUnspent = failed !== undefined && UNSPENT.has(failed) && !(failed === "protocol" && conversing);
    if (failed === undefined) {
      // What it says last is told after it was counted; one that counts nothing has called its model once at least.
      aside(now.read * ASIDE_CALLS);
      if (isCounted) now.open = NO_CALLS;
      else if (now.open.count === 0) now.open = withCall(now.open, reads());
    } else if (isUnspent && !now.hasTools && !isCounted) {
      // All that it said was that it was not let in.
      now.open = NO_CALLS;
    } else if (now.between && conversing && !isUnspent) {
      // Its model was at work.
      now.open = withCall(now.open, reads());
    }
    const last = usage();
    guessed = {
      inputTokens: guessed.inputTokens + now.open.sum,
      outputTokens: guessed.outputTokens + written(now.open.count, now.said),
    };
    turn = undefined;
    return [last, end];
  }

  return {
    began(message) {
      context += tokensIn(message);
      turn = {
        before: tokensOf(told),
        open: NO_CALLS,
        isShown: false,
        running: new Set(),
        hasTools: false,
        between: true,
        said: 0,
        read: 0,
      };
    },
    hear(event) {
      const now = turn;
      if (now === undefined) return [event];
      switch (event.type) {
        case "line": {
          if (event.stream === "stderr" || event.text.startsWith("[espalier]")) return [event];
          const size = tokensIn(event.text);
          const more = worked(now);
          now.said += size;
          context += size;
          return [event, ...more];
        }
        case "tool": {
          // Some tell of a tool only once it has ended.
          const isNew = event.state === "started" || !now.running.has(event.id);
          const more = isNew ? worked(now) : [];
          if (event.state !== "started") now.running.delete(event.id);
          else if (now.running.size < MOST_RUNNING) now.running.add(event.id);
          now.between ||= event.state !== "started";
          now.hasTools = true;
          const { bytes, ...told } = event;
          if (event.state !== "started")
            context += bytes === undefined ? RESULT_TOKENS : Math.ceil(bytes / BYTES_PER_TOKEN);
          else now.said += tokensIn(event.title);
          return [told, ...more];
        }
        case "session":
          conversing = true;
          return [event];
        case "usage":
          return count(now, event);
        case "ended":
          return ended(now, event);
        case "permission":
        case "process":
          return [event];
      }
    },
  };
}

/** A session whose counts are whole: estimates, marked as such, stand for what its agent does not count. */
export function tallied(session: AgentSession, options: TallyOptions = {}): AgentSession {
  const tally = createTally(options);
  let last = "";
  async function* followed(message: string, events: AsyncIterable<AgentEvent>) {
    tally.began(message);
    for await (const event of events) {
      for (const told of tally.hear(event)) {
        const text = told.type === "usage" ? JSON.stringify(told) : "";
        if (text === "" || text !== last) yield told;
        last = text || last;
      }
    }
  }
  return {
    turn: message => followed(message, session.turn(message)),
    cancel: how => session.cancel(how),
    close: () => session.close(),
  };
}
