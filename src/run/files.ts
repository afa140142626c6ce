import { ReadyQueue } from "./queues.ts";
import { capOf, resourceNamed } from "./resources.ts";
import type { RunState } from "./state.ts";
import type { FileGroup, TaskState } from "./task-state.ts";

/** Whether attempts under way leave no room for `more` that hold a path or resource. */
function isTaken(run: RunState, name: string, more = 1): boolean {
  const holders = run.heldFiles.get(name);
  return holders !== undefined && holders + more > capOf(run, name);
}

/** A path or resource of the task that attempts under way leave no room for. */
export function heldFile(run: RunState, { files }: TaskState): string | undefined {
  if (run.heldFiles.size === 0) return undefined;
  const needs = (name: string) =>
    resourceNamed(name) === undefined ? 1 : files.filter(one => one === name).length;
  return files.find(name => run.heldFiles.has(name) && isTaken(run, name, needs(name)));
}

/** Has one more attempt hold these; all that it needs at once, so that no two wait for each other. */
export function holdFiles(run: RunState, names: readonly string[]): void {
  for (const name of names) run.heldFiles.set(name, (run.heldFiles.get(name) ?? 0) + 1);
}

/** Has a task in progress hold those of its paths that nobody else holds. */
export function holdMore(run: RunState, state: TaskState): void {
  const held = state.held!;
  const free = state.files.filter(name => !held.includes(name) && !isTaken(run, name));
  state.held = [...held, ...free];
  holdFiles(run, free);
}

/** Lets the first task of a group try again. */
function wake(run: RunState, group: FileGroup): void {
  const first = group.waiting.next();
  group.parkedOn = undefined;
  if (first !== undefined) run.ready.add(first);
}

/** Lets the first task in plan order that waits for a free path try again. */
function wakeWaiter(run: RunState, file: string): void {
  const heads = run.parked.get(file);
  if (heads === undefined) return;
  for (let head = heads.next(); head !== undefined; head = heads.next()) {
    const group = head.group!;
    if (group.parkedOn !== file) continue;
    wake(run, group);
    break;
  }
  if (heads.size === 0) run.parked.delete(file);
}

/** Has a group await the release of a held path. */
function parkGroup(run: RunState, group: FileGroup, file: string): void {
  const first = group.waiting.peek();
  if (first === undefined) return;
  group.parkedOn = file;
  const heads = run.parked.get(file) ?? new ReadyQueue();
  run.parked.set(file, heads);
  heads.add(first);
}

/** Frees paths and lets the first waiter of each try again. */
export function releaseFiles(run: RunState, files: readonly string[]): void {
  for (const file of files) {
    const others = run.heldFiles.get(file)! - 1;
    if (others > 0) run.heldFiles.set(file, others);
    else run.heldFiles.delete(file);
    wakeWaiter(run, file);
  }
}

/**
 * A task that came out of the queue cannot use the paths it may have been woken for: others may. What is left of `lacking` is
 * kept for it until there is enough.
 */
export function passOn(run: RunState, state: TaskState, lacking?: string): void {
  const { group } = state;
  if (group === undefined) return;
  if (group.parkedOn === undefined && group.waiting.size > 0) wake(run, group);
  else for (const file of state.files) if (file !== lacking && !isTaken(run, file)) wakeWaiter(run, file);
}

/** Puts a task aside until a held path is free. */
export function park(run: RunState, state: TaskState, file: string): void {
  const group = state.group!;
  group.waiting.add(state);
  if (group.parkedOn === undefined || group.waiting.peek() === state) {
    parkGroup(run, group, group.parkedOn ?? file);
  }
  passOn(run, state, file);
}

/** A task of the group has started: the others await the release of what is taken now, or the next one goes. */
export function parkOthers(run: RunState, state: TaskState): void {
  const { group } = state;
  if (group === undefined || group.parkedOn !== undefined || group.waiting.size === 0) return;
  const taken = heldFile(run, state);
  if (taken === undefined) wake(run, group);
  else parkGroup(run, group, taken);
}

/** Remembers paths a task was seen to touch: for the rest of the run it meets others on them. */
export function learnFiles(state: TaskState, files: readonly string[]): void {
  const fresh = files.filter(file => !state.files.includes(file));
  if (fresh.length === 0) return;
  state.files = [...state.files, ...fresh];
  state.learned = [...state.learned, ...fresh];
  state.group = { waiting: new ReadyQueue(), parkedOn: undefined };
}
