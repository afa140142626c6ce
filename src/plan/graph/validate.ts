import { told } from "../../text/index.ts";
import { NOWHERE, type Report } from "../report.ts";
import { comparePhases } from "../syntax/phase.ts";
import type { Task } from "../types.ts";
import { findCycles, pointsBackwards } from "./cycles.ts";
import { buildGraph, sortNodes } from "./graph.ts";
import type { Links } from "./links.ts";
import { tasksAgainstOrder } from "./order.ts";
import { placeOf } from "./place.ts";

/** Takes arrows of diagrams out of cycles they close with declared dependencies: the fields know better. */
function withoutDiagramCycles(tasks: readonly Task[], links: Links, report: Report): readonly Task[] {
  if (!links.dependsOn.some(edges => [...edges.values()].includes("diagram"))) return tasks;
  const cycles = findCycles(tasks);
  if (cycles.length === 0) return tasks;
  const numberOf = new Map(tasks.map((task, index) => [task.id, index]));
  const declared = tasks.map((task, index) => ({
    ...task,
    dependsOn: task.dependsOn.filter(id => links.dependsOn[index]!.get(numberOf.get(id)!) === "field"),
  }));
  if (declared.every(task => task.dependsOn.length === 0) || findCycles(declared).length > 0) return tasks;
  for (const cycle of cycles) {
    const task = tasks[numberOf.get(cycle[0]!)!]!;
    report.add(
      "warning",
      "DIAGRAM_IGNORED",
      placeOf(task, report),
      told`the diagram's arrows close a cycle: ${cycle.join("->")}`,
      told`correct the diagram; only the tasks' own fields were used`,
    );
  }
  return declared;
}

function checkPhases(tasks: readonly Task[], report: Report): void {
  const byId = new Map(tasks.map(task => [task.id, task]));
  for (const task of tasks) {
    for (const id of [...task.dependsOn, ...(task.preparedBy ?? [])]) {
      const other = byId.get(id);
      if (other === undefined || comparePhases(other.phase, task.phase) <= 0) continue;
      report.add(
        other.done ? "warning" : "error",
        "PHASE_ORDER",
        placeOf(task, report),
        told`${task.id} of phase ${task.phase} waits for ${id}, which belongs to the later phase ${other.phase}`,
        told`move one of them to another phase, or drop the dependency`,
      );
    }
  }
}

function checkDone(tasks: readonly Task[], report: Report): void {
  const byId = new Map(tasks.map(task => [task.id, task]));
  for (const task of tasks) {
    if (!task.done) continue;
    const open = task.dependsOn.filter(id => byId.get(id)?.done === false);
    if (open.length === 0) continue;
    report.add(
      "warning",
      "ORDER_SUSPECT",
      placeOf(task, report),
      told`${task.id} is done, but waits for ${open.slice(0, 5).join(", ")}, which is not`,
      told`check which box is right`,
    );
  }
}

/** Checks the whole plan and returns its tasks as they can be run. Only what is written as Markdown has `links`. */
export function validate(given: readonly Task[], links: Links | undefined, report: Report): readonly Task[] {
  if (given.length === 0 && report.count("TOO_MANY_TASKS") === 0) {
    report.add(
      "error",
      "TASKS_EMPTY",
      NOWHERE,
      told`no tasks were found`,
      links === undefined
        ? told`put tasks into its list, or name another file`
        : told`write tasks as headings or list items: - [ ] T1.1: Title`,
    );
  }
  const tasks = links === undefined ? given : withoutDiagramCycles(given, links, report);
  const cycles = findCycles(tasks);
  const byId = new Map(tasks.map(task => [task.id, task]));
  for (const cycle of cycles) {
    const first = byId.get(cycle[0]!)!;
    report.add(
      "error",
      "CIRCULAR_DEP",
      placeOf(first, report),
      told`ERROR:CIRCULAR_DEP:${cycle.join("->")}`,
      told`take one of these dependencies out`,
    );
  }
  checkPhases(tasks, report);
  checkDone(tasks, report);
  if (tasks.some(task => task.phase === 0 && task.parallelWith.length > 0)) {
    report.add(
      "warning",
      "PARALLEL_PHASE0",
      NOWHERE,
      told`phase 0 runs one task at a time; its parallel fields have no effect`,
      told`nothing to do`,
    );
  }
  return cycles.length > 0 ? tasks : inOrder(tasks, report);
}

function inOrder(tasks: readonly Task[], report: Report): readonly Task[] {
  if (!tasks.some(task => task.order !== undefined) || pointsBackwards(tasks)) return tasks;
  const graph = buildGraph(tasks, { order: false });
  const sorted = sortNodes(graph).filter(node => node < tasks.length);
  const against = tasksAgainstOrder(
    tasks,
    graph.before.slice(0, tasks.length).map(nodes => nodes.filter(node => node < tasks.length)),
    sorted,
  );
  return tasks.map((task, index) => {
    if (!against.has(index)) return task;
    report.add(
      "warning",
      "ORDER_IGNORED",
      placeOf(task, report),
      told`${task.id} stands before tasks it waits for; its place in the file is ignored`,
      told`move it behind them`,
    );
    const { order: _, ...rest } = task;
    return rest;
  });
}
