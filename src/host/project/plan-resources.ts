import type { Config } from "../../config/index.ts";
import type { Diagnostic, Plan, Task } from "../../plan/index.ts";
import { AGENT_NAMES } from "../../ports/index.ts";
import { nearest, visible } from "../../text/index.ts";
import type { PlanWords } from "./plan-words.ts";

/** Where a task uses something that no cap is set for: one at a time, which is told where a cap of nearly that name is. */
function misspelt({ id, line }: Task, name: string, meant: string, words: PlanWords): Diagnostic {
  const shown = visible(name, 60);
  return {
    code: "MISSPELT_RESOURCE",
    severity: "warning",
    message: words.misspeltResource(shown, visible(id, 60)),
    line,
    column: line === 0 ? 0 : 1,
    hint: words.misspeltResourceHint(shown, visible(meant, 60)),
  };
}

function unused(name: string, meant: string | undefined, words: PlanWords): Diagnostic {
  const shown = visible(name, 60);
  return {
    code: "UNUSED_RESOURCE",
    severity: "warning",
    message: words.unusedResource(shown),
    line: 0,
    column: 0,
    hint: meant === undefined ? words.unusedResourceHint(shown) : words.didYouMean(visible(meant, 60)),
  };
}

/** What does not fit between the resources that tasks use and the caps that are set. */
export function resourceProblems(
  plan: Plan,
  { resources, agents }: Pick<Config, "resources" | "agents">,
  words: PlanWords,
): Diagnostic[] {
  const caps = Object.keys(resources);
  if (caps.length === 0) return [];
  const used = new Set(plan.tasks.flatMap(({ uses = [] }) => uses));
  const accounts = Object.values(agents).flatMap(({ account = [] }) => account);
  const names = new Set<string>([...AGENT_NAMES, ...Object.keys(agents), ...accounts]);
  const idle = caps.filter(name => !used.has(name) && !names.has(name));
  const slips = plan.tasks.flatMap(task =>
    (task.uses ?? []).flatMap(name => {
      const meant = Object.hasOwn(resources, name) || task.done ? undefined : nearest(name, idle);
      return meant === undefined ? [] : [misspelt(task, name, meant, words)];
    }),
  );
  return [...slips, ...idle.map(name => unused(name, nearest(name, [...used, ...names]), words))];
}
