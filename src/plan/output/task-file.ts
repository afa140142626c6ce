import { parentName } from "../../tree/index.ts";
import type { ContextNodeDeclaration, Plan, Task } from "../types.ts";

/** Deepest nesting of the list that declares the tree; deeper branches hang on the deepest. */
const INDENT = "  ";

/** What of a plan is written. */
export type Writable = Pick<Plan, "project" | "phases" | "tasks" | "contextNodes">;

/** A task where a task file has it: its id there, and how many containers are around it. */
interface Placed {
  readonly task: Task;
  readonly id: string;
  readonly depth: number;
}

/**
 * A plan as a task file that a person can edit: its tree as a section `Context`, its tasks with short ids under their phases, what
 * a container holds below it, descriptions in fences, where no word of them is taken for a field or a task.
 */
export function taskFile(plan: Writable, comment: string): string {
  const placed = placedTasks(plan);
  const ids = new Map(placed.map(({ task, id }) => [task.id, id]));
  const byPhase = Map.groupBy(placed, ({ task }) => task.phase);
  return [
    `# ${oneLine(plan.project)}`,
    "",
    ...(comment === "" ? [] : [comment, ""]),
    ...treeSection(plan.contextNodes),
    ...plan.phases.flatMap(({ phase, title }) => [
      phaseHeading(phase, oneLine(title), plan.phases.length),
      "",
      ...(byPhase.get(phase) ?? []).flatMap(one => taskLines(one, ids)),
    ]),
  ].join("\n");
}

/** The tasks of a plan in the order in which they are written: by phase, what a container holds behind it. */
export function placedTasks({ phases, tasks }: Pick<Plan, "phases" | "tasks">): readonly Placed[] {
  const byId = new Map(tasks.map(task => [task.id, task]));
  const held = new Set(tasks.flatMap(task => task.children ?? []));
  const byPhase = Map.groupBy(
    tasks.filter(({ id }) => !held.has(id)),
    ({ phase }) => phase,
  );
  const placed: Placed[] = [];
  for (const { phase } of phases) {
    const open = (byPhase.get(phase) ?? []).map(
      (task, at): Placed => ({ task, id: `T${phase}.${at + 1}`, depth: 0 }),
    );
    open.reverse();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      placed.push(next);
      const { id, depth, task } = next;
      const below = (task.children ?? []).flatMap(child => byId.get(child) ?? []);
      for (let at = below.length; at > 0; at--)
        open.push({ task: below[at - 1]!, id: `${id}.${at}`, depth: depth + 1 });
    }
  }
  return placed;
}

/** One phase without a title is all the work there is. */
function phaseHeading(phase: Plan["phases"][number]["phase"], title: string, phases: number): string {
  const said = title === "" && phases === 1 ? "Work" : title;
  return `## Phase ${phase}${said === "" ? "" : `: ${said}`}`;
}

function oneLine(text: string): string {
  return text.replaceAll("\r", " ").replaceAll("\n", " ").trim();
}

function treeSection(nodes: readonly ContextNodeDeclaration[]): string[] {
  if (nodes.length === 0) return [];
  const children = Map.groupBy(nodes, node => parentName(node) ?? "");
  const ids = new Set(nodes.map(node => node.id));
  const tops = nodes.filter(node => !ids.has(parentName(node) ?? ""));
  const lines: string[] = [];
  const open = tops.toReversed().map(node => ({ node, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const shared = (node.shared ?? []).map(path => `${path} (shared)`);
    const paths = [...shared, ...(node.documents ?? [])];
    lines.push(`${INDENT.repeat(depth)}- ${node.id}${paths.length === 0 ? "" : `: ${paths.join(", ")}`}`);
    const below = (children.get(node.id) ?? []).toReversed();
    open.push(...below.map(child => ({ node: child, depth: depth + 1 })));
  }
  return ["## Context", "", ...lines, ""];
}

function taskLines({ task, id, depth }: Placed, ids: ReadonlyMap<string, string>): string[] {
  const depends = task.dependsOn.map(id => ids.get(id) ?? id).join(", ");
  const role = task.role ?? task.specialist;
  const description = task.text.startsWith(task.title)
    ? task.text.slice(task.title.length).trim()
    : task.text;
  const box = task.skip === true ? "skip" : task.done ? "x" : " ";
  return [
    `${"#".repeat(3 + depth)} [${box}] ${id}: ${oneLine(task.title)}`,
    ...(task.origin === undefined ? [] : [`- origin: ${task.origin}`]),
    ...(depends === "" ? [] : [`- depends_on: [${depends}]`]),
    ...(task.contextRef === undefined ? [] : [`- context: ${task.contextRef}`]),
    ...(task.fills === undefined ? [] : [`- fills: ${task.fills}`]),
    ...(role === undefined ? [] : [`- role: ${role}`]),
    ...(task.files.length === 0 ? [] : [`- files: ${task.files.map(inCode).join(", ")}`]),
    ...(task.run === undefined ? [] : commandLines("run", task.run)),
    ...(task.verify === undefined ? [] : commandLines("verify", task.verify)),
    ...(description === "" ? [] : ["", ...fenced(description)]),
    "",
  ];
}

/** A path that is more than one plain word stands in code marks. */
function inCode(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `\`${path}\``;
}

/** A command on the line of its field, or in a fence where its marks would say something there. */
function commandLines(field: string, command: string): string[] {
  if (/^[\w./][^`\n]*\w$/.test(command)) return [`- ${field}: ${command}`];
  return [`- ${field}:`, ...fenced(command, "sh").map(line => `${INDENT}${line}`)];
}

/** A text in a fence that none of its own lines closes. */
function fenced(text: string, language = "text"): string[] {
  let longest = 2;
  for (let at = text.indexOf("```"); at >= 0; ) {
    let end = at;
    while (text[end] === "`") end++;
    longest = Math.max(longest, end - at);
    at = text.indexOf("```", end);
  }
  const marks = "`".repeat(longest + 1);
  return [`${marks}${language}`, ...text.split("\n"), marks];
}
