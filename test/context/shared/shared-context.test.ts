import { describe, expect, it } from "vitest";
import { together } from "../../../src/context/shared/index.ts";
import type { Lead, LeadStep } from "../../../src/sync/index.ts";
import { currentVersion, readWords, standingOf } from "../../../src/sync/index.ts";
import { textRow } from "../../../src/testing/store-rows.ts";
import { ackLine, type Lab, lab, must, PAGE, phase, told } from "./lab.ts";

const publish = async (at: Lab, text: string, more: object = {}): Promise<LeadStep> =>
  must(await at.shared.act("GC", { type: "publish", text, by: "lead", ...more }));
const join = async (at: Lab, teammate: string, more: object = {}): Promise<LeadStep> =>
  must(
    await at.shared.act("GC", { type: "join", teammate, session: `s-${teammate}`, proof: "word", ...more }),
  );
const ack = (at: Lab, teammate: string, line: string) =>
  at.shared.hear(readWords(line), { teammate, session: `s-${teammate}` });
const lead = (at: Lab): Lead => must(at.shared.lead("GC"));

describe("a shared context", () => {
  it("[CK1] publishes, brings a teammate up to date by a delta, and takes its acknowledgement", async () => {
    const at = lab();
    await publish(at, PAGE);
    const joined = await join(at, "back");
    expect(joined.messages.map(({ form, why }) => [form, why])).toEqual([["full", "initial-spawn"]]);
    await ack(at, "back", ackLine(1, "0/0"));
    const next = await publish(at, phase(1));
    expect(next.messages.map(({ form, from, version }) => [form, from, version])).toEqual([["delta", 1, 2]]);
    const [heard] = must<readonly { label: string; step: LeadStep }[]>(await ack(at, "back", ackLine(2)));
    expect(told(heard!.step, "acked")[0]).toMatchObject({ verdict: "confirmed", version: 2 });
    expect(standingOf(lead(at), lead(at).teammates.get("back")!)).toBe("current");
  });

  it.each(["[ACK-UPDATE] NOPE-v4 received. Action: PAUSE", "[ACK-UPDATE] received. Action: PAUSE", "PAUSE"])(
    "[SA6] a PAUSE for no document that there is reaches those the teammate is in: %j",
    async text => {
      const at = lab();
      await publish(at, PAGE);
      await join(at, "back");
      await join(at, "front");
      await ack(at, "back", text);
      const { teammates } = lead(at);
      expect([...teammates.values()].map(({ id, paused }) => [id, paused])).toEqual([
        ["back", true],
        ["front", false],
      ]);
    },
  );

  it("[CK3] reads nothing before it is used, and its store once", async () => {
    const at = lab();
    await publish(at, PAGE);
    at.restart();
    expect(at.shared.nextDue()).toBeUndefined();
    expect(must(at.shared.labels())).toEqual(["GC"]);
    expect(must<{ text: string }>(at.shared.text("GC")).text).toBe(PAGE);
  });

  it("[SV9] a file goes on from its own text after a restart, also where others' words were merged into it", async () => {
    const at = lab();
    const file = (text: string) => publish(at, text, { by: "docs/page.md", follows: true });
    const current = () => must<{ text: string }>(at.shared.text("GC")).text;
    await file(PAGE);
    await publish(at, PAGE.replace("certificate", "name"), { by: "other" });
    for (const number of [1, 2, 3]) {
      at.restart();
      await file(phase(number));
      expect(current()).toBe(phase(number).replace("certificate", "name"));
      at.restart();
      await file(phase(number));
      expect(current()).toBe(phase(number).replace("certificate", "name"));
    }
    expect(lead(at).versions).toHaveLength(5);
  });

  it("[CK3] goes on after a restart where it was, with flight, serial and confirmed versions", async () => {
    const at = lab();
    await publish(at, PAGE);
    await join(at, "back");
    await ack(at, "back", ackLine(1, "0/0"));
    await publish(at, phase(1));
    const before = lead(at);
    at.restart();
    const after = lead(at);
    expect(after.teammates).toEqual(before.teammates);
    expect([after.serial, after.versions]).toEqual([before.serial, before.versions]);
    await ack(at, "back", ackLine(2));
    expect(lead(at).teammates.get("back")?.confirmed?.version).toBe(2);
  });

  it("[CK1] makes everything durable before anybody hears of it", async () => {
    const at = lab();
    await publish(at, PAGE);
    await join(at, "back");
    await ack(at, "back", ackLine(1, "0/0"));
    const heard: number[] = [];
    at.shared.listen("s-back", ({ version }) => {
      const durable = at.commits.flatMap(({ context }) => context?.versions ?? []);
      heard.push(version, durable.at(-1)?.number ?? 0);
    });
    await publish(at, phase(1));
    expect(heard).toEqual([2, 2]);
  });

  it("[CK1] lets nobody hear of what could not be made durable", async () => {
    const at = lab();
    await publish(at, PAGE);
    await join(at, "back");
    const heard: unknown[] = [];
    at.shared.listen("s-back", message => heard.push(message));
    at.refuse = { kind: "full", message: "no room" };
    await expect(at.shared.act("GC", { type: "publish", text: phase(1) })).rejects.toThrow("full");
    expect(heard).toEqual([]);
    at.refuse = undefined;
    at.restart();
    expect(currentVersion(lead(at))?.number).toBe(1);
  });

  it("[CK9] hands messages to the session that listens, with the label and whether its task goes along", async () => {
    const at = lab();
    await publish(at, PAGE);
    const heard: object[] = [];
    const stop = at.shared.listen("s-back", message => heard.push(message));
    await join(at, "back");
    expect(heard).toMatchObject([{ label: "GC", teammate: "back", version: 1, withTask: true }]);
    await ack(at, "back", ackLine(1, "0/0"));
    await publish(at, phase(1));
    expect(heard[1]).toMatchObject({ version: 2, withTask: false });
    stop();
    await ack(at, "back", ackLine(2));
    await publish(at, phase(2));
    expect(heard).toHaveLength(2);
  });

  it("[CK3] keeps labels apart", async () => {
    const at = lab();
    await publish(at, PAGE);
    must(await at.shared.act("API", { type: "publish", text: "# API\n" }));
    await join(at, "back");
    at.restart();
    expect(must(at.shared.labels())).toEqual(["GC", "API"]);
    expect(must<Lead>(at.shared.lead("API")).teammates.size).toBe(0);
    const heard = must<readonly { label: string }[]>(
      await at.shared.hear(readWords(ackLine(1, "0/0", { label: "API" })), {
        teammate: "back",
        session: "s-back",
      }),
    );
    expect(heard.map(({ label }) => label)).toEqual(["API"]);
    expect(lead(at).teammates.get("back")?.context).toBe("new");
  });

  it("[CK9] brings a lost context up to date at every label that its owner is in", async () => {
    const at = lab();
    await publish(at, PAGE);
    must(await at.shared.act("API", { type: "publish", text: "# API\n" }));
    must(await at.shared.act("LOG", { type: "publish", text: "# Log\n" }));
    for (const label of ["GC", "API"])
      must(await at.shared.act(label, { type: "join", teammate: "back", session: "s-back" }));
    at.restart();
    const heard = must<readonly { label: string; step: LeadStep }[]>(
      await at.shared.hear(readWords("[STATUS] back | CONTEXT_LOST"), {
        teammate: "back",
        session: "s-back",
      }),
    );
    expect(heard.map(({ label, step }) => [label, step.messages[0]?.why])).toEqual([
      ["GC", "context-lost"],
      ["API", "context-lost"],
    ]);
  });

  it("[CK4] makes labels only for who publishes or joins, and tells the name of one that cannot stand in messages", async () => {
    const at = lab();
    expect(await at.shared.act("GC", { type: "pull", teammate: "back" })).toMatchObject({
      ok: false,
      failure: { kind: "unknown", label: "GC" },
    });
    expect(at.shared.work("GC", { type: "tick" })).toMatchObject({ ok: false });
    for (const label of ["", "a b", "x".repeat(65), "GC\u001b[31m", "../GC", "GC@2", "-v", "GC\n"])
      expect(await at.shared.act(label, { type: "publish", text: "x" })).toMatchObject({
        ok: false,
        failure: { kind: "label" },
      });
    expect(must(at.shared.labels())).toEqual([]);
    expect(must(at.shared.lead("GC"))).toBeUndefined();
    expect(must(at.shared.text("GC"))).toBeUndefined();
    expect(must(await at.shared.hear(readWords(ackLine(1)), { teammate: "x", session: "y" }))).toEqual([]);
    expect(at.commits).toEqual([]);
  });

  it("[CK2] takes a work of its own into a larger change, decided only when its turn comes", async () => {
    const at = lab();
    const steps: LeadStep[] = [];
    const first = must<NonNullable<Parameters<typeof together>[0][0]>>(
      at.shared.work("GC", { type: "publish", text: PAGE }, step => steps.push(step)),
    );
    const second = must<typeof first>(at.shared.work("API", { type: "publish", text: "# API\n" }));
    expect(steps).toEqual([]);
    const node = { id: "ctx-a", status: "active", createdAt: 1, by: "plan" } as const;
    const step = together([first, undefined, second, () => ({ rows: { nodes: [node] } })])(5);
    expect(told(steps[0]!, "published")).toMatchObject([{ version: 1 }]);
    expect(step?.rows).toMatchObject({
      nodes: [node],
      versions: [
        { label: "GC", number: 1, at: 5 },
        { label: "API", number: 1, at: 5 },
      ],
    });
    expect(together([undefined])(1)).toBeUndefined();
  });
});

describe("time at a shared context", () => {
  it("[CK5] passes before anything else is judged: a late teammate is stale before it is sent what is new", async () => {
    const at = lab();
    await publish(at, PAGE);
    await join(at, "back");
    at.now += 119_999;
    expect(at.shared.nextDue()).toBe(1_120_000);
    await publish(at, phase(1));
    expect(lead(at).teammates.get("back")?.stale).toBe(false);
    at.now += 1;
    await publish(at, phase(2));
    expect(lead(at).teammates.get("back")?.stale).toBe(true);
  });

  it("[CK5] passes when nothing else happens, and for a clock that was set back", async () => {
    const at = lab();
    await publish(at, PAGE);
    await join(at, "back");
    expect(at.shared.tick(at.now + 1)).toBeUndefined();
    const late = at.shared.tick(at.now + 120_000);
    expect(late?.rows.log?.map(({ entry }) => JSON.parse(entry).type)).toContain("timeout");
    at.restart();
    at.now = 10;
    must(await at.shared.act("GC", { type: "publish", text: phase(1) }));
    expect(at.shared.nextDue()).toBeLessThanOrEqual(10 + 120_000);
  });

  it("[CK6] ends with a session: its teammates leave at every label, also at those not looked at since the restart", async () => {
    const at = lab();
    await publish(at, PAGE);
    must(await at.shared.act("API", { type: "publish", text: "# API\n" }));
    await join(at, "back");
    await join(at, "front");
    must(await at.shared.act("API", { type: "join", teammate: "back", session: "s-back" }));
    at.restart();
    const step = at.shared.endSessions(new Set(["s-back", "s-none"]))(at.now);
    expect(step?.rows.teammates?.map(({ label, teammate }) => `${label} ${teammate}`)).toEqual([
      "GC back",
      "API back",
    ]);
    expect(at.shared.endSessions(new Set())(at.now)).toBeUndefined();
    expect(at.shared.endSessions(new Set(["s-back"]))(at.now)).toBeUndefined();
    expect(lead(at).teammates.get("front")?.live).toBe(true);
  });

  it("[CK3] stands still for updates while a gate is judged", async () => {
    const at = lab();
    await publish(at, PAGE);
    await join(at, "back");
    await ack(at, "back", ackLine(1, "0/0"));
    const frozen: LeadStep = must(await at.shared.act("GC", { type: "freeze", gate: "P1" }));
    expect(told(frozen, "gate-ready")).toHaveLength(1);
    const held = await publish(at, phase(1));
    expect(held.messages).toEqual([]);
    const over: LeadStep = must(await at.shared.act("GC", { type: "unfreeze" }));
    expect(over.messages.map(({ version }) => version)).toEqual([2]);
    at.restart();
    expect(lead(at).gate).toBeUndefined();
  });
});

describe("texts at a shared context", () => {
  const hashOf = (text: string): string => textRow(text).hash;

  it("[CK7] are kept while somebody needs them or they are among the newest, and dropped in the change that frees them", async () => {
    const at = lab({ keepVersions: 2, maxGap: "any" });
    await publish(at, phase(1));
    await join(at, "back");
    await ack(at, "back", ackLine(1, "0/0"));
    for (let version = 2; version <= 6; version++) await publish(at, phase(version));
    const kept = () => [1, 2, 3, 4, 5, 6].filter(number => at.text(hashOf(phase(number))) !== undefined);
    // It holds 1; 2 is on its way, 3 to 6 wait behind it.
    expect(kept()).toEqual([1, 2, 3, 4, 5, 6]);
    await ack(at, "back", ackLine(2));
    expect(kept()).toEqual([2, 3, 4, 5, 6]);
    await ack(at, "back", ackLine(6));
    expect(kept()).toEqual([5, 6]);
    at.restart();
    expect(must(at.shared.text("GC", 2))).toBeUndefined();
    expect(must<{ text: string }>(at.shared.text("GC", 5)).text).toBe(phase(5));
    expect(must(at.shared.text("GC", 7))).toBeUndefined();
    expect(must(at.shared.text("GC", 0))).toBeUndefined();
  });

  it("[CK7] are never dropped while another label, or a later version of the same, is the same text", async () => {
    const at = lab({ keepVersions: 1 });
    await publish(at, phase(1));
    must(await at.shared.act("COPY", { type: "publish", text: phase(1) }));
    await publish(at, phase(2));
    await publish(at, phase(3));
    expect(at.text(hashOf(phase(2)))).toBeUndefined();
    expect(at.text(hashOf(phase(1)))).toBe(phase(1));
    await publish(at, phase(4));
    await publish(at, phase(3));
    expect(at.text(hashOf(phase(3)))).toBe(phase(3));
    must(await at.shared.act("COPY", { type: "publish", text: phase(9) }));
    await publish(at, phase(5));
    expect(at.text(hashOf(phase(1)))).toBeUndefined();
    at.restart();
    expect(must<{ text: string }>(at.shared.text("GC")).text).toBe(phase(5));
  });

  it("[CK7] that a smaller policy no longer keeps go with the next change", async () => {
    const at = lab({ keepVersions: 20 });
    for (let version = 1; version <= 5; version++) await publish(at, phase(version));
    at.restart({ keepVersions: 1 });
    await publish(at, phase(6));
    expect([1, 2, 3, 4, 5, 6].filter(number => at.text(hashOf(phase(number))) !== undefined)).toEqual([6]);
  });

  it("[CK8] of a base come back for who publishes on it, and both changes stay", async () => {
    const at = lab();
    await publish(at, PAGE);
    await publish(at, phase(1));
    at.restart();
    const mine = PAGE.replace("no certificate yet", "a certificate since today");
    const step = await publish(at, mine, { base: 1 });
    expect(told(step, "published")).toMatchObject([{ version: 3, mergedFrom: 1 }]);
    const merged = must<{ text: string }>(at.shared.text("GC")).text;
    expect(merged).toContain("STEP 1");
    expect(merged).toContain("since today");
  });

  it("[CK8] of two publishers that changed one section are refused and both shown, and nothing changes", async () => {
    const at = lab();
    await publish(at, PAGE);
    await publish(at, phase(1));
    at.restart();
    const step = await publish(at, phase(2), { base: 1 });
    const [refused] = told(step, "refused");
    expect(refused).toMatchObject({ reason: "same-section", base: 1, current: 2 });
    expect(refused?.clashes[0]?.section).toBe("Status");
    expect(refused?.clashes[0]?.current).toContain("STEP 1");
    expect(refused?.clashes[0]?.published).toContain("STEP 2");
    expect(currentVersion(lead(at))?.number).toBe(2);
  });

  it("[CK4] larger than a message can carry are refused", async () => {
    const at = lab();
    const step = await publish(at, "x".repeat(32_000_001));
    expect(told(step, "refused")).toMatchObject([{ reason: "too-large" }]);
    expect(must(at.shared.labels())).toEqual([]);
    at.restart();
    expect(must(at.shared.labels())).toEqual([]);
  });
});
