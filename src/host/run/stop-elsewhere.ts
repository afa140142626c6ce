import { setTimeout as pause } from "node:timers/promises";
import type { HubFleet } from "../../adapters/fleet/hub.ts";
import { because, type EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";

/** For how long a run that is to end waits for others, in milliseconds. */
export interface StopPatience {
  /** For a hub that is away. */
  readonly hubMs: number;
  /** For machines that are silent, or have much to hand in. */
  readonly machinesMs: number;
  /** Between two looks. */
  readonly lookMs: number;
}

const PATIENCE: StopPatience = { hubMs: 3000, machinesMs: 30_000, lookMs: 500 };

export interface StopOptions {
  readonly hub: Pick<HubFleet, "check">;
  /** Of the hub. */
  readonly url: string;
  readonly isOver: () => boolean;
  /** Ends the run as if it had been killed. */
  readonly end: (why: EspalierError) => void;
  readonly patience?: StopPatience;
}

/**
 * What a run whose agents are elsewhere is told when it is to end: it does not wait for long where its hub is away, or a machine does
 * not end its agents.
 */
export function createStop({ hub, url, isOver, end, patience = PATIENCE }: StopOptions): () => void {
  const { hubMs, machinesMs, lookMs } = patience;
  /** For that alone no process lives on. */
  const rest = () => pause(lookMs, false, { ref: false });
  const leave = (said: Reason): void => {
    const advice = because("agents-go-on", {});
    end(errorFor("STOPPED_EARLY", said, { advice, exitCode: EXIT.environment }));
  };

  async function watch(): Promise<void> {
    const began = performance.now();
    for (let heardAt = began; !isOver(); await rest()) {
      if (await Promise.race([hub.check(), rest()])) heardAt = performance.now();
      const now = performance.now();
      if (now - heardAt >= hubMs) return leave(because("stopped-without-hub", { url }));
      if (now - began >= machinesMs) return leave(because("stopped-without-machines", {}));
    }
  }

  let isStopping = false;
  return () => {
    if (!isStopping) void watch();
    isStopping = true;
  };
}
