import { expect, it } from "vitest";
import { z } from "zod";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { leaveMachine } from "../../src/adapters/fleet/machine-list.ts";
import { leaveShape } from "../../src/fleet/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import type { Bench } from "../../src/worker/index.ts";
import { must } from "../vcs/lab.ts";
import { joinAs, PLAIN, place, QUICK } from "./bench.ts";
import { given, ID, until, whyLost } from "./follow.ts";
import { withEngine } from "./with-engine.ts";

/** Nobody is missed in these tests: what is known of a machine was said. */
const LONG = { patience: { ...QUICK, leaseMs: 600_000 } };

withEngine("a machine that is stopped", engine => {
  it("[HB32] is gone at once, and others have what it was ended in the middle of", async () => {
    const there = await place(engine(), [scriptedAgent("scripted").agent], LONG);
    const { fleet, worker } = there;
    must(await fleet.submit(given("wait")));
    const before = await until(fleet, "line");
    const other = scriptedAgent("scripted");
    await using _ = await joinAs(there, "m2", other.agent, { slots: 1 });
    worker.stop("hard");
    await worker.ended;
    expect(whyLost(await until(fleet, "lost", before.length + 1))).toContain("machine m1 was stopped");
    expect((await fleet.machines()).map(({ name }) => name)).toEqual(["m2"]);
    must(await fleet.submit(given("first", "tokeny/1")));
    await until(fleet, "line", 1, "tokeny/1");
    expect(other.script.messages).toEqual(["first"]);
    await there.dispose();
  });

  it.each(["soft", "hard"] as const)(
    "[WK6] that had nothing to do begins nothing more after a %s stop, and does not wait for a beat",
    async how => {
      const { agent, script } = scriptedAgent("scripted");
      const there = await place(engine(), [agent], LONG);
      const { fleet, worker } = there;
      // It asks for work now, and is answered once there is some.
      await expect.poll(async () => (await fleet.machines()).length).toBe(1);
      worker.stop(how);
      must(await fleet.submit(given("first")));
      await worker.ended;
      expect(script.messages).toEqual([]);
      expect(await fleet.machines()).toEqual([]);
      const other = scriptedAgent("scripted");
      await using _ = await joinAs(there, "m2", other.agent, { slots: 1 });
      await expect.poll(() => other.script.messages.length + script.messages.length).toBeGreaterThan(0);
      expect(script.messages).toEqual([]);
      await there.dispose();
    },
  );

  it.each(["soft", "hard"] as const)(
    "[WK18] has no folder of what was handed in, and keeps nothing of it, after a %s stop",
    async how => {
      const told: string[] = [];
      const bench: Bench = {
        ...PLAIN,
        keep: async ({ id }) => void told.push(`kept ${id}`),
        leave: async ({ id }) => void told.push(`left ${id}`),
      };
      const there = await place(engine(), [scriptedAgent("scripted").agent], { ...LONG, bench });
      const { fleet, worker, pool } = there;
      must(await fleet.submit(given("first")));
      await fleet.tell(ID, { type: "end" });
      // Its coordinator has not read the end of it.
      const order = () => engine().call<{ life: unknown }>("EspalierOrder", `${pool}/${ID}`, "read");
      await expect.poll(order).toMatchObject({ life: { at: "closed" } });
      worker.stop(how);
      await worker.ended;
      expect(told).toEqual([`left ${ID}`]);
      await until(fleet, "closed");
      await there.dispose();
    },
  );

  it("[HB32] leaves nothing of a newer start of the same machine undone, and stays drained", async () => {
    const there = await place(engine(), [scriptedAgent("scripted").agent], LONG);
    const { fleet, worker, pool, url } = there;
    const machine = openHub(url, `machine:${pool}:m1`);
    must(await machine.ask("leave", leaveShape, { boot: "of-before" }, z.null()));
    must(await fleet.submit(given("first")));
    await until(fleet, "line");
    const run = openHub(url, `run:${pool}:me`);
    await leaveMachine(run, "drain", "m1", true);
    worker.stop("soft");
    await fleet.tell("tokenx/1", { type: "end" });
    await worker.ended;
    expect(await fleet.machines()).toEqual([]);
    const again = await there.startAgain();
    must(await fleet.submit(given("first", "tokeny/1")));
    const queue = () => engine().call<{ queue: readonly string[] }>("EspalierPool", pool, "read");
    expect((await queue()).queue).toHaveLength(1);
    await leaveMachine(run, "drain", "m1", false);
    await until(fleet, "line", 1, "tokeny/1");
    again.stop("hard");
    await again.ended;
    machine.close();
    run.close();
    await there.dispose();
  });
});
