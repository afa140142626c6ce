import { describe, expect, it } from "vitest";
import { standingOf } from "../../src/sync/index.ts";
import { CONTEXT, shape, status, Team } from "./team.ts";

const NEXT = status(CONTEXT, "COMPLETE");
const IP_002 = { type: "inject", point: "IP-002" } as const;

describe("who joins", () => {
  it("[SI3] begins with nothing", () => {
    const team = new Team();
    const { events, touched } = team.join("ann");
    expect(events).toStrictEqual([{ type: "joined", teammate: "ann", session: "s1" }]);
    expect([...touched]).toEqual(["ann"]);
    const none = { messages: 0, tokens: 0 };
    expect(team.mate("ann")).toStrictEqual({
      id: "ann",
      session: "s1",
      proof: "hash",
      role: "",
      interests: [],
      fetches: false,
      live: true,
      context: "new",
      point: "IP-001",
      waiting: [],
      sent: [],
      firstSerial: 1,
      tries: 0,
      lastSentAt: 0,
      stale: false,
      paused: false,
      sizes: { delta: none, sections: none, full: none, restated: none, version: none },
    });
  });

  it("[SI3] has a name of at most 80 characters that can stand in a list", () => {
    const team = new Team();
    expect(team.join("x".repeat(80)).events).toMatchObject([{ type: "joined" }]);
    for (const name of ["x".repeat(81), "", "NONE", " a", "a ", "a, b", "a\u0007"]) {
      const [refused, ...more] = team.join(name).events;
      expect(more).toEqual([]);
      expect(refused).toMatchObject({ type: "refused", reason: "name", clashes: [] });
    }
    expect(team.join("a, b").events).toStrictEqual([
      { type: "refused", by: "a, b", reason: "name", message: "Not a teammate's name: a, b", clashes: [] },
    ]);
    expect([...team.lead.teammates.keys()]).toEqual(["x".repeat(80)]);
  });

  it("[SI3] in place of another ends it; in place of itself or of nobody ends none", () => {
    const team = Team.of(["ann", "ben"]);
    const types = (more: object): unknown => team.join("cas", { session: "s2", ...more }).events.slice(0, -1);
    expect(types({ replaces: "ann" })).toStrictEqual([
      { type: "left", teammate: "ann" },
      { type: "joined", teammate: "cas", session: "s2", replaces: "ann" },
    ]);
    const joined = (session: string): unknown => [{ type: "joined", teammate: "cas", session }];
    expect(types({ session: "s3", replaces: "cas" })).toStrictEqual(joined("s3"));
    expect(types({ session: "s4", replaces: "eve" })).toStrictEqual(joined("s4"));
    expect(types({ session: "s5" })).toStrictEqual(joined("s5"));
    expect(team.mate("ben").live).toBe(true);
    expect(team.mate("ann")).toMatchObject({ live: false, waiting: [] });
  });

  it("[SI1] goes by the point of a replacement when it is one", () => {
    const team = Team.of(["ann"], { points: { "IP-006": { context: "none" } } });
    team.taskContexts.length = 0;
    team.join("ben", { replaces: "ann" });
    expect([team.post, team.taskContexts]).toEqual([[], ["ben"]]);
    team.join("cas");
    expect(team.post.map(shape)).toEqual(["v1 full: initial-spawn"]);
  });

  it("[SA4] again, does not answer what its earlier session was sent", () => {
    const team = Team.of(["ann"]);
    team.join("ann", { session: "s2" });
    expect(team.ack("ann", { version: 1, serial: 1 }, "s2")).toBe("old-attempt");
  });

  it("[SV7] and leaves is sent nothing, and has changed", () => {
    const team = Team.of(["ann"]);
    team.publish(NEXT);
    const { events, touched } = team.tell({ type: "leave", teammate: "ann" });
    expect(events).toStrictEqual([{ type: "left", teammate: "ann" }]);
    expect([...touched]).toEqual(["ann"]);
    expect(team.mate("ann").waiting).toEqual([]);
  });
});

describe("points", () => {
  it("[SI1] concern the named, or all who live where they are for all", () => {
    const team = Team.of(["ann", "ben", "cas"]);
    team.tell({ type: "leave", teammate: "cas" });
    expect(team.tell(IP_002).events).toEqual([]);
    expect(team.tell({ type: "inject", point: "IP-009" }).events).toEqual([
      { type: "injected", point: "IP-009", teammates: ["ann", "ben"] },
      { type: "up-to-date", teammate: "ann", version: 1 },
      { type: "up-to-date", teammate: "ben", version: 1 },
    ]);
    expect(team.tell({ ...IP_002, teammates: ["cas", "eve"] }).events).toEqual([
      { type: "withheld", teammate: "cas", why: "ended" },
      { type: "withheld", teammate: "eve", why: "ended" },
    ]);
  });

  it("[SI1] for the whole document send it once to who is being given it", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann");
    team.tell({ type: "inject", point: "IP-005", teammates: ["ann"] });
    expect(team.post.map(shape)).toEqual(["v1 full: initial-spawn"]);
    team.exchange();
    team.tell({ type: "inject", point: "IP-005", teammates: ["ann"] });
    expect(team.post.map(shape)).toEqual(["v1 full: injection-point"]);
  });

  it("[SI2] do not call up to date who is still being answered", () => {
    const team = Team.of(["ann"]);
    team.say("ann", '[CONTEXT-REQUEST] GC: need ["Status"] (needs-section)');
    expect(team.tell({ ...IP_002, teammates: ["ann"] }).events).toEqual([
      { type: "injected", point: "IP-002", teammates: ["ann"] },
    ]);
  });

  it("[SI4] a loss is told, of another session only that; its point may be overridden", () => {
    const team = Team.of(["ann"], { points: { "IP-005": { context: "none", task: false } } });
    const lost = { type: "lost", teammate: "ann", cause: "resume" } as const;
    expect(team.tell({ ...lost, session: "s0" }).events).toStrictEqual([
      { type: "withheld", teammate: "ann", why: "ended" },
    ]);
    expect(team.mate("ann").context).toBe("held");
    expect(team.tell({ ...lost, session: "s1" }).events).toStrictEqual([lost]);
    expect(team.mate("ann").context).toBe("lost");
  });
});

describe("requests of a teammate", () => {
  const asking = { type: "request", teammate: "ann", session: "s1", label: "GC" } as const;

  it("[SA7] stand in the log with what they ask for", () => {
    const team = Team.of(["ann"]);
    const first = (more: object): unknown => team.tell({ ...asking, ...more }).events[0];
    expect(first({})).toStrictEqual({ type: "requested", teammate: "ann", sections: [] });
    expect(first({ sections: ["A"] })).toStrictEqual({ type: "requested", teammate: "ann", sections: ["A"] });
    const withheld = { type: "withheld", teammate: "ann", why: "ended" };
    expect(first({ session: "s0" })).toStrictEqual(withheld);
    expect(first({ label: "API" })).toStrictEqual(withheld);
  });

  it("[SQ4] begin a new count when the time for an answer is over, not before", () => {
    const team = Team.of(["ann"], { maxSends: 1 });
    team.publish(NEXT);
    team.now += 119_999;
    const silent = team.tell(asking);
    expect(silent.messages).toEqual([]);
    expect([...silent.touched]).toEqual(["ann"]);
    team.now += 1;
    expect(team.tell(asking).messages.map(shape)).toEqual(["v2 full: requested"]);
  });

  it("[SA7] of sections bring no version that can wait; of who cannot answer bring the document", () => {
    const team = Team.of(["ann"]);
    team.publish(NEXT, { affected: [] });
    expect(team.tell({ ...asking, sections: ["Status"] }).messages.map(shape)).toEqual([
      "v1→v1 restated: unclear",
    ]);
    expect(team.mate("ann").waiting).toEqual([]);
    team.join("mute", { proof: "none" });
    expect(team.tell({ ...asking, teammate: "mute" }).messages.map(shape)).toEqual([
      "v2 full: initial-spawn",
    ]);
  });

  it("[SA7] of sections by who has proved nothing bring the update again, by word the sections", () => {
    for (const [proof, sent] of [
      ["hash", "v1→v2 delta: next-version"],
      ["word", "v2→v2 restated: unclear"],
    ] as const) {
      const team = Team.of(["ann"], {}, proof);
      team.publish(NEXT);
      expect(team.tell({ ...asking, sections: ["Status"] }).messages.map(shape)).toEqual([sent]);
    }
  });
});

describe("where a teammate stands", () => {
  it("[SQ3] is the first of what is true", () => {
    const team = new Team();
    team.publish(CONTEXT);
    const stands = (): unknown => standingOf(team.lead, team.mate("ann"));
    team.join("ann");
    expect(stands()).toBe("new");
    team.exchange();
    expect(stands()).toBe("current");
    team.publish(NEXT, { affected: [] });
    expect(stands()).toBe("behind");
    team.tell({ ...IP_002, teammates: ["ann"] });
    expect(stands()).toBe("updating");
    team.tick(120_000);
    expect(stands()).toBe("stale");
    team.exchange();
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "resume" });
    expect(stands()).toBe("lost");
    team.join("ann", { session: "s2", proof: "none" });
    expect(stands()).toBe("unanswering");
    team.tell({ type: "leave", teammate: "ann" });
    expect(stands()).toBe("ended");
  });
});
