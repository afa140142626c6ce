import { describe, expect, it } from "vitest";
import { STOPS } from "../torture/stops/signals.ts";
import { STATES } from "../torture/stops/states.ts";
import { tryStop } from "../torture/stops/try-stop.ts";
import "./lab.ts";

/** Each state with one way to stop it; all pairs are tried by `npm run torture -- --only stops`. */
const PAIRS = STATES.map(
  (state, at) => [state.name, STOPS[at % STOPS.length]!.name, state, STOPS[at % STOPS.length]!] as const,
);

describe("whatever a run is at", { timeout: 120_000 }, () => {
  it.each(PAIRS)("[E72] %s: %s ends it, counts no attempt and leaves nothing", async (_, __, state, stop) => {
    expect((await tryStop(state, stop)).broken).toEqual([]);
  });
});
