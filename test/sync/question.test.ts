import { describe, expect, it } from "vitest";
import { readAcks, writeAck } from "../../src/sync/index.ts";
import { answered, questionFor } from "../../src/sync/question.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { CONTEXT, edit, status, Team } from "./team.ts";

const ask = (old: string, next: string) => questionFor(old, next, false, countTokens);

/** A teammate by its word that has been asked about the change to another status. */
function askedTeam(asks: "may" | "must" = "may"): Team {
  const team = new Team();
  team.publish(CONTEXT);
  team.join("back", { proof: "word", fetches: true });
  team.tell({ type: "pull", teammate: "back" });
  team.ack("back", { version: 1 });
  team.publish(status(CONTEXT, "FROZEN"));
  const [message] = team.tell({ type: "pull", teammate: "back", asks }).messages;
  expect(message?.cue).toBe("Phase 2:");
  return team;
}
const by = (team: Team) => team.mate("back").confirmed?.by;

describe("what only a reader of a change can say", () => {
  it("[SA9] is a word of its new lines that is nowhere in the old text, behind words that stand once in the new one", () => {
    expect(ask(CONTEXT, status(CONTEXT, "FROZEN"))).toMatchObject({ cue: "Phase 2:", answer: "FROZEN" });
    // Known words, what is removed, and a word that nothing stands in front of.
    expect(ask(CONTEXT, status(CONTEXT, "COMPLETE"))).toBeUndefined();
    expect(ask(CONTEXT, edit(CONTEXT, "- tester: test/exports\n", ""))).toBeUndefined();
    expect(ask("# A\n", "# A\nNew\n")).toBeUndefined();
    expect(ask("a: 1\n", "a: 1\nb: 2\nb: 3\n")).toBeUndefined();
    // A value is easier to name than a word in a sentence.
    expect(ask("# A\n", "# A\n- we take oak now\n- gate: iron\n")).toMatchObject({
      cue: "gate:",
      answer: "iron",
    });
  });

  it.each(["Impact: x", 'a "b" <c>:', "Action:", "[ACK-UPDATE] GC-v9", "영향:", "x".repeat(60)])(
    "[SA9] never has a cue that would end or resemble its form: %s",
    before => {
      expect(ask("# A\n", `# A\n- ${before} granite\n`)?.cue ?? "").not.toContain(before);
    },
  );

  it("[SA9] costs at most twenty tokens, and an unfilled form answers nothing", () => {
    const question = ask("# A\n", "# A\n- the long name of a key that is explained at length: granite\n")!;
    expect(countTokens(` Seen: <word after "${question.cue}">.`)).toBeLessThanOrEqual(20);
    const [ack] = readAcks(
      `[ACK-UPDATE] GC-v2 #3 received. Seen: <word after "${question.cue}">. Impact: NONE. Action: CONTINUE`,
    );
    expect(ack).toMatchObject({ seen: "", action: "CONTINUE" });
    expect(answered(question, ack?.seen)).toBe("none");
  });

  it.each([
    ["Seen: iron", "right"],
    ["Seen: `Iron`", "right"],
    ['Seen: "gate: iron"', "right"],
    ["**Seen:** iron", "right"],
    ["본 값: iron", "right"],
    ["Seen: oak", "wrong"],
    ["Seen: iron irons a b c d e f g h i j k l", "wrong"],
    ["Seen:", "none"],
    ["", "none"],
  ])("[SA9] answered with %j is %s", (said, what) => {
    const text = `[ACK-UPDATE] GC-v2 #3 received. ${said}${said === "" ? "" : ". "}Impact: NONE. Action: CONTINUE`;
    const [ack] = readAcks(text);
    expect([ack?.impact, ack?.action, ack?.doubt]).toEqual(["NONE", "CONTINUE", undefined]);
    expect(answered({ cue: "gate:", answer: "iron", must: false }, ack?.seen)).toBe(what);
  });

  it("[SA9] said rightly proves that it was read, left out its word alone, and wrongly nothing", () => {
    const right = askedTeam();
    expect([right.ack("back", { version: 2, seen: "frozen" }), by(right)]).toEqual(["confirmed", "read"]);
    const silent = askedTeam();
    expect([silent.ack("back", { version: 2 }), by(silent)]).toEqual(["confirmed", "word"]);
    const wrong = askedTeam();
    expect([wrong.ack("back", { version: 2, seen: "COMPLETE" }), by(wrong)]).toEqual(["unproven", "word"]);
    expect(wrong.mate("back").confirmed?.version).toBe(1);
    expect(JSON.stringify(wrong.log.at(-1))).not.toContain("FROZEN");
    const strict = askedTeam("must");
    expect(strict.ack("back", { version: 2 })).toBe("unproven");
    expect([strict.ack("back", { version: 2, seen: "FROZEN" }), by(strict)]).toEqual(["confirmed", "read"]);
  });

  it("[SA2] is written so that it reads back", () => {
    for (const seen of ["iron", 'a "b"', "PAUSE", "Impact: x"]) {
      const ack = { label: "GC", version: 2, impact: "NONE", action: "CONTINUE" as const, unclear: [], seen };
      expect(readAcks(writeAck(ack))).toEqual([ack]);
    }
  });
});
