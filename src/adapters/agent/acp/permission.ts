import { resolve } from "node:path";
import type { McpServer, PermissionQuestion, SessionRequest } from "../../../ports/index.ts";
import { clipped, type Fields, fields, list, oneLine, text } from "../fields.ts";
import { decide, decisionOf, type Permissions, type Ruling } from "../permissions.ts";
import { toolTitle } from "../tool-calls.ts";
import { callId } from "./announced.ts";
import type { Current } from "./current.ts";
import {
  aboutOf,
  commandOf,
  isOutside,
  kindOf,
  MOST_PLACES,
  pathsOf,
  subjectOf,
  told as toldOf,
  toolName,
} from "./told.ts";

/** What a permission request is about. An edit outside of what the request lets be written is no mere edit. */
export function questionOf(
  params: Fields,
  { cwd, writable = [] }: Pick<SessionRequest, "cwd" | "writable">,
): PermissionQuestion {
  const call = fields(params["toolCall"]);
  const kind = kindOf(call);
  const told = text(call["title"]);
  // Some give a tool's arguments for a title.
  const named = told.startsWith("{") ? toolTitle(toolName(call), told) : told;
  // A title may be what the model calls it, or what its tool is called. The command of an editor is one of its arguments.
  const command = kind === "execute" ? commandOf(call).trim() : "";
  const name = inLine(named.trim() || kind);
  const title = inLine(command) || titled(name, inLine(aboutOf(call, cwd, name.slice(0, LEAST_NAMED))));
  const paths = pathsOf(call);
  const isFree = (path: string) => !isOutside(path, cwd) || writable.includes(resolve(cwd, path));
  // Of more paths than are remembered some are not known.
  const isWithin = paths.length < MOST_PLACES && paths.every(isFree);
  return kind === "edit" && !isWithin
    ? { kind: "other", title: shown(title) }
    : { kind, title: shown(title) };
}

/** A request of an agent that gives a command's call its line for a title, as one that tells the command. */
export function withCommand(params: Fields): Fields {
  const call = fields(params["toolCall"]);
  const told = text(call["title"]);
  return call["kind"] !== "execute" || told === "" || commandOf(call) !== ""
    ? params
    : { ...params, toolCall: { ...call, rawInput: { ...fields(call["rawInput"]), command: told } } };
}

/** Characters of a command that a person is shown before being asked about it. */
const MOST_SHOWN = 1_000;
/** Characters of a title that are shown however long it is what the call is about. */
const LEAST_NAMED = 400;

const inLine = (told: string): string =>
  told
    .trim()
    .split(/\r\n|[\r\n]/)
    .join(" ⏎ ");
const shown = (title: string): string => oneLine(title, MOST_SHOWN);

/** A title with what it leaves out: a long one does not push that out of sight. */
function titled(name: string, about: string): string {
  const room = Math.max(LEAST_NAMED, MOST_SHOWN - about.length - 1);
  return about === "" ? name : `${clipped(name, room)} ${about}`;
}

/**
 * A call of a tool that we attached ourselves. Nothing may stand around the name: the title of a shell call is its
 * command, and that may begin with anything.
 */
export function isOurs(call: Fields, servers: readonly McpServer[]): boolean {
  const name = text(call["name"]) || toolName(call) || text(call["title"]);
  return servers.some(server =>
    namings(server.name).some(
      ([before, after]) =>
        name.startsWith(before) &&
        name.endsWith(after) &&
        /^[a-z_]+$/.test(name.slice(before.length, name.length - after.length)),
    ),
  );
}

/** What agents write before and after the name of a server's tool: none of it is a command that a shell could run. */
function namings(server: string): readonly (readonly [string, string])[] {
  return [
    [`mcp__${server}__`, ""],
    [`mcp.${server}.`, ""],
    ["", ` (${server} MCP Server)`],
  ];
}

/** What becomes of a call that is asked for: by the policy, else by a person. Never rejects. */
export async function ruleOn(
  params: Fields,
  question: PermissionQuestion,
  request: SessionRequest,
  permissions: Permissions,
): Promise<Ruling> {
  if (isOurs(fields(params["toolCall"]), request.mcp ?? [])) return { answer: "allowed", by: "policy" };
  const subject = subjectOf(fields(params["toolCall"]));
  return decide(decisionOf(permissions, question.kind, subject, request.cwd), question, request.ask);
}

/** Answers a permission request by the policy, and tells what was asked and answered. Never rejects. */
export async function answerPermission(
  asked: Fields,
  request: SessionRequest,
  permissions: Permissions,
  turn?: Pick<Current, "queue" | "calls" | "announced">,
): Promise<Fields> {
  const call = fields(asked["toolCall"]);
  const params: Fields = { ...asked, toolCall: turn?.announced.complete(call) ?? toldOf(call) };
  const question = questionOf(params, request);
  const ruling = await ruleOn(params, question, request, permissions);
  turn?.announced.answered(fields(params["toolCall"]), ruling.answer);
  turn?.calls.rename(callId(fields(params["toolCall"])), question.title);
  turn?.queue.push({ type: "permission", ...question, ...ruling });
  return { outcome: outcomeOf(list(params["options"]).map(fields), ruling) };
}

/** Once before always: the next request is asked again. */
const PREFERRED = {
  allowed: ["allow_once", "allow_always"],
  rejected: ["reject_once", "reject_always"],
} as const;

function outcomeOf(options: readonly Fields[], { answer }: Ruling): Fields {
  for (const kind of PREFERRED[answer]) {
    const option = options.find(each => each["kind"] === kind);
    if (option !== undefined) return { outcome: "selected", optionId: text(option["optionId"]) };
  }
  // An agent that offers no such choice is told to give it up.
  return { outcome: "cancelled" };
}
