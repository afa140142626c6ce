import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDelta, rebuild, replay } from "../../src/checkpoint/index.ts";
import { apply, invert } from "../../src/delta/index.ts";
import { casesOf } from "../sample.ts";
import { ANY_TEXT, CHECKPOINT, chain, deltaOf, historyOf, LATER, must, small } from "./documents.ts";

/** Of a chain only the full states named, and all deltas. */
function only(files: Record<string, string>, ...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter(([file]) => file.startsWith("delta-") || ids.includes(file.slice(0, -3))),
  );
}

describe("the way back", () => {
  it("[KH3] a delta document knows exactly what it did", () => {
    const update = must(applyDelta(deltaOf(CHECKPOINT, LATER, ["chk-002", "chk-003"]), CHECKPOINT));
    const delta = update.delta!;
    expect(must(apply(delta, CHECKPOINT))).toBe(LATER);
    expect(must(apply(invert(delta), LATER))).toBe(CHECKPOINT);
    const touched = delta.hunks.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
    expect(touched).toBeLessThan(20);
  });

  it("[KH3] so does one of any two texts", () => {
    fc.assert(
      fc.property(ANY_TEXT, ANY_TEXT, (from, to) => {
        const update = must(applyDelta(deltaOf(from, to), from));
        expect(must(apply(update.delta!, from))).toBe(to);
        expect(must(apply(invert(update.delta!), to))).toBe(from);
      }),
      { numRuns: casesOf(38, 150) },
    );
  });

  it("[KH3] over any distance, with any full states kept beside the oldest", () => {
    const files = chain(9);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.subarray([2, 3, 4, 5, 6, 7, 8, 9]),
        (from, to, kept) => {
          const { history, texts } = historyOf(only(files, "chk-001", ...kept.map(at => `chk-00${at}`)));
          const done = must(replay(history, `chk-00${from}`, `chk-00${to}`, texts));
          expect(done.text).toBe(files[`chk-00${to}.md`]);
          expect(done.steps).toBe(Math.abs(from - to));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("[KH3] refuses to go back from a full state that is not what the deltas lead to", () => {
    const files = chain(4);
    files["chk-004.md"] += "\nadded by hand\n";
    const { history, texts } = historyOf(files);
    const back = replay(history, "chk-004", "chk-001", texts);
    expect(back).toMatchObject({ ok: false, failure: { kind: "delta" } });
    expect(must(replay(history, "chk-003", "chk-001", texts)).text).toBe(files["chk-001.md"]);
  });

  it("[KH3] says which state cannot be read", () => {
    const { history, texts } = historyOf(chain(3));
    const state = (id: string) => (id === "chk-003" ? undefined : texts.state(id));
    expect(replay(history, "chk-003", "chk-001", { ...texts, state })).toMatchObject({
      ok: false,
      failure: { kind: "missing", message: "chk-003 cannot be read" },
    });
  });

  it("[KH3] line ends that changed and a raised version come back, too", () => {
    const first = "---\nversion: CHK-v1\ncheckpoint: chk-001\n---\n\n# A\n\n- x: 1\n- y: 2\n";
    const second = first.replace("CHK-v1", "CHK-v2").replace("x: 1", "x: 3").replaceAll("\n", "\r\n");
    const third = `${second}- z: 4\r\n`;
    const files = {
      "chk-001.md": first,
      "delta-001-002.md": deltaOf(first, second, ["chk-001", "chk-002"]),
      "delta-002-003.md": deltaOf(second, third, ["chk-002", "chk-003"]),
    };
    const { history, texts } = historyOf(files);
    expect(must(rebuild(history, "chk-003", texts)).text).toBe(third);
    expect(must(replay(history, "chk-003", "chk-002", texts)).text).toBe(second);
    expect(must(replay(history, "chk-003", "chk-001", texts)).text).toBe(first);
  });

  it("[KH3] an edit that is undone later drops out of the way", () => {
    const [one, two] = [small("chk-001", undefined, "a"), small("chk-001", undefined, "b")];
    const files: Record<string, string> = { "chk-001.md": one };
    for (let at = 1; at <= 7; at++)
      files[`delta-00${at}-00${at + 1}.md`] = deltaOf(at % 2 === 1 ? one : two, at % 2 === 1 ? two : one, [
        `chk-00${at}`,
        `chk-00${at + 1}`,
      ]);
    const { history, texts } = historyOf(files);
    for (let from = 1; from <= 8; from++)
      for (let to = 1; to <= 8; to++)
        expect(must(replay(history, `chk-00${from}`, `chk-00${to}`, texts)).text).toBe(
          to % 2 === 1 ? one : two,
        );
  });
});
