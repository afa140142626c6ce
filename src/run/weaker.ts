import { comparePhases, type Task } from "../plan/index.ts";
import { because, type Reason } from "../ports/index.ts";

/** What a task waits for, whether it says so itself or not. */
function waitsFor({ dependsOn, inherited = [], preparedBy = [] }: Task): readonly string[] {
  return [...dependsOn, ...inherited, ...preparedBy];
}

function hasLost(before: readonly string[] = [], after: readonly string[] = []): boolean {
  return before.some(one => !after.includes(one));
}

/** Whether a command that proves something is gone, or another one stands in its place. */
function isReplaced(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && before !== after;
}

/** By which of its fields a task is held to less after an edit than it was before; none where it is held to as much. */
export function weakerBy(before: Task, after: Task): readonly string[] {
  const checks: readonly (readonly [field: string, isWeaker: boolean])[] = [
    ["verify", isReplaced(before.verify, after.verify)],
    ["test", isReplaced(before.test, after.test)],
    // Other words of a block are approved before they run.
    ["run", before.run !== undefined && after.run === undefined],
    ["expects", hasLost(before.expects, after.expects)],
    ["tdd", before.tdd !== after.tdd && after.tdd !== true],
    // Whoever judged it, be it by name or as the project has it, judges it no more.
    ["review", before.review !== after.review && before.review !== "no"],
    ["depends_on", hasLost(waitsFor(before), waitsFor(after))],
    ["order", before.order === "sequential" && after.order !== "sequential"],
    ["phase", comparePhases(after.phase, before.phase) < 0],
  ];
  return checks.flatMap(([field, isWeaker]) => (isWeaker ? [field] : []));
}

/** Tasks that stand in both and are held to less, with the fields. */
export function weakerTasks(
  before: Iterable<Task>,
  after: Iterable<Task>,
): ReadonlyMap<string, readonly string[]> {
  const now = new Map(Array.from(after, task => [task.id, task]));
  const found = new Map<string, readonly string[]>();
  for (const task of before) {
    const edited = now.get(task.id);
    // A task that only groups others has nothing to prove.
    if (edited === undefined || edited.children !== undefined) continue;
    const fields = weakerBy(task, edited);
    if (fields.length > 0) found.set(task.id, fields);
  }
  return found;
}

/** The reason a task pauses that is held to less than it was. */
export function weakerReason(fields: readonly string[]): Reason {
  return because("asks-less", { fields: fields.slice(0, 3) });
}
