import { beginsMerge, MERGE_MARK } from "../markdown/index.ts";
import { told } from "../text/index.ts";
import { withContext } from "./context/with-context.ts";
import { withInherited } from "./graph/inherit.ts";
import { withPutOff } from "./graph/put-off.ts";
import { validate } from "./graph/validate.ts";
import { isPlannerJson, readPlannerJson } from "./json/planner-json.ts";
import { readTaskMaster } from "./json/task-master.ts";
import { type Limits, limitsOf } from "./limits.ts";
import { detectMarkdown } from "./markdown/detect.ts";
import { readMarkdown } from "./markdown/read-markdown.ts";
import type { ReadContext } from "./read-context.ts";
import { createReport, NOWHERE } from "./report.ts";
import { createLocator, parseJson } from "./syntax/json-text.ts";
import { decodeSource } from "./syntax/source.ts";
import type { ContextNodeDeclaration, Plan, PlanFormat, Reading } from "./types.ts";

export interface ReadOptions {
  /** Path as people know it: settles the format where the content does not, and names unnamed projects. */
  readonly path: string;
  /** Missing dependencies count as done and are warnings. */
  readonly allowMissing?: boolean;
  readonly limits?: Partial<Limits>;
  /** Nodes of the context tree that stand elsewhere, as in the configuration. */
  readonly contextNodes?: readonly ContextNodeDeclaration[];
}

/** Reads a task file of any known format. Never throws; what is wrong stands in the diagnostics. */
export function readPlan(bytes: Uint8Array, options: ReadOptions): Reading {
  const limits = limitsOf(options.limits);
  const report = createReport(limits.diagnostics);
  const context: ReadContext = {
    path: options.path,
    allowMissing: options.allowMissing ?? false,
    limits,
    contextNodes: options.contextNodes ?? [],
    report,
  };
  const text = decodeSource(bytes, limits, report);
  const read = text === undefined ? undefined : readText(text, context);
  const plan =
    read === undefined
      ? emptyPlan(isJsonPath(options.path) ? "task-master" : "tasks-md")
      : { ...read, tasks: withInherited(withPutOff(read.tasks, report)) };
  return { plan, diagnostics: report.finish() };
}

/** The format that `readPlan` takes these bytes for, at a fraction of its work. */
export function formatOf(bytes: Uint8Array, path: string): PlanFormat {
  const limits = limitsOf(undefined);
  const text = decodeSource(bytes, limits, createReport(0));
  if (text !== undefined && text.trim() !== "" && !isJson(text, path)) {
    const format = detectMarkdown(text, path, limits);
    return format === "spec-kit" || format === "kiro" ? format : "tasks-md";
  }
  const parsed = text === undefined ? undefined : parseJson(text);
  if (parsed?.ok === true && isPlannerJson(parsed.value)) return "planner-json";
  return isJsonPath(path) || parsed?.ok === true ? "task-master" : "tasks-md";
}

function emptyPlan(format: PlanFormat): Plan {
  return { format, project: "tasks", phases: [], tasks: [], contextNodes: [] };
}

function isJsonPath(path: string): boolean {
  return path.toLowerCase().endsWith(".json");
}

/** JSON by its name, or because it begins with a brace. */
export function isJson(text: string, path: string): boolean {
  if (isJsonPath(path)) return true;
  const first = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  return text
    .slice(first, first + 1000)
    .trimStart()
    .startsWith("{");
}

function readText(text: string, context: ReadContext): Plan | undefined {
  if (text.slice(0, 10_000).trim() === "" && text.trim() === "") {
    context.report.add(
      "error",
      "TASKS_EMPTY",
      NOWHERE,
      told`the file is empty`,
      told`write tasks as headings or list items: - [ ] T1.1: Title`,
    );
    return undefined;
  }
  if (isJson(text, context.path)) return readJson(text, context);
  const format = detectMarkdown(text, context.path, context.limits);
  return readMarkdown(text, format === "spec-kit" || format === "kiro" ? format : "tasks-md", context);
}

/** Offset of the first line that begins with a merge marker, or -1. */
function conflictAt(text: string): number {
  if (beginsMerge(text)) return 0;
  const at = text.indexOf(`\n${MERGE_MARK}`);
  return at < 0 ? -1 : at + 1;
}

function readJson(text: string, context: ReadContext): Plan | undefined {
  const { report, limits } = context;
  const locate = createLocator(text);
  const conflict = conflictAt(text);
  if (conflict >= 0) {
    report.add(
      "error",
      "CONFLICT_MARKERS",
      locate(conflict),
      told`an unfinished merge left its markers here`,
      told`finish the merge, then try again`,
    );
    return undefined;
  }
  const parsed = parseJson(text);
  if (!parsed.ok) {
    report.add(
      "error",
      "BAD_JSON",
      locate(parsed.problem.at),
      parsed.problem.message,
      told`correct the JSON at this place`,
    );
    return undefined;
  }
  const plan = isPlannerJson(parsed.value)
    ? readPlannerJson(text, parsed.value, context)
    : readTaskMaster(text, parsed.value, context);
  if (plan === undefined) {
    report.add(
      "error",
      "NO_TASK_LIST",
      { line: 1, column: 1 },
      told`the JSON holds no "tasks" list`,
      told`name Task Master's tasks.json or a planner's output`,
    );
    return undefined;
  }
  if (plan.tasks.length > limits.tasks) {
    report.add(
      "error",
      "TOO_MANY_TASKS",
      NOWHERE,
      told`the file holds ${plan.tasks.length} tasks; at most ${limits.tasks} are read`,
      told`split the plan into several task files`,
    );
    return undefined;
  }
  const isPlanner = plan.format === "planner-json";
  const tree = { nodes: [...context.contextNodes, ...plan.contextNodes], isStrict: isPlanner };
  const { tasks, contextNodes } = withContext(plan.tasks, tree, report, limits);
  return { ...plan, contextNodes, tasks: validate(tasks, undefined, report) };
}
