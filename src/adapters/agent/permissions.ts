import { isAbsolute, relative, resolve } from "node:path";
import type { PermissionAnswer, PermissionQuestion, ToolKind } from "../../ports/index.ts";
import { matchesName, matchesPath } from "../../text/index.ts";
import { formsOf } from "./shell-forms.ts";
import { simpleCommands } from "./shell-parts.ts";
import { kindIn } from "./tool-calls.ts";

/** What an agent may do without asking, what a person is asked for, and what it may not do. */
export type Decision = "allow" | "ask" | "deny";

/** Decisions by what a call is about: the strictest list that holds it counts, and `else` where none does. */
export interface PatternRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly else: Decision;
}

/** Kinds of tool calls that patterns can tell apart. */
type Patterned = "edit" | "execute" | "fetch";

/** Decisions by kind of tool call. Reading is always allowed: the folder is there to be read. */
export type Permissions = Readonly<Record<Patterned, Decision | PatternRules> & { readonly other: Decision }>;

/** The named policies. */
export const POLICIES: Readonly<Record<"ask" | "allow-edits" | "deny" | "allow", PlainPermissions>> = {
  ask: { edit: "ask", execute: "ask", fetch: "ask", other: "ask" },
  "allow-edits": { edit: "allow", execute: "ask", fetch: "ask", other: "ask" },
  deny: { edit: "deny", execute: "deny", fetch: "deny", other: "deny" },
  allow: { edit: "allow", execute: "allow", fetch: "allow", other: "allow" },
};

/** Permissions that hold for whole kinds. */
export type PlainPermissions = Readonly<Record<Exclude<ToolKind, "read">, Decision>>;

/** Permissions in few words: the policy's name, or its decisions. */
export function permissionWords(permissions: Permissions): string {
  const named = Object.entries(POLICIES).find(([, policy]) =>
    (["edit", "execute", "fetch", "other"] as const).every(kind => policy[kind] === permissions[kind]),
  );
  if (named !== undefined) return named[0];
  const { edit, execute, fetch, other } = permissions;
  const words = (rules: Decision | PatternRules): string => {
    if (typeof rules === "string") return rules;
    const lists = (["allow", "ask", "deny"] as const).flatMap(decision => {
      const patterns = rules[decision] ?? [];
      return patterns.length === 0 ? [] : [`${decision} ${patterns.join(", ")}`];
    });
    return [...lists, `else ${rules.else}`].join(", ");
  };
  return `edit: ${words(edit)}; execute: ${words(execute)}; fetch: ${words(fetch)}; other: ${other}`;
}

/** What a tool call is about, as far as it is told. */
export interface Subject {
  /** A line of shell. */
  readonly command?: string;
  /** Paths, absolute or from the folder that is worked in. */
  readonly paths?: readonly string[];
  /** Name of a host. */
  readonly host?: string;
}

/** What was decided about one request, and by whom. */
export interface Ruling {
  readonly answer: "allowed" | "rejected";
  readonly by: "policy" | PermissionAnswer["by"];
}

/** What permissions say of a tool call in a folder `cwd`. */
export function decisionOf(
  permissions: Permissions,
  kind: ToolKind,
  subject: Subject,
  cwd: string,
): Decision {
  if (kind === "read") return "allow";
  const rules = permissions[kind];
  if (typeof rules === "string") return rules;
  const parts = partsOf(kind, subject, cwd);
  // What cannot be seen through is none of what is allowed, and may be any of what is not.
  if (parts === undefined) return isStricter(rules) ? stricter(rules.else, "ask") : rules.else;
  const holds = (list: readonly string[] | undefined, part: string) =>
    list?.some(pattern => (kind === "edit" ? matchesPath : matchesName)(pattern, part)) === true;
  const forms = kind === "execute" ? parts.map(formsOf) : parts.map(part => [part]);
  const isAny = (list: readonly string[] | undefined) =>
    forms.some(each => each?.some(form => holds(list, form)));
  if (isAny(rules.deny)) return "deny";
  if (isAny(rules.ask)) return "ask";
  const free = parts.filter(part => kind !== "execute" || !isStep(part, cwd));
  if (free.length > 0 && free.every(part => holds(rules.allow, part))) return "allow";
  return forms.includes(undefined) && isStricter(rules) ? stricter(rules.else, "ask") : rules.else;
}

/** The decision of permissions as a whole kind, for agents that cannot be told patterns: never more than they allow. */
export function blunt(permissions: Permissions): PlainPermissions {
  const whole = (rules: Decision | PatternRules): Decision =>
    typeof rules === "string" ? rules : isStricter(rules) ? stricter(rules.else, "ask") : rules.else;
  const { edit, execute, fetch, other } = permissions;
  return { edit: whole(edit), execute: whole(execute), fetch: whole(fetch), other };
}

function isStricter({ ask = [], deny = [] }: PatternRules): boolean {
  return ask.length + deny.length > 0;
}

function stricter(one: Decision, other: Decision): Decision {
  return one === "allow" ? other : one;
}

/** What each pattern is held against; undefined where that is not known. */
function partsOf(kind: ToolKind, { command, paths, host }: Subject, cwd: string) {
  if (kind === "execute") return command === undefined ? undefined : some(simpleCommands(command));
  if (kind === "fetch") return host === undefined ? undefined : [host.toLowerCase()];
  return some(paths?.map(path => relative(cwd, resolve(cwd, path))));
}

function some(parts: readonly string[] | undefined): readonly string[] | undefined {
  return parts?.length === 0 ? undefined : parts;
}

/** A step into a folder below the one that is worked in, as stands before many a command. */
function isStep(command: string, cwd: string): boolean {
  const folder = /^cd ([\w./][\w./-]*)$/.exec(command)?.[1];
  if (folder === undefined) return false;
  const way = isAbsolute(folder) ? relative(cwd, folder) : folder;
  return !isAbsolute(way) && !way.split("/").includes("..");
}

/** Decides about a request: by policy, else by a person, else it is rejected. Never throws. */
export async function decide(
  decision: Decision,
  question: PermissionQuestion,
  ask: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined,
): Promise<Ruling> {
  if (decision === "allow") return { answer: "allowed", by: "policy" };
  if (decision === "deny") return { answer: "rejected", by: "policy" };
  const nobody: Ruling = { answer: "rejected", by: "nobody" };
  return (await ask?.(question).catch(() => nobody)) ?? nobody;
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  search: "read",
  think: "read",
  edit: "edit",
  delete: "edit",
  move: "edit",
  execute: "execute",
  fetch: "fetch",
};

/** A kind of tool call in the protocol's words as one of ours. */
export function toolKind(kind: string): ToolKind {
  return kindIn(KINDS, kind);
}
