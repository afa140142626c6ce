import { readBox } from "../syntax/box.ts";
import type { Plan, Task } from "../types.ts";

/** Ids by which two readings of a task file differ. */
export interface PlanDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** In both, with other words, left out now or taken in again; ticking boxes is no change. */
  readonly changed: readonly string[];
}

/** A task's text with its boxes emptied, line endings made equal and trailing spaces left off. */
export function comparableText(text: string): string {
  const plain = text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  let out = "";
  let from = 0;
  for (let at = plain.indexOf("["); at >= 0; at = plain.indexOf("[", at + 1)) {
    if (at < from) continue;
    const box = readBox(plain, at, Math.min(plain.length, at + 20));
    if (box === undefined) continue;
    out += `${plain.slice(from, at)}[ ]${box.optional ? "*" : ""}`;
    from = box.end;
  }
  const unticked = out + plain.slice(from);
  return unticked.replace(/^([ \t]*(?:#+|[-*+]|\d+[.)])[ \t]+)\[ \][ \t]/, "$1").replaceAll("✅", "⬜");
}

function isSame(a: Task, b: Task): boolean {
  // Also without a word of its own: by its box, or because what it waits for was put off.
  if (!a.done && !b.done && (a.skip === true) !== (b.skip === true)) return false;
  return a.text === b.text || comparableText(a.text) === comparableText(b.text);
}

/** Compares two readings of a task file by id and text. */
export function diffPlans(before: Plan, after: Plan): PlanDiff {
  const old = new Map(before.tasks.map(task => [task.id, task]));
  const now = new Map(after.tasks.map(task => [task.id, task]));
  const added: string[] = [];
  const changed: string[] = [];
  for (const [id, task] of now) {
    const earlier = old.get(id);
    if (earlier === undefined) added.push(id);
    else if (!isSame(earlier, task)) changed.push(id);
  }
  return { added, changed, removed: [...old.keys()].filter(id => !now.has(id)) };
}
