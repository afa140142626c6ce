import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readBounded } from "../../../adapters/file/index.ts";
import {
  type Budget,
  budgetSchema,
  planWorkflow,
  settleBudget,
  type Workflow,
  workflowSchema,
} from "../../../budget/index.ts";
import { openYaml } from "../../../config/index.ts";
import { because, EspalierError, EXIT } from "../../../ports/index.ts";
import { errorFor, nearest, reasonText, visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { planLines } from "../../views/budget-plan-view.ts";
import { lookOf } from "../../views/look.ts";
import { budgetWords } from "../../views/words/budget-words.ts";
import { projectBudget } from "./show.ts";

/** Bytes of a workflow file. */
const MAX_BYTES = 256 * 1024;

function invalid(where: string, problems: readonly string[]): EspalierError {
  return new EspalierError(
    "BUDGET_INVALID",
    problems.map(problem => `${visible(where, 200)}: ${problem}`).join("\n"),
    {
      hint: reasonText(because("budget-shape", {}), "en"),
      advice: because("budget-shape", {}),
      exitCode: EXIT.usage,
    },
  );
}

/** The document's YAML as it stands: a workflow is any key of its own that is none of the budget's. */
function budgetOfFile(path: string): Budget {
  const bytes = readBounded(path, { maxBytes: MAX_BYTES, follow: true });
  if (!bytes.ok)
    throw new EspalierError("BUDGET_UNREADABLE", bytes.failure.message, { exitCode: EXIT.usage });
  const opened = openYaml(Buffer.from(bytes.value).toString("utf8"));
  if (!opened.ok)
    throw invalid(
      path,
      opened.failure.map(({ line, column, message }) => `${line}:${column}: ${message}`),
    );
  const { value } = opened.value;
  const given = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const top =
    "budget" in given && typeof given.budget === "object" && given.budget !== null ? given.budget : given;
  const known = new Set(Object.keys(budgetSchema().shape));
  const own = Object.entries(top).filter(([name]) => !known.has(name));
  const workflows = own.filter(([, part]) => workflowSchema().safeParse(part).success);
  const rest = Object.fromEntries(
    Object.entries(top).filter(([name]) => !workflows.some(([other]) => other === name)),
  );
  const before = "workflows" in rest && typeof rest["workflows"] === "object" ? rest["workflows"] : {};
  const parsed = budgetSchema().safeParse({
    ...rest,
    workflows: { ...before, ...Object.fromEntries(workflows) },
  });
  if (!parsed.success)
    throw invalid(
      path,
      parsed.error.issues
        .slice(0, 10)
        .map(issue => `${issue.path.join(".")}: ${visible(issue.message, 200)}`),
    );
  const settled = settleBudget(parsed.data);
  if (settled.ok) return settled.value;
  throw invalid(
    path,
    settled.failure.map(({ path: keys, message }) => `${keys.join(".")}: ${visible(message, 300)}`),
  );
}

function workflowOf(budget: Budget, name: string): Workflow {
  const found = budget.workflows.get(name) ?? budget.workflows.get(name.replaceAll("-", "_"));
  if (found !== undefined) return found;
  const names = [...budget.workflows.keys()];
  const guess = nearest(name, names);
  throw errorFor("NO_SUCH_WORKFLOW", because("no-workflow", { name: visible(name, 80) }), {
    advice: because("known-workflows", { names, ...(guess === undefined ? {} : { nearest: guess }) }),
    exitCode: EXIT.usage,
  });
}

/** `espalier budget plan WORKFLOW [--file FILE]`: who may hand on how much, before anything is spent. */
export function planBudget(io: Io, name: string, options: { file?: string; json?: boolean }): number {
  const project = projectOf(io);
  const path = options.file === undefined ? undefined : resolve(io.cwd, options.file);
  if (path !== undefined && !existsSync(path))
    throw errorFor("BUDGET_UNREADABLE", because("no-file", { path: visible(path, 200) }), {
      exitCode: EXIT.usage,
    });
  const budget = path === undefined ? projectBudget(project) : budgetOfFile(path);
  const workflow = workflowOf(budget, name);
  const plan = planWorkflow(budget, workflow);
  if (options.json === true) {
    const stages = plan.stages.map(({ name: stage, budget: own, shares }, at) => ({
      stage,
      budget: own,
      agents: workflow.stages[at]!.slots.map(({ id, agent, finest, critical }) => {
        const role = budget.role(agent);
        return {
          id,
          agent: role.label,
          vsLevel: role.vsLevel,
          tokens: shares.get(id) ?? 0,
          carriedAt: finest,
          critical,
        };
      }),
    }));
    sayJson(io, { workflow: workflow.name, total: plan.total, left: plan.left, stages });
    return EXIT.done;
  }
  const { locale } = project;
  for (const line of planLines(
    budget,
    workflow,
    plan,
    budgetWords(locale),
    lookOf(io.stdout, io.env, locale),
  ))
    say(io, line);
  return EXIT.done;
}
