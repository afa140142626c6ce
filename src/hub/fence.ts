import type { Taker } from "../fleet/index.ts";
import type { KeyedEngine } from "./engine.ts";
import type { KeptRun } from "./objects.ts";

/** A coordinator as it shows itself: its run, by the key of the engine, and the epoch that it was given. */
export interface Coordinator {
  readonly run: string;
  readonly epoch: number;
}

/** Why a coordinator is not listened to: a newer one conducts its run. */
export class TakenOver extends Error {
  readonly by: Taker | undefined;
  constructor(by: Taker | undefined) {
    super("taken");
    this.by = by;
  }
}

type Newest = Pick<KeptRun, "epoch" | "by">;

/** Tells the newest coordinator of each run from those before it. */
export interface Fence {
  /** Throws `TakenOver` where a newer one has the run; waits for a claim that is under way. */
  pass(coordinator: Coordinator): Promise<void>;
  /** Nobody passes until the claim is done. */
  claimed<T extends Newest>(run: string, claim: Promise<T>): Promise<T>;
}

export function createFence(engine: KeyedEngine): Fence {
  const newest = new Map<string, Promise<Newest | null>>();
  const put = <T extends Newest | null>(run: string, known: Promise<T>): Promise<T> => {
    newest.set(run, known);
    // What was not learned, and a run that nobody has claimed, is asked for again.
    const drop = () => newest.get(run) === known && newest.delete(run);
    known.then(found => found === null && drop(), drop);
    return known;
  };
  return {
    async pass({ run, epoch }) {
      const known = await (newest.get(run) ??
        put(run, engine.call<KeptRun | null>("EspalierRun", run, "read")));
      if (known !== null && known.epoch > epoch) throw new TakenOver(known.by);
    },
    claimed: put,
  };
}
