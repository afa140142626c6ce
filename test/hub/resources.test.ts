import { expect, it } from "vitest";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { joinAs, place, QUICK } from "./bench.ts";
import { given, until, whyLost } from "./follow.ts";
import { withEngine } from "./with-engine.ts";

const LONG = { patience: { ...QUICK, leaseMs: 60_000 } };

withEngine("named resources of machines", engine => {
  const using = (message: string, name: string, ...uses: string[]) => ({ ...given(message, name), uses });

  it("[HB23] no more orders use one at once than its machine offers, and the next begins as soon as one is free", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { ...LONG, resources: { gpu: 2, "a b=ü": 1 } });
    const heard: unknown[] = [];
    const client = openHub(there.url, `run:${there.pool}:me`);
    const fleet = await openHubFleet({
      client,
      run: "r2",
      waits: (order, resource, machines) => heard.push([order.id, resource, machines]),
    });
    for (const name of ["x1/1", "x2/1"]) {
      await fleet.submit(using("wait", name, "gpu"));
      await until(fleet, "line", 1, name);
    }
    await fleet.submit(using("wait", "x3/1", "a b=ü", "gpu"));
    expect(heard).toEqual([["x3/1", "gpu", ["m1"]]]);
    // There is a slot left for what uses nothing.
    await fleet.submit(given("free", "x4/1"));
    await fleet.tell("x4/1", { type: "end" });
    await until(fleet, "closed", 1, "x4/1");
    expect(script.messages).toEqual(["wait", "wait", "free"]);
    const used = { gpu: { offers: 2, taken: 2 }, "a b=ü": { offers: 1, taken: 0 } };
    expect((await fleet.machines())[0]?.resources).toEqual(used);
    await fleet.check();
    expect([fleet.offers("gpu"), fleet.offers("constructor")]).toEqual([2, 0]);
    // A hub that takes its place knows it, too.
    await there.restart();
    await expect.poll(async () => (await fleet.machines())[0]?.resources).toEqual(used);
    expect(script.messages).toEqual(["wait", "wait", "free"]);
    await fleet.cancel("x1/1", "hard");
    await fleet.tell("x1/1", { type: "end" });
    await until(fleet, "line", 1, "x3/1");
    expect(script.messages).toEqual(["wait", "wait", "free", "wait"]);
    client.close();
    await there.dispose();
  });

  it("[HB23] what nobody offers is refused with its name; what the run counts itself is matched only where it is offered", async () => {
    const { agent } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { ...LONG, resources: { gpu: 1 } });
    const client = openHub(there.url, `run:${there.pool}:me`);
    const fleet = await openHubFleet({ client, run: "r2", counts: name => name !== "tpu" });
    const lacks = ["tpu", "constructor"];
    const none = await fleet.submit(using("no", "y1/1", "gpu", ...lacks));
    expect(none).toMatchObject({ failure: { kind: "no-machine", lacks: ["tpu"] } });
    await fleet.submit(using("wait", "y2/1", "db", "gpu"));
    await until(fleet, "line", 1, "y2/1");
    expect((await fleet.machines())[0]?.resources).toEqual({ gpu: { offers: 1, taken: 1 } });
    client.close();
    await there.dispose();
  });

  it("[HB23] one that a machine had in use is free again when that was started anew, and goes to the machine that has it", async () => {
    const [one, other] = [scriptedAgent("scripted"), scriptedAgent("scripted")];
    const there = await place(engine(), [one.agent], LONG);
    const { fleet } = there;
    const start = (agent: typeof one.agent) =>
      joinAs(there, "m2", agent, { slots: 4, resources: { gpu: 1 } });
    const displaced = await start(other.agent);
    await fleet.submit(using("wait", "z1/1", "gpu"));
    const begun = await until(fleet, "line", 1, "z1/1");
    await fleet.submit(using("wait", "z2/1", "gpu"));
    const third = scriptedAgent("scripted");
    const again = await start(third.agent);
    expect(whyLost(await until(fleet, "lost", begun.length + 1, "z1/1"))).toContain("started anew");
    await until(fleet, "line", 1, "z2/1");
    expect([one.script.messages, other.script.messages, third.script.messages]).toEqual([
      [],
      ["wait"],
      ["wait"],
    ]);
    for (const machine of [displaced, again]) await machine[Symbol.asyncDispose]();
    await there.dispose();
  });
});
