import { describe, expect, it } from "vitest";
import { leadRows, neededVersions, restoreLead } from "../../src/sync/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { CONTEXT, status, Team } from "./team.ts";

/** A team of which these have ended, one after the other. */
function teamOf(ended: readonly string[], live: readonly string[], keepEnded: number): Team {
  const team = new Team({ keepEnded });
  team.publish(CONTEXT);
  for (const name of [...ended, ...live]) {
    team.now += 1_000;
    team.join(name);
    team.exchange();
  }
  for (const name of ended) team.tell({ type: "leave", teammate: name });
  return team;
}

describe("forgetting who ended", () => {
  it("[SS2] keeps those that were written to last, and everyone who is live", () => {
    const team = teamOf(["a", "b", "c", "d"], ["e"], 2);
    const step = team.tell({ type: "forget" });
    expect([...team.lead.teammates.keys()].sort()).toEqual(["c", "d", "e"]);
    expect(step.events).toEqual([{ type: "forgotten", teammates: 2 }]);
    expect([...step.touched].sort()).toEqual(["a", "b"]);
  });

  it("[SS2] says nothing where nobody goes", () => {
    const team = teamOf(["a", "b"], ["e"], 2);
    expect(team.tell({ type: "forget" })).toMatchObject({ events: [], messages: [] });
    expect(team.lead.teammates.size).toBe(3);
  });

  it("[SS2] forgets all of them where none is to be kept", () => {
    const team = teamOf(["a", "b", "c"], [], 0);
    team.tell({ type: "forget" });
    expect(team.lead.teammates.size).toBe(0);
    expect(team.tell({ type: "forget" }).events).toEqual([]);
  });

  it("[SS2] a live teammate that is silent, stale or lost is never forgotten", () => {
    const team = teamOf([], ["e"], 0);
    team.publish(status(CONTEXT, "COMPLETE"));
    team.tick(10_000_000);
    team.tell({ type: "forget" });
    expect(team.lead.teammates.get("e")).toMatchObject({ live: true, stale: true });
  });

  it("[SS2] whoever comes back under a forgotten name begins like anybody new", () => {
    const team = teamOf(["a"], [], 0);
    team.tell({ type: "forget" });
    const late = team.tell({
      type: "ack",
      teammate: "a",
      session: "s1",
      ack: { label: "GC", version: 1, impact: "", unclear: [] },
    });
    expect(late.events).toMatchObject([{ type: "acked", verdict: "unknown-teammate" }]);
    const joined = team.tell({ type: "join", teammate: "a", session: "s-new" });
    expect(joined.messages.map(({ form, why }) => [form, why])).toEqual([["full", "initial-spawn"]]);
    const { messages } = team.lead.teammates.get("a")!.sizes.full;
    expect(messages).toBe(1);
  });

  it("[SS2] keeps no text alive, and the rest goes on after a restart as before", () => {
    const team = teamOf(["a", "b"], ["e"], 0);
    const needed = neededVersions(team.lead);
    team.tell({ type: "forget" });
    expect(neededVersions(team.lead)).toEqual(needed);
    const restored = restoreLead(leadRows(team.lead), team.lead.contents, team.lead.policy);
    expect([...restored.teammates.keys()]).toEqual(["e"]);
    expect(restored.teammates.get("e")).toEqual(team.lead.teammates.get("e"));
  });

  it("[SS2] is linear in those who ended", () => {
    const team = teamOf(["a"], [], 20);
    const gone = team.lead.teammates.get("a")!;
    const forget = (count: number) => {
      for (let at = 0; at < count; at++)
        team.lead.teammates.set(`t${at}`, { ...gone, id: `t${at}`, lastSentAt: at });
      return team.tell({ type: "forget" });
    };
    expect(forget(10_000).touched.size).toBe(9_981);
    expect(growth(2_500, count => count, forget)).toBeLessThan(LINEAR);
    // The one that was written to by the clock of the team is newer than any of these.
    expect([...team.lead.teammates.keys()].includes("a")).toBe(gone.lastSentAt > 9_979);
  });
});
