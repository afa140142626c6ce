import { describe, expect, it } from "vitest";
import { versionOf } from "../../src/sync/index.ts";
import { CONTEXT, edit, shape, status, Team } from "./team.ts";

const NEXT = edit(
  edit(status(CONTEXT, "COMPLETE"), "- R-1: PDF", "- R-1: a PDF"),
  "- builder: src/exports\n",
  "- builder: src/exports, src/mail\n",
);

/** A team of one with v2 on its way. */
function waiting(proof: "hash" | "word" = "hash", policy = {}): Team {
  const team = Team.of(["ann"], policy, proof);
  team.publish(NEXT);
  return team;
}

const hashOf = (team: Team, version: number): string => versionOf(team.lead, version)!.hash;

describe("acknowledgements, judged", () => {
  it("[SA3] confirms by hash", () => {
    const team = waiting();
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2) })).toBe("confirmed");
    expect(team.mate("ann").confirmed).toMatchObject({
      version: 2,
      hash: hashOf(team, 2),
      by: "hash",
      at: team.now,
    });
    expect(team.mate("ann").flight).toBeUndefined();
  });

  it("[SA3] confirms by word who has no tools", () => {
    const team = waiting("word");
    const { items } = team.mate("ann").flight!;
    expect(items).toBe(3);
    expect(team.ack("ann", { version: 2, items: { applied: 3, total: 3 }, action: "CONTINUE" })).toBe(
      "confirmed",
    );
    expect(team.mate("ann").confirmed).toMatchObject({ version: 2, by: "word" });
  });

  it("[SA3] never shows as many digits as prove a version", () => {
    const team = waiting();
    const { text } = team.take();
    expect(text).not.toContain(hashOf(team, 2));
    expect(text).toContain(hashOf(team, 2).slice(0, 6));
  });

  it("[SA3] sends a teammate that cannot answer the whole document at points, and waits for nothing", () => {
    const team = Team.of(["mute"], {}, "none");
    expect(team.mate("mute").flight).toBeUndefined();
    team.publish(NEXT);
    expect(team.post).toEqual([]);
    team.tell({ type: "inject", point: "IP-002", teammates: ["mute"] });
    expect(team.post.map(shape)).toEqual(["v2 full: initial-spawn"]);
    expect(team.tick(1_000_000).messages).toEqual([]);
    expect(team.ack("mute", { version: 2 })).toBe("never-sent");
  });

  it("[SA4] unknown-teammate, ended, other-label, old-session: nothing happens", () => {
    const team = waiting();
    const hash = hashOf(team, 2);
    expect(team.ack("eve", { version: 2, hash })).toBe("unknown-teammate");
    expect(team.ack("ann", { version: 2, hash, label: "API" })).toBe("other-label");
    expect(team.ack("ann", { version: 2, hash }, "s0")).toBe("old-session");
    expect(team.confirmed("ann")).toBe(1);
    expect(team.mate("ann").flight).toBeDefined();
    team.tell({ type: "leave", teammate: "ann" });
    expect(team.ack("ann", { version: 2, hash })).toBe("ended");
  });

  it("[SA4] duplicated: the second changes nothing", () => {
    const team = waiting();
    const ack = { version: 2, hash: hashOf(team, 2), serial: 2 };
    expect([team.ack("ann", ack), team.ack("ann", ack)]).toEqual(["confirmed", "duplicate"]);
    expect(team.confirmed("ann")).toBe(2);
  });

  it("[SA4] reordered: what is older than the confirmed version changes nothing", () => {
    const team = waiting();
    team.ack("ann", { version: 2, hash: hashOf(team, 2) });
    expect(team.ack("ann", { version: 1, hash: hashOf(team, 1), serial: 1 })).toBe("older");
    expect(team.confirmed("ann")).toBe(2);
  });

  it.each([3, 99, 0])("[SA4] of version %i, which was never sent: nothing", version => {
    const team = waiting();
    team.publish(status(NEXT, "X"));
    expect(["never-sent", "older"]).toContain(team.ack("ann", { version, hash: hashOf(team, 2) }));
    expect(team.confirmed("ann")).toBe(1);
    expect(team.mate("ann").flight?.version).toBe(2);
  });

  it("[SA4] of a message with another number: never-sent", () => {
    const team = waiting();
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2), serial: 77 })).toBe("never-sent");
  });

  it("[SA4] of an old attempt, in the same session after a loss: nothing", () => {
    const team = waiting();
    const { serial } = team.take();
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "compaction" });
    const hash = hashOf(team, 2);
    expect(team.ack("ann", { version: 2, hash, serial })).toBe("old-attempt");
    expect(team.ack("ann", { version: 2, hash })).toBe("unproven");
    expect(team.mate("ann").context).toBe("lost");
    expect(team.ack("ann", { version: 2, hash, serial: team.mate("ann").flight!.serial })).toBe("confirmed");
  });

  it("[SA4] of an old attempt in another session: nothing, and the new one is kept", () => {
    const team = waiting();
    team.join("ann", { session: "s2" });
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2) }, "s1")).toBe("old-session");
    expect(team.confirmed("ann")).toBeUndefined();
  });

  it("[SA4] a late answer to a message that timed out confirms, and spares the rest", () => {
    const team = waiting();
    const late = team.take();
    team.tick(120_000);
    expect(team.mate("ann").flight?.serial).not.toBe(late.serial);
    const { answer } = team.deliver(late);
    team.say("ann", answer!);
    expect(team.confirmed("ann")).toBe(2);
    expect(team.mate("ann").flight).toBeUndefined();
  });

  it("[SA4] a forged hash: it counts as lost and gets everything", () => {
    const team = waiting();
    team.post.length = 0;
    expect(team.ack("ann", { version: 2, hash: "0123456789ab", items: { applied: 3, total: 3 } })).toBe(
      "forged",
    );
    expect(team.post.map(shape)).toEqual(["v2 full: context-lost"]);
    expect(team.confirmed("ann")).toBeUndefined();
  });

  it("[SA4] a forged hash by word counts as well", () => {
    const team = waiting("word");
    expect(team.ack("ann", { version: 2, hash: "0123456789ab" })).toBe("forged");
    expect(team.ack("ann", { version: 2, serial: team.mate("ann").flight!.serial })).toBe("confirmed");
  });

  it("[SA4] unproven: no hash, or no more of it than the message shows", () => {
    const team = waiting();
    expect(team.ack("ann", { version: 2 })).toBe("unproven");
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2).slice(0, 6) })).toBe("unproven");
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2).slice(0, 11) })).toBe("unproven");
    expect(team.confirmed("ann")).toBe(1);
    expect(team.mate("ann").flight).toBeDefined();
  });

  it("[SA4] 4/3: the hash decides", () => {
    const team = waiting();
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2), items: { applied: 4, total: 3 } })).toBe(
      "overcounted",
    );
    expect(team.confirmed("ann")).toBe(2);
  });

  it("[SA4] 4/3 by word: it counts as lost", () => {
    const team = waiting("word");
    team.post.length = 0;
    expect(team.ack("ann", { version: 2, items: { applied: 4, total: 3 } })).toBe("overcounted");
    expect(team.post.map(shape)).toEqual(["v2 full: context-lost"]);
  });

  it("[SA4] 2/2 of three items, by word: the same again; 1/1: full", () => {
    const team = waiting("word");
    team.post.length = 0;
    expect(team.ack("ann", { version: 2, items: { applied: 2, total: 2 } })).toBe("undercounted");
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
    team.post.length = 0;
    expect(team.ack("ann", { version: 2, items: { applied: 1, total: 1 } })).toBe("undercounted");
    expect(team.post.map(shape)).toEqual(["v2 full: unclear"]);
  });

  it("[SA5] 2/3 with an unclear item: its section again, and nothing confirmed yet", () => {
    const team = waiting("word");
    team.post.length = 0;
    team.say(
      "ann",
      "[ACK-UPDATE] GC-v2 received.\n- Delta items applied: 2/3, unclear: §Risks R-1\n- Action taken: CONTINUE",
    );
    expect(team.post.map(shape)).toEqual(["v2→v2 restated: unclear"]);
    expect(team.post[0]!.text).toContain(
      "- REPLACED §Risks:\n\\- R-1: a PDF of the largest customer takes longer than a link lives",
    );
    expect(team.post[0]!.text).not.toContain("Phase 2");
    expect(team.confirmed("ann")).toBe(1);
    expect(team.ack("ann", { version: 2, items: { applied: 1, total: 1 } })).toBe("confirmed");
    expect(team.confirmed("ann")).toBe(2);
  });

  it("[SA5] 2/3 with an unclear item by hash: confirmed, and its section again", () => {
    const team = waiting();
    const message = team.take();
    team.deliver(message);
    const hash = hashOf(team, 2);
    expect(
      team.ack("ann", {
        version: 2,
        hash,
        items: { applied: 2, total: 3 },
        unclear: ["Owners"],
        action: "NEED_CLARIFICATION",
      }),
    ).toBe("partial");
    expect(team.confirmed("ann")).toBe(2);
    const again = team.take();
    expect(shape(again)).toBe("v2→v2 restated: unclear");
    expect(team.deliver(again).receipt).toEqual({ type: "held", version: 2 });
    expect(team.replica("ann").held?.text).toBe(NEXT);
    expect(team.log).toContainEqual({
      type: "clarify",
      teammate: "ann",
      unclear: ["Owners"],
      impact: "NONE",
    });
  });

  it("[SA5] 2/3 and no item named: the same update again", () => {
    const team = waiting("word");
    team.post.length = 0;
    expect(team.ack("ann", { version: 2, items: { applied: 2, total: 3 } })).toBe("partial");
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
  });

  it.each(["hash", "word"] as const)("[SA5] 1/3, by %s: more than half is unclear, full", proof => {
    const team = waiting(proof);
    team.post.length = 0;
    const unclear = ["Risks", "Owners"];
    expect(
      team.ack("ann", { version: 2, hash: hashOf(team, 2), items: { applied: 1, total: 3 }, unclear }),
    ).toBe("partial");
    expect(team.post.map(shape)).toEqual(["v2 full: unclear"]);
  });

  it("[SA5] an unclear item that no section answers to: full", () => {
    const team = waiting("word");
    team.post.length = 0;
    team.ack("ann", { version: 2, items: { applied: 2, total: 3 }, unclear: ["\u0007nonsense"] });
    expect(team.post.map(shape)).toEqual(["v2 full: unclear"]);
  });

  it("[SA5] something unclear in a full message, by word: nothing confirmed, everything again", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann", { proof: "word" });
    team.post.length = 0;
    expect(team.ack("ann", { version: 1, unclear: ["Status"], action: "NEED_CLARIFICATION" })).toBe(
      "partial",
    );
    expect(team.confirmed("ann")).toBeUndefined();
    expect(team.post.map(shape)).toEqual(["v1 full: initial-spawn"]);
  });

  it("[SA5] a restated section that gets no answer is sent again", () => {
    const team = waiting();
    team.ack("ann", {
      version: 2,
      hash: hashOf(team, 2),
      items: { applied: 2, total: 3 },
      unclear: ["Owners"],
    });
    team.post.length = 0;
    team.tick(120_000);
    expect(team.post.map(shape)).toEqual(["v2→v2 restated: unclear"]);
  });

  it("[SA5] a late partial answer confirms nothing by word", () => {
    const team = waiting("word");
    const { serial } = team.take();
    team.tick(120_000);
    expect(team.ack("ann", { version: 2, serial, items: { applied: 1, total: 3 } })).toBe("partial");
    expect(team.confirmed("ann")).toBe(1);
    expect(team.mate("ann").flight).toBeDefined();
  });

  it("[SA5] clarification asked for without saying of what is left to the lead", () => {
    const team = waiting();
    expect(
      team.ack("ann", { version: 2, hash: hashOf(team, 2), action: "NEED_CLARIFICATION", impact: "why?" }),
    ).toBe("confirmed");
    expect(team.log.at(-1)).toEqual({ type: "clarify", teammate: "ann", unclear: [], impact: "why?" });
  });

  it("[SA6] PAUSE asks for a person; the copy stays in step", () => {
    const team = waiting();
    team.ack("ann", { version: 2, hash: hashOf(team, 2), action: "PAUSE", impact: "my files moved" });
    expect(team.mate("ann").paused).toBe(true);
    expect(team.log).toContainEqual({ type: "paused", teammate: "ann", impact: "my files moved" });
    team.publish(status(NEXT, "X"));
    expect(team.post.at(-1)?.version).toBe(3);
    team.tell({ type: "resume", teammate: "ann" });
    expect(team.mate("ann").paused).toBe(false);
  });

  it("[SA6] nobody pauses another, and a teammate itself whatever its answer proves", () => {
    const pauses = (who: string, ack: object, session = "s1"): boolean => {
      const team = waiting();
      team.ack(who, { version: 2, action: "PAUSE", ...ack }, session);
      return team.mate("ann").paused;
    };
    expect([pauses("eve", {}), pauses("ann", {}, "s0")]).toEqual([false, false]);
    for (const ack of [
      { hash: "0123456789ab" },
      { version: 1 },
      { version: 9 },
      {},
      { doubt: "?" },
      { serial: 77 },
    ])
      expect({ ack, paused: pauses("ann", ack) }).toEqual({ ack, paused: true });
  });

  it("[SA4] what is not understood proves nothing, not even by hash", () => {
    for (const proof of ["hash", "word"] as const) {
      const team = waiting(proof);
      expect(team.ack("ann", { version: 2, hash: hashOf(team, 2), doubt: "Action: DANCE" })).toBe("unproven");
      expect(team.confirmed("ann")).toBe(1);
      expect(team.log.at(-1)).toMatchObject({ message: "Not understood: Action: DANCE" });
    }
  });

  it("[SA5] a question by word without saying of what: nothing confirmed, everything again", () => {
    const team = waiting("word");
    team.post.length = 0;
    expect(team.ack("ann", { version: 2, action: "NEED_CLARIFICATION" })).toBe("partial");
    expect(team.confirmed("ann")).toBe(1);
    expect(team.post.map(shape)).toEqual(["v2 full: unclear"]);
  });

  it("[SA6] a halt that names no version pauses or asks, from its own session only", () => {
    const team = waiting("word");
    team.say("ann", "[ACK-UPDATE] received. Action: PAUSE", "s0");
    expect(team.mate("ann").paused).toBe(false);
    team.say("ann", "Action taken: NEED_CLARIFICATION");
    expect(team.log.at(-1)).toEqual({ type: "clarify", teammate: "ann", unclear: [], impact: "" });
    team.say("ann", "[ACK-UPDATE] received. Impact: my files moved. Action: PAUSE");
    expect(team.log.at(-1)).toEqual({ type: "paused", teammate: "ann", impact: "my files moved" });
    expect([team.mate("ann").paused, team.confirmed("ann")]).toEqual([true, 1]);
  });

  it("[SA7] a request that came twice, or late, is answered once", () => {
    const team = waiting();
    const { serial } = team.take();
    const words = `[CONTEXT-REQUEST] GC #${serial}: need full context (base)`;
    team.say("ann", words);
    team.say("ann", words);
    expect(team.post.map(shape)).toEqual(["v2 full: requested"]);
    team.exchange();
    team.say("ann", words);
    expect(team.post).toEqual([]);
    expect(team.log.at(-1)).toEqual({ type: "withheld", teammate: "ann", why: "answered" });
  });

  it("[SA7] a request from another session or for another document changes nothing", () => {
    const team = Team.of(["ann"]);
    team.say("ann", "[CONTEXT-REQUEST] GC: need full context", "s0");
    team.say("ann", "[CONTEXT-REQUEST] API: need full context");
    team.say("eve", "[CONTEXT-REQUEST] GC: need full context");
    expect(team.post).toEqual([]);
  });

  it("[SA7] a request for a section is answered with it", () => {
    const team = Team.of(["ann"]);
    team.say("ann", '[CONTEXT-REQUEST] GC: need ["Contracts"] (needs-section)');
    const message = team.take();
    expect(shape(message)).toBe("v1→v1 restated: unclear");
    expect(message.text).toContain("- REPLACED §Requests:");
    expect(message.text).toContain("- REPLACED §Files:");
    expect(team.deliver(message).receipt).toEqual({ type: "held", version: 1 });
  });

  it("[SA8] a loss ends what is in flight, and its answer does not count", () => {
    const team = waiting();
    const old = team.take();
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "compaction" });
    const { answer } = team.deliver(old);
    team.say("ann", answer!);
    expect(team.mate("ann").context).toBe("lost");
    expect(team.exchange().map(shape)).toEqual(["v2 full: context-lost"]);
    expect(team.mate("ann").context).toBe("held");
  });

  it("[SA8] a teammate may report its loss itself", () => {
    const team = Team.of(["ann"]);
    team.say("ann", "[STATUS] Phase 2 | CONTEXT_LOST");
    expect(team.post.map(shape)).toEqual(["v1 full: context-lost"]);
    team.say("ann", "[STATUS] Phase 2 | COMPLETE");
    expect(team.post).toHaveLength(1);
  });
});
