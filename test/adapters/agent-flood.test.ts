import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../sample.ts";
import { FLOODS, type FloodReport } from "./agent-flood.ts";

const BYTES = 200_000_000;

describe("an agent that floods", () => {
  it.each(sampleOf(Object.keys(FLOODS), 0, 3))(
    "with %s costs little memory and does not block",
    async shape => {
      const program = fileURLToPath(new URL("agent-flood.ts", import.meta.url));
      // A process of its own: memory is measured at its highest.
      const { stdout } = await promisify(execFile)(process.execPath, [program, `${BYTES}`, shape]);
      const report = JSON.parse(stdout) as FloodReport;
      expect(report.outputBytes).toBe(BYTES);
      expect(report.maxRssMib).toBeLessThan(256);
      expect(report.loggedBytes).toBeLessThan((1 << 20) + 200);
      expect(report.messageLength).toBeLessThanOrEqual(1 << 16);
      // What it takes for all of it is seconds.
      expect(report.longestBlockMs).toBeLessThan(400);
      expect(report.lineEvents).toBeGreaterThan(100);
      expect(report.lineEvents).toBeLessThan(2_000_000);
    },
  );
});
