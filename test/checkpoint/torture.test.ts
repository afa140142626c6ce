import { describe, expect, it } from "vitest";
import { simulateCheckpoints } from "../torture/checkpoint.ts";

describe("generated histories", () => {
  it("[KD1] [KH3] every pair is proved, and any state leads to any other with the oldest alone kept", () => {
    const { pairs, replays, violations } = simulateCheckpoints(1, 1_000);
    expect(violations).toEqual([]);
    expect(pairs).toBe(1_000);
    expect(replays).toBe(320);
  }, 60_000);
});
