import { describe, expect } from "vitest";
import { casesOf, itWhole } from "../sample.ts";
import { simulateSync } from "../torture/sync.ts";

describe("random sequences", () => {
  itWhole(
    "[SR1] lead and team never diverge, and everyone comes up to date in the end",
    () => {
      const { violations, counts, sequences } = simulateSync(1, casesOf(150, 300));
      expect(violations).toEqual([]);
      expect(sequences).toBe(casesOf(150, 300));
      // A sequence that never gets anywhere would break no rule either.
      for (const what of [
        "delta: next-version",
        "delta: squashed",
        "full: version-gap",
        "full: major-restructure",
        "full: requested",
        "full: context-lost",
        "full: initial-spawn",
        "full: unclear",
        "ack forged",
        "ack old-attempt",
        "ack old-session",
        "ack older",
        "ack duplicate",
        "ack never-sent",
        "ack overcounted",
        "ack partial",
        "gate-ready",
        "refused",
        "fetched",
        "lead restarted",
      ]) {
        expect({ what, often: (counts.get(what) ?? 0) > 10 }).toEqual({ what, often: true });
      }
    },
    120_000,
  );
});
