import { describe, expect, it } from "vitest";
import { nextDue, standingOf } from "../../src/sync/index.ts";
import { CONTEXT, shape, status, Team } from "./team.ts";

const types = (team: Team): string[] => team.log.map(event => event.type);

describe("gates", () => {
  it("[SG1] is ready at once when everyone holds the version", () => {
    const team = Team.of(["ann", "ben"]);
    const step = team.tell({ type: "freeze", gate: "2" });
    expect(step.events).toEqual([
      { type: "frozen", gate: "2", version: 1, waitsFor: [] },
      { type: "gate-ready", gate: "2", version: 1, stale: [] },
    ]);
  });

  it("[SG1] brings everyone up to date first, also those who were to learn later", () => {
    const team = Team.of(["ann", "ben"]);
    team.publish(status(CONTEXT, "X"), { affected: ["ann"] });
    team.tell({ type: "freeze", gate: "2" });
    expect(team.log.at(-2)).toEqual({ type: "frozen", gate: "2", version: 2, waitsFor: ["ann", "ben"] });
    expect(team.post.map(message => message.teammate)).toEqual(["ann", "ben"]);
    expect(types(team)).not.toContain("gate-ready");
    team.exchange();
    expect(team.log.at(-1)).toEqual({ type: "gate-ready", gate: "2", version: 2, stale: [] });
  });

  it("[SG2] waits at most ackTimeoutMs, then marks the stale and goes on", () => {
    const team = Team.of(["ann", "ben"]);
    team.publish(status(CONTEXT, "X"));
    const [forAnn] = team.post.splice(0);
    team.now += 60_000;
    team.tell({ type: "freeze", gate: "2" });
    team.say("ann", team.deliver(forAnn!).answer!);
    expect(nextDue(team.lead)).toBe(team.now + 60_000);
    team.tick(119_999);
    expect(types(team)).not.toContain("gate-ready");
    team.tick(1);
    expect(team.log.at(-1)).toEqual({ type: "gate-ready", gate: "2", version: 2, stale: ["ben"] });
    expect(standingOf(team.lead, team.mate("ben"))).toBe("stale");
  });

  it("[SG2] waits neither for the ended nor for those who cannot acknowledge", () => {
    const team = Team.of(["ann"]);
    team.join("mute", { proof: "none" });
    team.publish(status(CONTEXT, "X"));
    team.tell({ type: "freeze", gate: "2" });
    expect(types(team)).not.toContain("gate-ready");
    team.tell({ type: "leave", teammate: "ann" });
    expect(team.log.at(-1)).toMatchObject({ type: "gate-ready", stale: [] });
  });

  it("[SG2] waits while something of the version is unclear", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "X"));
    team.tell({ type: "freeze", gate: "2" });
    const message = team.take();
    const { replica } = team.deliver(message);
    const { hash = "" } = replica.held ?? {};
    team.ack("ann", { version: 2, hash, unclear: ["Status"] });
    expect(team.confirmed("ann")).toBe(2);
    expect(types(team)).not.toContain("gate-ready");
    team.exchange();
    expect(types(team)).toContain("gate-ready");
  });

  it("[SG2] an empty team, and a document without versions, hold no gate up", () => {
    const team = new Team();
    team.join("ann");
    expect(team.tell({ type: "freeze", gate: "0" }).events.at(-1)).toMatchObject({
      type: "gate-ready",
      version: 0,
    });
    expect(team.tell({ type: "unfreeze" }).messages).toEqual([]);
  });

  it("[SG3] nothing goes out while it is judged", () => {
    const team = Team.of(["ann", "ben"]);
    team.tell({ type: "freeze", gate: "2" });
    team.publish(status(CONTEXT, "X"));
    team.say("ann", "[CONTEXT-REQUEST] GC: need full context");
    team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    team.tell({ type: "inject", point: "IP-007", teammates: ["ben"] });
    team.tell({ type: "lost", teammate: "ben", session: "s1", cause: "compaction" });
    team.tick(500_000);
    expect(team.post).toEqual([]);
    expect(team.log).toContainEqual({ type: "withheld", teammate: "ann", why: "gate" });
    team.tell({ type: "unfreeze" });
    expect(team.post.map(message => `${message.teammate} ${shape(message)}`)).toEqual([
      "ann v2 full: requested",
      "ben v2 full: context-lost",
    ]);
  });

  it("[SG3] a teammate that begins gets the gate's version", () => {
    const team = Team.of(["ann"]);
    team.tell({ type: "freeze", gate: "2" });
    team.publish(status(CONTEXT, "X"));
    team.join("ben");
    expect(team.exchange().map(shape)).toEqual(["v1 full: initial-spawn"]);
    team.tell({ type: "unfreeze" });
    expect(team.exchange().map(shape)).toEqual(["v1→v2 delta: next-version", "v1→v2 delta: next-version"]);
  });

  it("[SG3] an acknowledgement still counts, what timed out is not sent again before the end", () => {
    const team = Team.of(["ann", "ben"]);
    team.publish(status(CONTEXT, "X"));
    const [forAnn] = team.post.splice(0);
    team.tell({ type: "freeze", gate: "2" });
    team.tick(120_000);
    const judged = team.post.splice(0);
    expect(team.log.at(-1)).toMatchObject({ type: "gate-ready", stale: ["ann", "ben"] });
    team.say("ann", team.deliver(forAnn!).answer!);
    expect(team.confirmed("ann")).toBe(2);
    team.tick(240_000);
    expect(team.post).toEqual([]);
    team.tell({ type: "unfreeze" });
    expect(judged.length + team.post.length).toBeGreaterThan(judged.length);
    expect(team.post.map(message => message.teammate)).toEqual(["ben"]);
  });

  it("[SG4] what is published while it waits goes out after it, in order", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "A"));
    team.tell({ type: "freeze", gate: "2" });
    team.publish(status(CONTEXT, "B"));
    team.publish(status(CONTEXT, "C"));
    expect(team.exchange().map(shape)).toEqual(["v1→v2 delta: next-version"]);
    expect(team.log.at(-1)).toMatchObject({ type: "gate-ready", version: 2 });
    team.tell({ type: "unfreeze" });
    expect(team.exchange().map(shape)).toEqual(["v2→v3 delta: next-version", "v3→v4 delta: next-version"]);
  });

  it("[SG4] who pulls meanwhile is told what waits for it", () => {
    const team = Team.of(["ann"]);
    team.tell({ type: "freeze", gate: "2" });
    team.publish(status(CONTEXT, "B"));
    const pull = () => team.tell({ type: "pull", teammate: "ann" }).events.at(-1);
    expect(pull()).toEqual({ type: "up-to-date", teammate: "ann", version: 1, keptBack: 2 });
    team.tell({ type: "unfreeze" });
    team.exchange();
    expect(pull()).toEqual({ type: "up-to-date", teammate: "ann", version: 2 });
  });

  it("[SG4] a second gate while one is open changes nothing, nor does an end without one", () => {
    const team = Team.of(["ann"]);
    expect(team.tell({ type: "unfreeze" }).events).toEqual([]);
    team.tell({ type: "freeze", gate: "2" });
    expect(team.tell({ type: "freeze", gate: "3" }).events).toEqual([]);
    expect(team.lead.gate?.id).toBe("2");
  });

  it("[SG1] begins no new count for who has not answered yet, and whoever it waits for has changed", () => {
    const team = Team.of(["ann"], { maxSends: 2 });
    team.publish(status(CONTEXT, "X"));
    team.tick(120_000);
    team.publish(status(CONTEXT, "Y"), { affected: [] });
    const step = team.tell({ type: "freeze", gate: "P1" });
    expect([...step.touched]).toEqual(["ann"]);
    expect(team.mate("ann")).toMatchObject({ tries: 2, waiting: [2, 3] });
    const over = team.tick(120_000);
    expect(over.events.map(({ type }) => type)).toEqual(["timeout", "silent", "gate-ready"]);
  });

  it("[SG2] waits for whoever does not understand its version, and marks it when its time is over", () => {
    const team = Team.of(["ann"], { maxSends: 1 });
    team.publish(status(CONTEXT, "X"));
    team.tell({ type: "freeze", gate: "P1" });
    const { hash } = team.lead.versions[1]!;
    team.ack("ann", { version: 2, hash, unclear: ["Risks"], items: { applied: 2, total: 3 } });
    team.ack("ann", { version: 2, hash, unclear: ["Risks"], items: { applied: 2, total: 3 } });
    expect(team.mate("ann").flight).toBeUndefined();
    expect(team.mate("ann").unclear).toBeDefined();
    expect(team.lead.gate?.judging).toBe(false);
    const step = team.tick(120_000);
    expect(step.events.at(-1)).toEqual({ type: "gate-ready", gate: "P1", version: 2, stale: ["ann"] });
    expect(team.mate("ann").stale).toBe(true);
    expect([...step.touched]).toEqual(["ann"]);
    expect(team.tell({ type: "unfreeze" }).events[0]).toEqual({ type: "unfrozen", gate: "P1" });
  });
});
