import { callAfter } from "../process/index.ts";

/** Stands for what an agent did not come to the end of, long after it had to. */
export const LEFT: unique symbol = Symbol("left");

/** How long an agent of this process is waited for. One thing of it is awaited at a time. */
export interface Patience {
  /** Something of it begins that ends within so many milliseconds. */
  begin(ms: number): void;
  /** It was told to end, within so many milliseconds from now on. */
  hurry(ms: number): void;
  /** What is awaited of it; LEFT where that takes longer than it may. */
  of<T>(awaited: Promise<T>): Promise<T | typeof LEFT>;
  /** Nothing is awaited of it any more. */
  rest(): void;
}

/** Waits `beyondMs` longer than agents may take by themselves. */
export function createPatience(beyondMs: number): Patience {
  let most = Infinity;
  let isDue = false;
  let cancel = () => {};
  // Not a promise of its own: each event would leave something behind with that.
  let leave = () => {};
  const wait = (ms: number): void => {
    cancel();
    isDue = false;
    cancel = callAfter(ms + beyondMs, () => {
      isDue = true;
      leave();
    });
  };
  return {
    begin: ms => wait(Math.min(ms, most)),
    hurry(ms) {
      most = Math.min(most, ms);
      wait(most);
    },
    of: awaited =>
      new Promise((resolve, reject) => {
        // It was not its turn while the time ran out.
        if (isDue) wait(0);
        leave = () => resolve(LEFT);
        awaited.then(resolve, reject).finally(() => (leave = () => {}));
      }),
    rest: () => cancel(),
  };
}
