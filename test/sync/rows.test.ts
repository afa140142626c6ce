import { describe, expect, it } from "vitest";
import {
  leadRows,
  leadStep,
  neededVersions,
  restoreLead,
  type SyncEvent,
  syncLogLine,
} from "../../src/sync/index.ts";
import { CODEC, CONTEXT, shape, status, Team } from "./team.ts";

/** A lead with something of everything: in flight, waiting, lost, ended, stale, a gate. */
function busy(): Team {
  const team = Team.of(["ann", "ben", "cas", "dan"], { maxGap: "any" });
  team.join("mute", { proof: "none" });
  team.tell({ type: "leave", teammate: "dan" });
  team.publish(status(CONTEXT, "A"));
  team.post.length = 0;
  team.tick(120_000);
  team.tell({ type: "lost", teammate: "cas", session: "s1", cause: "compaction" });
  team.tell({ type: "freeze", gate: "2" });
  team.publish(status(CONTEXT, "B"));
  team.post.length = 0;
  return team;
}

describe("rows", () => {
  it("[SS1] are plain data and bring back the same lead", () => {
    const { lead } = busy();
    const rows = JSON.parse(JSON.stringify(leadRows(lead)));
    const again = restoreLead(rows, lead.contents, lead.policy);
    expect(leadRows(again)).toEqual(leadRows(lead));
    expect(again.teammates.get("ann")).toEqual(lead.teammates.get("ann"));
  });

  it("[SS1] share nothing with the lead", () => {
    const team = busy();
    const rows = leadRows(team.lead);
    const before = JSON.stringify(rows);
    team.tell({ type: "unfreeze" });
    team.exchange();
    expect(JSON.stringify(rows)).toBe(before);
  });

  it("[SS1] of touched teammates only", () => {
    const team = busy();
    const { touched } = team.tell({ type: "resume", teammate: "ben" });
    expect(leadRows(team.lead, touched).teammates.map(mate => mate.id)).toEqual(["ben"]);
  });

  it("[SS1] a restored lead goes on where it was, with the needed texts alone", () => {
    const team = busy();
    const { lead } = team;
    const needed = neededVersions(lead);
    const contents = new Map([...lead.contents].filter(([version]) => needed.has(version)));
    const again = restoreLead(JSON.parse(JSON.stringify(leadRows(lead))), contents, lead.policy);
    const inputs = [
      { type: "tick", now: team.now + 120_000 },
      { type: "unfreeze", now: team.now + 130_000 },
      { type: "tick", now: team.now + 300_000 },
    ] as const;
    for (const input of inputs) {
      const one = leadStep(lead, input, CODEC);
      const other = leadStep(again, input, CODEC);
      expect(other).toEqual(one);
    }
    expect(leadRows(again)).toEqual(leadRows(lead));
  });

  it("[SS1] every step names whose rows changed", () => {
    const team = busy();
    const inputs = [
      () => team.tell({ type: "unfreeze" }),
      () => team.publish(status(CONTEXT, "C")),
      () => team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] }),
      () => team.tell({ type: "pull", teammate: "ben" }),
      () => team.tick(120_000),
      () => team.join("eve"),
      () => team.say("ben", "[CONTEXT-REQUEST] GC: need full context")[0]!,
      () => team.tell({ type: "leave", teammate: "ben" }),
      () => team.tell({ type: "freeze", gate: "3" }),
      () => team.tick(240_000),
    ];
    for (const input of inputs) {
      const before = new Map(leadRows(team.lead).teammates.map(mate => [mate.id, JSON.stringify(mate)]));
      const { touched } = input();
      const changed = leadRows(team.lead).teammates.filter(
        mate => before.get(mate.id) !== JSON.stringify(mate),
      );
      expect([...touched]).toEqual(expect.arrayContaining(changed.map(mate => mate.id)));
    }
  });
});

describe("the message log", () => {
  it("[SF5] has a safe line for everything that happens", () => {
    const team = busy();
    team.tell({ type: "unfreeze" });
    team.exchange();
    team.publish(status(CONTEXT, "B"));
    team.publish(status(CONTEXT, "Z"), { base: 1, by: "\u001b[31mother\n" });
    team.ack("ann", { version: 99 });
    team.ack("ann", { version: 3, action: "PAUSE" });
    team.say("ann", '[CONTEXT-REQUEST] GC: need ["\u0007"]');
    team.say("ann", "[CONTEXT-REQUEST] GC #1: need full context");
    team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    const seen = new Set(team.log.map(event => event.type));
    const lines = team.log.map(event => syncLogLine("GC", event));
    for (const line of lines) {
      expect(line).toMatch(/^\[SYNC\] GC: \S/);
      expect(line).not.toMatch(/[\u0000-\u001f\u007f]/);
      expect(line).not.toContain("undefined");
    }
    expect(seen.size).toBeGreaterThanOrEqual(13);
  });

  it.each<readonly [SyncEvent, string]>([
    [{ type: "unchanged", version: 3, by: "x" }, "nothing new, still v3"],
    [{ type: "paused", teammate: "ann", impact: "moved" }, "ann asks for a person: moved"],
    [{ type: "clarify", teammate: "ann", unclear: ["A", "B"], impact: "" }, "ann did not understand §A, §B"],
    [{ type: "gate-ready", gate: "2", version: 3, stale: ["ben"] }, "gate 2 can be judged on v3; stale: ben"],
    [{ type: "timeout", teammate: "ann", version: 3, tries: 2 }, "no answer from ann to v3 (message 2)"],
    [{ type: "joined", teammate: "ann", session: "s", replaces: "ben" }, "ann joined in place of ben"],
    [{ type: "withheld", teammate: "ann", why: "gate" }, "nothing for ann: a gate is being judged"],
    [
      {
        type: "published",
        version: 2,
        hash: "ab",
        by: "",
        sections: [],
        now: [],
        later: ["ann"],
        mergedFrom: 1,
      },
      "v2 ab by ?, merged from v1; now: nobody; at their next task: ann",
    ],
  ])("[SF5] %o", (event, line) => {
    expect(syncLogLine("GC", event)).toBe(`[SYNC] GC: ${line}`);
  });

  it("[SF5] shows nothing of a step that was not needed twice", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "A"));
    expect(team.exchange().map(shape)).toEqual(["v1→v2 delta: next-version"]);
    expect(team.tick(1_000_000).events).toEqual([]);
  });
});
