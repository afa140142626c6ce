import type { Config } from "../../config/index.ts";
import type { Diagnostic, Plan, Task } from "../../plan/index.ts";
import { AGENT_NAMES, LEAD } from "../../ports/index.ts";
import { nearest, visible } from "../../text/index.ts";
import type { PlanWords } from "./plan-words.ts";

/** Shorter words stand beside too many names. */
const SHORTEST = 5;
/** Words that stand one letter beside an agent's name and mean what they say. */
const ORDINARY: ReadonlySet<string> = new Set(["coder", "codes", "codec", "coded"]);

/**
 * Roles that read like the name of an agent with a slip in it. In real files `agent:` mostly names a role, which nobody
 * has to know; an agent that was meant must not become the shell, or the default one, without a word.
 */
export function agentProblems(
  plan: Plan,
  { agents, roles }: Pick<Config, "agents" | "roles">,
  words: PlanWords,
): Diagnostic[] {
  const names = new Set<string>([...AGENT_NAMES, ...Object.keys(agents)]);
  names.delete(LEAD);
  const meant = new Map<string, string | undefined>();
  const look = (role: string): string | undefined => {
    const parts = role.split(",").map(part => part.trim());
    if (parts.length > 1 && parts.every(part => names.has(part))) return `[${parts.join(", ")}]`;
    if (role.length < SHORTEST || ORDINARY.has(role.toLowerCase())) return undefined;
    if (names.has(role) || Object.hasOwn(roles, role)) return undefined;
    if (!meant.has(role)) meant.set(role, nearest(role, names));
    return meant.get(role);
  };
  return plan.tasks.flatMap(task => {
    if (task.agent !== undefined || task.done) return [];
    for (const role of [task.role, task.specialist]) {
      const name = role === undefined ? undefined : look(role);
      if (role !== undefined && name !== undefined) return [diagnostic(task, role, name, words)];
    }
    return [];
  });
}

function diagnostic({ id, line, run }: Task, role: string, name: string, words: PlanWords): Diagnostic {
  const shown = visible(role, 60);
  return {
    code: "MISSPELT_AGENT",
    severity: run === undefined ? "warning" : "error",
    message: words.misspeltAgent(shown, run !== undefined, visible(id, 60)),
    line,
    column: line === 0 ? 0 : 1,
    hint: words.misspeltAgentHint(shown, name),
  };
}

/** Reviewers that are nobody's name, each once: a run that needs one of them does not start. */
export function reviewerProblems(
  plan: Plan,
  { agents, review }: Pick<Config, "agents" | "review">,
  words: PlanWords,
): Diagnostic[] {
  const known = new Set<string>([...AGENT_NAMES, ...Object.keys(agents)]);
  const ofTasks = plan.tasks.flatMap(({ id, line, done, review: name }) =>
    name === undefined || name === "no" || done ? [] : [{ name, line, by: visible(id, 60) }],
  );
  const named = [
    ...ofTasks,
    ...(review.agent === undefined ? [] : [{ name: review.agent, line: 0, by: "review.agent" }]),
  ];
  const unknown = new Map(named.flatMap(one => (known.has(one.name) ? [] : [[one.name, one]])));
  return Array.from(unknown.values(), ({ name, line, by }) => {
    const meant = nearest(name, known);
    return {
      code: "UNKNOWN_REVIEWER",
      severity: "warning",
      message: words.unknownReviewer(visible(name, 60), by),
      line,
      column: line === 0 ? 0 : 1,
      hint: meant === undefined ? words.unknownReviewerHint : words.didYouMean(visible(meant, 60)),
    };
  });
}
