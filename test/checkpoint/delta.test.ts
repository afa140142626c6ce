import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenceFor } from "../../src/checkpoint/delta-write.ts";
import { applyDelta, checkDelta, proveDelta, readDelta, writeDelta } from "../../src/checkpoint/index.ts";
import { shortHash } from "../../src/delta/index.ts";
import { countChars, PAIR } from "../delta/documents.ts";
import { casesOf } from "../sample.ts";
import { CHECKPOINT, CREATED, deltaOf, LATER, must, toldOf } from "./documents.ts";

const OPTIONS = { created: CREATED, countTokens: countChars };

describe("writing a delta", () => {
  it("[KD1] of any two texts is proved: exact, without a departure", () => {
    fc.assert(
      fc.property(PAIR, fc.constantFrom("en" as const, "ko" as const), ([from, to], locale) => {
        const made = writeDelta(
          { id: "chk-001", text: from },
          { id: "chk-002", text: to },
          { ...OPTIONS, locale },
        );
        // Only a text that is no Unicode makes none.
        expect(made.ok).toBe(to.isWellFormed());
        const text = made.ok ? made.value.text : deltaOf(from, from);
        expect(proveDelta(text, from, made.ok ? to : from)).toEqual([]);
      }),
      { numRuns: casesOf(100, 400) },
    );
  });

  it("[KD1] has everything the specification asks for", () => {
    const text = deltaOf(CHECKPOINT, LATER, ["chk-002", "chk-003"]);
    const delta = readDelta(text);
    expect(delta).toMatchObject({
      delta: "chk-002-to-chk-003",
      created: CREATED,
      from: "chk-002",
      to: "chk-003",
      fromHash: shortHash(CHECKPOINT),
      toHash: shortHash(LATER),
    });
    expect([...delta.headings.keys()]).toEqual([
      "summary",
      "changes",
      "added",
      "modified",
      "transitions",
      "instructions",
    ]);
    expect(delta.summary.split(". ")).toHaveLength(1);
    expect(delta.block?.split("\n")[0]).toMatch(/^\[CONTEXT-UPDATE\] CHK-v2→3 /);
    expect(text.trimEnd().endsWith("```")).toBe(true);
    expect(toldOf(CHECKPOINT, LATER)).toContain("\n1. Add D-3 to §Decisions.\n");
  });

  it("[KD1] is also made of documents that are no checkpoints, and of equal ones", () => {
    for (const [from, to] of [
      ["", "a"],
      ["a", ""],
      ["same\n", "same\n"],
      ["a\r\nb", "a\nb"],
      ["\uFEFFa", "a"],
    ] as const) {
      const text = deltaOf(from, to);
      expect(proveDelta(text, from, to)).toEqual([]);
      expect(must(applyDelta(text, from)).text).toBe(to);
    }
    expect(deltaOf("x", "x")).toContain("nothing changed");
  });

  it("[KD1] a fence of the machine block is closed by nothing in it", () => {
    const from = "# A\n\ntext\n";
    const to = "# A\n\ntext\n\n````md\n```\n`````\n## Summary\n---\ndelta: x\n";
    const text = deltaOf(from, to);
    expect(fenceFor(to)).toBe("``````");
    expect(proveDelta(text, from, to)).toEqual([]);
    expect(fenceFor("no ticks")).toBe("```");
  });

  it("[KD1] refuses ids that are none, and texts no message can carry", () => {
    const bad = writeDelta({ id: "../x", text: "a" }, { id: "chk-002", text: "b" }, OPTIONS);
    expect(bad).toMatchObject({ ok: false, failure: { kind: "id" } });
    const lone = writeDelta({ id: "chk-001", text: "a" }, { id: "chk-002", text: "\ud800" }, OPTIONS);
    expect(lone).toMatchObject({ ok: false, failure: { kind: "inexact" } });
  });

  it("[KD1] the headline begins the sentence, on one line", () => {
    const made = must(
      writeDelta(
        { id: "chk-001", text: "a" },
        { id: "chk-002", text: "b" },
        { ...OPTIONS, headline: "Phase 2\n## ended" },
      ),
    );
    expect(made.summary).toBe("Phase 2 ## ended: changed b.");
    expect(checkDelta(made.text)).toEqual([]);
  });

  it("[KD1] speaks Korean where asked, under the same headings", () => {
    const made = must(
      writeDelta(
        { id: "chk-001", text: CHECKPOINT },
        { id: "chk-002", text: LATER },
        { ...OPTIONS, locale: "ko" },
      ),
    );
    expect(made.summary).toMatch(/추가/);
    expect(made.text).toContain("### Status Transitions");
    expect(proveDelta(made.text, CHECKPOINT, LATER)).toEqual([]);
  });
});
