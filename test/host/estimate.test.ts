import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { estimateOf } from "../../src/host/run/estimate.ts";
import type { Origin } from "../../src/host/run/launch.ts";
import { readPlan } from "../../src/plan/index.ts";
import { DEFAULT_POLICY, freshRun } from "../../src/run/index.ts";
import { textHash } from "../../src/text/index.ts";

describe("what past tasks took", () => {
  it("[RU20] counts attempts of a task, and no start that met a limit of its agent", () => {
    const text = "# J\n## Phase 1: a\n### [ ] T1.1: a\n### [ ] T1.2: b\n";
    const { plan } = readPlan(Buffer.from(text), { path: "TASKS.md", allowMissing: false });
    const config = readConfig("agent: claude\n");
    if (!config.ok) throw new Error("configuration");
    const usage = [1, 2, 3].map(number => ({
      task: "T1.1",
      number,
      agent: "claude",
      usage: {},
      estimate: 100,
    }));
    const tasks = [{ id: "T1.1", status: "completed", retries: 1 }];
    // One of its three starts met a limit, one failed.
    const origin = {
      project: { config: config.value, root: "/" },
      file: { display: "TASKS.md" },
      latest: { stored: { run: { file: "TASKS.md" }, tasks, usage }, invocation: {} },
    } as unknown as Origin;
    const run = freshRun(plan, { policy: DEFAULT_POLICY }, textHash);
    const estimate = estimateOf(origin, { invocation: {} }, run, ["T1.2"]);
    expect(estimate?.agents).toMatchObject([{ agent: "claude", basis: 1, attemptsEach: 2 }]);
  });
});
