import { describe, expect, it } from "vitest";
import { type Ack, type SyncEvent, syncLogLine, versionOf } from "../../src/sync/index.ts";
import { CONTEXT, edit, shape, status, Team } from "./team.ts";

const NEXT = edit(
  edit(status(CONTEXT, "COMPLETE"), "- R-1: PDF", "- R-1: a PDF"),
  "- builder: src/exports\n",
  "- builder: src/exports, src/mail\n",
);

/** A team of one with v2 on its way, as its message 2. */
function waiting(proof: "hash" | "word" = "hash"): Team {
  const team = Team.of(["ann"], {}, proof);
  team.publish(NEXT);
  return team;
}

const hashOf = (team: Team, version: number): string => versionOf(team.lead, version)!.hash;

/** What the log says of an answer: the verdict and the sentence beside it. */
function judged(
  team: Team,
  ack: Partial<Ack> & { readonly version: number },
  who = "ann",
  session = "s1",
): string {
  const verdict = team.ack(who, ack, session);
  const said = team.log.findLast(event => event.type === "acked")!;
  return `${verdict}: ${said.type === "acked" ? said.message : ""}`;
}

describe("verdicts, in words", () => {
  it("[SA4] on who answers, and for what", () => {
    const team = waiting();
    expect(judged(team, { version: 2 }, "eve")).toBe("unknown-teammate: Nobody of this name is in the team");
    expect(judged(team, { version: 2, label: "API" })).toBe("other-label: This is GC");
    expect(judged(team, { version: 2 }, "ann", "s0")).toBe("old-session: The session is s1");
    expect(judged(team, { version: 9 })).toBe("never-sent: Version 9 was not sent to it");
    expect(judged(team, { version: 1 })).toBe("duplicate: Confirmed already");
    team.ack("ann", { version: 2, hash: hashOf(team, 2) });
    expect(judged(team, { version: 1 })).toBe("older: Version 2 is confirmed");
    team.tell({ type: "leave", teammate: "ann" });
    expect(judged(team, { version: 2 })).toBe("ended: Its session has ended");
  });

  it("[SA4] on what a hash proves", () => {
    const team = waiting();
    const hash = hashOf(team, 2);
    expect(judged(team, { version: 2 })).toBe("unproven: It proves by 12 digits of its hash, and gave 0");
    expect(judged(team, { version: 2, hash: hash.slice(0, 11) })).toBe(
      "unproven: It proves by 12 digits of its hash, and gave 11",
    );
    expect(judged(team, { version: 2, hash: `${"0".repeat(hash.length)}ff` })).toBe(
      `forged: It holds ${"0".repeat(hash.length)}, version 2 is ${hash}`,
    );
    expect(judged(team, { version: 2, hash })).toBe(
      "unproven: After a loss it has to name the message it answers",
    );
    expect(judged(team, { version: 2, hash, serial: 2 })).toBe(
      "old-attempt: Message #2 was sent before its context was new",
    );
    expect(judged(team, { version: 2, hash: `${hash}00`, serial: 3 })).toBe("confirmed: By hash");
  });

  it("[SF5] are told in Korean with their reason, too", () => {
    const team = waiting("word");
    const told = (event: SyncEvent | undefined) => syncLogLine("GC", event!, "ko");
    const acked = (ack: Partial<Ack>) => {
      judged(team, { version: 2, ...ack });
      return team.log.findLast(({ type }) => type === "acked");
    };
    expect(told(acked({ doubt: "action: perhaps" }))).toBe(
      "[SYNC] GC: ann의 v2 응답: 증명 없음: 이해하지 못한 부분: action: perhaps",
    );
    expect(told(acked({ items: { applied: 2, total: 2 } }))).toBe(
      "[SYNC] GC: ann의 v2 응답: 항목 수가 모자람: 항목 3개 중 2개만 보았습니다",
    );
    const confirmed = acked({});
    expect(told(confirmed)).toBe("[SYNC] GC: ann의 v2 응답: 확인됨 (말로)");
    // What an older version has written has the verdict alone.
    const { said: _, ...older } = acked({ version: 1 }) as Extract<SyncEvent, { type: "acked" }>;
    expect(told(older)).toBe("[SYNC] GC: ann의 v1 응답: 이미 확인된 버전보다 오래됨");
  });

  it("[SA89] on what it began with, which nobody has answered", () => {
    const team = waiting("word");
    expect(judged(team, { version: 2, given: true })).toBe("confirmed: It began with it");
    const acked = team.log.findLast(({ type }) => type === "acked")!;
    expect(syncLogLine("GC", acked, "ko")).toBe("[SYNC] GC: ann의 v2 응답: 확인됨 (첫 메시지에 있음)");
    expect(team.lead.teammates.get("ann")?.confirmed).toMatchObject({ version: 2, by: "word" });
  });

  it("[SA4] [SA5] on what was counted", () => {
    const team = waiting("word");
    expect(judged(team, { version: 2, items: { applied: 2, total: 2 } })).toBe(
      "undercounted: It saw 2 of 3 items",
    );
    expect(judged(team, { version: 2, items: { applied: 2, total: 3 }, unclear: ["Risks"] })).toBe(
      "partial: 1 of 3 missing, 1 unclear",
    );
    expect(judged(team, { version: 2, items: { applied: 1, total: 1 } })).toBe("confirmed: By its word");
    team.publish(status(NEXT, "X"));
    expect(judged(team, { version: 3, unclear: ["Risks"] })).toBe("partial: 0 of 1 missing, 1 unclear");
    expect(judged(team, { version: 3, items: { applied: 4, total: 3 } })).toBe(
      "overcounted: 4 of 3 cannot be",
    );
  });

  it("[SA5] on counts of a message that is not in flight any more", () => {
    const team = waiting("word");
    const { serial } = team.take();
    team.tick(120_000);
    expect(judged(team, { version: 2, serial, unclear: ["Risks"] })).toBe(
      "partial: 0 of ? missing, 1 unclear",
    );
  });

  it("[SA5] half of the items unclear is not most of them", () => {
    const team = Team.of(["ann"], {}, "word");
    team.publish(edit(status(CONTEXT, "COMPLETE"), "- R-1: PDF", "- R-1: a PDF"));
    team.post.length = 0;
    team.ack("ann", { version: 2, items: { applied: 1, total: 2 }, unclear: ["Risks"] });
    expect(team.post.map(shape)).toEqual(["v2→v2 restated: unclear"]);
  });

  it("[SA5] a pause with something unclear is a partial answer like others", () => {
    const team = waiting();
    expect(judged(team, { version: 2, hash: hashOf(team, 2), unclear: ["Risks"], action: "PAUSE" })).toBe(
      "partial: 0 of 3 missing, 1 unclear",
    );
    expect([team.confirmed("ann"), team.mate("ann").paused]).toEqual([2, true]);
  });
});

describe("what an answer changes", () => {
  it("[SA3] a confirmation names the message it answered, and is stored", () => {
    const team = waiting();
    const serial = team.mate("ann").flight!.serial;
    const step = team.tell({
      type: "ack",
      teammate: "ann",
      session: "s1",
      ack: { label: "GC", version: 2, hash: hashOf(team, 2), impact: "NONE", unclear: [] },
    });
    expect([...step.touched]).toEqual(["ann"]);
    expect(team.mate("ann")).toMatchObject({
      confirmed: { version: 2, serial },
      tries: 0,
      waiting: [],
      sent: [],
    });
    expect(step.events.map(event => event.type)).toEqual(["acked"]);
  });

  it("[SA3] a late one names the newest message of its version", () => {
    const team = waiting();
    team.tick(120_000);
    const serials = team.post.map(message => message.serial);
    team.publish(status(NEXT, "X"));
    team.tick(120_000);
    expect(team.mate("ann").flight!.version).toBe(3);
    team.ack("ann", { version: 2, hash: hashOf(team, 2) });
    expect(team.mate("ann").confirmed).toMatchObject({ version: 2, serial: serials.at(-1) });
    expect(team.mate("ann").sent).toEqual([{ serial: team.mate("ann").flight!.serial, version: 3 }]);
    expect(team.mate("ann").stale).toBe(true);
    expect(team.mate("ann").flight?.version).toBe(3);
    expect(team.mate("ann").tries).toBe(0);
  });

  it("[SA4] [SA6] what changes nothing is stored nowhere; its question is heard all the same", () => {
    const team = waiting();
    for (const ack of [{ version: 9 }, { version: 1 }, { version: 2 }, { version: 2, label: "API" }]) {
      const step = team.tell({
        type: "ack",
        teammate: "ann",
        session: "s1",
        ack: { label: "GC", impact: "why?", unclear: [], action: "NEED_CLARIFICATION", ...ack },
      });
      expect([step.touched.size, step.messages.length]).toEqual([0, 0]);
      expect(step.events.map(event => event.type)).toEqual(["acked", "clarify"]);
    }
  });

  it("[SA6] only a pause pauses, only a question asks", () => {
    const team = waiting();
    team.ack("ann", { version: 2, hash: hashOf(team, 2), action: "CONTINUE" });
    expect(team.mate("ann").paused).toBe(false);
    expect(team.log.filter(({ type }) => type === "paused" || type === "clarify")).toEqual([]);
  });

  it("[SA4] the first message is answered late like any other", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann", { proof: "word" });
    team.tick(120_000);
    expect(team.ack("ann", { version: 1, serial: 1 })).toBe("confirmed");
    expect(team.ack("ann", { version: 0 })).toBe("older");
  });

  it("[SA4] so is the last one, when nothing is sent any more", () => {
    const team = Team.of(["ann"], { maxSends: 1 });
    team.publish(NEXT);
    team.tick(120_000);
    expect(team.mate("ann").flight).toBeUndefined();
    expect(team.ack("ann", { version: 2, hash: hashOf(team, 2) })).toBe("confirmed");
    expect(team.mate("ann")).toMatchObject({ confirmed: { version: 2, serial: 2 }, stale: false, tries: 0 });
  });

  it("[SA5] whoever counts more items than were sent is measured by its own count", () => {
    const team = waiting("word");
    team.post.length = 0;
    team.ack("ann", { version: 2, items: { applied: 4, total: 6 }, unclear: ["Risks", "Owners"] });
    expect(team.post.map(shape)).toEqual(["v2→v2 restated: unclear"]);
  });

  it("[SA5] a late partial answer by word sends nothing; that something is missing is always told", () => {
    const team = waiting("word");
    const { serial } = team.take();
    team.tick(120_000);
    team.post.length = 0;
    team.ack("ann", { version: 2, serial, items: { applied: 1, total: 3 } });
    expect(team.post).toEqual([]);
    team.ack("ann", { version: 2, items: { applied: 2, total: 3 } });
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
    expect(team.log.filter(({ type }) => type === "clarify")).toHaveLength(2);
  });

  it("[SQ4] an answer that proves nothing new is no progress", () => {
    const team = Team.of(["ann"], { maxSends: 3 });
    team.publish(NEXT);
    for (let again = 0; again < 10; again++)
      team.ack("ann", {
        version: 2,
        hash: hashOf(team, 2),
        unclear: ["Risks"],
        items: { applied: 2, total: 3 },
      });
    expect(team.post.map(shape)).toEqual([
      "v1→v2 delta: next-version",
      ...Array.from({ length: 3 }, () => "v2→v2 restated: unclear"),
    ]);
    expect(team.log.at(-1)).not.toMatchObject({ type: "sent" });
  });
});
