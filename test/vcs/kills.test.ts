import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { killGit } from "../torture/git-kills.ts";
import { rescueRounds } from "../torture/rescue-rounds.ts";

const noStrace = spawnSync("strace", ["-V"]).error !== undefined;

describe("samples of the long proofs", () => {
  // Without strace git cannot be killed at a chosen system call.
  it.skipIf(noStrace)(
    "git killed in the middle of its work is recovered from",
    async () => {
      const { points, tried, broken } = await killGit(6);
      expect(broken).toEqual([]);
      expect(tried).toBe(6);
      expect(points).toBeGreaterThan(200);
    },
    120_000,
  );

  it("nothing is lost by clearing away", async () => {
    expect(await rescueRounds(4, 7)).toEqual([]);
  }, 120_000);
});
