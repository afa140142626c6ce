import { describe, expect, it } from "vitest";
import type { Task } from "../../src/plan/index.ts";
import { hotFilesOf } from "../../src/run/hot.ts";
import { DEFAULT_POLICY, restoreRun, step } from "../../src/run/index.ts";
import { agentSaid } from "../reasons.ts";
import { Bench, plan, task } from "./build.ts";

const conflict = (content: string, files: readonly string[] = ["src/routes.ts"]) =>
  ({ kind: "conflict", files, others: [], reason: agentSaid("conflict"), again: true, content }) as const;

const named = (id: string) => task(id, { text: `### [ ] ${id}\n- add it to src/routes.ts` });

/** Two that have met in a file twice, and others behind them, some of which name the file. */
function twice(parallel: number, ...rest: readonly Task[]) {
  const bench = Bench.of(plan(task("T1.1"), ...rest), { parallel });
  bench.end("T1.1", conflict("1"));
  return { bench, out: bench.end("T1.1", conflict("2")) };
}

describe("files that keep colliding", () => {
  it("[RD10] are told at the second conflict, once", () => {
    const { bench, out } = twice(1);
    expect(out.events).toContainEqual({
      type: "warning",
      code: "HOT_FILE",
      message: { code: "hot-file", args: { path: "src/routes.ts", times: 2 } },
    });
    expect(bench.end("T1.1", conflict("3")).events).not.toContainEqual(
      expect.objectContaining({ code: "HOT_FILE" }),
    );
  });

  it("[RD10] keep apart who is likely to change them, while another can start", () => {
    const { bench } = twice(1, named("T1.2"), named("T1.3"), task("T1.4"), named("T1.5"));
    bench.run.policy = { ...bench.run.policy, parallel: 3 };
    bench.tick(0);
    // T1.1 was seen to change it and runs: of the others only T1.4 is not likely to; the third slot is not left free.
    const running = (id: string) => bench.status(id) === "in_progress";
    expect(["T1.2", "T1.3", "T1.4", "T1.5"].map(running)).toEqual([true, false, true, false]);
  });

  it("[RD10] hold nobody up where all are of the kind, who then go in plan order", () => {
    const { bench } = twice(1, named("T1.2"), named("T1.3"));
    bench.run.policy = { ...bench.run.policy, parallel: 2 };
    bench.tick(0);
    expect([bench.status("T1.2"), bench.status("T1.3")]).toEqual(["in_progress", "ready"]);
  });

  it("[RD10] are no reason to overtake a task that runs alone", () => {
    const { bench } = twice(1, named("T1.2"), task("T1.3", { risk: "critical" }), task("T1.4"));
    bench.run.policy = { ...bench.run.policy, parallel: 3 };
    bench.tick(0);
    expect(["T1.2", "T1.3", "T1.4"].map(id => bench.status(id))).toEqual(["in_progress", "ready", "ready"]);
  });

  it("[RD10] are remembered when the plan changes and after a restart", () => {
    const { bench } = twice(1, named("T1.2"), task("T1.3"));
    const next = plan(task("T1.1"), named("T1.2"), task("T1.3"), task("T1.4"));
    step(bench.run, { type: "plan-changed", plan: next, now: bench.now });
    expect(hotFilesOf(bench.run, bench.run.byId.get("T1.2")!)).toEqual(["src/routes.ts"]);
    const met = { tasks: ["T1.1"], files: ["src/routes.ts"] };
    const run = restoreRun(next, [], { policy: { ...DEFAULT_POLICY, parallel: 2 }, conflicts: [met, met] });
    step(run, { type: "start", resumed: true, now: 0 });
    const status = (id: string) => run.byId.get(id)?.status;
    expect([status("T1.1"), status("T1.2"), status("T1.3")]).toEqual(["in_progress", "ready", "in_progress"]);
  });
});
