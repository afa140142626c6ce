import type { StopSignals } from "./types.ts";

/** Ends what several wait for once each of them has been told to end. */
export interface SharedStop {
  readonly signals: StopSignals;
  /** One more waits for it. */
  join(stop: StopSignals): void;
}

/** A stop that nobody waits with yet. */
export function createSharedStop(): SharedStop {
  const cancel = new AbortController();
  const kill = new AbortController();
  /** Aborts once everybody's signal has been given. */
  const counter = (all: AbortController) => {
    let waiting = 0;
    const leave = () => {
      waiting--;
      if (waiting === 0) all.abort();
    };
    return (signal: AbortSignal) => {
      waiting++;
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    };
  };
  const [joinCancel, joinKill] = [counter(cancel), counter(kill)];
  return {
    signals: { cancel: cancel.signal, kill: kill.signal },
    join(stop) {
      joinCancel(stop.cancel);
      joinKill(stop.kill);
    },
  };
}
