/** The longest delay a Node timer honours; beyond it fires after 1 ms. */
const LONGEST = 2 ** 31 - 1;

/** Calls back once after `ms` of monotonic time, however long; `Infinity` is never. Returns what cancels it. */
export function callAfter(ms: number, callback: () => void): () => void {
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

/** Calls back once when `last()`, in monotonic time, lies `ms` back. Returns what cancels it. */
export function callAfterSilence(ms: number, last: () => number, callback: () => void): () => void {
  let cancel = callAfter(ms, check);
  // The timer is not moved at every sign of life: when it fires it looks how long the silence really was.
  function check(): void {
    const left = last() + ms - performance.now();
    if (left <= 0) callback();
    else cancel = callAfter(left, check);
  }
  return () => cancel();
}

/** Resolves after `ms`. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms);
  });
}

/** True when the promise is fulfilled before `ms` are over. Leaves no timer behind. */
export function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise(resolve => {
    const cancel = callAfter(ms, () => resolve(false));
    promise.then(
      () => {
        cancel();
        resolve(true);
      },
      () => {
        cancel();
        resolve(false);
      },
    );
  });
}
