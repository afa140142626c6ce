import { visible } from "../../text/index.ts";
import { taskFile, type Writable } from "../output/task-file.ts";
import type { Task } from "../types.ts";
import { harmless } from "./harmless.ts";
import { trusted } from "./trusted.ts";

/**
 * A plan as a task file that reads the same, whatever its titles and texts hold: controls are made visible, a title that says
 * something about other tasks or a state is made plain and kept in the description. Undefined where a field of it cannot stand in a
 * task file.
 */
export function draftedFile(plan: Writable, comment: string): string | undefined {
  const { project, phases, tasks, contextNodes } = plan;
  const wanted: Writable = {
    project: line(project),
    phases: phases.map(info => ({ ...info, title: line(info.title) })),
    tasks: tasks.map(readable),
    contextNodes,
  };
  const made = trusted(wanted, comment, { titles: "hints" });
  return made === undefined ? undefined : taskFile(made.plan, comment);
}

const line = (text: string) => visible(text.replaceAll(/\s+/g, " ").trim());

function readable(task: Task): Task {
  const { title, text } = task;
  const description = text.startsWith(title) ? text.slice(title.length).trim() : text;
  return { ...task, title: line(title), text: harmless(description) };
}
