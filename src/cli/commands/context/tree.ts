import { hasTree, type TreeFacts, type TreeInput, treeFacts } from "../../../host/project/context-tree.ts";
import { errorsOf, loadPlan } from "../../../host/project/plan-file.ts";
import { findTaskFile, type Project } from "../../../host/project/project.ts";
import { readRun } from "../../../host/project/reader.ts";
import { readContext } from "../../../host/session/context.ts";
import type { Plan } from "../../../plan/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { contextTreeView } from "../../views/context-tree-view.ts";
import { lookOf } from "../../views/look.ts";
import { treeWords } from "../../views/words/context-tree-words.ts";

/** What is known of the tasks: of the last run, or of the task file where none was begun; no plan without either. */
function tasksOf(project: Project, cwd: string): Pick<TreeInput, "plan" | "completed"> {
  const run = readRun(project);
  if (run === undefined) return { plan: planOf(project, cwd) };
  const done = run.stored.tasks.filter(({ status }) => status === "completed" || status === "skipped");
  return { plan: run.plan, completed: new Set(done.map(({ id }) => id)) };
}

function planOf(project: Project, cwd: string): Plan | undefined {
  try {
    const read = loadPlan(findTaskFile(project, cwd, undefined), true, project);
    return errorsOf(read).length > 0 ? undefined : read.plan;
  } catch (error) {
    if (error instanceof EspalierError) return undefined;
    throw error;
  }
}

/** `espalier context tree`: nodes, their documents with versions and tokens, who fills and who reads them. */
export function tree(io: Io, options: { json?: boolean }): number {
  const project = projectOf(io);
  const { locale } = project;
  const about = { ...tasksOf(project, io.cwd), root: project.root, locale };
  const read = readContext(project, ({ shared, rows }): TreeFacts | string => {
    const stored = rows.load();
    return treeFacts({ ...about, shared, stored: stored.ok ? stored.value : undefined });
  });
  const facts = read ?? treeFacts({ ...about, shared: undefined, stored: undefined });
  if (typeof facts === "string")
    throw new EspalierError("CONTEXT_TREE", facts, { exitCode: EXIT.environment });
  const words = treeWords(locale);
  if (options.json === true) sayJson(io, facts);
  else if (!hasTree(facts)) say(io, words.noTree);
  else for (const line of contextTreeView(facts, words, lookOf(io.stdout, io.env, locale))) say(io, line);
  return EXIT.done;
}
