import type { SessionRequest } from "../../../ports/index.ts";
import type { Decision, PatternRules, Permissions } from "../permissions.ts";

/** What Claude Code is told of its tools on the command line. */
export interface ClaudeRules {
  readonly mode: "acceptEdits" | "dontAsk" | "bypassPermissions";
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
}

/**
 * Permissions in Claude Code's own rules. Nobody can be asked there: what would be asked for is refused. A pattern of commands is held
 * by it against each command of a line, one of paths as gitignore does from the folder on, one of hosts against a page's.
 */
export function claudeRules(
  permissions: Permissions,
  { cwd, writable = [] }: Pick<SessionRequest, "cwd" | "writable">,
): ClaudeRules {
  const { edit, execute, fetch, other } = permissions;
  const edits = listed(edit, pattern => `Edit(/${cwd}/${pattern})`);
  const commands = listed(execute, pattern => `Bash(${pattern})`);
  const pages = listed(fetch, pattern => `WebFetch(domain:${pattern})`);
  const isFree = [edit, execute, fetch, other].every(decision => decision === "allow");
  const mayEdit = edits.otherwise === "allow";
  return {
    mode: isFree ? "bypassPermissions" : mayEdit ? "acceptEdits" : "dontAsk",
    allowed: [
      ...edits.allowed,
      ...(mayEdit || edits.allowed.length > 0 ? writable.map(path => `Edit(/${path})`) : []),
      ...(commands.otherwise === "allow" ? ["Bash"] : commands.allowed),
      ...(pages.otherwise === "allow" ? ["WebFetch", "WebSearch"] : pages.allowed),
    ],
    forbidden: [
      ...(edits.otherwise === "deny" && edits.allowed.length === 0 ? ["Write", "Edit", "NotebookEdit"] : []),
      ...edits.forbidden,
      // While it accepts edits it lets shell commands pass that it takes for edits.
      ...(commands.otherwise !== "allow" && commands.allowed.length === 0 ? ["Bash"] : commands.forbidden),
      ...pages.forbidden,
    ],
  };
}

function listed(rules: Decision | PatternRules, named: (pattern: string) => string) {
  if (typeof rules === "string") return { otherwise: rules, allowed: [], forbidden: [] };
  const { allow = [], ask = [], deny = [] } = rules;
  return { otherwise: rules.else, allowed: allow.map(named), forbidden: [...deny, ...ask].map(named) };
}
