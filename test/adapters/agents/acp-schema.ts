import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

interface Definition {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly anyOf?: readonly Definition[];
  readonly "x-method"?: string;
  readonly "x-side"?: string;
}

/** The schema that the protocol publishes. */
const { $defs } = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json")), "utf8"),
) as { readonly $defs: Readonly<Record<string, Definition>> };

/** From before models were one of a session's options; agents of that time know nothing else. */
const OLDER: ReadonlySet<string> = new Set(["session/set_model"]);

/** What a client sends: a request or a notification, or the result of what it was asked. */
export interface SentMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

function definitionOf(method: string): string | undefined {
  return Object.keys($defs).find(name => {
    const { "x-method": named, "x-side": side } = $defs[name] ?? {};
    return named === method && side === "agent" && /(?:Request|Notification)$/.test(name);
  });
}

function keysOf({ properties = {}, anyOf = [] }: Definition): readonly string[] {
  return [...Object.keys(properties), ...anyOf.flatMap(keysOf)];
}

function hasNull(value: unknown): boolean {
  if (typeof value !== "object") return false;
  return value === null || Object.values(value).some(hasNull);
}

/** What the published schema has against a message that a client sends; results are taken for answers to permissions. */
export function schemaProblems({ method, params, result }: SentMessage): readonly string[] {
  if (method !== undefined && OLDER.has(method)) return [];
  const name = method === undefined ? "RequestPermissionResponse" : definitionOf(method);
  const definition = name === undefined ? undefined : $defs[name];
  if (name === undefined || definition === undefined) return [`${method} is no method of the protocol`];
  const sent = method === undefined ? result : params;
  const shape = z.fromJSONSchema({ ...definition, $defs } as Parameters<typeof z.fromJSONSchema>[0]);
  const { error } = shape.safeParse(sent);
  const known = keysOf(definition);
  const unknown = Object.keys((sent ?? {}) as object).filter(key => !known.includes(key));
  return [
    ...(error?.issues ?? []).map(({ path, message }) => `${name} ${path.join(".")}: ${message}`),
    ...unknown.map(key => `${name} has no ${key}`),
    ...(hasNull(sent) ? [`${name}: something is null`] : []),
  ];
}
