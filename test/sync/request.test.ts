import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRequest, readWords, writeRequest } from "../../src/sync/index.ts";

describe("requests", () => {
  it("[A7] are written and read", () => {
    const full = { label: "GC", serial: 7, reason: "base" };
    expect(writeRequest(full)).toBe("[CONTEXT-REQUEST] GC #7: need full context (base)");
    expect(readRequest(writeRequest(full))).toEqual(full);
    const sections = { label: "GC", sections: ["Decisions Log", "a: (b)"], reason: "needs-section" };
    expect(writeRequest(sections)).toBe(
      '[CONTEXT-REQUEST] GC: need ["Decisions Log","a: (b)"] (needs-section)',
    );
    expect(readRequest(writeRequest(sections))).toEqual(sections);
    expect(readRequest("[CONTEXT-REQUEST] GC: need full context")).toEqual({ label: "GC", reason: "" });
  });

  it("[A7] read back whatever sections they name", () => {
    const sections = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sections, fc.option(fc.nat(999), { nil: undefined }), (names, serial) => {
        const request = {
          label: "GC",
          sections: names,
          ...(serial === undefined ? {} : { serial }),
          reason: "x",
        };
        expect(readRequest(writeRequest(request))).toEqual(request);
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
    ` [CONTEXT-REQUEST] GC: need full context`,
  ])("[A7] %j is none", line => {
    expect(readRequest(line)).toBeUndefined();
  });

  it("[A1] finds everything that is meant for the lead", () => {
    const text = [
      "I have read it.",
      "[ACK-UPDATE] GC-v2 received. Items: 1/1. Impact: NONE. Action: CONTINUE",
      "[CONTEXT-REQUEST] API: need full context\r",
      "[STATUS] Phase 2 | CONTEXT_LOST",
      "[STATUS] Phase 2 | IN_PROGRESS",
      "> [CONTEXT-REQUEST] GC: need full context",
    ].join("\n");
    expect(readWords(text).map(word => word.type)).toEqual(["ack", "request", "lost"]);
    expect(readWords("")).toEqual([]);
  });
});
