import type { ReadContext } from "../read-context.ts";
import type { Place } from "../report.ts";
import { createLocator, itemsOf, type Json, member, textOf } from "../syntax/json-text.ts";
import type { ContextNodeDeclaration, Plan, Task } from "../types.ts";
import { firstOfEach, linkIds } from "./link-ids.ts";

/** The node every tree has, declared or not. */
const ROOT = "ctx-root";

/** Whether a JSON value is planner output: a task list whose tasks have subjects, or a tree of context nodes. */
export function isPlannerJson(root: Json): boolean {
  if (member(root, "context_nodes")?.kind === "array") return true;
  const tasks = root.kind === "array" ? root.items : itemsOf(member(root, "tasks"));
  return tasks.some(task => member(task, "subject") !== undefined || member(task, "task_type") !== undefined);
}

/** `{"type":"context_fill","target_node":…}` or `"context_fill"` beside a `target_node`. */
function typeOf(task: Json): { fills: string | undefined; isFill: boolean } {
  const type = member(task, "task_type");
  const name = textOf(type) ?? textOf(member(type, "type")) ?? "worker";
  const isFill = name.toLowerCase().replaceAll("_", "-") === "context-fill" || name === "ContextFill";
  const fills = textOf(member(type, "target_node")) ?? textOf(member(task, "target_node"));
  return { fills: isFill ? fills : undefined, isFill };
}

/** Reads a planner's `{context_nodes, tasks}`, or a bare list of its tasks. */
export function readPlannerJson(text: string, root: Json, context: ReadContext): Plan {
  const { report, limits } = context;
  const locate = createLocator(text);
  const placeOf = (value: Json): Place => ({ ...locate(value.at), length: 1 });
  const values = (root.kind === "array" ? root.items : itemsOf(member(root, "tasks"))).filter(
    value => (textOf(member(value, "id")) ?? "") !== "",
  );
  const nodes = itemsOf(member(root, "context_nodes")).flatMap(
    (value): (ContextNodeDeclaration & { place: Place })[] => {
      const id = textOf(member(value, "id")) ?? textOf(member(value, "node_id"));
      const parent = textOf(member(value, "parent"));
      return id === undefined
        ? []
        : [{ id, ...(parent === undefined ? {} : { parent }), place: placeOf(value) }];
    },
  );
  checkTree(nodes, context);
  const known = new Set([ROOT, ...nodes.map(node => node.id)]);
  const linkables = values.map(value => ({
    id: textOf(member(value, "id"))!,
    place: placeOf(value),
    depends: itemsOf(member(value, "depends_on")).flatMap(item => {
      const id = textOf(item);
      return id === undefined ? [] : [{ id, place: placeOf(item) }];
    }),
  }));
  const dependsOn = linkIds(linkables, context.allowMissing, limits, report);

  const tasks = values.map((value, index): Task => {
    const { id, place } = linkables[index]!;
    const { fills, isFill } = typeOf(value);
    const contextRef = textOf(member(value, "context_ref"));
    const subject = textOf(member(value, "subject")) ?? textOf(member(value, "title")) ?? "";
    const description = textOf(member(value, "description")) ?? "";
    if (isFill && fills === undefined)
      report.add(
        "error",
        "NO_TARGET",
        place,
        `${id} is a context-fill task without target_node`,
        "name the node it fills",
      );
    for (const node of [fills, contextRef]) {
      if (node !== undefined && !known.has(node))
        report.add(
          "error",
          "UNKNOWN_NODE",
          place,
          `${id} names the context node ${node}, which is not declared`,
          "declare it in context_nodes",
        );
    }
    return {
      id,
      phase: 1,
      title: subject,
      kind: isFill ? "context-fill" : "worker",
      done: textOf(member(value, "status"))?.toLowerCase() === "completed",
      dependsOn: dependsOn[index]!,
      parallelWith: [],
      files: [],
      ...(contextRef === undefined ? {} : { contextRef }),
      ...(fills === undefined ? {} : { fills }),
      line: place.line,
      text: description === "" ? subject : `${subject}\n\n${description}`,
    };
  });
  return {
    format: "planner-json",
    project: textOf(member(root, "project")) ?? "plan",
    phases: tasks.length === 0 ? [] : [{ phase: 1, title: "" }],
    tasks: firstOfEach(tasks),
    contextNodes: nodes.map(({ id, parent }) => ({ id, ...(parent === undefined ? {} : { parent }) })),
  };
}

/** Reports nodes declared twice, unknown parents, and parents in a circle. */
function checkTree(
  nodes: readonly (ContextNodeDeclaration & { place: Place })[],
  context: ReadContext,
): void {
  const { report } = context;
  const parents = new Map<string, string | undefined>([[ROOT, undefined]]);
  for (const { id, parent, place } of nodes) {
    if (parents.has(id) && id !== ROOT)
      report.add(
        "error",
        "DUPLICATE_NODE",
        place,
        `context node ${id} is declared twice`,
        "leave one of them out",
      );
    parents.set(id, parent);
  }
  const settled = new Set<string>([ROOT]);
  for (const { id, parent, place } of nodes) {
    if (parent !== undefined && !parents.has(parent)) {
      report.add(
        "error",
        "UNKNOWN_NODE",
        place,
        `context node ${id} has the parent ${parent}, which is not declared`,
        "declare the parent, or correct it",
      );
    }
    const path = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at);
    }
    if (at !== undefined && path.has(at)) {
      report.add(
        "error",
        "NODE_CYCLE",
        place,
        `context node ${at} is its own ancestor`,
        "give one of the nodes another parent",
      );
    }
    for (const seen of path) settled.add(seen);
  }
}
