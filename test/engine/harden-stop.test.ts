import { describe, expect, it } from "vitest";
import { hardenStop } from "../../src/engine/index.ts";
import { openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";

describe("a run that is stopped", () => {
  it("[E82] ends by force after three seconds what does not leave by itself", async () => {
    using bench = openBench({ tasks: ONE, puppets: { stubborn: true } });
    hardenStop(bench.engine, bench.clock);
    const end = bench.start();
    const part = await bench.puppets.next();
    await bench.engine.send({ type: "stop", by: "SIGTERM", how: "soft" });
    expect(await part.cancelled).toBe("soft");
    await bench.clock.advance(2999);
    expect(part.over).toBe(false);
    await bench.clock.advance(2);
    // Only what is told to end by force does.
    expect(part.over).toBe(true);
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(bench.run.byId.get("T1.1")).toMatchObject({ status: "ready", retries: 0 });
  });

  it("[E82] is left alone once it has ended", async () => {
    using bench = openBench({ tasks: ONE });
    const soften = hardenStop(bench.engine, bench.clock);
    const end = bench.start();
    await bench.puppets.next();
    await bench.engine.send({ type: "stop", by: "SIGTERM", how: "soft" });
    expect(await end).toMatchObject({ outcome: "interrupted" });
    soften();
    await bench.clock.advance(10_000);
    expect(bench.events.filter(({ type }) => type === "stopping")).toHaveLength(1);
  });
});
