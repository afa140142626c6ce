import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { leaveMachine } from "../../src/adapters/fleet/machine-list.ts";
import type { Stuck } from "../../src/fleet/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { openLab } from "../cli/lab.ts";
import { must } from "../vcs/lab.ts";
import { joinAs, type Place, place, QUICK } from "./bench.ts";
import { given, until } from "./follow.ts";
import { openSite, times } from "./site.ts";
import { withEngine } from "./with-engine.ts";

const LONG = { patience: { ...QUICK, leaseMs: 60_000 } };

/** A coordinator, and what it heard at its last look at the hub. */
async function conduct({ url, pool }: Pick<Place, "url" | "pool">) {
  const client = openHub(url, `run:${pool}:me`);
  let heard: readonly Stuck[] = [];
  const fleet = await openHubFleet({ client, run: "r2", stuck: orders => (heard = orders) });
  return {
    fleet,
    async look() {
      await fleet.check();
      return heard.map(one => ({ ...one, ids: one.ids.toSorted() }));
    },
    drain: (machine: string, on: boolean) => leaveMachine(client, "drain", machine, on),
    close: () => client.close(),
  };
}

withEngine("orders that no machine takes", engine => {
  it("[HB30] are told with the machines that are drained, handed over before it or after, also by a hub that was started anew", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { ...LONG, slots: 1 });
    const { fleet, look, drain, close } = await conduct(there);
    must(await fleet.submit(given("wait", "w0/1")));
    await until(fleet, "line", 1, "w0/1");
    must(await fleet.submit(given("wait", "w1/1")));
    // It waits for a slot.
    expect(await look()).toEqual([]);
    await drain("m1", true);
    must(await fleet.submit(given("wait", "w2/1")));
    const drained = [{ drained: ["m1"], ids: ["w1/1", "w2/1"] }];
    expect(await look()).toEqual(drained);
    await there.restart();
    await expect.poll(() => fleet.machines(), { timeout: 10_000 }).toHaveLength(1);
    const first = until(fleet, "line", 1, "w1/1");
    const second = until(fleet, "closed", 1, "w2/1");
    await expect.poll(look, { timeout: 10_000 }).toEqual(drained);
    await drain("m1", false);
    expect(await look()).toEqual([]);
    await fleet.cancel("w0/1", "hard");
    await fleet.tell("w0/1", { type: "end" });
    await first;
    expect(script.messages).toEqual(["wait", "wait"]);
    await fleet.cancel("w2/1", "hard");
    await fleet.tell("w2/1", { type: "end" });
    await fleet.cancel("w1/1", "hard");
    await fleet.tell("w1/1", { type: "end" });
    await second;
    close();
    await there.dispose();
  });

  it("[HB30] doctor names a task that only drained machines could take, and none where no machine was heard", async () => {
    const { agent } = scriptedAgent("claude");
    const there = await place(engine(), [agent], LONG);
    const { drain, close } = await conduct(there);
    await using lab = openLab({ "TASKS.md": "# P\n## Phase 1: p\n### [ ] T1.1: a\n- agent: claude\n" });
    const env = { ESPALIER_HUB_TOKEN: `run:${there.pool}:me` };
    const doctor = async () => (await lab.cli(["doctor", "--on", there.url], { env })).stdout;
    const empty = { ESPALIER_HUB_TOKEN: `run:${there.pool}-empty:me` };
    const nobody = (await lab.cli(["doctor", "--on", there.url], { env: empty })).stdout;
    expect(nobody).toContain("no machine works for it");
    expect(nobody).not.toContain("drained");
    expect(await doctor()).not.toContain("no machine takes");
    await drain("m1", true);
    const told = await doctor();
    expect(told).toContain("no machine takes T1.1 now: those that could are drained (m1)");
    expect(told).toContain(`espalier worker drain m1 --off --hub ${there.url}`);
    close();
    await there.dispose();
  });

  it("[HB33] are told with the machines whose disks are full until they have room, and so does doctor", async () => {
    const { agent } = scriptedAgent("scripted");
    let hasRoom = false;
    const there = await place(engine(), [agent], { ...LONG, hasRoom: () => hasRoom });
    const { fleet, look, drain, close } = await conduct(there);
    must(await fleet.submit(given("first", "t1/1")));
    await expect.poll(look, { timeout: 10_000 }).toEqual([{ full: ["m1"], ids: ["t1/1"] }]);
    await using lab = openLab({ "TASKS.md": "# P\n## Phase 1: p\n### [ ] T1.1: a\n" });
    const env = { ESPALIER_HUB_TOKEN: `run:${there.pool}:me` };
    expect((await lab.cli(["doctor", "--on", there.url], { env })).stdout).toContain("its disk is full");
    expect((await lab.cli(["worker", "list", "--hub", there.url], { env })).stdout).toContain(
      "m1  disk full",
    );
    await drain("m1", true);
    expect(await look()).toEqual([{ drained: ["m1"], ids: ["t1/1"] }]);
    await drain("m1", false);
    hasRoom = true;
    await until(fleet, "line", 1, "t1/1");
    expect(await look()).toEqual([]);
    close();
    await there.dispose();
  });

  it("[HB30] go to a machine that takes work where the one with more room is drained", async () => {
    const [one, other] = [scriptedAgent("scripted"), scriptedAgent("scripted")];
    // Nobody comes for work by itself: who has it was handed it.
    const patience = { ...QUICK, beatMs: 60_000, leaseMs: 600_000 };
    const there = await place(engine(), [one.agent], { patience, slots: 8 });
    const { fleet, look, drain, close } = await conduct(there);
    await using _ = await joinAs(there, "m2", other.agent, { slots: 1 });
    await drain("m1", true);
    // Both wait for work by then.
    await pause(500);
    must(await fleet.submit(given("wait", "v1/1")));
    const pool = () => engine().call<{ queue: readonly string[] }>("EspalierPool", there.pool, "read");
    await expect.poll(pool, { timeout: 10_000 }).toMatchObject({ queue: [] });
    await until(fleet, "line", 1, "v1/1");
    must(await fleet.submit(given("wait", "v2/1")));
    // One of those that could take it takes work.
    expect(await look()).toEqual([]);
    expect([one.script.messages, other.script.messages]).toEqual([[], ["wait"]]);
    close();
    await there.dispose();
  });

  it("[HB30] are told where the machines that could take them are gone", async () => {
    const { agent } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { slots: 1 });
    const { fleet, look, close } = await conduct(there);
    await using _ = await joinAs(there, "m2", scriptedAgent("another").agent, { slots: 1 });
    must(await fleet.submit(given("wait", "u1/1")));
    await until(fleet, "line", 1, "u1/1");
    must(await fleet.submit(given("wait", "u2/1")));
    expect(await look()).toEqual([]);
    there.lose();
    await expect.poll(look, { timeout: 10_000 }).toEqual([{ ids: ["u2/1"], lacks: [] }]);
    close();
    await there.dispose();
  });

  it("[HB31] are over at once where they are cancelled, and stand in no queue", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], LONG);
    const { fleet, drain, close } = await conduct(there);
    await drain("m1", true);
    for (const [id, how] of [["s1/1", "soft"] as const, ["s2/1", "hard"] as const]) {
      must(await fleet.submit(given("no", id)));
      await fleet.cancel(id, how);
      await fleet.tell(id, { type: "end" });
      const reports = await until(fleet, "closed", 1, id);
      expect(reports.map(({ event }) => event.type)).toEqual(["refused", "closed"]);
    }
    const pool = () => engine().call<{ queue: readonly string[] }>("EspalierPool", there.pool, "read");
    await expect.poll(pool).toMatchObject({ queue: [] });
    await drain("m1", false);
    must(await fleet.submit(given("yes", "s3/1")));
    await until(fleet, "ended", 1, "s3/1");
    expect(script.messages).toEqual(["yes"]);
    close();
    await there.dispose();
  });

  it("[HO72] are told by the run with what to do, and its status says it until a machine takes them", async () => {
    await using site = await openSite(engine(), ["T1.1"]);
    site.release("work");
    site.release("proof");
    const client = openHub(site.url, `run:${site.pool}:me`);
    await leaveMachine(client, "drain", "m1", true);
    const run = site.start("run", "--yes");
    await expect.poll(run.said, { timeout: 30_000 }).toContain("MACHINES_DRAINED");
    expect(run.said()).toContain(`espalier worker drain m1 --off --hub ${site.url}`);
    const status = site.start("status");
    await status.ended;
    expect(status.said()).toContain("m1 is drained");
    await leaveMachine(client, "drain", "m1", false);
    client.close();
    expect(await run.ended).toBe(0);
    expect(times(run.said(), "MACHINES_DRAINED")).toBe(1);
    const after = site.start("task", "show", "T1.1");
    await after.ended;
    expect(after.said()).not.toContain("drained");
  });
});
