import { expect, it } from "vitest";
import { fleetConformance } from "../../src/testing/index.ts";
import { place, QUICK } from "./bench.ts";
import { withEngine } from "./with-engine.ts";

/** A busy machine may be silent for longer than a quick lease lasts. */
const patience = { ...QUICK, leaseMs: 3_000 };

withEngine("the fleet behind a hub", engine => {
  const cases = fleetConformance({ fleet: agents => place(engine(), agents, { patience }) });
  it.for(cases)("$name", rule => expect(rule.run()).resolves.toBeUndefined());
});
