import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeyedEngine } from "../../src/hub/index.ts";
import { fleetConformance } from "../../src/testing/index.ts";
import { noEngine, place, QUICK, testEngine } from "./bench.ts";

/** A busy machine may be silent for longer than a quick lease lasts. */
const patience = { ...QUICK, leaseMs: 3_000 };

let engine: KeyedEngine;
beforeAll(async () => {
  if (noEngine === undefined) engine = await testEngine();
}, 60_000);
afterAll(() => engine?.close());

const cases = fleetConformance({ fleet: agents => place(engine, agents, { patience }) });

describe("the fleet behind a hub", () => {
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(noEngine !== undefined, noEngine);
    await expect(rule.run()).resolves.toBeUndefined();
  });
});
