import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createShellAgent } from "../../src/adapters/agent/index.ts";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { fleetConformance } from "../../src/testing/index.ts";
import { LIMITS, order } from "../order.ts";
import { scratchFolder } from "../scratch.ts";

const cases = fleetConformance({
  fleet: agents => ({ fleet: createLocalFleet({ agents: new Map(agents.map(one => [one.name, one])) }) }),
  noLoss: "its one machine is this process",
});

describe("the fleet that is this process", () => {
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });

  it("[FL15] keeps little of an agent that nobody listens to, and everything but lines", async () => {
    const script =
      'i=0; while [ $i -lt 40000 ]; do echo "line $i of a flood that nobody reads"; i=$((i+1)); done; echo end > done';
    const folder = scratchFolder("espalier-fleet-");
    const limits = { ...LIMITS, logBytes: 1000 };
    const shell = createShellAgent({ path: process.env["PATH"] });
    const fleet = createLocalFleet({ agents: new Map([["shell", shell]]) });
    await fleet.submit(order({ agent: "shell", script, cwd: folder, limits }));
    await vi.waitFor(() => expect(existsSync(join(folder, "done"))).toBe(true), { timeout: 60_000 });
    await fleet.tell("tokenx/1", { type: "end" });
    const waited = [];
    for await (const { event } of fleet.follow("tokenx/1", 1)) waited.push(event);
    const lines = waited.filter(({ type }) => type === "line");
    expect(lines.length).toBeLessThan(30_000);
    expect(JSON.stringify(lines)).toContain("[espalier] … ");
    expect(waited.at(-2)).toMatchObject({ type: "ended", end: { kind: "completed", exitCode: 0 } });
    rmSync(folder, { recursive: true });
  }, 120_000);

  it("[FL3] does not tell again what has arrived", async () => {
    const fleet = createLocalFleet({ agents: new Map() });
    const types = [];
    for await (const { event } of fleet.follow("tokenx/1", 3)) types.push(event.type);
    expect(types).toEqual(["lost"]);
    expect((await fleet.submit(order())).ok).toBe(false);
  });
});
