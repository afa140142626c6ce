import { describe, expect } from "vitest";
import { casesOf, itWhole } from "../sample.ts";
import { simulateCheckpoints } from "../torture/checkpoint.ts";

describe("generated histories", () => {
  itWhole(
    "[KD1] [KH3] every pair is proved, and any state leads to any other with the oldest alone kept",
    () => {
      const { pairs, replays, violations } = simulateCheckpoints(1, casesOf(250, 1_000));
      expect(violations).toEqual([]);
      expect(pairs).toBe(casesOf(250, 1_000));
      expect(replays).toBe(casesOf(80, 320));
    },
    60_000,
  );
});
