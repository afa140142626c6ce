import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

/** Each writes a megabyte. */
const TASKS = Array.from({ length: 5 }, (_, at) => `### [ ] T1.${at + 1}: talks\n- run: seq 1 200000\n`);

/** Writes down the peak of the process that holds the run. */
const LAST = `## Phase 2: last
### [ ] T2.1: looks
- run: grep VmHWM /proc/$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .espalier/holder.json)/status > peak.txt
`;

// Elsewhere no process tells its peak.
describe.runIf(existsSync("/proc/self/status"))("the memory of a run", () => {
  it("[E64] stays small whatever its agents say", async () => {
    await using lab = openLab({ "TASKS.md": `# Much\n## Phase 1: all\n${TASKS.join("")}${LAST}` });
    const { code, stderr } = await lab.cli(["run", "--yes", "--parallel", "5"]);
    expect([code, stderr]).toEqual([0, ""]);
    const megabytes = Number(/(\d+) kB/.exec(lab.read("peak.txt"))?.[1]) / 1024;
    // Node alone takes forty; where nobody collects what is left of the output, it is two hundred and more.
    expect(megabytes).toBeGreaterThan(40);
    expect(megabytes).toBeLessThan(180);
  });
});
