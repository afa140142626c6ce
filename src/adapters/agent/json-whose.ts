import { type Fields, fields, text } from "./fields.ts";

/** Under what names they tell whose it is. */
const WHOSE = ["role", "author", "from", "sender", "source", "speaker", "channel"];
/** Under what names they tell to which call it belongs: it is what a tool gave, or said in another agent's name. */
const CALLED = [
  "tool",
  "tool_name",
  "toolName",
  "tool_use_id",
  "toolUseId",
  "tool_call_id",
  "toolCallId",
  "parent_tool_use_id",
  "parentToolUseId",
  "call_id",
  "callId",
];
/** Words of what is not the agent's own: what it was told, what tools gave it, what it only thought. */
const OTHERS = wordsOf(
  "user human person system developer prompt input instruction instructions tool tools function call command commands exec execution " +
    "shell bash terminal stdout stderr log hook observation error errors reasoning thinking thought thoughts analysis",
);
/** Words of what a tool gave. */
const TOOLS = wordsOf("tool tools function");

/** The words of a name: `toolResult` and `tool_result` have the same. */
export function wordsOf(name: string): ReadonlySet<string> {
  const apart = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return new Set(
    apart
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter(word => word !== ""),
  );
}

/** Whether one of these words is among those. */
export function isAmong(words: ReadonlySet<string>, those: ReadonlySet<string>): boolean {
  return [...words].some(word => those.has(word));
}

/** Whether it names the call of a tool that it belongs to. */
function isOfCall(event: Fields): boolean {
  return CALLED.some(name => text(event[name]) !== "");
}

/** Whether everything that it says of itself goes for the agent's own words: what is unknown may quote them. */
export function isOwn(event: Fields): boolean {
  const whose = WHOSE.map(name => text(event[name]) || text(fields(event[name])["role"]));
  const names = [text(event["type"]), ...whose].map(wordsOf);
  return !isOfCall(event) && names.every(words => !isAmong(words, OTHERS));
}

/** Whether it tells of the call of a tool, or of another agent: what that used is not what the turn did. */
export function isOfTool(event: Fields): boolean {
  const names = [event["type"], event["role"]].map(name => wordsOf(text(name)));
  return isOfCall(event) || names.some(words => isAmong(words, TOOLS));
}
