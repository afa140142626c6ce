/** The longest delay a Node timer honours; beyond it fires after 1 ms. */
const LONGEST = 2 ** 31 - 1;

/** Calls back once after `ms` of monotonic time, however long; `Infinity` is never. Returns what cancels it. */
export function after(ms: number, callback: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  const due = performance.now() + ms;
  let timer = setTimeout(check, Math.min(ms, LONGEST));
  function check(): void {
    const left = due - performance.now();
    if (left <= 0) callback();
    else timer = setTimeout(check, Math.min(Math.ceil(left), LONGEST));
  }
  return () => clearTimeout(timer);
}

export interface IdleDeadline {
  /** Starts the waiting anew; cheap enough to call per chunk. */
  touch(): void;
  cancel(): void;
}

/** Calls back once when `touch` was not called for `ms`. */
export function afterSilence(ms: number, callback: () => void): IdleDeadline {
  let last = performance.now();
  let cancel = after(ms, check);
  // The timer is not moved at every touch: when it fires it looks how long the silence really was.
  function check(): void {
    const left = last + ms - performance.now();
    if (left <= 0) callback();
    else cancel = after(left, check);
  }
  return {
    touch() {
      last = performance.now();
    },
    cancel() {
      cancel();
    },
  };
}

/** Resolves after `ms`. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms);
  });
}
