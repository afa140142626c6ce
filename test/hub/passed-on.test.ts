import { expect, it } from "vitest";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { leaveMachine } from "../../src/adapters/fleet/machine-list.ts";
import { type Agent, because, fail, type MachineRefusal } from "../../src/ports/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { reasonText } from "../../src/text/index.ts";
import type { Bench } from "../../src/worker/index.ts";
import { must } from "../vcs/lab.ts";
import { joinAs, PLAIN, type Place, place, QUICK } from "./bench.ts";
import { given, until } from "./follow.ts";
import { withEngine } from "./with-engine.ts";

const LONG = { patience: { ...QUICK, leaseMs: 60_000 } };

/** A bench that lets nothing be worked on, and what it was asked. */
function refusing(refusal: MachineRefusal = { said: "no compiler", how: "setup", of: "make" }) {
  const asked: string[] = [];
  const bench: Bench = {
    ...PLAIN,
    async open({ id }) {
      asked.push(id);
      const reason = because("machine-refuses", refusal);
      return fail({ kind: "unsuitable", message: refusal.said, reason, retryable: true });
    },
  };
  return { asked, bench };
}

/** Another machine of a pool. */
const join = (there: Place, machine: string, agent: Agent, bench = PLAIN, slots = 1) =>
  joinAs(there, machine, agent, { slots, bench, resources: { gpu: 1 } });

/** An order that the first machine has before any other. */
const first = (message: string, id: string) => ({ ...given(message, id), prefers: "m1" });

/** The failure of an order that was refused. */
async function refusalOf({ fleet }: Place, id: string) {
  const event = (await until(fleet, "refused", 1, id)).at(-1)?.event;
  if (event?.type !== "refused") throw new Error("it was not refused");
  return event.failure;
}

withEngine("what a machine refuses", engine => {
  it("[HB29] goes to another machine, which is waited for, also by a hub that was started anew", async () => {
    const [one, other] = [scriptedAgent("scripted"), scriptedAgent("scripted")];
    const { asked, bench } = refusing();
    const there = await place(engine(), [one.agent], { ...LONG, slots: 8, bench, resources: { gpu: 8 } });
    const { fleet } = there;
    await using _ = await join(there, "m2", other.agent);
    must(await fleet.submit({ ...first("wait", "b1/1"), uses: ["gpu"] }));
    const heard = await until(fleet, "line", 1, "b1/1");
    expect(heard[0]).toMatchObject({ seq: 1, event: { type: "opened", machine: "m2" } });
    expect(asked).toEqual(["b1/1"]);
    const [m1] = await fleet.machines();
    expect(m1).toMatchObject({ name: "m1", holds: [], resources: { gpu: { taken: 0 } } });
    must(await fleet.submit({ ...first("later", "b2/1"), uses: ["gpu"] }));
    await expect.poll(() => asked, { timeout: 10_000 }).toEqual(["b1/1", "b2/1"]);
    await there.restart();
    await expect.poll(() => fleet.machines(), { timeout: 10_000 }).toHaveLength(2);
    await fleet.cancel("b1/1", "hard");
    await fleet.tell("b1/1", { type: "end" });
    await until(fleet, "ended", 1, "b2/1");
    expect([one.script.messages, other.script.messages]).toEqual([[], ["wait", "later"]]);
    expect(asked).toEqual(["b1/1", "b2/1"]);
    await there.dispose();
  });

  it("[HB29] is told with the machines that have refused it where none is left that takes work", async () => {
    const { agent } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { ...LONG, slots: 8, bench: refusing().bench });
    await using _ = await join(there, "m2", agent, refusing({ said: "no room" }).bench);
    must(await there.fleet.submit(first("no", "c1/1")));
    const { reason } = await refusalOf(there, "c1/1");
    expect(reasonText(reason!, "en")).toBe("machine m2 does not work on it: no room (nor did m1)");
    expect(reasonText(reason!, "ko")).toBe("머신 m2가 작업을 받지 않음: no room (먼저 받지 않은 머신: m1)");
    const client = openHub(there.url, `run:${there.pool}:me`);
    await leaveMachine(client, "drain", "m2", true);
    client.close();
    must(await there.fleet.submit(first("no", "c2/1")));
    expect((await refusalOf(there, "c2/1")).reason).toMatchObject({ args: { machine: "m1", how: "setup" } });
    await there.dispose();
  });

  it("[HB29] goes to four machines at most, and to none where it is the order's own fault", async () => {
    const { agent } = scriptedAgent("scripted");
    const all = [refusing(), refusing(), refusing(), refusing(), refusing()];
    const there = await place(engine(), [agent], { ...LONG, bench: all[0]!.bench });
    await using others = new AsyncDisposableStack();
    for (const [at, { bench }] of all.slice(1).entries())
      others.use(await join(there, `m${at + 2}`, agent, bench));
    must(await there.fleet.submit(first("no", "d1/1")));
    expect((await refusalOf(there, "d1/1")).reason?.args).toHaveProperty("others.length", 3);
    expect(all.flatMap(({ asked }) => asked)).toHaveLength(4);
    await there.dispose();
  });

  it("[HB29] is not what comes without a repository: no machine takes that", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const bare = refusing({ said: "it comes without a repository", how: "bare" });
    const there = await place(engine(), [agent], { ...LONG, slots: 8, bench: bare.bench });
    await using _ = await join(there, "m2", agent);
    must(await there.fleet.submit(first("no", "e1/1")));
    expect((await refusalOf(there, "e1/1")).reason).toMatchObject({ args: { how: "bare", machine: "m1" } });
    expect(script.messages).toEqual([]);
    await there.dispose();
  });

  it("[HB29] comes back to a machine that was started anew", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const wrong = refusing();
    let isRight = false;
    const bench: Bench = { ...PLAIN, open: order => (isRight ? PLAIN : wrong.bench).open(order) };
    const there = await place(engine(), [agent], { ...LONG, slots: 8, bench });
    const busy = scriptedAgent("scripted");
    await using _ = await join(there, "m2", busy.agent);
    const onSecond = { ...given("wait", "f1/1"), labels: ["m2"] };
    must(await there.fleet.submit(onSecond));
    await until(there.fleet, "line", 1, "f1/1");
    must(await there.fleet.submit(first("again", "f2/1")));
    await expect.poll(() => wrong.asked, { timeout: 10_000 }).toEqual(["f2/1"]);
    // It is given up by that start before there is another one.
    const held = async () => (await there.fleet.machines()).find(({ name }) => name === "m1");
    await expect.poll(held, { timeout: 10_000 }).toMatchObject({ holds: [] });
    isRight = true;
    await there.startAgain();
    await until(there.fleet, "ended", 1, "f2/1");
    expect([script.messages, busy.script.messages]).toEqual([["again"], ["wait"]]);
    await there.dispose();
  });

  it("[HB29] is what its agent cannot be opened for there, too, whatever that has written before", async () => {
    const failing: Agent = {
      ...scriptedAgent("scripted").agent,
      async open({ log }) {
        log("stderr", Buffer.from("please log in\n"));
        return fail({ kind: "auth", message: "nobody is logged in", retryable: false });
      },
    };
    const other = scriptedAgent("scripted");
    const there = await place(engine(), [failing], { ...LONG, slots: 8 });
    must(await there.fleet.submit(first("no", "g1/1")));
    const heard = await until(there.fleet, "closed", 1, "g1/1");
    expect(heard.map(({ event }) => event.type)).toEqual(["refused", "output", "closed"]);
    await using _ = await join(there, "m2", other.agent);
    must(await there.fleet.submit(first("yes", "g2/1")));
    const [opened] = await until(there.fleet, "ended", 1, "g2/1");
    expect(opened?.event).toEqual({ type: "opened", machine: "m2" });
    expect(other.script.messages).toEqual(["yes"]);
    await there.dispose();
  });
});
