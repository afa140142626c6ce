import {
  type AgentFailure,
  type AgentUsage,
  addUsage,
  type ByteMask,
  type PermissionQuestion,
} from "../../../ports/index.ts";
import { createByteTail, createLineSplitter, lastLine } from "../../process/index.ts";
import { type Complaint, complaintFailure } from "../complaint.ts";
import type { EventQueue } from "../event-queue.ts";
import { clipped, type Fields, MOST_NOISE, oneLine, text } from "../fields.ts";
import { createJsonLines } from "../json-lines.ts";
import { createObstacle } from "../obstacle.ts";
import type { Ruling } from "../permissions.ts";
import type { OutputReader } from "../process-session.ts";
import { createSaid } from "../said-lines.ts";
import { complaintIn } from "../stderr-complaint.ts";
import { tellingLine } from "../telling-line.ts";
import { createToolCalls } from "../tool-calls.ts";
import { leftOff } from "../turns.ts";
import type { AskedCall, Broker, Dialect, Tell } from "./dialect.ts";

/** Bytes of stderr among which a reason is looked for. */
const COMPLAINT_BYTES = 1 << 13;

export interface EventReaderOptions {
  readonly agent: string;
  readonly dialect: Dialect;
  readonly queue: EventQueue;
  readonly mask: (() => ByteMask) | undefined;
  /** What earlier turns of the session used. */
  readonly spent: AgentUsage;
  /** Milliseconds of an obstacle that trying again does not mend. */
  readonly patienceMs?: number | undefined;
  /** Decides what the program asks for; without it what is asked is not heard. */
  readonly decide?: ((asked: AskedCall) => Promise<Decided>) | undefined;
  readonly reply: (line: string) => void;
  /** Takes what the next turn needs to know. */
  readonly keep: (kept: { readonly session?: string; readonly spent?: AgentUsage }) => void;
}

/** What was decided about a call, and what it was about. */
export interface Decided {
  readonly question: PermissionQuestion;
  readonly ruling: Ruling;
}

/** Reads an agent that tells its turn as JSON events, one a line, in a dialect of its own. */
export function createEventReader(options: EventReaderOptions): OutputReader {
  const { agent, dialect, queue } = options;
  const said = createSaid(queue, options.mask);
  const told = Promise.withResolvers<void>();
  const errors = createByteTail(COMPLAINT_BYTES, options.mask?.());
  const errorLines = createLineSplitter({
    open: () => queue.open(),
    line(text) {
      const complaint = complaintIn(text);
      if (complaint === undefined) queue.line("stderr", text);
      else meet(complaint);
    },
    skipped: bytes => note(`… ${bytes} bytes of errors are not shown here`),
  });
  let lastProgress = performance.now();
  let failure: AgentFailure | undefined;
  let whole = false;
  let resetsAt: number | undefined;
  const obstacle = createObstacle(
    agent,
    () => {
      failure ??= obstacle.failure;
      told.resolve();
    },
    options.patienceMs,
  );
  let session: string | undefined;
  /** Questions that wait: meanwhile nothing is idle. */
  let asking = 0;
  const answered = new Set<string>();

  function attend(broker: Broker, event: Fields): void {
    const asked = broker.asked(event);
    if (asked !== undefined) return void answer(broker, event, asked);
    const refused = broker.refused(event);
    if (refused !== undefined) options.reply(refused);
  }

  async function answer(broker: Broker, event: Fields, asked: AskedCall): Promise<void> {
    if (options.decide === undefined) return;
    progress();
    asking += 1;
    answered.add(asked.id);
    const { question, ruling } = await options.decide(asked);
    asking -= 1;
    progress();
    calls.rename(asked.id, question.title);
    queue.push({ type: "permission", ...question, ...ruling });
    options.reply(broker.answer(event, ruling.answer === "allowed"));
  }

  function note(text: string): void {
    if (queue.open()) queue.line("stderr", `[espalier] ${text}`);
  }

  function progress(): void {
    lastProgress = performance.now();
    obstacle.clear();
  }

  function meet(complaint: Omit<Complaint, "agent">): void {
    const { message, retryAt } = obstacle.meet(complaint);
    resetsAt = retryAt ?? resetsAt;
    if (queue.open()) queue.line("stderr", message);
  }

  function complain(complaint: Omit<Complaint, "agent">): AgentFailure {
    return complaintFailure({ ...complaint, agent }, Date.now());
  }

  /** Wraps what shows that the agent gets on. */
  function moving<T extends unknown[]>(action: (...given: T) => void): (...given: T) => void {
    return (...given) => {
      progress();
      action(...given);
    };
  }

  const calls = createToolCalls(queue);
  const tell: Tell = {
    progress,
    say: moving(said.piece),
    line: said.line,
    pause: moving(said.pause),
    final: moving(said.final),
    usage: moving((usage: AgentUsage, of?: "turn" | "thread") => {
      const { spent } = options;
      const total = of === "thread" && holds(usage, spent) ? usage : addUsage(spent, usage);
      options.keep({ spent: total });
      queue.push({ type: "usage", ...total });
    }),
    context: used => queue.push({ type: "usage", contextUsed: used }),
    session: moving(id => {
      if (id === session || id === "") return;
      session = id;
      options.keep({ session: id });
      queue.push({ type: "session", id });
    }),
    tool: moving(calls.hear),
    rejected: moving((kind, title, id = "") => {
      // What it was told no for was told already.
      if (answered.has(id)) return;
      queue.push({ type: "permission", kind, title: oneLine(title), answer: "rejected", by: "policy" });
    }),
    obstacle: meet,
    failed(reason) {
      // Some tell the time of a reset first, and what it is about at the end.
      failure ??=
        "kind" in reason ? reason : complain({ ...(resetsAt === undefined ? {} : { resetsAt }), ...reason });
      obstacle.clear();
      told.resolve();
    },
    finished: moving(() => {
      whole = true;
      told.resolve();
    }),
  };

  const hearing = dialect.hearing(tell);
  const events = createJsonLines({
    event(event) {
      if (dialect.broker !== undefined) attend(dialect.broker, event);
      const type = text(event["type"]);
      if (Object.hasOwn(hearing, type)) hearing[type]?.(event);
    },
    noise(line) {
      if (queue.open()) queue.line("stdout", clipped(line, MOST_NOISE));
    },
    oversized: what => note(`an event ${what}`),
  });

  /** Why a turn that told no result came to nothing, where that can be known. */
  function silentFailure(exitCode: number | null, stuck: AgentFailure | undefined): AgentFailure | undefined {
    if (exitCode === null) return stuck;
    const kind = dialect.exits?.[exitCode];
    const said = errors.wholeLines();
    const last = lastLine(said);
    if (kind !== undefined) {
      const retryable = kind !== "auth" && kind !== "unsuitable";
      return { kind, message: `${agent}: ${oneLine(last) || `exit code ${exitCode}`}`, retryable, exitCode };
    }
    const stranger = session === undefined ? unknownFlagIn(said) : undefined;
    if (exitCode !== 0 && stranger !== undefined) {
      const message = `${agent} does not know what it is told: ${oneLine(stranger)}; is it too old? espalier agents`;
      return { kind: "unsuitable", message, retryable: false, exitCode };
    }
    if (exitCode !== 0)
      return stuck ?? complain({ said: said.trim() === "" ? "" : tellingLine(said), exitCode });
    return stuck ?? leftOff(agent, "no-result", "protocol");
  }

  return {
    told: told.promise,
    lastProgress: () => (asking > 0 ? performance.now() : lastProgress),
    write(stream, chunk) {
      if (stream === "stdout") events.write(chunk);
      else {
        errors.push(chunk);
        errorLines.write(chunk);
      }
    },
    end({ exitCode, cause }) {
      events.end();
      said.end();
      errorLines.end();
      const finalMessage = said.message();
      const stuck = obstacle.failure;
      obstacle.clear();
      if (failure !== undefined) return { finalMessage, failure };
      if (whole) return { finalMessage, whole };
      const silent = cause === "exit" ? silentFailure(exitCode, stuck) : stuck;
      return silent === undefined ? { finalMessage } : { finalMessage, failure: silent };
    },
  };
}

/** The line in which a program that has not begun says that it does not know one of its arguments. */
function unknownFlagIn(errors: string): string | undefined {
  return errors
    .split("\n")
    .find(line => /\b(?:unknown|unexpected|unrecognized) (?:option|argument)/i.test(line.slice(0, 300)));
}

/** Whether a count of a whole conversation can have an earlier one in it; what is smaller began anew. */
function holds(usage: AgentUsage, spent: AgentUsage): boolean {
  const atLeast = (name: "inputTokens" | "outputTokens") => (usage[name] ?? 0) >= (spent[name] ?? 0);
  return atLeast("inputTokens") && atLeast("outputTokens");
}
