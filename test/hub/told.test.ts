import { expect, it } from "vitest";
import { z } from "zod";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import {
  helloShape,
  receivedShape,
  reportsShape,
  syncShape,
  tasksShape,
  WIRE,
} from "../../src/fleet/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { must } from "../vcs/lab.ts";
import { place } from "./bench.ts";
import { given, ID, until, whyLost } from "./follow.ts";
import { withEngine } from "./with-engine.ts";

withEngine("what machines and runs are told", engine => {
  it("[HB19] a machine that may not work any more is given up at once", async () => {
    const { agent } = scriptedAgent("scripted");
    const allowed = new Set(["m1"]);
    const there = await place(engine(), [agent], { lets: (_, machine) => allowed.has(machine) });
    must(await there.fleet.submit(given("wait")));
    const heard = await until(there.fleet, "line");
    allowed.clear();
    expect(whyLost(await until(there.fleet, "lost", heard.length + 1))).toBe(
      "the token of machine m1 was taken back, or has expired",
    );
    await there.dispose();
  });

  it("[HB18] tells a machine what the run says to a call, again until it is heard", async () => {
    const there = await place(engine(), []);
    const machine = openHub(there.url, `machine:${there.pool}:m2`);
    const agents = [{ name: "scripted", reports: "signal" }] as const;
    const hello = { wire: WIRE, boot: "b", slots: 1, agents: [...agents], labels: [] };
    expect((await machine.ask("hello", helloShape, hello, z.unknown())).ok).toBe(true);
    must(await there.fleet.submit(given("wait")));
    const beat = async (free: number, ...calls: readonly number[][]) => {
      const holds = calls.map(waiting => ({ id: ID, heard: 0, calls: waiting }));
      return must(await machine.ask("sync", syncShape, { boot: "b", free, holds, wait: 5000 }, tasksShape));
    };
    expect((await beat(1)).orders).toHaveLength(1);
    const call = { type: "call", call: 1, op: "get", text: '{"op":"get"}' } as const;
    const reports = [
      { version: 1, seq: 1, event: { type: "opened", machine: "m2" } },
      { version: 1, seq: 2, event: call },
    ] as const;
    must(await machine.ask("reports", reportsShape, { boot: "b", id: ID, reports }, receivedShape));
    expect((await until(there.fleet, "call")).at(-1)?.event).toEqual(call);
    // Its machine is waiting for news.
    const waiting = beat(0, []);
    await there.fleet.tell(ID, { type: "reply", call: 1, text: "here" });
    const reply = { id: ID, call: 1, text: "here" };
    expect((await waiting).replies).toEqual([reply]);
    // That was not heard.
    expect((await beat(0, [1])).replies).toEqual([reply]);
    await there.fleet.tell(ID, { type: "end" });
    expect(await beat(0, [])).toMatchObject({ replies: [], told: [{ messages: [{ type: "end" }] }] });
    machine.close();
    await there.dispose();
  });
});
