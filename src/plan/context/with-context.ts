import { nearest, told } from "../../text/index.ts";
import { idProblem, nodeName, parentName, ROOT } from "../../tree/index.ts";
import type { Limits } from "../limits.ts";
import { NOWHERE, type Report } from "../report.ts";
import type { ContextNodeDeclaration, Task } from "../types.ts";
import { createNearest, type Parents } from "./nearest.ts";
import { NODE_ID_HINT, reportNodes } from "./report-nodes.ts";
import { reportUse } from "./report-use.ts";

/** The declared nodes; `isStrict`: a node that a task names must be declared. */
export interface DeclaredTree {
  readonly nodes: readonly ContextNodeDeclaration[];
  readonly isStrict: boolean;
}

/** Tasks that know who prepares what they read, and the nodes under the ids that tasks use. */
export interface PreparedPlan {
  readonly tasks: readonly Task[];
  readonly contextNodes: readonly ContextNodeDeclaration[];
}

/** Guesses at misspelt nodes look at all of them; so many are made. */
const MOST_GUESSES = 20;

/** Ties tasks to the context tree: checks the nodes, what tasks say of them, and adds who prepares for whom. */
export function withContext(
  given: readonly Task[],
  declared: DeclaredTree,
  report: Report,
  limits: Limits,
): PreparedPlan {
  const isUsed = given.some(task => task.fills !== undefined || task.contextRef !== undefined);
  if (!isUsed && declared.nodes.length === 0) return { tasks: given, contextNodes: [] };
  reportNodes(declared.nodes, report);
  const nodes = new Map<string, ContextNodeDeclaration>();
  for (const node of declared.nodes) {
    const named = withNames(node);
    if (!nodes.has(named.id)) nodes.set(named.id, named);
  }
  const tasks = given.map(withNodeNames);
  checkReferences(tasks, nodes, declared.isStrict, report);
  const parents: Parents = new Map([...nodes].map(([id, node]) => [id, parentName(node)]));
  const fills = fillsByNode(tasks);
  // In a plan without tree or fills, context: is most likely somebody else's field.
  if (fills.size + declared.nodes.length > 0) reportUse(tasks, nodes, fills, parents, report);
  return {
    tasks: withPreparers(tasks, fills, parents, report, limits),
    contextNodes: [...nodes.values()],
  };
}

function withNames(node: ContextNodeDeclaration): ContextNodeDeclaration {
  const { parent: _, ...rest } = node;
  const parent = node.parent === undefined ? undefined : nodeName(node.parent);
  return { ...rest, id: nodeName(node.id), ...(parent === undefined ? {} : { parent }) };
}

function withNodeNames(task: Task): Task {
  const { contextRef, fills } = task;
  if (contextRef === undefined && fills === undefined) return task;
  return {
    ...task,
    ...(contextRef === undefined ? {} : { contextRef: nodeName(contextRef) }),
    ...(fills === undefined ? {} : { fills: nodeName(fills) }),
  };
}

/** Nodes that tasks name without a declared tree are made below the root. */
function checkReferences(
  tasks: readonly Task[],
  nodes: Map<string, ContextNodeDeclaration>,
  isStrict: boolean,
  report: Report,
): void {
  let guesses = 0;
  for (const task of tasks) {
    for (const id of [task.fills, task.contextRef]) {
      if (id === undefined || id === ROOT || nodes.has(id)) continue;
      const place = task.line === 0 ? NOWHERE : { line: task.line, column: 1 };
      if (idProblem(id) !== undefined) {
        const message = told`${task.id} names "${id}", which cannot be a context node`;
        report.add("error", "BAD_NODE", place, message, NODE_ID_HINT);
      } else if (isStrict) {
        const near = ++guesses > MOST_GUESSES ? undefined : nearest(id, nodes.keys());
        const message = told`${task.id} names the context node ${id}, which is not declared`;
        const hint = near === undefined ? told`declare it` : told`did you mean ${near}? Else declare it`;
        report.add("error", "UNKNOWN_NODE", place, message, hint);
      } else nodes.set(id, { id });
    }
  }
}

/** Adds to each task the fills it waits for: those of the nearest node upwards that has any; fills of one node never wait for each other. */
function withPreparers(
  tasks: readonly Task[],
  fills: ReadonlyMap<string, readonly string[]>,
  parents: Parents,
  report: Report,
  limits: Limits,
): readonly Task[] {
  if (fills.size === 0) return tasks;
  const nearestFills = createNearest(fills, parents);
  let edges = 0;
  const prepared = tasks.map(task => {
    const { fills: target, contextRef } = task;
    const beside = target === undefined ? undefined : fills.get(target);
    const above = target === undefined || target === ROOT ? [] : nearestFills(parents.get(target) ?? ROOT);
    const read = contextRef === undefined ? [] : nearestFills(contextRef);
    const preparedBy = read === beside || read === above ? above : [...new Set([...above, ...read])];
    edges += preparedBy.length;
    return preparedBy.length === 0 || edges > limits.edges ? task : { ...task, preparedBy };
  });
  if (edges > limits.edges) {
    const message = told`fills and those who read their nodes add up to more than ${limits.edges} dependencies`;
    report.add("error", "TOO_MANY_EDGES", NOWHERE, message, told`split the plan`);
  }
  return prepared;
}

/** Fill tasks by the node they fill. */
function fillsByNode(tasks: readonly Task[]): Map<string, string[]> {
  const fills = new Map<string, string[]>();
  for (const { id, fills: node } of tasks) {
    if (node === undefined) continue;
    const known = fills.get(node);
    if (known === undefined) fills.set(node, [id]);
    else known.push(id);
  }
  return fills;
}
