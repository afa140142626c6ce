import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { casesOf, itWhole } from "../sample.ts";
import { killGit } from "../torture/git-kills.ts";
import { killEverywhere } from "../torture/program/faults.ts";
import { rescueRounds } from "../torture/rescue-rounds.ts";

const noStrace = spawnSync("strace", ["-V"]).error !== undefined;

describe("samples of the long proofs", () => {
  // Without strace git cannot be killed at a chosen system call.
  it.skipIf(noStrace)(
    "git killed in the middle of its work is recovered from",
    async () => {
      const { points, tried, killed, broken } = await killGit(6);
      expect(broken).toEqual([]);
      expect([tried, killed]).toEqual([6, 6]);
      expect(points).toBeGreaterThan(200);
    },
    120_000,
  );

  itWhole(
    "[E70] the program killed at any call leaves every task's work there exactly once",
    async () => {
      const { counts, broken } = await killEverywhere(casesOf(1, 2), () => {});
      expect(broken).toEqual([]);
      expect(counts["reached"]).toBe(casesOf(1, 2));
      expect(counts["enumerated"]).toBeGreaterThan(500);
    },
    240_000,
  );

  itWhole(
    "nothing is lost by clearing away",
    async () => {
      const { cleared, broken } = await rescueRounds(casesOf(2, 4), 7);
      expect(broken).toEqual([]);
      // What is always refused loses nothing either.
      expect(cleared).toBeGreaterThan(0);
    },
    120_000,
  );
});
