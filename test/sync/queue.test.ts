import { describe, expect, it } from "vitest";
import { nextDue, standingOf } from "../../src/sync/index.ts";
import { CONTEXT, shape, status, Team } from "./team.ts";

describe("the queue", () => {
  it("[SQ1] keeps one update in flight; later versions wait", () => {
    const team = Team.of(["ann"]);
    for (const value of ["A", "B", "C"]) team.publish(status(CONTEXT, value));
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
    expect(team.mate("ann").waiting).toEqual([2, 3, 4]);
  });

  it("[SQ2] rapid v5 → v6 → v7: each from the version confirmed before it", () => {
    const team = Team.of(["ann"]);
    for (const value of ["A", "B", "C", "D"]) {
      team.publish(status(CONTEXT, value));
      team.exchange();
    }
    expect(team.confirmed("ann")).toBe(5);
    team.publish(status(CONTEXT, "E"));
    team.publish(status(CONTEXT, "F"));
    expect(team.exchange().map(shape)).toEqual(["v5→v6 delta: next-version", "v6→v7 delta: next-version"]);
    expect(team.replica("ann").held?.text).toBe(status(CONTEXT, "F"));
  });

  it("[SQ2] rapid v5 → v6 → v7 with maxGap any: what waited is squashed", () => {
    const team = Team.of(["ann"], { maxGap: "any" });
    for (const value of ["E", "F", "G", "H"]) team.publish(status(CONTEXT, value));
    expect(team.exchange().map(shape)).toEqual(["v1→v2 delta: next-version", "v2→v5 delta: squashed"]);
  });

  it("[SQ2] a larger maxGap bridges as many as it allows", () => {
    const team = Team.of(["ann"], { maxGap: 2 });
    for (const value of ["E", "F", "G", "H"]) team.publish(status(CONTEXT, value));
    expect(team.exchange().map(shape)).toEqual([
      "v1→v2 delta: next-version",
      "v2→v4 delta: squashed",
      "v4→v5 delta: next-version",
    ]);
  });

  it("[SQ2] versions that begin while the first one is on its way wait for its acknowledgement", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann");
    team.publish(status(CONTEXT, "A"));
    expect(team.exchange().map(shape)).toEqual(["v1 full: initial-spawn", "v1→v2 delta: next-version"]);
  });

  it("[SQ3] sends again what was not answered, and marks who did not answer", () => {
    const team = Team.of(["ann", "ben"]);
    team.publish(status(CONTEXT, "A"));
    const [ann] = team.post.splice(0);
    expect(team.tick(119_999).messages).toEqual([]);
    team.deliver(ann!);
    team.say("ann", `[ACK-UPDATE] GC-v2 ${team.replica("ann").held?.hash} received. Items: 1/1`);
    const step = team.tick(1);
    expect(step.messages.map(message => [message.teammate, shape(message)])).toEqual([
      ["ben", "v1→v2 delta: next-version"],
    ]);
    expect(team.mate("ben").stale).toBe(true);
    expect(standingOf(team.lead, team.mate("ben"))).toBe("stale");
    expect(standingOf(team.lead, team.mate("ann"))).toBe("current");
    team.exchange();
    expect(standingOf(team.lead, team.mate("ben"))).toBe("current");
  });

  it("[SQ3] what was missed with newer versions behind it: the newest is due, and the gap decides", () => {
    for (const [maxGap, expected] of [
      [1, "v3 full: version-gap"],
      [2, "v1→v3 delta: squashed"],
      ["any", "v1→v3 delta: squashed"],
    ] as const) {
      const team = Team.of(["ann"], { maxGap });
      team.publish(status(CONTEXT, "A"));
      team.publish(status(CONTEXT, "B"));
      team.post.length = 0;
      team.tick(120_000);
      expect(team.post.map(shape)).toEqual([expected]);
    }
  });

  it("[SQ4] falls silent after maxSends messages without progress", () => {
    const team = Team.of(["ann"], { maxSends: 3 });
    team.publish(status(CONTEXT, "A"));
    const sent = [1, 2, 3, 4, 5].map(() => team.tick(120_000).messages.length);
    expect(sent).toEqual([1, 1, 0, 0, 0]);
    expect(team.log.filter(event => event.type === "silent")).toHaveLength(1);
    expect(nextDue(team.lead)).toBeUndefined();
  });

  it.each(["publish", "inject", "freeze", "pull", "lost", "request"] as const)(
    "[SQ4] %s begins a new count",
    how => {
      const team = Team.of(["ann"], { maxSends: 2 });
      team.publish(status(CONTEXT, "A"));
      for (let turn = 0; turn < 4; turn++) team.tick(120_000);
      team.post.length = 0;
      const session = "s1";
      if (how === "publish") team.publish(status(CONTEXT, "B"));
      else if (how === "inject") team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
      else if (how === "freeze") team.tell({ type: "freeze", gate: "1" });
      else if (how === "pull") team.tell({ type: "pull", teammate: "ann" });
      else if (how === "lost") team.tell({ type: "lost", teammate: "ann", session, cause: "restart" });
      else team.tell({ type: "request", teammate: "ann", session, label: "GC" });
      expect(team.post).toHaveLength(1);
      team.exchange();
      expect(standingOf(team.lead, team.mate("ann"))).toBe("current");
    },
  );

  it("[SQ4] does not answer a teammate for ever that asks again at once", () => {
    const team = Team.of(["ann"], { maxSends: 3 });
    let sent = 0;
    for (let turn = 0; turn < 50; turn++) {
      sent += team.say("ann", "[CONTEXT-REQUEST] GC: need full context")[0]!.messages.length;
    }
    expect(sent).toBe(3);
  });

  it("[SQ4] does not answer a liar for ever", () => {
    const team = Team.of(["ann"], { maxSends: 3 });
    team.publish(status(CONTEXT, "A"));
    let sent = 1;
    for (let turn = 0; turn < 50; turn++) {
      const { serial = 0, version = 0 } = team.mate("ann").flight ?? {};
      team.post.length = 0;
      team.ack("ann", { version, serial, hash: "0123456789ab" });
      sent += team.post.length;
    }
    expect(sent).toBe(3);
  });

  it("[SQ5] a clock set back delays nothing for longer than the timeout", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "A"));
    team.post.length = 0;
    expect(team.tick(-900_000).messages).toEqual([]);
    expect(team.tick(119_999).messages).toEqual([]);
    expect(team.tick(1).messages).toHaveLength(1);
  });

  it("[SQ6] knows when a tick changes something", () => {
    const team = Team.of(["ann"]);
    expect(nextDue(team.lead)).toBeUndefined();
    team.publish(status(CONTEXT, "A"));
    expect(nextDue(team.lead)).toBe(team.now + 120_000);
    team.now += 5_000;
    team.join("ben");
    expect(nextDue(team.lead)).toBe(team.now + 115_000);
    team.exchange();
    expect(nextDue(team.lead)).toBeUndefined();
  });

  it("[SQ5] nor a gate, and without one nothing is made of it", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "A"));
    team.tell({ type: "freeze", gate: "P1" });
    team.post.length = 0;
    team.tick(-900_000);
    expect(nextDue(team.lead)).toBe(team.now + 120_000);
    expect(team.tick(119_999).events).toEqual([]);
    expect(team.tick(1).events.map(({ type }) => type)).toEqual(["timeout", "sent", "gate-ready"]);
    expect(team.lead.gate?.judging).toBe(true);
    team.tell({ type: "unfreeze" });
    team.tick(0);
    expect(team.lead.gate).toBeUndefined();
  });

  it("[SQ6] a gate that waits is due as well, one that is judged is not", () => {
    const team = Team.of(["ann"], { maxSends: 1 });
    team.publish(status(CONTEXT, "A"));
    team.now += 50_000;
    team.tell({ type: "freeze", gate: "P1" });
    expect(nextDue(team.lead)).toBe(team.now + 70_000);
    team.tick(70_000);
    expect(nextDue(team.lead)).toBe(team.now + 50_000);
    team.tick(50_000);
    expect(nextDue(team.lead)).toBeUndefined();
  });

  it("[SQ3] nothing is put on the list of who was only sent sections again", () => {
    const team = Team.of(["ann"]);
    team.say("ann", '[CONTEXT-REQUEST] GC: need ["Status"] (needs-section)');
    team.tick(120_000);
    expect(team.post.map(shape)).toEqual(["v1→v1 restated: unclear", "v1→v1 restated: unclear"]);
    expect(team.mate("ann").waiting).toEqual([]);
  });

  it("[SQ7] who is not in the team is told nothing, and the log says so", () => {
    const team = Team.of(["ann"]);
    team.tell({ type: "leave", teammate: "ann" });
    for (const teammate of ["ann", "eve"]) {
      const { events, touched } = team.tell({ type: "pull", teammate });
      expect(events).toEqual([{ type: "withheld", teammate, why: "ended" }]);
      expect(touched.size).toBe(0);
    }
  });

  it("[SA6] who goes on has changed", () => {
    const team = Team.of(["ann"]);
    expect([...team.tell({ type: "resume", teammate: "ann" }).touched]).toEqual(["ann"]);
  });
});
