import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortHash } from "../../src/delta/index.ts";
import { ackOf, emptyReplica, type Replica, readAcks, readRequest, receive } from "../../src/sync/index.ts";
import { casesOf } from "../sample.ts";
import { CODEC, CONTEXT, edit, status, Team } from "./team.ts";

const TEXTS = [
  CONTEXT,
  status(CONTEXT, "A"),
  edit(status(CONTEXT, "A"), "No new service", "No server"),
  status(CONTEXT, "C"),
];

function holding(version: number, serial = 0): Replica {
  const text = TEXTS[version - 1]!;
  return { label: "GC", serial, held: { version, hash: shortHash(text), text } };
}

function update(from: number, to: number): string {
  const result = CODEC.encode(TEXTS[from - 1]!, TEXTS[to - 1]!, {
    label: "GC",
    from,
    to,
    majorRestructure: 0.9,
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.text;
}

function full(version: number): string {
  const team = new Team();
  for (const text of TEXTS.slice(0, version)) team.publish(text);
  team.join("ann");
  return team.take().text;
}

describe("a replica", () => {
  it("[SR1] takes in a full message with nothing in hand, then steps", () => {
    const first = receive(emptyReplica("GC"), { text: full(1), serial: 1 }, CODEC);
    expect(first.receipt).toEqual({ type: "applied", version: 1, items: 0 });
    const second = receive(first.replica, { text: update(1, 2), serial: 2 }, CODEC);
    expect(second.replica).toEqual(holding(2, 2));
    expect(second.answer).toBe(
      `[ACK-UPDATE] GC-v2 ${shortHash(TEXTS[1]!)} #2 received. Items: 1/1. Impact: NONE. Action: CONTINUE`,
    );
  });

  it("[SR1] keeps what it has when an update is for another base, cut off or edited", () => {
    const before = holding(1, 4);
    const good = update(1, 3);
    const bad = [
      update(2, 3),
      good.slice(0, -20),
      good.replace("→ A", "→ B"),
      good.replace(/[0-9a-f]{6}$/m, "000000"),
      `${good}\n- ADDED: x`,
    ];
    for (const text of bad) {
      const { replica, receipt, answer } = receive(before, { text, serial: 5 }, CODEC);
      expect(replica).toBe(before);
      expect(receipt.type).toBe("refused");
      expect(readRequest(answer!)).toMatchObject({ label: "GC", serial: 5 });
    }
  });

  it("[SR1] holds, whatever is sent to it, only what was published", () => {
    const messages = [update(1, 2), update(2, 3), update(3, 4), update(1, 4), full(1), full(2), full(4)];
    const damage = fc.record({
      which: fc.nat(messages.length - 1),
      at: fc.nat(400),
      insert: fc.constantFrom("", "x", "\n", "- ", "→", "A"),
      cut: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(damage, { maxLength: 8 }), fc.boolean(), (steps, numbered) => {
        let replica = emptyReplica("GC");
        for (const [serial, { which, at, insert, cut }] of steps.entries()) {
          const message = messages[which]!;
          const text = cut === 0 ? message : message.slice(0, at) + insert + message.slice(at + cut - 1);
          const received = receive(replica, { text, ...(numbered ? { serial: serial + 1 } : {}) }, CODEC);
          replica = received.replica;
          const { held } = replica;
          if (held === undefined) continue;
          expect(shortHash(held.text)).toBe(held.hash);
          expect(TEXTS).toContain(held.text);
        }
      }),
      { numRuns: casesOf(75, 300) },
    );
  });

  it("[SR2] answers a step that comes twice with what it holds", () => {
    const { replica } = receive(holding(1), { text: update(1, 2), serial: 2 }, CODEC);
    const again = receive(replica, { text: update(1, 2), serial: 3 }, CODEC);
    expect(again.receipt).toEqual({ type: "held", version: 2 });
    expect(again.replica.serial).toBe(3);
    expect(readAcks(again.answer!)[0]).toMatchObject({ version: 2, serial: 3, hash: shortHash(TEXTS[1]!) });
    expect(readAcks(again.answer!)[0]?.items).toBeUndefined();
  });

  it("[SR2] answers a full message of what it holds", () => {
    const { receipt, replica } = receive(holding(2, 1), { text: full(2), serial: 2 }, CODEC);
    expect(receipt).toEqual({ type: "applied", version: 2, items: 0 });
    expect(replica).toEqual(holding(2, 2));
  });

  it("[SR2] answers the same message again, and what comes late or twice without a number", () => {
    const { replica, ...first } = receive(holding(1), { text: update(1, 2), serial: 2 }, CODEC);
    expect(receive(replica, { text: full(2), serial: 2 }, CODEC)).toEqual({
      ...first,
      replica,
      receipt: { ...first.receipt, items: 0 },
      answer: first.answer!.replace("1/1", "0/0"),
    });
    const bare = holding(2);
    const held = `[ACK-UPDATE] GC-v2 ${shortHash(TEXTS[1]!)} received. Impact: NONE. Action: CONTINUE`;
    expect(receive(bare, { text: update(1, 2) }, CODEC)).toStrictEqual({
      replica: bare,
      receipt: { type: "held", version: 2 },
      answer: held,
    });
    expect(receive(bare, { text: full(1) }, CODEC)).toStrictEqual({
      replica: bare,
      receipt: { type: "late", version: 1 },
      answer: held,
    });
    expect(receive(bare, { text: full(2) }, CODEC).receipt).toEqual({
      type: "applied",
      version: 2,
      items: 0,
    });
    expect(receive(holding(2, 5), { text: "any", serial: 4 }, CODEC).receipt).toEqual({
      type: "late",
      version: 2,
    });
    const nothing = { label: "GC", serial: 5 };
    expect(receive(nothing, { text: "any", serial: 4 }, CODEC)).toStrictEqual({
      replica: nothing,
      receipt: { type: "late", version: 0 },
    });
    expect(ackOf(nothing, undefined)).toBe("[ACK-UPDATE] GC-v0 #5 received. Impact: NONE. Action: CONTINUE");
  });

  it("[SR2] a version of the same number or text is not the one it holds", () => {
    const [a, b, c] = [TEXTS[0]!, TEXTS[1]!, TEXTS[2]!];
    const made = (from: number, to: number, old: string, next: string): string => {
      const result = CODEC.encode(old, next, { label: "GC", from, to, majorRestructure: 0.9 });
      if (!result.ok) throw new Error(result.failure.message);
      return result.value.text;
    };
    const asked = (text: string): string => receive(holding(2), { text }, CODEC).receipt.type;
    expect(asked(made(1, 2, a, c))).toBe("refused");
    expect(asked(made(3, 5, c, b))).toBe("refused");
    expect(asked(made(1, 3, a, b))).toBe("refused");
    expect(
      asked("[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- CHANGED §Status: Phase 2: IN_PROGRESS → A"),
    ).toBe("refused");
    expect(asked(full(2).slice(0, -20))).toBe("refused");
    const whole = update(1, 2).replace(shortHash(b).slice(0, 6), `${shortHash(b)}00`);
    expect(asked(whole)).toBe("held");
  });

  it("[SR5] says what it does not take in, and why", () => {
    const refusedAs = (text: string): unknown => receive(holding(1), { text }, CODEC).receipt;
    expect(refusedAs(full(2).replace("GC-v2", "API-v2"))).toEqual({
      type: "refused",
      kind: "other-label",
      message: "It is for API",
    });
    expect(refusedAs(update(2, 3).replaceAll("GC-v", "API-v"))).toMatchObject({ kind: "other-label" });
    const silent = "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- CHANGED §Status: Phase 2: IN_PROGRESS → A";
    expect(refusedAs(silent)).toEqual({
      type: "refused",
      kind: "unproven",
      message: "It does not name the hash of its result",
    });
  });

  it("[SR2] lets its reader say more", () => {
    const answer = ackOf(holding(2, 7), 3, {
      impact: "my tests",
      action: "NEED_CLARIFICATION",
      unclear: ["Risks"],
    });
    expect(readAcks(answer)[0]).toEqual({
      label: "GC",
      version: 2,
      hash: shortHash(TEXTS[1]!),
      serial: 7,
      items: { applied: 2, total: 3 },
      impact: "my tests",
      action: "NEED_CLARIFICATION",
      unclear: ["Risks"],
    });
  });

  it.each([
    ["a delta with nothing in hand", emptyReplica("GC"), update(1, 2), "no-base"],
    ["a delta for another base", holding(1), update(2, 3), "base"],
    [
      "the oldest, describing form",
      holding(1),
      "[CONTEXT-UPDATE] GC-v2 | Delta: the status changed",
      "prose",
    ],
    ["a header without a body", holding(1), "[CONTEXT-UPDATE] GC-v1 → GC-v2", "syntax"],
    [
      "a section that does not exist",
      holding(1),
      "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- REMOVED §Nowhere",
      "unresolved",
    ],
  ])("[SR3] asks for the document: %s", (_, replica, text, reason) => {
    const { receipt, answer } = receive(replica, { text }, CODEC);
    expect(receipt).toMatchObject({ type: "refused", kind: reason });
    expect(readRequest(answer!)).toEqual({ label: "GC", reason });
  });

  it("[SR3] asks for a section whose text is missing", () => {
    const text =
      "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- REPLACED §Risks: (see GC-v2 for full content)";
    const { receipt, answer, replica } = receive(holding(1), { text, serial: 9 }, CODEC);
    expect(receipt).toMatchObject({ type: "refused", kind: "needs-section" });
    expect(readRequest(answer!)).toEqual({
      label: "GC",
      sections: ["Risks"],
      serial: 9,
      reason: "needs-section",
    });
    expect(replica).toEqual(holding(1));
  });

  it("[SR4] a lower number is late, whatever it carries", () => {
    const before = holding(3, 8);
    for (const text of [full(1), update(3, 4), full(3), "nonsense"]) {
      const { replica, receipt, answer } = receive(before, { text, serial: 7 }, CODEC);
      expect(replica).toBe(before);
      expect(receipt.type).toBe("late");
      expect(readAcks(answer!)[0]).toMatchObject({ version: 3, serial: 8 });
    }
    expect(receive(emptyReplica("GC"), { text: full(1), serial: -1 }, CODEC).answer).toBeUndefined();
  });

  it("[SR4] a higher number may bring a lower version: the lead went back", () => {
    const { replica } = receive(holding(3, 8), { text: full(1), serial: 9 }, CODEC);
    expect(replica).toEqual(holding(1, 9));
  });

  it("[SR4] without numbers a lower version is late", () => {
    for (const text of [full(1), update(1, 2)]) {
      const { replica, receipt } = receive(holding(3), { text }, CODEC);
      expect(receipt.type).toBe("late");
      expect(replica).toEqual(holding(3));
    }
  });

  it("[SR5] does not take in what names no hash of its result", () => {
    const text = "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- CHANGED §Status: Phase 2: IN_PROGRESS → A";
    const { receipt, replica, answer } = receive(holding(1), { text }, CODEC);
    expect(receipt).toMatchObject({ type: "refused", kind: "unproven" });
    expect(replica).toEqual(holding(1));
    expect(readRequest(answer!)?.reason).toBe("unproven");
  });

  it.each([
    "",
    "hello",
    "[ACK-UPDATE] GC-v2 received.",
    "[CONTEXT-UPDATE] API-v2 abcdef\n\n## Full\nx",
    "[CONTEXT-UPDATE] API-v1 → API-v2 | Delta: x",
  ])("[SR5] does not answer %j", text => {
    const { receipt, answer, replica } = receive(holding(1), { text }, CODEC);
    expect(receipt.type).toBe("refused");
    expect(answer).toBeUndefined();
    expect(replica).toEqual(holding(1));
  });
});
