import type { Clock } from "../../ports/index.ts";

/** The longest wait a timer can hold; beyond it Node fires at once. */
const LONGEST = 2 ** 31 - 1;

function after(ms: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (left: number) => {
    timer = setTimeout(() => (left > LONGEST ? wait(left - LONGEST) : callback()), Math.min(left, LONGEST));
  };
  wait(Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** The machine's clocks. */
export const SYSTEM_CLOCK: Clock = {
  portVersion: 1,
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after,
};
