import { type AgentFailure, because } from "../../../ports/index.ts";
import { reasonText } from "../../../text/index.ts";
import { oneLine, text } from "../fields.ts";
import { decisionOf, type Permissions } from "../permissions.ts";
import { type Announced, type Call, commandOf, isWork, subjectOf } from "./announced.ts";

/** What an agent is held against, in the folder that it works in. */
export interface Judge {
  readonly permissions: Permissions;
  readonly cwd: string;
}

/**
 * What an agent says it has done although its policy denies it or its request was refused; undefined for anything else. Only
 * what is told to be completed counts: many announce a call before they ask, and what they were refused fails.
 */
export function overstepIn(agent: string, call: Call, { permissions, cwd }: Judge): AgentFailure | undefined {
  if (call.state !== "done") return undefined;
  for (const kind of call.kinds) {
    if (!isWork(kind)) continue;
    const answer = call.answers.get(kind);
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
  for (const call of announced.calls()) {
    const done: Call = call.state === "open" ? { ...call, state: "done" } : call;
    const overstep = overstepIn(agent, done, judge);
    if (overstep !== undefined) return overstep;
  }
  return undefined;
}
