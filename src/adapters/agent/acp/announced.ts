import { createHash } from "node:crypto";
import type { PermissionAnswer, ToolKind } from "../../../ports/index.ts";
import { type Fields, text } from "../fields.ts";
import { toolKind } from "../permissions.ts";
import { createAnswers } from "./answers.ts";
import { isWork, kindOf, told } from "./told.ts";

/** Calls that are remembered: a turn that makes more has forgotten the oldest. */
const MOST_CALLS = 1_000;
/** Characters of a call's id that are remembered. */
const MOST_ID = 200;

/** What is known of one tool call. */
export interface Call {
  /** Of this turn; one that was asked for without an id has one of its own. */
  readonly id: string;
  /** The latest that was told of each; a kind that is work is never weakened. */
  readonly told: Fields;
  /** Everything it was said to do, or asked to do. */
  readonly kinds: ReadonlySet<ToolKind>;
  /** The latest answer to each that it asked to do. */
  readonly answers: ReadonlyMap<ToolKind, PermissionAnswer["answer"]>;
  /** What it was let do by answers to calls of other ids. */
  readonly letBe: ReadonlySet<ToolKind>;
  /**
   * `waiting`: for the end of its arguments, or for an answer; `refused`: and not heard of since; `open` may be at work.
   */
  readonly state: "waiting" | "refused" | "open" | "done" | "failed";
}

/** What is told of the tool calls of a turn, piece by piece, and how they were answered where they were asked for. */
export interface Announced {
  /** Hears an update of a call; returns all that is known of it now. */
  hear(update: Fields): Call;
  /** A request about a call with what it leaves out: many ask by the call's id alone. */
  complete(call: Fields): Fields;
  /** Hears how a request was answered that `complete` had returned. */
  answered(call: Fields, answer: PermissionAnswer["answer"]): void;
  /** How the work of a call was answered that was asked for under another id; leave for it is good for this call alone. */
  answeredAside(call: Call, kind: ToolKind): PermissionAnswer["answer"] | undefined;
  /** The kind of work that was refused, and that a call does without saying of what kind it is. */
  refusedAs(call: Call): ToolKind | undefined;
  /** Those that are remembered. */
  calls(): IterableIterator<Call>;
}

/** What tells a call from others: its id, or what stands for one that is too long to be kept. */
export function callId(call: Fields): string {
  const id = text(call["toolCallId"]);
  return id.length <= MOST_ID ? id : createHash("sha256").update(id).digest("hex");
}

/** What was told before with what is told now. */
function joined(before: Fields, now: Fields): Fields {
  const isWeaker = isWork(toolKind(text(before["kind"]))) && !isWork(toolKind(text(now["kind"])));
  return { ...before, ...now, ...(isWeaker ? { kind: before["kind"] } : {}) };
}

const NEW: Omit<Call, "id"> = {
  told: {},
  kinds: new Set(),
  answers: new Map(),
  letBe: new Set(),
  state: "waiting",
};

function stateAfter({ state }: Pick<Call, "state">, update: Fields): Call["state"] {
  switch (update["status"]) {
    case "completed":
      return "done";
    case "failed":
    case "cancelled":
      return "failed";
    case "in_progress":
      return "open";
    default:
      if (state === "refused" || isEnded({ state })) return state;
      return isUnwritten(update["rawInput"]) ? "waiting" : "open";
  }
}

/** Arguments that the model has not yet written. */
function isUnwritten(input: unknown): boolean {
  return typeof input === "object" && input !== null && Object.keys(input).length === 0;
}

function isEnded({ state }: Pick<Call, "state">): boolean {
  return state === "done" || state === "failed";
}

/** `cwd` is the folder that the paths of calls are relative to. */
export function createAnnounced(cwd: string): Announced {
  const answers = createAnswers(cwd);
  const calls = new Map<string, Call>();
  /** Those that nothing is to be held against any more: they are forgotten before the oldest of the others. */
  const spent = new Set<string>();
  let nameless = 0;

  /** A call under the id of one that has ended is another one. */
  function known(id: string, begins: boolean): Call {
    const call = calls.get(id);
    return call === undefined || (begins && isEnded(call)) ? { ...NEW, id } : call;
  }

  function forgetOne(): void {
    const [id = ""] = spent.size > 0 ? spent : calls.keys();
    calls.delete(id);
    spent.delete(id);
  }

  function keep(id: string, call: Call): Call {
    if (!calls.has(id) && calls.size === MOST_CALLS) forgetOne();
    calls.set(id, call);
    if (isEnded(call) || ![...call.kinds].some(isWork)) spent.add(id);
    else spent.delete(id);
    return call;
  }

  return {
    hear(update) {
      const id = callId(update);
      const before = known(id, update["sessionUpdate"] === "tool_call");
      const now = joined(before.told, told(update));
      const kinds = new Set([...before.kinds, toolKind(text(now["kind"])), kindOf(now)]);
      const call = keep(id, { ...before, told: now, kinds, state: stateAfter(before, update) });
      if (isEnded(call)) answers.ended(id);
      return call;
    },
    complete(call) {
      const id = callId(call) || `\0${nameless++}`;
      const before = known(id, true);
      const asked = joined(before.told, told(call));
      keep(id, { ...before, told: asked, kinds: new Set([...before.kinds, kindOf(asked)]) });
      return { ...asked, toolCallId: id };
    },
    answered(asked, answer) {
      const id = callId(asked);
      const kind = kindOf(asked);
      answers.given(id, kind, asked, answer);
      const call = calls.get(id);
      if (call === undefined) return;
      const state = isEnded(call) ? call.state : answer === "rejected" ? "refused" : "open";
      calls.set(id, { ...call, answers: new Map(call.answers).set(kind, answer), state });
    },
    answeredAside({ id, told: work }, kind) {
      const call = calls.get(id);
      if (call?.letBe.has(kind) === true) return "allowed";
      const answer = answers.take(kind, work);
      if (answer === "allowed" && call !== undefined)
        calls.set(id, { ...call, letBe: new Set([...call.letBe, kind]) });
      return answer;
    },
    refusedAs: call => answers.refusedAs(call.told),
    calls: () => calls.values(),
  };
}
