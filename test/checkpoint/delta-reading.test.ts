import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDelta, checkDelta, inlineDeltas, proveDelta, readDelta } from "../../src/checkpoint/index.ts";
import { shortHash } from "../../src/delta/index.ts";
import { CHECKPOINT, deltaOf, LATER } from "./documents.ts";

describe("older forms", () => {
  const PROSE =
    "# Delta: chk-002.md vs chk-001.md\n\n## New Items\n\n- bread\n\n## Status Changes\n\n| a | b |\n|---|---|\n\n## Minor Changes\n\n- x → y\n\n**Resumen:** se vende pan.\n";

  it("[KD6] prose is read, and reported as not appliable", () => {
    const delta = readDelta(PROSE);
    expect(delta.summary).toBe("se vende pan.");
    expect([...delta.headings.keys()]).toEqual(["added", "transitions", "modified"]);
    expect(applyDelta(PROSE, CHECKPOINT)).toMatchObject({ ok: false, failure: { kind: "prose" } });
    expect(checkDelta(PROSE).map(({ code, severity }) => `${severity} ${code}`)).toContain(
      "warning NOT_APPLIABLE",
    );
  });

  it("[KD6] Merge Instructions in words alone are prose", () => {
    const text =
      "---\ndelta: a-to-b\ncreated: 2026-01-01\nfrom: a\nto: b\n---\n\n## Summary\n\nx\n\n## Changes\n\n### Added\n\n- y\n\n## Merge Instructions\n\n1. Append y\n";
    expect(checkDelta(text).map(({ code, line }) => `${code} ${line}`)).toEqual(["NOT_APPLIABLE 18"]);
    expect(applyDelta(text, "x")).toMatchObject({ ok: false, failure: { kind: "prose" } });
  });

  it("[KD6] inline deltas of a checkpoint are read", () => {
    const text = `${CHECKPOINT}\n## Delta: 2026-03-02T10:00:00Z\n\n### What Changed\n- ovens\n\n## Delta: later\n\n- flour\n`;
    expect(inlineDeltas(text)).toEqual([
      { time: "2026-03-02T10:00:00Z", line: 72, text: "### What Changed\n- ovens" },
      { time: "later", line: 77, text: "- flour" },
    ]);
    expect(inlineDeltas(CHECKPOINT)).toEqual([]);
  });
});

describe("refusing", () => {
  const delta = deltaOf(CHECKPOINT, LATER);

  it("[KD5] another base", () => {
    const refused = applyDelta(delta, LATER);
    expect(refused).toMatchObject({ ok: false, failure: { kind: "base" } });
    expect(JSON.stringify(refused)).toContain(shortHash(CHECKPOINT).slice(0, 4));
  });

  it("[KD5] another base whose hash begins alike", () => {
    const lying = delta.replace(`from_hash: ${shortHash(CHECKPOINT)}`, "from_hash: 000000000000");
    expect(applyDelta(lying, CHECKPOINT)).toMatchObject({ ok: false, failure: { kind: "base" } });
  });

  it("[KD5] another result than the header names", () => {
    const lying = delta.replace(`to_hash: ${shortHash(LATER)}`, "to_hash: 000000000000");
    expect(applyDelta(lying, CHECKPOINT)).toMatchObject({ ok: false, failure: { kind: "result" } });
  });

  it("[KD5] a block that was edited or cut off, whatever the edit", () => {
    const start = delta.indexOf("[CONTEXT-UPDATE]");
    fc.assert(
      fc.property(
        fc.nat(delta.length - start - 6),
        fc.nat(5),
        fc.string({ maxLength: 6 }),
        (at, cut, put) => {
          const edited = delta.slice(0, start + at) + put + delta.slice(start + at + cut);
          const done = applyDelta(edited, CHECKPOINT);
          const told = done.ok
            ? done.value.text === LATER
            : ["base", "block", "result", "prose"].includes(done.failure.kind);
          expect(told).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("[KD5] a delta from elsewhere is told from its target", () => {
    expect(proveDelta(delta, LATER, CHECKPOINT).map(({ code }) => code)).toEqual(["DOES_NOT_APPLY"]);
    expect(proveDelta(delta, CHECKPOINT, CHECKPOINT).map(({ code }) => code)).toEqual(["WRONG_RESULT"]);
  });
});
