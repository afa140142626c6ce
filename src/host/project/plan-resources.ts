import type { Config } from "../../config/index.ts";
import type { Diagnostic, Plan, Task } from "../../plan/index.ts";
import { AGENT_NAMES } from "../../ports/index.ts";
import { nearest, visible } from "../../text/index.ts";

/** Where a task uses something that no cap is set for: one at a time, which is told where a cap of nearly that name is. */
function misspelt({ id, line }: Task, name: string, meant: string): Diagnostic {
  const shown = visible(name, 60);
  return {
    code: "MISSPELT_RESOURCE",
    severity: "warning",
    message: `no cap is set for ${shown}: one task at a time uses it (${visible(id, 60)})`,
    line,
    column: line === 0 ? 0 : 1,
    hint: `did you mean ${visible(meant, 60)}? resources: { ${shown}: 1 } in espalier.yaml says that it is meant so`,
  };
}

function unused(name: string, meant: string | undefined): Diagnostic {
  const shown = visible(name, 60);
  return {
    code: "UNUSED_RESOURCE",
    severity: "warning",
    message: `espalier.yaml sets a cap for ${shown}, which no task uses and no agent is called`,
    line: 0,
    column: 0,
    hint:
      meant === undefined
        ? `write uses: [${shown}] in the tasks that need it, or take it out of resources:`
        : `did you mean ${visible(meant, 60)}?`,
  };
}

/** What does not fit between the resources that tasks use and the caps that are set. */
export function resourceProblems(
  plan: Plan,
  { resources, agents }: Pick<Config, "resources" | "agents">,
): Diagnostic[] {
  const caps = Object.keys(resources);
  if (caps.length === 0) return [];
  const used = new Set(plan.tasks.flatMap(({ uses = [] }) => uses));
  const names = new Set<string>([...AGENT_NAMES, ...Object.keys(agents)]);
  const idle = caps.filter(name => !used.has(name) && !names.has(name));
  const slips = plan.tasks.flatMap(task =>
    (task.uses ?? []).flatMap(name => {
      const meant = Object.hasOwn(resources, name) || task.done ? undefined : nearest(name, idle);
      return meant === undefined ? [] : [misspelt(task, name, meant)];
    }),
  );
  return [...slips, ...idle.map(name => unused(name, nearest(name, [...used, ...names])))];
}
