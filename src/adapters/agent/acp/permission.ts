import { isAbsolute, relative, resolve } from "node:path";
import type { McpServer, PermissionQuestion, SessionRequest } from "../../../ports/index.ts";
import { type Fields, fields, list, oneLine, text } from "../fields.ts";
import { decide, type Permissions, type Ruling, toolKind } from "../permissions.ts";
import type { Current } from "./current.ts";

/** What a permission request is about. An edit outside of what the request lets be written is no mere edit. */
export function questionOf(
  params: Fields,
  { cwd, writable = [] }: Pick<SessionRequest, "cwd" | "writable">,
): PermissionQuestion {
  const call = fields(params["toolCall"]);
  const kind = toolKind(text(call["kind"]));
  const title = oneLine(text(call["title"]) || text(fields(call["rawInput"])["command"]) || kind);
  const paths = list(call["locations"]).map(place => text(fields(place)["path"]));
  const isFree = (path: string) => !isOutside(path, cwd) || writable.includes(resolve(cwd, path));
  return kind === "edit" && !paths.every(isFree) ? { kind: "other", title } : { kind, title };
}

function isOutside(path: string, cwd: string): boolean {
  const way = relative(cwd, resolve(cwd, path));
  return way.startsWith("..") || isAbsolute(way);
}

/**
 * A call of a tool that we attached ourselves. Nothing may follow the name: the title of a shell call is its command, and
 * that may begin with anything.
 */
function isOurs(params: Fields, servers: readonly McpServer[]): boolean {
  const call = fields(params["toolCall"]);
  const name = text(call["name"]) || text(call["title"]);
  return servers.some(server =>
    [`mcp__${server.name}__`, `mcp.${server.name}.`].some(
      prefix => name.startsWith(prefix) && /^[a-z_]+$/.test(name.slice(prefix.length)),
    ),
  );
}

/** The request with the title that its call was announced with, where it brings none of its own. */
function titled(params: Fields, turn: Pick<Current, "calls"> | undefined): Fields {
  const call = fields(params["toolCall"]);
  const title = text(call["title"]) || (turn?.calls.titleOf(text(call["toolCallId"])) ?? "");
  return { ...params, toolCall: { ...call, title } };
}

/** Answers a permission request by the policy, and tells what was asked and answered. Never rejects. */
export async function answerPermission(
  asked: Fields,
  request: SessionRequest,
  permissions: Permissions,
  turn?: Pick<Current, "queue" | "calls">,
): Promise<Fields> {
  const params = titled(asked, turn);
  const question = questionOf(params, request);
  const ruling: Ruling = isOurs(params, request.mcp ?? [])
    ? { answer: "allowed", by: "policy" }
    : await decide(permissions, question, request.ask);
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
