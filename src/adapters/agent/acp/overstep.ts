import { resolve } from "node:path";
import { type AgentFailure, because } from "../../../ports/index.ts";
import { reasonText } from "../../../text/index.ts";
import { oneLine, text } from "../fields.ts";
import { decisionOf, type Permissions } from "../permissions.ts";
import { type Announced, type Call, commandOf, isOutside, isWork, pathsOf, subjectOf } from "./announced.ts";

/** What an agent is held against, in the folder that it works in. */
export interface Judge {
  readonly permissions: Permissions;
  readonly cwd: string;
  /** It asks, as far as is known of it: only what cannot be told in more than one way counts against it. */
  readonly isKnown?: boolean;
}

/** Whether a call names no file below a folder. */
function isElsewhere({ told }: Call, cwd: string): boolean {
  return pathsOf(told).every(path => isOutside(path, cwd) || resolve(cwd, path) === resolve(cwd));
}

/**
 * What an agent says it has done although its policy denies it or its request was refused; undefined for anything else. Only
 * what is told to be completed counts: many announce a call before they ask, and what they were refused fails.
 */
export function overstepIn(agent: string, call: Call, judge: Judge): AgentFailure | undefined {
  const { permissions, cwd, isKnown = false } = judge;
  if (call.state !== "done") return undefined;
  for (const kind of call.kinds) {
    if (!isWork(kind)) continue;
    const answer = call.answers.get(kind);
    // A newest version may begin in a mode that does not ask; its notes elsewhere, and commands in its own sandbox, are its own.
    if (isKnown && (kind !== "edit" || answer !== undefined || isElsewhere(call, cwd))) continue;
    const isDenied = () => decisionOf(permissions, kind, subjectOf(call.told), cwd) === "deny";
    if (answer === "allowed" || (answer === undefined && !isDenied())) continue;
    const said = oneLine(commandOf(call.told) || text(call.told["title"]) || kind);
    const reason = because(answer === "rejected" ? "not-heeded" : "not-asked", { agent, kind, said });
    return { kind: "unsuitable", message: reasonText(reason, "en"), reason, retryable: false };
  }
  return undefined;
}

/** The same for all calls of a turn that ended in order: what was begun by then, and is not told to have failed, was done. */
export function overstepAtEnd(agent: string, announced: Announced, judge: Judge): AgentFailure | undefined {
  if (judge.isKnown === true) return undefined;
  for (const call of announced.calls()) {
    const done: Call = call.state === "open" ? { ...call, state: "done" } : call;
    const overstep = overstepIn(agent, done, judge);
    if (overstep !== undefined) return overstep;
  }
  return undefined;
}
