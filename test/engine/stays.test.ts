import { describe, expect, it } from "vitest";
import { openBench } from "./bench.ts";

const ONE = "### [ ] T1.1: Walls\n";
const RETRY = { type: "act", action: "retry", task: "T1.1", note: "", textHash: "" } as const;

describe("an engine that stays", () => {
  it("[E18] outlives the end of its run, so that a person can mend it, until a stop is asked for", async () => {
    using bench = openBench({ tasks: ONE, policy: { maxAttempts: 1 }, engine: { stays: true } });
    const end = bench.start();
    const one = await bench.puppets.next();
    one.say(`FAIL:${one.id}:broken`);
    await bench.event(event => event.type === "run-ended");
    expect(bench.stored("T1.1")).toBe("failed");
    expect(await bench.engine.send(RETRY)).toMatchObject({ refused: undefined });
    const two = await bench.puppets.next();
    two.say(`DONE:${two.id}`);
    await bench.event(event => event.type === "completed");
    await bench.engine.send({ type: "stop", by: "ann", how: "soft" });
    expect(await end).toMatchObject({ kind: "ended", outcome: "completed" });
    expect(await bench.engine.send(RETRY)).toBeUndefined();
  });

  it("[E18] leaves with the outcome of the run when it is stopped after its end", async () => {
    using bench = openBench({ tasks: ONE, policy: { maxAttempts: 1 }, engine: { stays: true } });
    const end = bench.start();
    const one = await bench.puppets.next();
    one.say(`FAIL:${one.id}:broken`);
    await bench.event(event => event.type === "run-ended");
    await bench.engine.send({ type: "stop", by: "SIGINT", how: "soft" });
    expect(await end).toMatchObject({ kind: "ended", outcome: "failed" });
  });
});
