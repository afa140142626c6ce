import type { TaskState } from "./state.ts";

/** A binary heap over numbers kept beside its items; smallest key first, equal keys in any order. */
class Heap {
  readonly #keys: number[] = [];
  readonly #items: TaskState[] = [];

  get size(): number {
    return this.#keys.length;
  }

  topKey(): number | undefined {
    return this.#keys[0];
  }

  top(): TaskState | undefined {
    return this.#items[0];
  }

  push(key: number, item: TaskState): void {
    let at = this.#keys.length;
    this.#keys.push(key);
    this.#items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const parentKey = this.#keys[parent]!;
      if (parentKey <= key) break;
      this.#keys[at] = parentKey;
      this.#items[at] = this.#items[parent]!;
      at = parent;
    }
    this.#keys[at] = key;
    this.#items[at] = item;
  }

  pop(): TaskState | undefined {
    const top = this.#items[0];
    const key = this.#keys.pop();
    const item = this.#items.pop();
    if (top === undefined || key === undefined || item === undefined || this.#keys.length === 0) return top;
    const length = this.#keys.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#keys[child + 1]! < this.#keys[child]!) child++;
      if (this.#keys[child]! >= key) break;
      this.#keys[at] = this.#keys[child]!;
      this.#items[at] = this.#items[child]!;
      at = child;
    }
    this.#keys[at] = key;
    this.#items[at] = item;
    return top;
  }
}

/**
 * Ready tasks in plan order. Entries are never removed early: a task that is no longer ready when it comes out is
 * dropped by the caller, and `add` ignores a task that is already in.
 */
export class ReadyQueue {
  readonly #heap = new Heap();
  readonly #members = new Set<TaskState>();

  add(state: TaskState): void {
    if (this.#members.has(state)) return;
    this.#members.add(state);
    this.#heap.push(state.index, state);
  }

  peek(): TaskState | undefined {
    return this.#heap.top();
  }

  next(): TaskState | undefined {
    const state = this.#heap.pop();
    if (state !== undefined) this.#members.delete(state);
    return state;
  }

  get size(): number {
    return this.#heap.size;
  }
}

/** Tasks that become dispatchable at a time. An entry whose time no longer matches its task is stale. */
export class DueQueue {
  readonly #heap = new Heap();

  add(state: TaskState): void {
    this.#heap.push(state.notBefore, state);
  }

  /** The earliest time at which a task is due, or undefined. Drops entries that a later change made stale. */
  nextAt(): number | undefined {
    for (let state = this.#heap.top(); state !== undefined; state = this.#heap.top()) {
      const waits = state.status === "ready" || state.status === "waiting";
      if (waits && state.notBefore === this.#heap.topKey()) return state.notBefore;
      this.#heap.pop();
    }
    return undefined;
  }

  /** Removes and returns the tasks whose time has come, earliest first. */
  take(now: number): TaskState[] {
    const due: TaskState[] = [];
    for (let at = this.#heap.topKey(); at !== undefined && at <= now; at = this.#heap.topKey()) {
      const state = this.#heap.pop();
      if (state !== undefined) due.push(state);
    }
    return due;
  }
}
