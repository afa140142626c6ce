import type { TaskStatus } from "../ports/index.ts";

/** What a queue needs to know of a task. */
interface Queued {
  readonly index: number;
  readonly status: TaskStatus;
  readonly notBefore: number;
}

/** A binary heap over numbers kept beside its items; smallest key first, equal keys in any order. */
class Heap<T> {
  readonly #keys: number[] = [];
  readonly #items: T[] = [];

  get size(): number {
    return this.#keys.length;
  }

  topKey(): number | undefined {
    return this.#keys[0];
  }

  top(): T | undefined {
    return this.#items[0];
  }

  push(key: number, item: T): void {
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

  pop(): T | undefined {
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
export class ReadyQueue<T extends Queued> {
  readonly #heap = new Heap<T>();
  readonly #members = new Set<T>();

  add(state: T): void {
    if (this.#members.has(state)) return;
    this.#members.add(state);
    this.#heap.push(state.index, state);
  }

  peek(): T | undefined {
    return this.#heap.top();
  }

  next(): T | undefined {
    const state = this.#heap.pop();
    if (state !== undefined) this.#members.delete(state);
    return state;
  }

  get size(): number {
    return this.#heap.size;
  }
}

/** Tasks that become dispatchable at a time. An entry whose time no longer matches its task is stale. */
export class DueQueue<T extends Queued> {
  readonly #heap = new Heap<T>();

  add(state: T): void {
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
  take(now: number): T[] {
    const due: T[] = [];
    while ((this.#heap.topKey() ?? Infinity) <= now) due.push(this.#heap.pop()!);
    return due;
  }
}
