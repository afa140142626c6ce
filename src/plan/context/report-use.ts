import { told } from "../../text/index.ts";
import { ROOT } from "../../tree/index.ts";
import { NOWHERE, type Report } from "../report.ts";
import type { ContextNodeDeclaration, Task } from "../types.ts";
import { createNearest, type Parents } from "./nearest.ts";

/** Warns of tasks whose node holds nothing and is filled by nobody, and tells of fills that no task reads. */
export function reportUse(
  tasks: readonly Task[],
  nodes: ReadonlyMap<string, ContextNodeDeclaration>,
  fills: ReadonlyMap<string, readonly string[]>,
  parents: Parents,
  report: Report,
): void {
  const read = new Set<string>();
  for (const { contextRef } of tasks) {
    for (
      let at = contextRef;
      at !== undefined && !read.has(at);
      at = at === ROOT ? undefined : (parents.get(at) ?? ROOT)
    )
      read.add(at);
  }
  const held = new Map<string, readonly string[]>(fills);
  for (const { id, shared = [], documents = [] } of nodes.values())
    if (shared.length + documents.length > 0) held.set(id, [...shared, ...documents]);
  const nearestHeld = createNearest(held, parents);
  for (const task of tasks) {
    const { id, contextRef, fills: target } = task;
    const place = task.line === 0 ? NOWHERE : { line: task.line, column: 1 };
    if (target !== undefined && target !== ROOT && !read.has(target)) {
      const message = told`${id} fills ${target}, which no task reads`;
      report.add("info", "FILL_UNUSED", place, message, told`give its readers context: ${target}`);
    }
    if (contextRef !== undefined && contextRef !== ROOT && nearestHeld(contextRef).length === 0) {
      const message = told`${id} reads ${contextRef}, which holds no document and which no task fills`;
      report.add(
        "warning",
        "NODE_EMPTY",
        place,
        message,
        told`give the node documents, or a task that fills it`,
      );
    }
  }
}
