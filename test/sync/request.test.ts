import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heard, readRequest, readWords, writeRequest } from "../../src/sync/index.ts";

describe("requests", () => {
  it("[SA7] are written and read", () => {
    const full = { label: "GC", serial: 7, reason: "base" };
    expect(writeRequest(full)).toBe("[CONTEXT-REQUEST] GC #7: need full context (base)");
    expect(readRequest(writeRequest(full))).toStrictEqual(full);
    const sections = { label: "GC", sections: ["Decisions Log", "a: (b)"], reason: "needs-section" };
    expect(writeRequest(sections)).toBe(
      '[CONTEXT-REQUEST] GC: need ["Decisions Log","a: (b)"] (needs-section)',
    );
    expect(readRequest(writeRequest(sections))).toStrictEqual(sections);
    expect(readRequest("[CONTEXT-REQUEST] GC: need full context")).toStrictEqual({ label: "GC", reason: "" });
  });

  it("[SA7] read back whatever sections they name", () => {
    const sections = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sections, fc.option(fc.nat(999), { nil: undefined }), (names, serial) => {
        const request = {
          label: "GC",
          sections: names,
          ...(serial === undefined ? {} : { serial }),
          reason: "x",
        };
        expect(readRequest(writeRequest(request))).toStrictEqual(request);
      }),
    );
  });

  it.each([
    "",
    "[CONTEXT-REQUEST]",
    "[CONTEXT-REQUEST] GC",
    "[CONTEXT-REQUEST] GC: need money",
    "[CONTEXT-REQUEST] GC: need []",
    "[CONTEXT-REQUEST] GC: need [1]",
    '[CONTEXT-REQUEST] GC: need ["a"',
    "[CONTEXT-REQUEST] G C: need full context",
    "[CONTEXT-REQUEST] GC #x: need full context",
    `[CONTEXT-REQUEST] GC: need [${'"a",'.repeat(60)}"a"]`,
    "[CONTEXT_REQUEST] GC: need full context",
    "[CONTEXT-REQUEST] %: need full context",
    "[CONTEXT-REQUEST] GC #7 x: need full context",
    "[CONTEXT-REQUEST] GC x#7: need full context",
    "[CONTEXT-REQUEST] GC #7x: need full context",
    "[CONTEXT-REQUEST] GC #1234567890: need full context",
    "[CONTEXT-REQUEST] GC: need full context (base",
    '[CONTEXT-REQUEST] GC: need ["a", 1]',
    '[CONTEXT-REQUEST] GC: need {"a": 1}',
  ])("[SA7] %j is none", line => {
    expect(readRequest(line)).toBeUndefined();
  });

  it("[SA7] are written without what they do not say", () => {
    const request = { label: "GC", reason: "" };
    expect(writeRequest(request)).toBe("[CONTEXT-REQUEST] GC: need full context");
    expect(readRequest("[CONTEXT-REQUEST] GC: need  full context  (base)")).toStrictEqual({
      ...request,
      reason: "base",
    });
  });

  it("[SA7] of 16,384 characters and 50 sections are read, larger ones are none", () => {
    const long = (length: number): string =>
      `[CONTEXT-REQUEST] GC: need full context (${"x".repeat(length - 42)})`;
    expect(long(16_384)).toHaveLength(16_384);
    expect(readRequest(long(16_384))?.reason).toHaveLength(16_342);
    expect(readRequest(long(16_385))).toBeUndefined();
    const sections = Array.from({ length: 51 }, (_, at) => `S${at}`);
    const fifty = { label: "GC", sections: sections.slice(1), reason: "" };
    expect(readRequest(writeRequest(fifty))).toStrictEqual(fifty);
    expect(readRequest(writeRequest({ ...fifty, sections }))).toBeUndefined();
  });

  it("[SA1] finds everything that is meant for the lead", () => {
    const text = [
      "",
      "I have read it.",
      "[ACK-UPDATE] GC-v2 received. Items: 1/1. Impact: NONE. Action: CONTINUE",
      "[CONTEXT-REQUEST] API: need full context\r",
      "[STATUS] Phase 2 | CONTEXT_LOST",
      "[STATUS] Phase 2 | IN_PROGRESS",
      "Phase 2 | CONTEXT_LOST",
      "[CONTEXT-REQUEST] DB: need full context (base)\r",
      "> [CONTEXT-REQUEST] GC: need full context",
    ].join("\n");
    expect(readWords(text).map(word => word.type)).toEqual(["ack", "lost", "request", "request", "request"]);
    expect(readWords("Phase 2 | CONTEXT_LOST")).toEqual([{ type: "lost" }]);
    expect(readWords("")).toEqual([]);
  });

  it("[SA1] tells the lead who said it, and only what was said", () => {
    const speaker = { teammate: "ann", session: "s1", now: 5 };
    const words = (text: string): unknown => heard(text, speaker);
    expect(words("[STATUS] x | CONTEXT_LOST")).toStrictEqual([
      { type: "lost", ...speaker, cause: "reported" },
    ]);
    expect(words("[CONTEXT-REQUEST] GC: need full context")).toStrictEqual([
      { type: "request", ...speaker, label: "GC" },
    ]);
    expect(words('[CONTEXT-REQUEST] GC #7: need ["A"]')).toStrictEqual([
      { type: "request", ...speaker, label: "GC", sections: ["A"], serial: 7 },
    ]);
    expect(words("[ACK-UPDATE] GC-v1")).toStrictEqual([
      { type: "ack", ...speaker, ack: { label: "GC", version: 1, impact: "", unclear: [] } },
    ]);
  });
});
