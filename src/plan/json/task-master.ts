import { told } from "../../text/index.ts";
import { leftOut } from "../graph/put-off.ts";
import type { ReadContext } from "../read-context.ts";
import { NOWHERE, type Place } from "../report.ts";
import { createLocator, itemsOf, type Json, member, textOf } from "../syntax/json-text.ts";
import { type State, stateOf } from "../syntax/marks.ts";
import type { Plan, Task } from "../types.ts";
import { firstOfEach, linkIds } from "./link-ids.ts";
import { tellUnread, titleOf } from "./unread.ts";
import { DEPENDS, waitsOf } from "./waits.ts";

/** The keys of a task that are read. */
const KEYS = ["id", "title", "description", "details", "testStrategy", "status", ...DEPENDS, "subtasks"];

/** A task or subtask as the file has it. */
export interface MasterTask {
  readonly id: string;
  readonly value: Json;
  readonly parent: MasterTask | undefined;
  readonly children: MasterTask[];
}

/** The list of tasks a file means, and the tags it holds besides. */
export interface MasterList {
  readonly tasks: readonly MasterTask[];
  /** Everything in its lists, tasks or not. */
  readonly values: readonly Json[];
  readonly tag: string | undefined;
  readonly otherTags: readonly string[];
}

function chosenTag(root: Json): { list: Json; tag: string | undefined; others: string[] } | undefined {
  const flat = member(root, "tasks");
  if (flat?.kind === "array") return { list: flat, tag: undefined, others: [] };
  if (root.kind !== "object") return undefined;
  const tags = [...root.members].flatMap(([name, value]) => {
    const list = member(value, "tasks");
    return list?.kind === "array" ? [{ name, list }] : [];
  });
  const chosen = tags.find(tag => tag.name === "master") ?? tags[0];
  if (chosen === undefined) return undefined;
  return {
    list: chosen.list,
    tag: chosen.name,
    others: tags.filter(tag => tag !== chosen).map(tag => tag.name),
  };
}

/** All tasks with their subtasks behind them, ids spelled out (`3.1`). Any depth, without recursion. */
export function flatten(root: Json): MasterList | undefined {
  const chosen = chosenTag(root);
  if (chosen === undefined) return undefined;
  const tasks: MasterTask[] = [];
  const values: Json[] = [];
  const waiting: { value: Json; parent: MasterTask | undefined }[] = [];
  const push = (items: readonly Json[], parent: MasterTask | undefined) => {
    for (let i = items.length - 1; i >= 0; i--) waiting.push({ value: items[i]!, parent });
  };
  push(itemsOf(chosen.list), undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    values.push(next.value);
    const own = textOf(member(next.value, "id"));
    if (next.value.kind !== "object" || own === undefined || own === "") continue;
    const { parent } = next;
    const id = parent === undefined || own.startsWith(`${parent.id}.`) ? own : `${parent.id}.${own}`;
    const task: MasterTask = { id, value: next.value, parent, children: [] };
    parent?.children.push(task);
    tasks.push(task);
    push(itemsOf(member(next.value, "subtasks")), task);
  }
  return { tasks, values, tag: chosen.tag, otherTags: chosen.others };
}

/** What a dependency of a task means: a sibling's local number, or a full id. */
function fullId(task: MasterTask, dependency: string, known: ReadonlySet<string>): string {
  if (task.parent === undefined) return dependency;
  const local = `${task.parent.id}.${dependency}`;
  return known.has(local)
    ? local
    : known.has(dependency)
      ? dependency
      : dependency.includes(".")
        ? dependency
        : local;
}

/** What an agent reads about a task. */
function describe(value: Json): string {
  const parts = [titleOf(value), textOf(member(value, "description")), textOf(member(value, "details"))];
  const test = textOf(member(value, "testStrategy"));
  if (test !== undefined && test !== "") parts.push(`Test strategy: ${test}`);
  return parts.filter(part => part !== undefined && part !== "").join("\n\n");
}

function stateFrom(value: Json): State {
  return stateOf(textOf(member(value, "status")) ?? "pending") ?? "open";
}

/** Reads Task Master's tasks.json, flat or by tag. Undefined when the JSON holds no task list. */
export function readTaskMaster(text: string, root: Json, context: ReadContext): Plan | undefined {
  const list = flatten(root);
  if (list === undefined) return undefined;
  const { report, limits } = context;
  const locate = createLocator(text);
  tellUnread(list.values, KEYS, value => ({ ...locate(value.at), length: 1 }), report);
  if (list.otherTags.length > 0) {
    report.add(
      "info",
      "OTHER_TAGS",
      NOWHERE,
      told`tag "${list.tag}" is read; the file also holds ${list.otherTags.slice(0, 10).join(", ")}`,
      told`give each tag a file of its own to run it`,
    );
  }
  const known = new Set(list.tasks.map(task => task.id));
  const tasks = firstOfEach(list.tasks);
  const places = list.tasks.map(task => placeOf(locate, task.value));
  const linkables = list.tasks.map((task, index) => ({
    id: task.id,
    place: places[index]!,
    depends: dependsOf(task, known, locate),
  }));
  const dependsOn = linkIds(linkables, context.allowMissing, limits, report);
  const numberOf = new Map(list.tasks.map((task, index) => [task, index]));
  return {
    format: "task-master",
    project:
      textOf(member(member(root, "meta"), "projectName")) ??
      textOf(member(member(root, "metadata"), "projectName")) ??
      "tasks",
    phases: tasks.length === 0 ? [] : [{ phase: 1, title: "" }],
    tasks: tasks.map((task): Task => {
      const index = numberOf.get(task)!;
      const state = stateFrom(task.value);
      return {
        id: task.id,
        phase: 1,
        title: titleOf(task.value),
        kind: "worker",
        done: state === "done",
        dependsOn: dependsOn[index]!,
        parallelWith: [],
        files: [],
        ...leftOut(state),
        ...(task.children.length > 0 ? { children: task.children.map(child => child.id) } : {}),
        line: places[index]!.line,
        text: describe(task.value),
      };
    }),
    contextNodes: [],
  };
}

function placeOf(locate: ReturnType<typeof createLocator>, value: Json): Place {
  return { ...locate((member(value, "id") ?? value).at), length: 1 };
}

function dependsOf(
  task: MasterTask,
  known: ReadonlySet<string>,
  locate: ReturnType<typeof createLocator>,
): { id: string; place: Place }[] {
  const isTask = (written: string) => known.has(fullId(task, written, known));
  return waitsOf(task.value, isTask).flatMap(({ written, item }) => {
    const id = fullId(task, written, known);
    // A subtask cannot wait for the task it is a part of.
    if (id === task.parent?.id) return [];
    return [{ id, place: { ...locate(item.at), length: item.end - item.at } }];
  });
}
