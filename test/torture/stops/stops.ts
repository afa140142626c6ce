import type { Findings } from "../proof.ts";
import { STOPS } from "./signals.ts";
import { STATES } from "./states.ts";
import { tryStop } from "./try-stop.ts";

/** Milliseconds after which a stop is told of as slow: how long it takes is the machine's, too. */
const SLOW = 5000;

/** Stops runs in every state in every way, one pair for each number from `seed` on. */
export async function stopRuns(count: number, seed: number, say: (line: string) => void): Promise<Findings> {
  const broken: string[] = [];
  let slow = 0;
  for (let at = seed; at < seed + count; at++) {
    const state = STATES[at % STATES.length]!;
    const stop = STOPS[Math.floor(at / STATES.length) % STOPS.length]!;
    const name = `${stop.name} while ${state.name}`;
    const stopped = await tryStop(state, stop);
    if (stopped.ms > SLOW) {
      slow++;
      say(`${name}: gone after ${stopped.ms} ms`);
    }
    broken.push(...stopped.broken.map(sentence => `${name}: ${sentence}`));
  }
  return { counts: { stops: count, slow }, broken };
}
