import type { Decision, PatternRules, Permissions } from "../permissions.ts";

/** Tools that wait for a person's word in a conversation, which nobody holds. */
const UNANSWERED = ["AskUserQuestion", "EnterPlanMode"];

/** What Claude Code is told of its tools on the command line. */
export interface ClaudeRules {
  readonly mode: "manual" | "bypassPermissions";
  readonly forbidden: readonly string[];
}

/**
 * Permissions in Claude Code's own rules: what is never allowed is taken from it, and for all that changes anything it asks, once it
 * is needed. Where everything is allowed it need not ask.
 */
export function claudeRules({ edit, execute, fetch, other }: Permissions): ClaudeRules {
  const isFree = [edit, execute, fetch, other].every(decision => decision === "allow");
  return {
    mode: isFree ? "bypassPermissions" : "manual",
    forbidden: [
      ...UNANSWERED,
      ...(isNever(edit) ? ["Write", "Edit", "NotebookEdit"] : []),
      ...(isNever(execute) ? ["Bash"] : []),
      ...(isNever(fetch) ? ["WebFetch", "WebSearch"] : []),
    ],
  };
}

/** Whether no call of a kind can be allowed, by the policy or by a person. */
function isNever(rules: Decision | PatternRules): boolean {
  if (typeof rules === "string") return rules === "deny";
  return rules.else === "deny" && (rules.allow ?? []).length + (rules.ask ?? []).length === 0;
}
