import { resolve } from "node:path";
import { type AgentFailure, because, type PermissionQuestion, type ToolKind } from "../../../ports/index.ts";
import { unsuitable } from "../../../text/index.ts";
import { type Fields, oneLine, text } from "../fields.ts";
import { decisionOf, type Permissions } from "../permissions.ts";
import type { Announced, Call } from "./announced.ts";
import { commandOf, isOutside, isWork, pathsOf, subjectOf } from "./told.ts";

/** What an agent is held against, in the folder that it works in. */
export interface Judge {
  readonly permissions: Permissions;
  readonly cwd: string;
  /** It asks, as far as is known of it: only what cannot be told in more than one way counts against it. */
  readonly isKnown?: boolean;
  /** Kinds of which it is known by now that it does them unasked, in any of its sessions. */
  readonly unasked: Set<ToolKind>;
  /** Whether a call is of a tool that we attached ourselves. */
  readonly isOurs: (call: Fields) => boolean;
}

/** Whether a call names no file below a folder. */
function isElsewhere({ told }: Call, cwd: string): boolean {
  return pathsOf(told).every(path => isOutside(path, cwd) || resolve(cwd, path) === resolve(cwd));
}

function wordsOf({ told }: Call, kind: ToolKind): string {
  return oneLine(commandOf(told) || text(told["title"]) || kind);
}

/**
 * What an agent of which nothing is known says it has done although a person was to be asked for it; the first of each kind. It is not
 * ended for that, which it would be for what is denied: who lets it work unattended is to know that nobody is asked.
 */
export function unaskedIn(
  call: Call,
  announced: Announced,
  { permissions, cwd, isKnown, unasked, isOurs }: Judge,
): PermissionQuestion[] {
  if (call.state !== "done" || isKnown === true || isOurs(call.told)) return [];
  return [...call.kinds]
    .filter(kind => isWork(kind) && !unasked.has(kind) && call.answers.get(kind) === undefined)
    .filter(kind => decisionOf(permissions, kind, subjectOf(call.told), cwd) === "ask")
    .filter(kind => announced.answeredAside(call, kind) !== "allowed")
    .map(kind => {
      unasked.add(kind);
      return { kind, title: wordsOf(call, kind) };
    });
}

/**
 * What an agent says it has done although its policy denies it or its request was refused; undefined for anything else. Only
 * what is told to be completed counts: many announce a call before they ask, and what they were refused fails.
 */
export function overstepIn(
  agent: string,
  call: Call,
  announced: Announced,
  judge: Judge,
): AgentFailure | undefined {
  const { permissions, cwd, isKnown = false } = judge;
  if (call.state !== "done") return undefined;
  const failed = (kind: ToolKind, why: "not-heeded" | "not-asked"): AgentFailure => {
    return unsuitable(because(why, { agent, kind, said: wordsOf(call, kind) }));
  };
  for (const kind of call.kinds) {
    if (!isWork(kind)) continue;
    const own = call.answers.get(kind);
    if (own === "allowed") continue;
    // A newest version may begin in a mode that does not ask; its notes elsewhere, and commands in its own sandbox, are its own.
    if (isKnown && (kind !== "edit" || own !== undefined || isElsewhere(call, cwd))) continue;
    const answer = own ?? (isKnown ? undefined : announced.answeredAside(call, kind));
    if (answer === "rejected") return failed(kind, "not-heeded");
    if (decisionOf(permissions, kind, subjectOf(call.told), cwd) === "deny") return failed(kind, "not-asked");
  }
  const isAllowed = call.answers.get("other") === "allowed";
  const isNothing = !isKnown && !isAllowed && [...call.kinds].every(kind => kind === "other");
  const refused = isNothing ? announced.refusedAs(call) : undefined;
  return refused === undefined ? undefined : failed(refused, "not-heeded");
}

/** The calls of a turn that ended in order: what was begun by then, and is not told to have failed, was done. */
export function* callsAtEnd(announced: Announced): Generator<Call> {
  for (const call of announced.calls()) yield call.state === "open" ? { ...call, state: "done" } : call;
}

/** The same for all calls of a turn that ended in order. */
export function overstepAtEnd(agent: string, announced: Announced, judge: Judge): AgentFailure | undefined {
  if (judge.isKnown === true) return undefined;
  for (const done of callsAtEnd(announced)) {
    const overstep = overstepIn(agent, done, announced, judge);
    if (overstep !== undefined) return overstep;
  }
  return undefined;
}
