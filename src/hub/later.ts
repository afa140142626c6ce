import type { KeyedEngine } from "./engine.ts";

/** Milliseconds in which what only clears up is gathered for one call of the engine. */
const GATHERED_MS = 1000;

/** What the engine is told of orders that are over, a second's together: where that is lost nothing is held or done twice. */
export interface Later {
  /** A run's coordinator has heard everything of an order. */
  done(run: string, key: string): void;
  /** A machine holds an order no more. */
  settled(pool: string, machine: string, key: string): void;
  /** Tells what is left at once. */
  close(): void;
}

export function createLater(engine: KeyedEngine): Later {
  let runs = new Map<string, string[]>();
  let pools = new Map<string, Map<string, string[]>>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const [toRuns, toPools] = [runs, pools];
    runs = new Map();
    pools = new Map();
    for (const [run, keys] of toRuns) void engine.call("EspalierRun", run, "heard", keys).catch(() => {});
    for (const [pool, machines] of toPools)
      void engine.call("EspalierPool", pool, "settle", Object.fromEntries(machines)).catch(() => {});
  }

  const soon = () => {
    timer ??= setTimeout(flush, GATHERED_MS);
  };
  const into = <V>(map: Map<string, V>, key: string, fresh: () => V): V => {
    const value = map.get(key) ?? fresh();
    map.set(key, value);
    return value;
  };
  return {
    done(run, key) {
      into(runs, run, () => []).push(key);
      soon();
    },
    settled(pool, machine, key) {
      into(
        into(pools, pool, () => new Map<string, string[]>()),
        machine,
        () => [],
      ).push(key);
      soon();
    },
    close: flush,
  };
}
