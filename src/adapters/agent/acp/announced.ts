import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { PermissionAnswer, ToolKind } from "../../../ports/index.ts";
import { isWithin } from "../../file/index.ts";
import { type Fields, fields, list, text } from "../fields.ts";
import { type Subject, toolKind } from "../permissions.ts";

/** Calls that are remembered: a turn that makes more has forgotten the oldest. */
const MOST_CALLS = 1_000;
/** Places of one call that are remembered. */
const MOST_PLACES = 100;
/** Characters of a call's id that are remembered. */
const MOST_ID = 200;
/** Characters of a call's arguments that are remembered. */
const MOST_KEPT = 10_000;

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
  /** Calls of other ids that an answer let be made: each answer is good for one. */
  readonly letBe: ReadonlyMap<ToolKind, string>;
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
  /**
   * How the work of a call was answered that was asked for under another id: allowed, where such an answer is left for it; rejected,
   * where there is only that.
   */
  answeredAside(
    call: Call,
    kind: ToolKind,
    isSame: (asked: Call) => boolean,
  ): PermissionAnswer["answer"] | undefined;
  /** Those that are remembered. */
  calls(): IterableIterator<Call>;
}

/** What tells a call from others: its id, or what stands for one that is too long to be kept. */
export function callId(call: Fields): string {
  const id = text(call["toolCallId"]);
  return id.length <= MOST_ID ? id : createHash("sha256").update(id).digest("hex");
}

/** The command of a call, as it was told. */
export function commandOf(call: Fields): string {
  const { command } = fields(call["rawInput"]);
  return Array.isArray(command) ? list(command).map(text).join(" ") : text(command);
}

/** What the agent itself calls the tool, as Qwen Code adds it. */
export function toolName(call: Fields): string {
  return text(fields(call["_meta"])["toolName"]);
}

/** The kind of a call. One with a command runs it, but for that of an editor, which stands beside a path. */
export function kindOf(call: Fields): ToolKind {
  const runs = commandOf(call) !== "" && pathOf(call) === "";
  return runs ? "execute" : toolKind(text(call["kind"]));
}

function pathOf(call: Fields): string {
  const { path, file_path: file } = fields(call["rawInput"]);
  return text(path) || text(file);
}

/** The paths that a call names. */
export function pathsOf(call: Fields): readonly string[] {
  const places = list(call["locations"]).map(place => text(fields(place)["path"]));
  return [...places, pathOf(call)].filter(path => path !== "");
}

/** Whether a path that a call names, maybe relative to a folder, leads out of it. */
export function isOutside(path: string, folder: string): boolean {
  return !isWithin(folder, resolve(folder, path));
}

/** What a call is about, as far as it tells; what is longer than is remembered of it is not known to its end. */
export function subjectOf(call: Fields): Subject {
  const isWhole = (told: string) => told !== "" && told.length < MOST_KEPT;
  const command = commandOf(call);
  const paths = pathsOf(call);
  const host = hostOf(text(fields(call["rawInput"])["url"]));
  return {
    ...(isWhole(command) ? { command } : {}),
    ...(paths.length > 0 && paths.length < MOST_PLACES && paths.every(isWhole) ? { paths } : {}),
    ...(host === undefined ? {} : { host }),
  };
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname || undefined : undefined;
}

/** Whether a kind is one that a policy can be held against: `other` may be anything. */
export function isWork(kind: ToolKind): kind is "edit" | "execute" | "fetch" {
  return kind !== "read" && kind !== "other";
}

/** What a permission is decided by, where it is told; absent, null and empty fields are left out. */
function told(call: Fields): Fields {
  const { kind, title, name, locations } = call;
  const command = commandOf(call).slice(0, MOST_KEPT);
  const path = pathOf(call).slice(0, MOST_KEPT);
  const url = text(fields(call["rawInput"])["url"]).slice(0, MOST_KEPT);
  const tool = toolName(call);
  const input = {
    ...(command === "" ? {} : { command }),
    ...(path === "" ? {} : { path }),
    ...(url === "" ? {} : { url }),
  };
  return {
    ...(text(kind) === "" ? {} : { kind }),
    ...(text(title) === "" ? {} : { title: text(title).slice(0, MOST_KEPT) }),
    ...(text(name) === "" ? {} : { name }),
    ...(list(locations).length === 0 ? {} : { locations: list(locations).slice(0, MOST_PLACES) }),
    ...(Object.keys(input).length === 0 ? {} : { rawInput: input }),
    ...(tool === "" ? {} : { _meta: { toolName: tool } }),
  };
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
  letBe: new Map(),
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

export function createAnnounced(): Announced {
  const calls = new Map<string, Call>();
  let nameless = 0;

  /** A call under the id of one that has ended is another one. */
  function known(id: string, begins: boolean): Call {
    const call = calls.get(id);
    return call === undefined || (begins && isEnded(call)) ? { ...NEW, id } : call;
  }

  function keep(id: string, call: Call): Call {
    calls.set(id, call);
    if (calls.size > MOST_CALLS) calls.delete(leastOf(calls));
    return call;
  }

  return {
    hear(update) {
      const id = callId(update);
      const before = known(id, update["sessionUpdate"] === "tool_call");
      const now = joined(before.told, told(update));
      const kinds = new Set([...before.kinds, toolKind(text(now["kind"])), kindOf(now)]);
      return keep(id, { ...before, told: now, kinds, state: stateAfter(before, update) });
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
      const call = calls.get(id);
      if (call === undefined) return;
      const answers = new Map(call.answers).set(kindOf(asked), answer);
      const state = isEnded(call) ? call.state : answer === "rejected" ? "refused" : "open";
      calls.set(id, { ...call, answers, state });
    },
    answeredAside(call, kind, isSame) {
      let answer: PermissionAnswer["answer"] | undefined;
      for (const asked of calls.values()) {
        const given = asked.answers.get(kind);
        if (given === undefined || asked.id === call.id || !isSame(asked)) continue;
        if (given === "rejected") answer = given;
        else if (!isEnded(asked) && (asked.letBe.get(kind) ?? call.id) === call.id) {
          calls.set(asked.id, { ...asked, letBe: new Map(asked.letBe).set(kind, call.id) });
          return given;
        }
      }
      return answer;
    },
    calls: () => calls.values(),
  };
}

/** The oldest call that nothing is to be held against any more; the oldest of all where there is none. */
function leastOf(calls: ReadonlyMap<string, Call>): string {
  let oldest: string | undefined;
  for (const [id, call] of calls) {
    if (isEnded(call) || ![...call.kinds].some(isWork)) return id;
    oldest ??= id;
  }
  return oldest ?? "";
}
