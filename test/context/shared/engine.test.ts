import { describe, expect, it } from "vitest";
import type { Lead, LeadStep } from "../../../src/sync/index.ts";
import { openBench } from "../../engine/bench.ts";
import { FULL, ONE } from "../../engine/engine-fixtures.ts";
import { must, PAGE, phase, told } from "./lab.ts";

/** The teammates of the global context that are live. */
function live(lead: Lead | undefined): string[] {
  return [...(lead?.teammates.values() ?? [])].filter(mate => mate.live).map(mate => mate.id);
}

describe("the shared context of an engine", () => {
  it("[CK2] changes the context in the loop's order, durable before it resolves", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    const { shared } = bench.engine;
    const before = bench.changes.length;
    const [one, two] = await Promise.all([
      shared.act("GC", { type: "publish", text: PAGE, by: "a" }),
      shared.act("GC", { type: "publish", text: phase(1), by: "b" }),
    ]);
    expect(told(must(one), "published")[0]?.version).toBe(1);
    expect(told(must(two), "published")[0]?.version).toBe(2);
    // What arrived together shares one transaction.
    const changes = bench.changes.slice(before);
    expect(changes.map(({ context }) => context?.versions?.map(({ number }) => number))).toEqual([[1, 2]]);
    expect(changes[0]?.runId).not.toBe("");
    part.say(`DONE:${part.id}`);
    await end;
  });

  it("[CK1] lets no message leave before it is durable, and none that was refused", async () => {
    let refuse = false;
    using bench = openBench({ tasks: ONE, refuse: () => (refuse ? FULL : undefined) });
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    const { shared } = bench.engine;
    await shared.act("GC", { type: "publish", text: PAGE });
    const heard: number[] = [];
    shared.listen(part.request.token, ({ version }) => heard.push(version));
    refuse = true;
    const joined = shared.act("GC", { type: "join", teammate: "T1.1", session: part.request.token });
    await bench.event(event => event.type === "warning" && event.code === "STATE_NOT_WRITTEN");
    expect(heard).toEqual([]);
    refuse = false;
    await bench.clock.advance(30_000);
    must(await joined);
    expect(heard).toEqual([1]);
    part.say(`DONE:${part.id}`);
    await end;
  });

  it("[CK6] lets a teammate leave with the attempt it lives in, in the change that ends the attempt", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    const { shared } = bench.engine;
    await shared.act("GC", { type: "publish", text: PAGE });
    await shared.act("GC", { type: "join", teammate: "T1.1", session: part.request.token });
    await shared.act("GC", { type: "join", teammate: "guest", session: "cli", fetches: true });
    expect(live(must(shared.lead("GC")))).toEqual(["T1.1", "guest"]);
    part.say(`DONE:${part.id}`);
    await end;
    expect(live(must(shared.lead("GC")))).toEqual(["guest"]);
    const last = bench.changes.find(({ attempts }) => attempts?.some(({ outcome }) => outcome === "done"));
    expect(
      last?.context?.teammates?.map(({ teammate, record }) => [teammate, JSON.parse(record).live]),
    ).toEqual([["T1.1", false]]);
  });

  it("[CK5] wakes up when an acknowledgement is overdue", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    const { shared } = bench.engine;
    await shared.act("GC", { type: "publish", text: PAGE });
    await shared.act("GC", { type: "join", teammate: "T1.1", session: part.request.token });
    const heard: number[] = [];
    shared.listen(part.request.token, ({ serial }) => heard.push(serial));
    await bench.clock.advance(120_000);
    expect(heard).toEqual([2]);
    expect(must<Lead>(shared.lead("GC")).teammates.get("T1.1")?.stale).toBe(true);
    part.say(`DONE:${part.id}`);
    await end;
  });

  it("[CK1] answers nothing any more when the engine has left", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    part.say(`DONE:${part.id}`);
    await end;
    const late: { ok: boolean } = await bench.engine.shared.act("GC", { type: "publish", text: PAGE });
    expect(late).toMatchObject({ ok: false, failure: { kind: "closed" } });
  });

  it("[CK2] decides works only when their turn comes, so that both see what is current", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    const { shared, ledger } = bench.engine;
    const steps: LeadStep[] = [];
    const early = must<Parameters<typeof ledger.commit>[0]>(
      shared.work("GC", { type: "publish", text: PAGE }, step => steps.push(step)),
    );
    await shared.act("GC", { type: "publish", text: phase(1) });
    expect(await ledger.commit(early)).toBe(true);
    expect(told(steps[0]!, "published")[0]?.version).toBe(2);
    expect(await ledger.commit(() => undefined)).toBe(true);
    part.say(`DONE:${part.id}`);
    await end;
  });
});
