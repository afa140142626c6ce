import { describe, expect, it } from "vitest";
import { type Codec, leadRows, leadStep, restoreLead, versionOf } from "../../src/sync/index.ts";
import { CODEC, CONTEXT, edit, shape, status, Team } from "./team.ts";

const NEXT = status(CONTEXT, "COMPLETE");

describe("what is sent", () => {
  it("[SF5] a message, its event and the teammate's rows say the same", () => {
    const team = new Team();
    team.publish(CONTEXT);
    const { messages, events, touched } = team.join("ann");
    const [{ text, ...facts }, ...more] = messages as [(typeof messages)[number]];
    expect(more).toEqual([]);
    expect(facts).toStrictEqual({
      teammate: "ann",
      session: "s1",
      serial: 1,
      version: 1,
      form: "full",
      why: "initial-spawn",
      point: "IP-001",
      tokens: CODEC.countTokens(text),
    });
    expect(events.at(-1)).toStrictEqual({ type: "sent", ...facts });
    expect([...touched]).toEqual(["ann"]);
    expect(team.mate("ann")).toMatchObject({
      flight: { version: 1, items: 0, sentAt: team.now },
      sizes: { full: { messages: 1, tokens: facts.tokens } },
      lastSentAt: team.now,
      waiting: [1],
      tries: 1,
    });
  });

  it("[SS1] who was sent something again, or is not sent anything more, has changed", () => {
    const team = Team.of(["ann"], { maxSends: 2 });
    team.publish(NEXT);
    expect([...team.tick(120_000).touched]).toEqual(["ann"]);
    const silent = team.tick(120_000);
    expect([...silent.touched]).toEqual(["ann"]);
    expect(silent.messages).toEqual([]);
    const asked = team.tell({ type: "pull", teammate: "ann" });
    expect(asked.messages.map(shape)).toEqual(["v1→v2 delta: next-version"]);
  });

  it("[SS1] so has who lost its context while nothing goes out", () => {
    const team = Team.of(["ann", "ben"]);
    team.tell({ type: "freeze", gate: "P1" });
    const lost = team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "compaction" });
    expect(lost.messages).toEqual([]);
    expect([...lost.touched]).toEqual(["ann"]);
    expect(team.mate("ann").sent).toEqual([]);
  });

  it("[SQ4] who is not answered any more: the log says why", () => {
    const team = Team.of(["ann"], { maxSends: 1 });
    team.publish(NEXT);
    team.say("ann", "[CONTEXT-REQUEST] GC: need full context");
    expect(team.log.at(-1)).toEqual({ type: "withheld", teammate: "ann", why: "silent" });
  });

  it("[SQ7] nothing is withheld, and nothing waits, before there is a first version", () => {
    const team = new Team();
    team.join("ann", { fetches: true });
    team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    expect(team.log.filter(({ type }) => type === "withheld")).toEqual([]);
    expect(team.mate("ann").waiting).toEqual([]);
    team.publish(CONTEXT);
    expect(team.log.at(-1)).toEqual({ type: "withheld", teammate: "ann", why: "fetches" });
  });

  it("[SA3] who cannot answer gets nothing more until something is due", () => {
    const team = Team.of(["mute"], {}, "none");
    team.tell({ type: "freeze", gate: "P1" });
    expect(team.tell({ type: "unfreeze" }).messages).toEqual([]);
    expect(team.mate("mute").waiting).toEqual([]);
  });

  it("[SG4] a version of the gate stands before one published under it", () => {
    const team = Team.of(["ann"], { maxGap: 3 });
    team.publish(NEXT, { affected: [] });
    team.tell({ type: "freeze", gate: "P1" });
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
    team.post.length = 0;
    team.publish(status(CONTEXT, "X"));
    expect(team.mate("ann").waiting).toEqual([2, 3]);
    team.tick(120_000);
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
  });

  it("[SG3] who begins under a gate gets its version, then what waited behind it", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("old");
    team.exchange();
    team.tell({ type: "freeze", gate: "P1" });
    team.join("ann");
    team.publish(NEXT);
    expect(team.mate("ann").waiting).toEqual([1, 2]);
    expect(team.exchange().map(shape)).toEqual(["v1 full: initial-spawn"]);
    team.tell({ type: "unfreeze" });
    expect(new Set(team.exchange().map(shape))).toEqual(new Set(["v1→v2 delta: next-version"]));
  });

  it("[SA4] an answer counts to any of the last sixteen messages", () => {
    const team = Team.of(["ann"], { maxSends: 100 });
    team.publish(NEXT);
    for (let again = 0; again < 16; again++) team.tick(120_000);
    const serials = team.post.map(({ serial }) => serial);
    expect(serials).toHaveLength(17);
    const { hash } = versionOf(team.lead, 2)!;
    expect(team.ack("ann", { version: 2, hash, serial: serials[0]! })).toBe("never-sent");
    expect(team.ack("ann", { version: 2, hash, serial: serials[1]! })).toBe("confirmed");
  });

  it("[SI5] a point that is overridden brings no task-context", () => {
    const points = { "IP-001": { task: false }, "IP-005": { task: false } };
    const team = Team.of(["ann"], { points });
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "resume" });
    expect(team.exchange().map(shape)).toEqual(["v1 full: context-lost"]);
    expect(team.taskContexts).toEqual([]);
  });

  it("[SA5] what is unclear is asked once, and most of the document goes as a whole", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann");
    team.post.length = 0;
    const hash = versionOf(team.lead, 1)!.hash;
    const unclear = ["Scope", "Status", "Decisions Log", "Contracts", "Owners", "Risks"];
    expect(team.ack("ann", { version: 1, hash, unclear, action: "NEED_CLARIFICATION" })).toBe("partial");
    expect(team.post.map(shape)).toEqual(["v1 full: major-restructure"]);
    expect(team.log.filter(({ type }) => type === "clarify")).toHaveLength(1);
  });

  it("[SV6] a step over several versions says once what they ask for", () => {
    const team = Team.of(["ann", "ben"], { maxGap: "any" });
    team.publish(NEXT, { affected: ["ben"], actions: ["test it", "tell ann"] });
    team.publish(status(CONTEXT, "X"), { affected: [], actions: ["test it"] });
    team.publish(status(CONTEXT, "Y"), { affected: ["ann"] });
    const message = team.post.find(({ teammate }) => teammate === "ann")!;
    expect(shape(message)).toBe("v1→v4 delta: squashed");
    expect(message.text.split("## Impact Assessment\n")[1]).toBe(
      "- Affected teammates: ben, ann\n- Required actions: test it, tell ann",
    );
  });
});

/** A team whose messages are counted, or made otherwise. */
function made(change: Partial<Codec>, policy = {}): Team {
  const team = new Team(policy, { ...CODEC, ...change });
  team.publish(CONTEXT);
  team.join("ann");
  team.exchange();
  return team;
}

describe("how it is made", () => {
  it.each([
    [0.5, { delta: 51, sections: 90, full: 100 }, "major-restructure"],
    [0.5, { delta: 90, sections: 51, full: 100 }, "major-restructure"],
    [0.5, { delta: 50, sections: 90, full: 100 }, "inexact"],
    [0.5, { delta: 90, sections: 20, full: 100 }, "inexact"],
    [2, { delta: 100, sections: 120, full: 100 }, "major-restructure"],
    [2, { delta: 99, sections: 120, full: 100 }, "inexact"],
  ])(
    "[SF3] [SF4] with a share of %d, a step of %j that goes in full is %s",
    (majorRestructure, sizes, why) => {
      const tokens = { sent: 100, ...sizes };
      const encode = () => ({ ok: true, value: { text: "t", form: "full", items: 5, tokens } }) as const;
      const team = made({ encode }, { majorRestructure });
      team.publish(NEXT);
      expect(team.post.map(shape)).toEqual([`v2 full: ${why}`]);
      expect(team.mate("ann").flight).toMatchObject({ items: 0, tokens: 100 });
    },
  );

  it("[SM3] what no message can carry is not sent, and nothing breaks", () => {
    const encodeFull = () => ({ ok: false, failure: { kind: "inexact", message: "no" } }) as const;
    const team = made({ encodeFull });
    expect(team.log.filter(({ type }) => type === "sent")).toEqual([]);
    expect(team.mate("ann").flight).toBeUndefined();
  });

  it("[SF4] nor is a version whose text a restored lead lacks", () => {
    const team = Team.of(["ann"]);
    const lead = restoreLead(leadRows(team.lead), new Map(), team.lead.policy);
    const session = "s1";
    const lost = { type: "lost", now: 1, teammate: "ann", session, cause: "resume" } as const;
    expect(leadStep(lead, lost, CODEC).messages).toEqual([]);
  });

  it("[SF4] nor are its sections restated", () => {
    const team = Team.of(["ann"]);
    team.publish(NEXT, { affected: [] });
    const lead = restoreLead(leadRows(team.lead), new Map([[2, NEXT]]), team.lead.policy);
    const asked = { type: "request", teammate: "ann", session: "s1", label: "GC" } as const;
    const step = leadStep(lead, { ...asked, now: 1, sections: ["Status"] }, CODEC);
    expect(step.messages.map(shape)).toEqual(["v2 full: unclear"]);
  });

  it("[SF5] a message for several is made once, and few are kept", () => {
    let encoded = 0;
    const encode: Codec["encode"] = (...given) => {
      encoded++;
      return CODEC.encode(...given);
    };
    const team = made({ encode });
    team.join("ben");
    team.exchange();
    for (let version = 2; version <= 70; version++) {
      team.publish(edit(CONTEXT, "IN_PROGRESS", `at ${version}`));
      team.exchange();
      expect(team.lead.memo.size).toBeLessThanOrEqual(64);
    }
    expect(encoded).toBe(69);
  });
});
