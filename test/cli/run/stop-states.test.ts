import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../sample.ts";
import { STOPS } from "../stops/signals.ts";
import { STATES } from "../stops/states.ts";
import { tryStop } from "../stops/try-stop.ts";

/** All pairs: the first ones have each state once, with ways to stop it that change. */
const PAIRS = STOPS.flatMap((_, turn) =>
  STATES.map((state, at) => ({ state, stop: STOPS[(at + turn) % STOPS.length]! })),
);
/** Of them these are tried each time; the sample of the long proofs tries each state. */
const FEW = 4;
/** Which of them, and a file that is told how long each took: set by `npm run torture -- --only stops`. */
const { ESPALIER_STOPS: wanted = `0-${FEW}`, ESPALIER_STOP_TIMES: times } = process.env;
const [from = 0, to = 0] = wanted.split("-").map(Number);
const TRIED = Array.from({ length: to - from }, (_, at) => PAIRS[(from + at) % PAIRS.length]!);

describe("whatever a run is at", { timeout: 120_000 }, () => {
  it.each(
    sampleOf(
      TRIED.map(pair => [pair.stop.name, pair.state.name, pair] as const),
      0,
      3,
    ),
  )("[E82] %s while %s: it ends, counts no attempt and leaves nothing", async (how, at, { state, stop }) => {
    const { ms, broken } = await tryStop(state, stop);
    if (times !== undefined) appendFileSync(times, `${JSON.stringify({ how, at, ms })}\n`);
    expect(broken).toEqual([]);
  });
});
