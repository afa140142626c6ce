import { type AgentFailure, because } from "../../../ports/index.ts";
import { reasonText } from "../../../text/index.ts";
import { type Fields, oneLine, text } from "../fields.ts";
import { type Permissions, toolKind } from "../permissions.ts";
import { type Announced, commandOf } from "./announced.ts";

/**
 * What an agent has done that its policy denies and that it did not ask for; undefined for anything else. Only what is told to
 * be completed counts: many announce a call before they ask, and what they were refused fails. `other` may be anything.
 */
export function overstepIn(
  agent: string,
  update: Fields,
  call: Fields,
  announced: Announced,
  permissions: Permissions,
): AgentFailure | undefined {
  if (update["status"] !== "completed" || announced.wasAsked(text(update["toolCallId"]))) return undefined;
  const kind = toolKind(text(call["kind"]));
  if (kind === "read" || kind === "other" || permissions[kind] !== "deny") return undefined;
  const said = oneLine(commandOf(call) || text(call["title"]) || kind);
  const reason = because("not-asked", { agent, kind, said });
  return { kind: "unsuitable", message: reasonText(reason, "en"), reason, retryable: false };
}
