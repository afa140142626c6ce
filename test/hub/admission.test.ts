import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { createHub, type KeyedEngine } from "../../src/hub/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { place, QUICK } from "./bench.ts";
import { given, until, whyLost } from "./follow.ts";
import { withEngine } from "./with-engine.ts";

interface Pool {
  readonly queue: readonly string[];
  readonly machines: Readonly<Record<string, { readonly holds: readonly string[] }>>;
}

/** The engine, and what was called of it. */
function counted(engine: KeyedEngine) {
  const calls: string[] = [];
  const call: KeyedEngine["call"] = (object, key, handler, ...rest) => {
    calls.push(handler);
    return engine.call(object, key, handler, ...rest);
  };
  return { calls, engine: { ...engine, call } };
}

withEngine("an order that is handed over", engine => {
  it("[HB20] is a waiting machine's at once, for three calls of the engine, and is cleared up after", async () => {
    const { agent } = scriptedAgent("scripted");
    const { calls, engine: core } = counted(engine());
    const there = await place(core, [agent], { patience: { ...QUICK, beatMs: 2000 } });
    // Its first question has to wait.
    await pause(200);
    calls.length = 0;
    await there.fleet.submit(given("first"));
    await there.fleet.tell("tokenx/1", { type: "end" });
    await until(there.fleet, "closed");
    expect(calls.filter(one => one !== "heard" && one !== "settle")).toEqual(["admit", "say", "finish"]);
    const pool = () => core.call<Pool>("EspalierPool", there.pool, "read");
    await expect.poll(async () => (await pool()).machines["m1"]?.holds, { timeout: 10_000 }).toEqual([]);
    expect((await pool()).queue).toEqual([]);
    expect(await there.fleet.machines()).toMatchObject([{ name: "m1", holds: [] }]);
    await there.dispose();
  });

  it("[HB20] is no machine's that waits for as many already, however long their admission takes", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const core = engine();
    const goOn = Promise.withResolvers<void>();
    let admissions = 0;
    const call: KeyedEngine["call"] = async (object, key, handler, ...rest) => {
      if (handler === "admit" && ++admissions === 2) await goOn.promise;
      return core.call<never>(object, key, handler, ...rest);
    };
    const patience = { ...QUICK, beatMs: 1000, leaseMs: 60_000 };
    const there = await place({ ...core, call }, [agent], { slots: 2, patience });
    // Its first question has to wait.
    await pause(200);
    const both = [there.fleet.submit(given("wait", "a/1")), there.fleet.submit(given("wait", "b/1"))];
    await both[0];
    // The first one has begun, and its machine asks for more.
    await expect.poll(() => script.requests.length).toBe(1);
    await pause(200);
    const third = there.fleet.submit(given("wait", "c/1"));
    await third;
    goOn.resolve();
    expect((await Promise.all([...both, third])).map(({ ok }) => ok)).toEqual([true, true, true]);
    await pause(500);
    expect(script.requests).toHaveLength(2);
    const { queue, machines } = await core.call<Pool>("EspalierPool", there.pool, "read");
    expect([queue, machines["m1"]?.holds.length]).toEqual([[`scripted\n${there.pool}/c/1`], 2]);
    await there.dispose();
  });

  it("[HB20] waits where the machine that waits for work is drained, and comes to it when it is not any more", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { patience: { ...QUICK, beatMs: 300 } });
    const hub = createHub(engine(), QUICK);
    await hub.drain(there.pool, "m1", true);
    await pause(200);
    await there.fleet.submit(given("later"));
    await pause(500);
    expect(script.messages).toEqual([]);
    expect((await engine().call<Pool>("EspalierPool", there.pool, "read")).queue).toHaveLength(1);
    await hub.drain(there.pool, "m1", false);
    await there.fleet.tell("tokenx/1", { type: "end" });
    await until(there.fleet, "closed");
    expect(script.messages).toEqual(["later"]);
    hub.close();
    await there.dispose();
  });

  it("[HB20] is lost where its machine was started anew before it was told, and begins again elsewhere", async () => {
    const { agent } = scriptedAgent("scripted");
    const core = engine();
    const admitting = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let isSlow = true;
    const call: KeyedEngine["call"] = async (object, key, handler, ...rest) => {
      const answer = await core.call<never>(object, key, handler, ...rest);
      if (handler === "admit" && isSlow) {
        isSlow = false;
        admitting.resolve();
        await goOn.promise;
      }
      return answer;
    };
    const there = await place({ ...core, call }, [agent], {
      patience: { ...QUICK, beatMs: 2000, leaseMs: 60_000 },
    });
    await pause(200);
    const submitted = there.fleet.submit(given("first"));
    await admitting.promise;
    const second = scriptedAgent("scripted");
    await there.startAgain([second.agent]);
    goOn.resolve();
    expect((await submitted).ok).toBe(true);
    expect(whyLost(await until(there.fleet, "lost"))).toContain("started anew");
    await there.fleet.submit(given("again", "tokeny/1"));
    await there.fleet.tell("tokeny/1", { type: "end" });
    await until(there.fleet, "closed", 1, "tokeny/1");
    expect(second.script.messages).toEqual(["again"]);
    there.worker.ended.catch(() => {});
    await there.dispose();
  });

  it("[HB20] is heard of by its machine where the hub dies between its admission and that", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { patience: { ...QUICK, leaseMs: 60_000 } });
    await pause(200);
    const core = engine();
    // What a hub that dies then has done.
    const client = openHub(there.url, `run:${there.pool}:me`);
    const fleet = await openHubFleet({ client, run: "r9" });
    const known = await core.call<{ machines: Record<string, { boot: string }> }>(
      "EspalierPool",
      there.pool,
      "read",
    );
    const to = { machine: "m1", boot: known.machines["m1"]!.boot };
    const order = given("first");
    const submission = { epoch: fleet.epoch, pool: there.pool, key: `${there.pool}/${order.id}`, order, to };
    expect(await core.call("EspalierRun", `${there.pool}/r9`, "admit", submission)).toMatchObject({
      isHeld: true,
    });
    await there.restart();
    // Its coordinator hands it over again: it was not answered.
    expect((await fleet.submit(order)).ok).toBe(true);
    await fleet.tell(order.id, { type: "end" });
    await until(fleet, "closed");
    expect(script.messages).toEqual(["first"]);
    client.close();
    await there.dispose();
  });
});
