import { describe, expect, it } from "vitest";
import { refusalOf } from "../../src/budget/index.ts";
import { createNoticeView } from "../../src/host/run/notices.ts";
import type { Notice, Notifier } from "../../src/ports/index.ts";
import { createSpending, DEFAULT_POLICY, restoreRun } from "../../src/run/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { plan, task } from "../run/build.ts";

function listener(): { readonly heard: Notice[]; readonly notifier: Notifier } {
  const heard: Notice[] = [];
  const notify = async (notice: Notice) => {
    heard.push(notice);
    return { ok: true, value: undefined } as const;
  };
  return { heard, notifier: { portVersion: 1, name: "test", notify } };
}

const ended = (outcome: "waiting" | "completed", reason: string) =>
  ({ seq: 1, at: 5, event: { type: "run-ended", outcome, reason: agentSaid(reason) } }) as const;

describe("who is told what", () => {
  it("the end for want of budget is told as a stop by the budget, once", async () => {
    const run = restoreRun(plan(task("T1.1")), [], { policy: DEFAULT_POLICY });
    run.spending = createSpending({ maxTokens: 10 }, []);
    run.spending.refusal = refusalOf({ maxTokens: 10 }, { tokens: 9, cost: 0 }, { tokens: 5, cost: 0 });
    const { heard, notifier } = listener();
    const view = createNoticeView([notifier], run, () => {});
    view.event(ended("waiting", "budget reached: 9 of 10 tokens used"));
    await view.drained();
    expect(heard).toMatchObject([{ kind: "budget", reason: told("budget reached: 9 of 10 tokens used") }]);
  });

  it("any other end is the end of the run", async () => {
    const run = restoreRun(plan(task("T1.1")), [], { policy: DEFAULT_POLICY });
    const { heard, notifier } = listener();
    const view = createNoticeView([notifier], run, () => {});
    view.event(ended("completed", ""));
    await view.drained();
    expect(heard).toMatchObject([{ kind: "run-ended", outcome: "completed" }]);
  });
});
