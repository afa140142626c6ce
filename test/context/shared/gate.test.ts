import { describe, expect, it } from "vitest";
import { createGateWait } from "../../../src/context/shared/gate-wait.ts";
import { type Lead, type LeadStep, readWords, type SyncEvent } from "../../../src/sync/index.ts";
import { quiet } from "../../engine/manual-clock.ts";
import { ackLine, type Lab, lab, must, PAGE, phase } from "./lab.ts";

const lead = (at: Lab, label = "GC"): Lead => must(at.shared.lead(label));
const TWO_MINUTES = 120_000;

/** A document at its first version, and a teammate that holds it where `acks` says so. */
async function shared(at: Lab, label = "GC", acks = true): Promise<void> {
  must(await at.shared.act(label, { type: "publish", text: PAGE }));
  must(await at.shared.act(label, { type: "join", teammate: "back", session: "s-back", proof: "word" }));
  if (acks) await answer(at, 1, label);
}

async function answer(at: Lab, version: number, label = "GC"): Promise<void> {
  const words = readWords(ackLine(version, version === 1 ? "0/0" : "1/1").replace("GC-", `${label}-`));
  must(await at.shared.hear(words, { teammate: "back", session: "s-back" }));
}

/** Makes a piece of work durable, as a ledger does. */
function settle(at: Lab, work: (now: number) => { settled?: () => void } | undefined): void {
  work(at.now)?.settled?.();
}

/** What became of a promise so far. */
async function stateOf<T>(promise: Promise<T>): Promise<T | "waits"> {
  await quiet();
  return Promise.race([promise, Promise.resolve("waits" as const)]);
}

describe("a freeze of the shared context", () => {
  it("[CK11] is over at once where everyone holds what is current, and names nobody", async () => {
    const at = lab();
    await shared(at);
    const waits: string[] = [];
    expect(await at.shared.freeze("phase 1", { waits: names => waits.push(...names) })).toEqual([]);
    expect(waits).toEqual([]);
    expect(lead(at).gate).toMatchObject({ id: "phase 1", version: 1, judging: true });
  });

  it("[CK11] waits for who lacks a version, and goes on with its acknowledgement", async () => {
    const at = lab();
    await shared(at, "GC", false);
    const waits: string[] = [];
    const frozen = at.shared.freeze("phase 1", { waits: names => waits.push(...names) });
    expect(await stateOf(frozen)).toBe("waits");
    expect(waits).toEqual(["back"]);
    await answer(at, 1);
    expect(await stateOf(frozen)).toEqual([]);
  });

  it("[CK11] waits no longer than an acknowledgement may take, and names who is behind", async () => {
    const at = lab();
    await shared(at, "GC", false);
    const frozen = at.shared.freeze("phase 1");
    at.now += TWO_MINUTES - 1;
    settle(at, at.shared.tick);
    expect(await stateOf(frozen)).toBe("waits");
    at.now += 1;
    settle(at, at.shared.tick);
    expect(await stateOf(frozen)).toEqual(["back"]);
    expect(lead(at).teammates.get("back")?.stale).toBe(true);
  });

  it("[CK11] does not wait for who has left, and ends when the last one that is waited for leaves", async () => {
    const at = lab();
    await shared(at, "GC", false);
    const frozen = at.shared.freeze("phase 1");
    expect(await stateOf(frozen)).toBe("waits");
    must(await at.shared.act("GC", { type: "leave", teammate: "back" }));
    expect(await stateOf(frozen)).toEqual([]);
    settle(at, at.shared.unfreeze);
    expect(await stateOf(at.shared.freeze("phase 2"))).toEqual([]);
    expect(lead(at).gate).toBeUndefined();
  });

  it("[CK11] waits for every document that somebody holds, and leaves the others alone", async () => {
    const at = lab();
    await shared(at, "GC", false);
    await shared(at, "API", false);
    must(await at.shared.act("LONE", { type: "publish", text: PAGE }));
    const frozen = at.shared.freeze("phase 1");
    await answer(at, 1);
    expect(await stateOf(frozen)).toBe("waits");
    await answer(at, 1, "API");
    expect(await stateOf(frozen)).toEqual([]);
    expect(lead(at, "LONE").gate).toBeUndefined();
    settle(at, at.shared.unfreeze);
    expect([lead(at).gate, lead(at, "API").gate]).toEqual([undefined, undefined]);
  });

  it("[CK11] finds the holders of documents that this process has not looked at yet", async () => {
    const at = lab();
    await shared(at, "GC", false);
    at.restart();
    const frozen = at.shared.freeze("phase 1");
    expect(await stateOf(frozen)).toBe("waits");
    await answer(at, 1);
    expect(await stateOf(frozen)).toEqual([]);
  });

  it("[CK11] ends early when there is hurry, before and while it waits", async () => {
    const at = lab();
    await shared(at, "GC", false);
    const stop = new AbortController();
    const frozen = at.shared.freeze("phase 1", { hurry: stop.signal });
    expect(await stateOf(frozen)).toBe("waits");
    stop.abort();
    expect(await stateOf(frozen)).toEqual([]);
    settle(at, at.shared.unfreeze);
    expect(await stateOf(at.shared.freeze("phase 1", { hurry: stop.signal }))).toEqual([]);
  });

  it("[CK11] holds back what is published meanwhile, until it is over", async () => {
    const at = lab();
    await shared(at);
    const heard: number[] = [];
    at.shared.listen("s-back", ({ version }) => heard.push(version));
    await at.shared.freeze("phase 1");
    must(await at.shared.act("GC", { type: "publish", text: phase(1) }));
    expect(heard).toEqual([]);
    settle(at, at.shared.unfreeze);
    expect(heard).toEqual([2]);
    expect(at.shared.unfreeze(at.now)).toBeUndefined();
  });

  it("[CK11] that a dead process left behind is lifted before anything else happens to the document", async () => {
    const at = lab();
    await shared(at);
    await at.shared.freeze("phase 1");
    must(await at.shared.act("GC", { type: "publish", text: phase(1) }));
    at.restart();
    expect(lead(at).gate).toBeDefined();
    const pulled: LeadStep = must(await at.shared.act("GC", { type: "pull", teammate: "back" }));
    expect(pulled.messages.map(({ version }) => version)).toEqual([2]);
    expect(lead(at).gate).toBeUndefined();
    at.restart();
    expect(lead(at).gate).toBeUndefined();
  });

  it("[CK11] can be judged again by the process after it, from the version that is current then", async () => {
    const at = lab();
    await shared(at);
    await at.shared.freeze("phase 1");
    must(await at.shared.act("GC", { type: "publish", text: phase(1) }));
    at.restart();
    const frozen = at.shared.freeze("phase 1");
    expect(await stateOf(frozen)).toBe("waits");
    expect(lead(at).gate).toMatchObject({ version: 2, judging: false });
    await answer(at, 2);
    expect(await stateOf(frozen)).toEqual([]);
  });
});

describe("a gate's wait", () => {
  const step = (...events: SyncEvent[]): LeadStep => ({
    messages: [],
    events,
    taskContexts: new Set(),
    touched: new Set(),
  });
  const frozen = (waitsFor: string[]) => step({ type: "frozen", gate: "g", version: 1, waitsFor });
  const ready = (stale: string[]) => step({ type: "gate-ready", gate: "g", version: 1, stale });

  it("[CK11] is none where nothing was frozen", async () => {
    expect(await stateOf(createGateWait().over(undefined))).toBeUndefined();
  });

  it("[CK11] is over with the last document, and counts each name once", async () => {
    const wait = createGateWait();
    wait.begin("A", frozen(["back", "front"]));
    wait.begin("B", frozen(["back"]));
    const over = wait.over(undefined);
    wait.hear("A", ready(["back"]));
    expect(await stateOf(over)).toBe("waits");
    wait.hear("B", ready(["back"]));
    expect(await stateOf(over)).toBeUndefined();
    expect([...wait.waitsFor]).toEqual(["back", "front"]);
    expect([...wait.behind]).toEqual(["back"]);
  });

  it("[CK11] ends too when somebody else lifts the gate", async () => {
    const wait = createGateWait();
    wait.begin("A", frozen(["back"]));
    const over = wait.over(new AbortController().signal);
    wait.hear("A", step({ type: "unfrozen", gate: "g" }));
    expect(await stateOf(over)).toBeUndefined();
    expect([...wait.behind]).toEqual([]);
  });
});

describe("teammates of earlier runs", () => {
  it("[CK12] are forgotten but for the newest of each document, in the store too", async () => {
    const at = lab({ keepEnded: 2 });
    await shared(at);
    for (let n = 1; n <= 5; n++) {
      at.now += 1_000;
      const join = { type: "join", teammate: `t${n}`, session: `s${n}` } as const;
      must(await at.shared.act("GC", join));
      must(await at.shared.act("GC", { type: "leave", teammate: `t${n}` }));
    }
    at.restart();
    const step = at.shared.forgetEnded(at.now);
    expect(step?.rows.dropTeammates).toEqual([
      { label: "GC", teammate: "t3" },
      { label: "GC", teammate: "t2" },
      { label: "GC", teammate: "t1" },
    ]);
    expect(step?.rows.teammates).toEqual([]);
    expect([...lead(at).teammates.keys()]).toEqual(["back", "t4", "t5"]);
    expect(at.shared.forgetEnded(at.now)).toBeUndefined();
  });
});
