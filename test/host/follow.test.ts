import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/index.ts";
import type { Engine } from "../../src/engine/index.ts";
import { followTaskFile } from "../../src/host/run/follow.ts";
import type { Session } from "../../src/host/session/open.ts";
import { readPlan } from "../../src/plan/index.ts";
import { because, few, ok, type RunEvent, type TaskStatus } from "../../src/ports/index.ts";

const FILE = "# F\n## Phase 0: p\n### [ ] T0.1: a\n### [ ] T0.2: b\n## Phase 1: q\n### [ ] T1.1: c\n";

/** A run whose task file is followed, and what it was warned of. */
function follow(statuses: Readonly<Record<string, TaskStatus>>) {
  const { plan } = readPlan(Buffer.from(FILE), { path: "TASKS.md" });
  const warned: unknown[] = [];
  let hear: (event: RunEvent) => void = () => {};
  const engine = {
    run: { plan, byId: new Map(plan.tasks.map(({ id }) => [id, { status: statuses[id] ?? "pending" }])) },
    warn: (code: string, { args }: { readonly args: unknown }) => warned.push([code, args]),
    listen: (listener: (told: { readonly event: RunEvent }) => void) => {
      hear = event => listener({ event });
    },
    tickAgain() {},
  } as unknown as Engine;
  const session = {
    plan: { plan, hash: "" },
    file: { display: "TASKS.md" },
    invocation: {},
    project: { config: defaultConfig() },
  } as unknown as Session;
  let text = FILE;
  const file = { read: () => ok(Buffer.from(text)) } as unknown as Parameters<typeof followTaskFile>[1];
  const look = followTaskFile(engine, file, session, phase => phase === 0);
  return {
    warned,
    hear: (event: RunEvent) => hear(event),
    tick(id: string) {
      text = text.replace(`[ ] ${id}`, `[x] ${id}`);
      look();
    },
  };
}

const notOurs = (task: string) => ["BOX_NOT_OURS", { tasks: few([task], 6) }];
const completed = (task: string): RunEvent => ({
  type: "completed",
  task,
  verified: true,
  by: "agent",
  ms: 1,
});

describe("a box that somebody else ticks", () => {
  it("[HO37] is told at once of a task that is not at work, or is elsewhere", () => {
    const { tick, warned } = follow({ "T1.1": "in_progress" });
    tick("T0.2");
    tick("T1.1");
    expect(warned).toEqual([notOurs("T0.2"), notOurs("T1.1")]);
  });

  it("[HO37] is told of a task at work beside the file only when its attempt ends undone", () => {
    const { tick, warned, hear } = follow({ "T0.1": "in_progress", "T0.2": "in_progress" });
    tick("T0.1");
    tick("T0.2");
    hear(completed("T0.1"));
    expect(warned).toEqual([]);
    const reason = because("process-died", {});
    hear({ type: "attempt-failed", task: "T0.1", reason, retries: 1, maxAttempts: 10 });
    hear({ type: "paused", task: "T0.2", reason, by: "rule" });
    hear({ type: "paused", task: "T0.2", reason, by: "rule" });
    expect(warned).toEqual([notOurs("T0.2")]);
  });
});
