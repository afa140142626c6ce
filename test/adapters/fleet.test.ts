import { describe, expect, it } from "vitest";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { fleetConformance } from "../../src/testing/index.ts";
import { order } from "../order.ts";

const cases = fleetConformance({
  fleet: agents => ({ fleet: createLocalFleet({ agents: new Map(agents.map(one => [one.name, one])) }) }),
  noLoss: "its one machine is this process",
});

describe("the fleet that is this process", () => {
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });

  it("[FL3] does not tell again what has arrived", async () => {
    const fleet = createLocalFleet({ agents: new Map() });
    const types = [];
    for await (const { event } of fleet.follow("tokenx/1", 3)) types.push(event.type);
    expect(types).toEqual(["lost"]);
    expect((await fleet.submit(order())).ok).toBe(false);
  });
});
