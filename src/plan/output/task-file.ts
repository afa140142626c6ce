import { parentName } from "../../tree/index.ts";
import type { ContextNodeDeclaration, Plan, Task } from "../types.ts";

/** Deepest nesting of the list that declares the tree; deeper branches hang on the deepest. */
const INDENT = "  ";

/**
 * A plan as a task file that a person can edit: its tree as a section `Context`, its tasks with short ids under one phase, their
 * descriptions in fences, where no word of them is taken for a field or a task.
 */
export function taskFile(plan: Plan, comment: string): string {
  const ids = new Map(plan.tasks.map((task, at) => [task.id, `T1.${at + 1}`]));
  return [
    `# ${oneLine(plan.project)}`,
    "",
    comment,
    "",
    ...treeSection(plan.contextNodes),
    "## Phase 1: Work",
    "",
    ...plan.tasks.flatMap(task => taskLines(task, ids)),
  ].join("\n");
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

function taskLines(task: Task, ids: ReadonlyMap<string, string>): string[] {
  const depends = task.dependsOn.map(id => ids.get(id) ?? id).join(", ");
  const role = task.role ?? task.specialist;
  const description = task.text.startsWith(task.title)
    ? task.text.slice(task.title.length).trim()
    : task.text;
  return [
    `### [${task.done ? "x" : " "}] ${ids.get(task.id)}: ${oneLine(task.title)}`,
    ...(depends === "" ? [] : [`- depends_on: [${depends}]`]),
    ...(task.contextRef === undefined ? [] : [`- context: ${task.contextRef}`]),
    ...(task.fills === undefined ? [] : [`- fills: ${task.fills}`]),
    ...(role === undefined ? [] : [`- role: ${role}`]),
    ...(task.files.length === 0 ? [] : [`- files: ${task.files.map(inCode).join(", ")}`]),
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
