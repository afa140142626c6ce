import { describe, expect, it } from "vitest";
import { baseOf } from "../../src/delta/message/base.ts";
import type { Piece } from "../../src/delta/message/piece.ts";
import { renderPieces } from "../../src/delta/message/render.ts";

const BASE = baseOf(
  "intro\n# Plan\n\n- D-5: a\n\n## Plan.D-7\n\n- D-7: a\n\n# 1. Scope\n\n# a: b\n\n# Twice\n\n# Twice\n",
);

/** The operations of one item of a section. */
function written(section: number, inline: string, kind: Piece["kind"] = "CHANGED"): string[] {
  return renderPieces(BASE, [{ kind, section, place: "", inline }]);
}

describe("an item named with its section", () => {
  it.each([
    ["D-5: a → b", "§Plan.D-5: a → b"],
    ["d0: a → b", "§Plan.d0: a → b"],
    ["d9: a → b", "§Plan.d9: a → b"],
    ["9d: a → b", "§Plan.9d: a → b"],
    ["abcdefghijklmno1: a → b", "§Plan.abcdefghijklmno1: a → b"],
  ])("[U5] by a dot where it has an id: %s", (change, operation) => {
    expect(written(1, change)).toEqual([`- CHANGED ${operation}`]);
  });

  it.each([
    ["a name without a digit", "Phase: a → b"],
    ["a single character", "5: a → b"],
    ["more than sixteen", "abcdefghijklmnop1: a → b"],
    ["a line's number", "L12: a → b"],
    ["a quoted key", '"D-5": a → b'],
    ["quotes within", 'D-5"x: a → b'],
    ["a stretch", "D-5…x: a → b"],
    ["a dot of its own", "D.5: a → b"],
    ["an arrow of its own", "D5→x: a → b"],
    ["two words", "Phase 1: a → b"],
    ["two keys", "D-5, D-6: a → b"],
    ["no key", "D5 → D6"],
    ["what a heading reads like", "D-7: a → b"],
  ])("[U5] by a colon for %s", (_, change) => {
    expect(written(1, change)).toEqual([`- CHANGED §Plan: ${change}`]);
  });

  it("[U5] by a dot too where it goes by itself, by a colon where others go with it", () => {
    expect(written(1, "D-5", "REMOVED")).toEqual(["- REMOVED §Plan.D-5"]);
    expect(written(1, "D-5 (2 lines)", "REMOVED")).toEqual(["- REMOVED §Plan: D-5 (2 lines)"]);
  });

  it.each([
    [3, "§1. Scope: D-9: a → b"],
    [4, "§a.D-9: a → b"],
    [6, "§Twice#2: D-9: a → b"],
  ])("[U5] by a colon where the section's own name has a dot or a number: %i", (section, operation) => {
    expect(written(section, "D-9: a → b")).toEqual([`- CHANGED ${operation}`]);
  });

  it("[U4] says no section where it is the one before it, the first of all included", () => {
    expect(written(0, "D-9: a → b")).toEqual(["- CHANGED D-9: a → b"]);
    const pieces = (["CHANGED", "REMOVED"] as const).map(kind => ({
      kind,
      section: 1,
      place: "",
      inline: "D-5: a → b",
    }));
    expect(renderPieces(BASE, pieces)).toEqual(["- CHANGED §Plan.D-5: a → b", "- REMOVED D-5: a → b"]);
  });
});
