import { ReadyQueue } from "./queues.ts";
import type { RunState } from "./state.ts";
import type { FileGroup, TaskState } from "./task-state.ts";

/** A path of the task that an attempt under way holds. */
export function heldFile(run: RunState, state: TaskState): string | undefined {
  return run.heldFiles.size === 0 ? undefined : state.files.find(file => run.heldFiles.has(file));
}

/** Has a task in progress hold those of its paths that nobody else holds. */
export function holdMore(run: RunState, state: TaskState): void {
  const free = state.files.filter(file => !run.heldFiles.has(file));
  state.held = [...(state.held ?? []), ...free];
  for (const file of free) run.heldFiles.add(file);
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
    const group = head.group;
    if (group?.parkedOn !== file || group.waiting.peek() !== head) continue;
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
    run.heldFiles.delete(file);
    wakeWaiter(run, file);
  }
}

/** A task that came out of the queue cannot use the paths it may have been woken for: others may. */
export function passOn(run: RunState, state: TaskState): void {
  const { group } = state;
  if (group === undefined) return;
  if (group.parkedOn === undefined && group.waiting.size > 0) wake(run, group);
  else for (const file of state.files) if (!run.heldFiles.has(file)) wakeWaiter(run, file);
}

/** Puts a task aside until a held path is free. */
export function park(run: RunState, state: TaskState, file: string): void {
  const group = state.group!;
  group.waiting.add(state);
  if (group.parkedOn === undefined || group.waiting.peek() === state) {
    parkGroup(run, group, group.parkedOn ?? file);
  }
  passOn(run, state);
}

/** A task of the group has started and holds all its paths: the others await their release. */
export function parkOthers(run: RunState, state: TaskState): void {
  const file = state.files[0];
  if (state.group?.parkedOn === undefined && file !== undefined) parkGroup(run, state.group!, file);
}

/** Remembers paths a task was seen to touch: for the rest of the run it meets others on them. */
export function learnFiles(state: TaskState, files: readonly string[]): void {
  const fresh = files.filter(file => !state.files.includes(file));
  if (fresh.length === 0) return;
  state.files = [...state.files, ...fresh];
  state.learned = [...state.learned, ...fresh];
  state.group = { waiting: new ReadyQueue(), parkedOn: undefined };
}
