import type { PermissionAnswer, PermissionQuestion, ToolKind } from "../../ports/index.ts";
import { kindIn } from "./tool-calls.ts";

/** What an agent may do without asking, what a person is asked for, and what it may not do. */
export type Decision = "allow" | "ask" | "deny";

/** Decisions by kind of tool call. Reading is always allowed: the folder is there to be read. */
export type Permissions = Readonly<Record<Exclude<ToolKind, "read">, Decision>>;

/** The named policies. */
export const POLICIES: Readonly<Record<"ask" | "allow-edits" | "deny" | "allow", Permissions>> = {
  ask: { edit: "ask", execute: "ask", fetch: "ask", other: "ask" },
  "allow-edits": { edit: "allow", execute: "ask", fetch: "ask", other: "ask" },
  deny: { edit: "deny", execute: "deny", fetch: "deny", other: "deny" },
  allow: { edit: "allow", execute: "allow", fetch: "allow", other: "allow" },
};

/** What was decided about one request, and by whom. */
export interface Ruling {
  readonly answer: "allowed" | "rejected";
  readonly by: "policy" | PermissionAnswer["by"];
}

/** Decides about a request: by policy, else by a person, else it is rejected. Never throws. */
export async function decide(
  permissions: Permissions,
  question: PermissionQuestion,
  ask: ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined,
): Promise<Ruling> {
  const decision = question.kind === "read" ? "allow" : permissions[question.kind];
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
