import { describe, expect, it } from "vitest";
import { INJECTION_POINTS, pointOf, standingOf } from "../../src/sync/index.ts";
import { CONTEXT, edit, shape, status, Team } from "./team.ts";

describe("injection points", () => {
  it("[SI1] are the documents' ten", () => {
    const table = Object.entries(INJECTION_POINTS).map(
      ([id, { context, task, to }]) => `${id} ${context} ${task ? "task" : "-"} ${to}`,
    );
    expect(table).toEqual([
      "IP-001 full task one",
      "IP-002 delta task one",
      "IP-003 delta - affected",
      "IP-004 delta - all",
      "IP-005 full task one",
      "IP-006 full task one",
      "IP-007 version - one",
      "IP-008 none task one",
      "IP-009 delta - all",
      "IP-010 none - all",
    ]);
  });

  it("[SI1] can be overridden, field by field", () => {
    expect(pointOf("IP-004", { "IP-004": { context: "full" } })).toEqual({
      ...INJECTION_POINTS["IP-004"],
      context: "full",
    });
    expect(pointOf("IP-003", { "IP-004": { context: "full" } })).toEqual(INJECTION_POINTS["IP-003"]);
  });

  it.each(["IP-003", "IP-004", "IP-009"] as const)("[SI1] %s tries delta first", point => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "X"), { point });
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
  });

  it("[SI1] IP-004 overridden to full sends everything to everyone", () => {
    const team = Team.of(["ann", "ben"], { points: { "IP-004": { context: "full" } } });
    team.publish(status(CONTEXT, "X"), { point: "IP-004" });
    expect(team.post.map(shape)).toEqual(["v2 full: injection-point", "v2 full: injection-point"]);
    team.exchange();
    team.publish(status(CONTEXT, "Y"), { point: "IP-003" });
    expect(team.post.map(shape)).toEqual(["v2→v3 delta: next-version", "v2→v3 delta: next-version"]);
  });

  it("[SI1] an override to full waits for what is in flight and is not forgotten", () => {
    const team = Team.of(["ann"], { points: { "IP-004": { context: "full" } } });
    team.publish(status(CONTEXT, "X"));
    team.publish(status(CONTEXT, "Y"), { point: "IP-004" });
    expect(team.exchange().map(shape)).toEqual(["v1→v2 delta: next-version", "v3 full: injection-point"]);
  });

  it("[SI1] a point overridden to none tells nobody now, one with a task brings its task-context", () => {
    const team = Team.of(["ann"], { points: { "IP-003": { context: "none" }, "IP-009": { task: true } } });
    team.taskContexts.length = 0;
    team.publish(status(CONTEXT, "X"));
    expect(team.post).toEqual([]);
    team.publish(status(CONTEXT, "Y"), { point: "IP-009" });
    expect(team.post.map(shape)).toEqual(["v3 full: version-gap"]);
    expect(team.taskContexts).toEqual(["ann"]);
  });

  it("[SI1] IP-002: nothing of the document for who holds it, and its task-context", () => {
    const team = Team.of(["ann"]);
    team.taskContexts.length = 0;
    const step = team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    expect(step.messages).toEqual([]);
    expect(step.events).toEqual([
      { type: "injected", point: "IP-002", teammates: ["ann"] },
      { type: "up-to-date", teammate: "ann", version: 1 },
    ]);
    expect(team.taskContexts).toEqual(["ann"]);
  });

  it("[SI1] IP-002 overridden as the documents have it: the whole document", () => {
    const team = Team.of(["ann"], { points: { "IP-002": { context: "full" } } });
    team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    expect(team.exchange().map(shape)).toEqual(["v1 full: injection-point"]);
    expect(team.confirmed("ann")).toBe(1);
  });

  it("[SI1] IP-007: what is missing, or the version alone", () => {
    const team = Team.of(["ann"]);
    team.tell({ type: "inject", point: "IP-007", teammates: ["ann"] });
    const assertion = team.take();
    expect(shape(assertion)).toBe("v1→v1 version: asserted");
    expect(assertion.tokens).toBeLessThan(40);
    expect(team.deliver(assertion).receipt).toEqual({ type: "held", version: 1 });
    const other = Team.of(["ann"]);
    other.publish(status(CONTEXT, "X"), { affected: [] });
    other.tell({ type: "inject", point: "IP-007", teammates: ["ann"] });
    expect(other.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
  });

  it("[SI1] IP-007 finds out who holds something else", () => {
    const team = Team.of(["ann"]);
    team.replicas.set("ann", {
      label: "GC",
      serial: 0,
      held: { version: 1, hash: "x", text: edit(CONTEXT, "CSV", "XML") },
    });
    team.tell({ type: "inject", point: "IP-007", teammates: ["ann"] });
    expect(team.exchange().map(shape)).toEqual(["v1→v1 version: asserted", "v1 full: requested"]);
    expect(team.replica("ann").held?.text).toBe(CONTEXT);
  });

  it.each(["IP-008", "IP-010"] as const)("[SI1] %s sends nothing of the document", point => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "X"), { affected: [] });
    team.tell({ type: "inject", point, teammates: ["ann"] });
    expect(team.post).toEqual([]);
  });

  it("[SI2] what routing left for later comes with the next task", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "X"), { affected: [] });
    expect(standingOf(team.lead, team.mate("ann"))).toBe("behind");
    team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    expect(team.exchange().map(shape)).toEqual(["v1→v2 delta: next-version"]);
    expect(standingOf(team.lead, team.mate("ann"))).toBe("current");
  });

  it("[SI2] a point for all concerns everyone who lives", () => {
    const team = Team.of(["ann", "ben", "cas"]);
    team.tell({ type: "leave", teammate: "cas" });
    team.publish(status(CONTEXT, "X"), { affected: [] });
    team.tell({ type: "inject", point: "IP-009" });
    expect(team.post.map(message => message.teammate)).toEqual(["ann", "ben"]);
    team.tell({ type: "inject", point: "IP-009", teammates: ["cas", "eve"] });
    expect(team.log.slice(-2)).toEqual([
      { type: "withheld", teammate: "cas", why: "ended" },
      { type: "withheld", teammate: "eve", why: "ended" },
    ]);
  });

  it("[SI2] pull gives what is needed now, again when it is in flight", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "X"));
    const first = team.take();
    team.tell({ type: "pull", teammate: "ann" });
    const second = team.take();
    expect(second.text).toBe(first.text);
    expect(second.serial).toBe(first.serial + 1);
    team.deliver(first);
    const { receipt, answer } = team.deliver(second);
    expect(receipt).toEqual({ type: "held", version: 2 });
    team.say("ann", answer!);
    expect(team.tell({ type: "pull", teammate: "ann" }).events).toEqual([
      { type: "up-to-date", teammate: "ann", version: 2 },
    ]);
  });

  it("[SI3] a new session begins anew, the same one joining again changes nothing", () => {
    const team = Team.of(["ann"]);
    expect(team.join("ann").events).toEqual([]);
    team.join("ann", { session: "s2" });
    expect(team.post.map(shape)).toEqual(["v1 full: initial-spawn"]);
    expect(team.mate("ann").sizes.full.messages).toBe(2);
  });

  it("[SI3] a replacement gets everything, and who it replaces has left", () => {
    const team = Team.of(["ann"]);
    const step = team.join("ben", { replaces: "ann" });
    expect(step.events.map(event => event.type)).toEqual(["left", "joined", "sent"]);
    expect(step.events[1]).toMatchObject({ replaces: "ann" });
    expect(standingOf(team.lead, team.mate("ann"))).toBe("ended");
  });

  it.each(["", " ann", "a\u0007", "a\nb", "a, b", "NONE", "x".repeat(81), "\u202eann"])(
    "[SI3] refuses the name %j",
    teammate => {
      const team = new Team();
      expect(team.join(teammate).events).toMatchObject([{ type: "refused", reason: "name" }]);
      expect(team.lead.teammates.size).toBe(0);
    },
  );

  it("[SI4] a loss in another session, or of who has left, changes nothing", () => {
    const team = Team.of(["ann"]);
    team.tell({ type: "lost", teammate: "ann", session: "s0", cause: "compaction" });
    expect(team.mate("ann").context).toBe("held");
    team.tell({ type: "leave", teammate: "ann" });
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "compaction" });
    team.tell({ type: "lost", teammate: "eve", session: "s1", cause: "compaction" });
    expect(team.post).toEqual([]);
  });

  it.each(["compaction", "resume", "restart"] as const)(
    "[SI4] a %s makes it lost until it proves itself again",
    cause => {
      const team = Team.of(["ann"]);
      team.tell({ type: "freeze", gate: "1" });
      team.tell({ type: "lost", teammate: "ann", session: "s1", cause });
      expect(standingOf(team.lead, team.mate("ann"))).toBe("lost");
      expect(team.confirmed("ann")).toBeUndefined();
      team.tell({ type: "unfreeze" });
      team.exchange();
      expect(standingOf(team.lead, team.mate("ann"))).toBe("current");
    },
  );

  it("[SI5] the task-context goes with the document to the new and the lost, as often as it is sent", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann");
    team.post.length = 0;
    team.tick(120_000);
    expect(team.taskContexts).toEqual(["ann", "ann"]);
    team.exchange();
    team.publish(status(CONTEXT, "X"));
    expect(team.taskContexts).toHaveLength(2);
    team.ack("ann", { version: 2, hash: "0123456789ab" });
    expect(team.post.at(-1)?.why).toBe("context-lost");
    expect(team.taskContexts).toHaveLength(3);
  });

  it("[SI5] under a gate it waits with the document", () => {
    const team = Team.of(["ann"]);
    team.tell({ type: "freeze", gate: "1" });
    team.taskContexts.length = 0;
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "restart" });
    expect(team.taskContexts).toEqual([]);
    team.tell({ type: "unfreeze" });
    expect(team.taskContexts).toEqual(["ann"]);
  });

  it("[SI5] without a document there is still a task", () => {
    const team = new Team();
    team.join("ann");
    expect(team.taskContexts).toEqual(["ann"]);
    expect(team.post).toEqual([]);
  });
});
