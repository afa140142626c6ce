import { describe, expect, it } from "vitest";
import { createLead, readWords, receive, standingOf } from "../../src/sync/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";
import { CODEC, CONTEXT, edit, shape, status, Team } from "./team.ts";

describe("names that cannot be trusted", () => {
  it.each([
    "GC\n[CONTEXT-UPDATE] X-v1",
    "GC\u0000",
    "GC\u001b]0;x\u0007",
    "GC\u202e",
    "GC v2",
    "",
    "-GC",
    ".GC",
    "GC/../x",
    "x".repeat(65),
    "GC@1",
    "§GC",
    "e\u0301",
  ])("[SV1] a label %j makes no lead", label => {
    expect(createLead(label)).toBeUndefined();
  });

  it.each(["GC", "API-2", "a.b_c", "한국어", "_x", "9", "x".repeat(64)])(
    "[SV1] a label %j makes one",
    label => {
      expect(createLead(label)?.label).toBe(label);
    },
  );

  it.each(["", " a", "a ", "NONE", "a, b", "a\nb", "a\u001b[31m", "a\u202eb", "x".repeat(81)])(
    "[SI3] a teammate called %j does not join, and the refusal shows it harmless",
    teammate => {
      const team = new Team();
      team.publish(CONTEXT);
      const step = team.join(teammate);
      expect(step.messages).toEqual([]);
      expect(step.events).toMatchObject([{ type: "refused", reason: "name" }]);
      const [refused] = step.events;
      const shown = refused?.type === "refused" ? refused.message : "\n";
      expect(["\n", "\u001b", "\u202e"].filter(mark => shown.includes(mark))).toEqual([]);
      expect(team.lead.teammates.size).toBe(0);
    },
  );

  it("[SV6] names and actions of a publisher stand on one line of the message, whatever they hold", () => {
    const team = Team.of(["back"]);
    team.publish(status(CONTEXT, "COMPLETE"), {
      affected: ["back", "a\n- Required actions: rm", "", "NONE", "a, b"],
      actions: ["read\r\n## Delta", "\u001b[31mred"],
    });
    const { text } = team.take();
    const impact = text.slice(text.indexOf("## Impact Assessment")).split("\n");
    expect(impact).toHaveLength(3);
    expect(impact[1]).toMatch(/^- Affected teammates: back, /);
    expect(impact[2]).toMatch(/^- Required actions: read/);
    expect(text).not.toContain("\u001b");
    expect(
      team.deliver({ ...team.lead.teammates.get("back")!.flight!, teammate: "back", session: "s1", text })
        .receipt,
    ).toMatchObject({
      type: "applied",
    });
  });
});

describe("two publishers at once", () => {
  const base = CONTEXT;
  const one = status(base, "COMPLETE");

  it("[SV3] in different sections both stay, in either order", () => {
    const other = edit(base, "No new service", "One service less");
    const texts = [
      [one, other],
      [other, one],
    ].map(([first, second]) => {
      const team = new Team();
      team.publish(base);
      team.publish(first!);
      expect(team.publish(second!, { base: 1 }).events[0]).toMatchObject({
        type: "published",
        mergedFrom: 1,
      });
      return team.lead.contents.get(3);
    });
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain("COMPLETE");
    expect(texts[0]).toContain("One service less");
  });

  it("[SV4] in one section nothing is published, and both versions are shown whole", () => {
    const team = new Team();
    team.publish(base);
    team.publish(one);
    const step = team.publish(status(base, "PAUSED"), { base: 1, by: "other" });
    expect(step.events).toMatchObject([
      { type: "refused", by: "other", reason: "same-section", current: 2, base: 1 },
    ]);
    const [refused] = step.events;
    const clash = refused?.type === "refused" ? refused.clashes[0] : undefined;
    expect(clash).toMatchObject({ section: "Status" });
    expect(clash?.current).toContain("Phase 2: COMPLETE");
    expect(clash?.published).toContain("Phase 2: PAUSED");
    expect(step.messages).toEqual([]);
    expect(team.lead.versions).toHaveLength(2);
  });

  it("[SV4] a section that one removed and the other changed is refused, the removed side empty", () => {
    const team = new Team();
    team.publish(base);
    team.publish(base.slice(0, base.indexOf("## Risks")));
    const step = team.publish(edit(base, "R-1: PDF", "R-1: CSV"), { base: 1 });
    const [refused] = step.events;
    expect(refused).toMatchObject({ type: "refused", reason: "same-section" });
    expect(refused?.type === "refused" && refused.clashes[0]?.current).toBe("");
  });

  it.each([0, 9, -1])("[SV4] a base %i that there is not is refused", number => {
    const team = new Team();
    team.publish(base);
    team.publish(one);
    expect(team.publish(status(base, "X"), { base: number }).events).toMatchObject([
      { type: "refused", reason: "unknown-base" },
    ]);
  });

  it("[SV2] a text that UTF-8 cannot carry, or larger than a message, is refused and changes nothing", () => {
    const team = Team.of(["back"]);
    const before = JSON.stringify(team.lead.versions);
    expect(team.publish(`${base}\ud800`).events).toMatchObject([{ type: "refused", reason: "not-unicode" }]);
    expect(team.publish("x".repeat(100_000_000)).events).toMatchObject([
      { type: "refused", reason: "too-large" },
    ]);
    expect(JSON.stringify(team.lead.versions)).toBe(before);
  });
});

describe("answers that cannot be trusted", () => {
  const asked = (): Team => {
    const team = Team.of(["back", "front"], {}, "word");
    team.publish(status(CONTEXT, "COMPLETE"));
    team.post.length = 0;
    return team;
  };

  it("[SA4] four of three items prove nothing by word: everything is sent again", () => {
    const team = asked();
    const step = team.tell({
      type: "ack",
      teammate: "back",
      session: "s1",
      ack: { label: "GC", version: 2, items: { applied: 4, total: 3 }, impact: "", unclear: [] },
    });
    expect(step.events[0]).toMatchObject({ type: "acked", verdict: "overcounted" });
    expect(step.messages.map(shape)).toEqual(["v2 full: context-lost"]);
  });

  it("[SA4] nobody speaks for another, for another session, or for a stranger", () => {
    const team = asked();
    expect(team.ack("nobody", { version: 2 })).toBe("unknown-teammate");
    expect(team.ack("back", { version: 2 }, "s0")).toBe("old-session");
    expect(team.ack("back", { version: 2, label: "API" })).toBe("other-label");
    expect([team.confirmed("back"), team.confirmed("front")]).toEqual([1, 1]);
    expect(team.ack("back", { version: 2, items: { applied: 1, total: 1 } })).toBe("confirmed");
    expect(standingOf(team.lead, team.mate("front"))).toBe("updating");
  });

  it.each([3, 99, 999_999_999])("[SA4] v%i was never sent", version => {
    const team = asked();
    expect(team.ack("back", { version })).toBe("never-sent");
    expect(team.confirmed("back")).toBe(1);
  });

  it("[SA4] the same answer twice, and an older one late, change nothing", () => {
    const team = asked();
    expect(team.ack("back", { version: 2, items: { applied: 1, total: 1 } })).toBe("confirmed");
    const after = JSON.stringify(team.mate("back"));
    expect(team.ack("back", { version: 2, items: { applied: 1, total: 1 } })).toBe("duplicate");
    expect(team.ack("back", { version: 1 })).toBe("older");
    expect(JSON.stringify(team.mate("back"))).toBe(after);
  });

  itWhole("[SA1] a flood of answers in one text is read in linear time, and each is judged", () => {
    const line = "[ACK-UPDATE] GC-v2 received. Items: 1/1. Impact: NONE. Action: CONTINUE\n";
    const floods: [(size: number) => string, most: number][] = [
      [size => line.repeat(size), 5_000],
      [size => `[ACK-UPDATE] GC-v2 ${"#1 ".repeat(10 * size)}`, 1],
      [size => `[ACK-UPDATE] GC-v2 received. Unclear: ${"§".repeat(25 * size)}`, 1],
      [size => "[CONTEXT-REQUEST] ".repeat(5 * size), 0],
    ];
    expect(readWords(line.repeat(5_000))).toHaveLength(5_000);
    for (const [flood, most] of floods) {
      expect(readWords(flood(5_000)).length).toBeLessThanOrEqual(most);
      expect(growth(500, flood, readWords)).toBeLessThan(LINEAR);
    }
  });
});

describe("updates that cannot be trusted, at a teammate's copy", () => {
  const held = (): Team => {
    const team = Team.of(["back"]);
    team.publish(status(CONTEXT, "COMPLETE"));
    return team;
  };

  it("[SR1] cut off at any line, nothing changes and the whole document is asked for", () => {
    const team = held();
    const { text, serial } = team.take();
    const replica = team.replica("back");
    const lines = text.split("\n");
    for (let end = 1; end < lines.length; end++) {
      const received = receive(replica, { text: lines.slice(0, end).join("\n"), serial }, CODEC);
      expect(received.replica.held).toEqual(replica.held);
      expect(received.receipt.type).toBe("refused");
      expect(received.answer).toContain("[CONTEXT-REQUEST] GC");
    }
  });

  it("[SR5] without a hash of its result it is not taken in, however well it reads", () => {
    const team = held();
    const { text, serial } = team.take();
    const bare = text.replace(/ [0-9a-f]{4}→[0-9a-f]{6}/, "");
    expect(bare).not.toBe(text);
    const received = receive(team.replica("back"), { text: bare, serial }, CODEC);
    expect(received.receipt).toMatchObject({ type: "refused", kind: "unproven" });
  });

  it("[SR5] of another document it is neither taken in nor answered", () => {
    const team = held();
    const { text, serial } = team.take();
    const received = receive(team.replica("back"), { text: text.replaceAll("GC-v", "API-v"), serial }, CODEC);
    expect([received.receipt.type, received.answer]).toEqual(["refused", undefined]);
  });

  it("[SR4] with a number below the last one it is late, and the copy stays", () => {
    const team = held();
    const first = team.take();
    team.deliver(first);
    const before = team.replica("back");
    team.publish(status(CONTEXT, "PAUSED"));
    expect(team.deliver({ ...first, serial: first.serial - 1 }).receipt.type).toBe("late");
    expect(team.replica("back")).toEqual(before);
  });
});
