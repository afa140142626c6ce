import { describe, expect, it } from "vitest";
import { leadRows, restoreLead, standingOf, syncLogLine, untold, waitOf } from "../../src/sync/index.ts";
import { CONTEXT, edit, shape, status, Team } from "./team.ts";

const pull = (team: Team) => team.tell({ type: "pull", teammate: "back" });

/** A lead with a teammate that fetches and holds the first version. */
function fetching(policy = {}): Team {
  const team = new Team(policy);
  team.publish(CONTEXT);
  team.join("back", { proof: "word", fetches: true });
  pull(team);
  team.ack("back", { version: 1 });
  team.post.length = 0;
  return team;
}

describe("a teammate that fetches its updates", () => {
  it("[SQ7] is sent nothing when it joins, nor when a version is published", () => {
    const team = new Team();
    team.publish(CONTEXT);
    const joined = team.join("back", { fetches: true });
    expect(joined.messages).toEqual([]);
    expect(joined.events.at(-1)).toEqual({ type: "withheld", teammate: "back", why: "fetches" });
    const [first] = pull(team).messages;
    expect(shape(first!)).toBe("v1 full: initial-spawn");
    team.ack("back", { version: 1, hash: first!.text.includes("GC-v1") ? team.lead.versions[0]!.hash : "" });
    expect(team.publish(status(CONTEXT, "COMPLETE")).messages).toEqual([]);
    expect(standingOf(team.lead, team.mate("back"))).toBe("behind");
  });

  it("[SQ7] gets by one pull what is next, and by another the same while it has not answered", () => {
    const team = fetching();
    team.publish(status(CONTEXT, "COMPLETE"));
    const [once] = pull(team).messages;
    const [twice] = pull(team).messages;
    expect(shape(once!)).toBe("v1→v2 delta: next-version");
    expect(twice?.text).toBe(once?.text);
    expect(twice!.serial).toBeGreaterThan(once!.serial);
    expect(team.ack("back", { version: 2, serial: once!.serial })).toBe("confirmed");
    expect(pull(team)).toMatchObject({ messages: [], events: [{ type: "up-to-date", version: 2 }] });
  });

  it("[SQ7] keeps what it missed in order: one after the other, or squashed where any gap may be bridged", () => {
    const steps = (policy: object): string[] => {
      const team = fetching(policy);
      for (const value of ["ONE", "TWO", "THREE"]) team.publish(status(CONTEXT, value));
      const seen: string[] = [];
      for (let round = 0; round < 4; round++) {
        const [message] = pull(team).messages;
        if (message === undefined) break;
        seen.push(shape(message));
        team.ack("back", { version: message.version });
      }
      return seen;
    };
    expect(steps({})).toEqual([
      "v1→v2 delta: next-version",
      "v2→v3 delta: next-version",
      "v3→v4 delta: next-version",
    ]);
    expect(steps({ maxGap: "any" })).toEqual(["v1→v4 delta: squashed"]);
  });

  it("[SQ7] is answered when it asks for sections or for everything, by its next pull", () => {
    const team = fetching();
    expect(team.say("back", '[CONTEXT-REQUEST] GC: need ["Status"] (unclear)')[0]?.messages).toEqual([]);
    expect(shape(pull(team).messages[0]!)).toBe("v1→v1 restated: unclear");
    team.ack("back", { version: 1 });
    team.tell({ type: "lost", teammate: "back", session: "s1", cause: "compaction" });
    expect(team.post.splice(0).filter(({ form }) => form === "full")).toEqual([]);
    expect(shape(pull(team).messages[0]!)).toBe("v1 full: context-lost");
  });

  it("[SQ3] is stale when it has fetched and does not answer, and nothing is sent after it", () => {
    const team = fetching();
    team.publish(status(CONTEXT, "COMPLETE"));
    expect(team.tick(1_000_000).events).toEqual([]);
    pull(team);
    const late = team.tick(120_000);
    expect(late.messages).toEqual([]);
    expect(late.events.map(({ type }) => type)).toEqual(["timeout", "withheld"]);
    expect(standingOf(team.lead, team.mate("back"))).toBe("stale");
    const [again] = pull(team).messages;
    team.ack("back", { version: again!.version });
    expect(standingOf(team.lead, team.mate("back"))).toBe("current");
  });

  it("[SA11] what it did not answer is told by its number, also where a gate began a new count", () => {
    const team = fetching();
    team.publish(status(CONTEXT, "COMPLETE"));
    const { serial } = pull(team).messages[0]!;
    team.tell({ type: "freeze", gate: "P1" });
    const [timeout] = team.tick(120_000).events;
    expect(timeout).toMatchObject({ type: "timeout", serial });
    expect(syncLogLine("GC", timeout!)).toBe(`[SYNC] GC: no answer from back to v2 (#${serial})`);
  });

  it("[SG2] is waited for at a gate no longer than others are", () => {
    const team = fetching();
    team.publish(status(CONTEXT, "COMPLETE"));
    const frozen = team.tell({ type: "freeze", gate: "P1" });
    expect(frozen.messages).toEqual([]);
    expect(frozen.events[0]).toMatchObject({ type: "frozen", waitsFor: ["back"] });
    expect(team.tick(120_000).events.at(-1)).toMatchObject({ type: "gate-ready", stale: ["back"] });
    team.publish(edit(status(CONTEXT, "COMPLETE"), "as CSV and PDF", "as CSV"));
    expect(team.tell({ type: "unfreeze" }).messages).toEqual([]);
  });

  it("[SS1] is one after a restart too", () => {
    const team = fetching();
    team.publish(status(CONTEXT, "COMPLETE"));
    const rows = JSON.parse(JSON.stringify(leadRows(team.lead)));
    const again = restoreLead(rows, team.lead.contents, team.lead.policy);
    expect(again.teammates.get("back")).toEqual(team.mate("back"));
    expect(again.teammates.get("back")?.fetches).toBe(true);
  });

  it("[SF6] is given as one delta what waited while it worked, whatever the gap", () => {
    const team = fetching({ maxGap: 1 });
    for (const value of ["ONE", "TWO", "THREE"]) team.publish(status(CONTEXT, value));
    const [message] = team.tell({ type: "pull", teammate: "back", squash: true }).messages;
    expect(shape(message!)).toBe("v1→v4 delta: squashed");
    expect(team.ack("back", { version: 4 })).toBe("confirmed");
  });

  it("[SQ8] is sent nothing that is longer than it can take, and then it is as if it had not asked", () => {
    const team = fetching();
    team.publish(status(CONTEXT, "COMPLETE"));
    const small = team.tell({ type: "pull", teammate: "back", most: 20 });
    expect(small.messages).toEqual([]);
    expect(small.events).toEqual([{ type: "withheld", teammate: "back", why: "large" }]);
    expect([team.mate("back").flight, team.mate("back").sent]).toEqual([undefined, []]);
    expect(pull(team).messages).toHaveLength(1);
  });

  it("[SQ9] waits for what it has not been sent, not for what it has not answered", () => {
    const team = fetching();
    const waits = () => untold(team.lead, team.mate("back"));
    expect(waits()).toBeUndefined();
    team.publish(status(CONTEXT, "ONE"));
    expect(waits()).toBe(2);
    pull(team);
    expect(waits()).toBeUndefined();
    team.tick(120_000);
    expect([standingOf(team.lead, team.mate("back")), waits()]).toEqual(["stale", undefined]);
    team.publish(status(CONTEXT, "TWO"));
    expect(waits()).toBe(3);
    team.tell({ type: "freeze", gate: "P1" });
    team.publish(status(CONTEXT, "THREE"));
    expect(waits()).toBe(3);
    team.tell({ type: "lost", teammate: "back", session: "s1", cause: "compaction" });
    expect(waits()).toBeUndefined();
  });

  it("[SA10] is told what it lacks, and why", () => {
    const team = fetching();
    const why = () => waitOf(team.lead, team.mate("back"));
    expect(why()).toBeUndefined();
    team.publish(status(CONTEXT, "ONE"), { affected: [] });
    expect(why()).toEqual({ version: 2, why: "unconcerned" });
    team.publish(status(CONTEXT, "TWO"));
    expect(why()).toEqual({ version: 3, why: "fetches" });
    team.tell({ type: "freeze", gate: "P1" });
    team.publish(status(CONTEXT, "THREE"));
    team.tick(120_000);
    expect(why()).toEqual({ version: 4, why: "gate" });
    team.tell({ type: "unfreeze" });
    pull(team);
    expect(why()).toMatchObject({ why: "unanswered" });
    for (let times = 0; times < 3; times++) team.tick(120_000);
    team.mate("back").tries = 3;
    expect(why()).toEqual({ version: 4, why: "silent" });
    team.tell({ type: "lost", teammate: "back", session: "s1", cause: "compaction" });
    expect(why()).toEqual({ version: 4, why: "lost" });
    team.say("back", "PAUSE");
    expect(why()).toEqual({ version: 4, why: "paused" });
    team.join("mute", { proof: "none", fetches: true });
    expect(waitOf(team.lead, team.mate("mute"))).toBeUndefined();
    team.join("new", { fetches: true });
    expect(waitOf(team.lead, team.mate("new"))).toEqual({ version: 4, why: "begins" });
  });

  it("[SQ7] does not change what others are sent", () => {
    const team = fetching();
    team.join("front", { proof: "word" });
    team.ack("front", { version: 1 });
    const sent = team.publish(status(CONTEXT, "COMPLETE")).messages;
    expect(sent.map(({ teammate }) => teammate)).toEqual(["front"]);
  });
});
