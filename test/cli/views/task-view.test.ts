import { describe, expect, it } from "vitest";
import { lookOf } from "../../../src/cli/views/look.ts";
import { type TaskViewFacts, taskView, taskViewFacts } from "../../../src/cli/views/task-view.ts";
import { spentBy } from "../../../src/engine/index.ts";
import type { AttemptRow, TaskStatus } from "../../../src/ports/index.ts";
import { actionsFor, type TaskAction, taskRow } from "../../../src/run/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { agentSaid } from "../../reasons.ts";
import { attempt, look, NOON, plan, type Scene, scene, task } from "./scene.ts";

function shop(): Scene {
  return scene(
    plan([
      task({ id: "T1.1", title: "Entities" }),
      task({
        id: "T1.2",
        title: "결제 승인",
        dependsOn: ["T1.1"],
        parallelWith: ["T1.4"],
        role: "backend-specialist",
        agent: "codex",
        risk: "critical",
        worktree: "../shop-phase1",
        files: ["src/a.ts", "src/b.ts"],
        expects: ["src/a.ts"],
        test: "npm test -- pay",
        verify: "npm test",
        contextRef: "ctx-pay",
        line: 41,
        text: "### [ ] T1.2: 결제 승인\n- 담당: backend-specialist\n\u001b[2J- evil",
      }),
      task({ id: "T1.3", title: "Export", dependsOn: ["T1.2"] }),
      task({ id: "T1.4", title: "Search" }),
    ]),
    { backoffMs: 60_000 },
  );
}

function factsOf(s: Scene, id: string, attempts: readonly AttemptRow[] = []): TaskViewFacts {
  const facts = taskViewFacts({ stored: { tasks: s.run.tasks.map(taskRow) }, plan: s.run.plan }, id, {
    attempts,
    file: "docs/planning/TASKS.md",
    maxAttempts: 10,
    now: s.now,
    attemptLog: number => (number === 2 ? undefined : `.espalier/logs/${id}/${number}.log`),
  });
  if (facts === undefined) throw new Error(`no ${id}`);
  return facts;
}

const show = (facts: TaskViewFacts, width = 80, locale: Locale = "en") =>
  taskView(facts, look(width, locale)).join("\n");

const ATTEMPTS: readonly AttemptRow[] = [
  attempt({
    task: "T1.2",
    reason: agentSaid("vitest: 3 failed"),
    feedback: `npm test\n${Array.from({ length: 12 }, (_, at) => `\u001b[31mFAIL\u001b[0m test ${at}`).join("\n")}\n`,
  }),
  attempt({ task: "T1.2", number: 2, outcome: "no-signal", reason: agentSaid("no signal") }),
  attempt({
    task: "T1.2",
    number: 3,
    outcome: "unproven",
    evidence: "$ npm test\nexit 1",
    feedback: "$ npm test\nexit 1",
  }),
  attempt({
    task: "T1.2",
    number: 4,
    outcome: "running",
    agent: "codex",
    startedAt: NOON + 60_000,
    endedAt: 0,
  }),
];

describe("a task", () => {
  it("[VN4] is shown with all its facts, attempts and text", () => {
    const s = shop();
    s.done("T1.1");
    s.pass(5000);
    s.done("T1.4");
    s.fail("T1.2", "verify exit 1: 3 failed");
    expect(show(factsOf(s, "T1.2", ATTEMPTS.slice(0, 3)))).toMatchInlineSnapshot(`
      "○ T1.2  결제 승인
        ready  Phase 1

        reason         verify exit 1: 3 failed
        retries        1/10
        not before     2026-01-05 12:01
        depends on     ✓ T1.1
        together with  ✓ T1.4
        needed by      · T1.3
        specialist     backend-specialist
        agent          codex
        risk           critical
        worktree       ../shop-phase1
        files          src/a.ts, src/b.ts
        expects        src/a.ts
        test           npm test -- pay
        verify         npm test
        context        ctx-pay
        defined in     docs/planning/TASKS.md, line 41

      Attempts
        ✗ 1  failed  claude  1m05s  2026-01-05 12:00
            vitest: 3 failed
            told to the next attempt
            +5 lines
            │ FAIL test 4
            │ FAIL test 5
            │ FAIL test 6
            │ FAIL test 7
            │ FAIL test 8
            │ FAIL test 9
            │ FAIL test 10
            │ FAIL test 11
            log .espalier/logs/T1.2/1.log
        ✗ 2  no signal  claude  1m05s  2026-01-05 12:00
            no signal
        ✗ 3  not proved  claude  1m05s  2026-01-05 12:00
            proof
            │ $ npm test
            │ exit 1
            log .espalier/logs/T1.2/3.log

      In the task file
            │ ### [ ] T1.2: 결제 승인
            │ - 담당: backend-specialist
            │ - evil

      What you can do
        espalier task pause T1.2    hold it back
        espalier task skip T1.2     go on without it
        espalier task done T1.2     count it as done, on your word
        espalier task cancel T1.2   give it up; what needs it is blocked"
    `);
  });

  it("[VN4] an unknown one is nothing", () => {
    const s = shop();
    const source = { stored: { tasks: [] }, plan: s.run.plan };
    const more = { attempts: [], file: "", maxAttempts: 1, now: 0, attemptLog: () => undefined };
    expect(taskViewFacts(source, "T9", more)).toBeUndefined();
    expect(taskViewFacts(source, "constructor", more)).toBeUndefined();
    expect(taskViewFacts(source, "T1.1", more)?.facts.status).toBe("pending");
  });

  it("[VN4] shows the ten last attempts, a running one with its time so far", () => {
    const s = shop();
    s.done("T1.1");
    const many = Array.from({ length: 14 }, (_, at) => attempt({ task: "T1.2", number: at + 1 }));
    const lines = show(factsOf(s, "T1.2", many)).split("\n");
    expect(lines.filter(text => text.startsWith("  ✗ "))).toHaveLength(10);
    expect(lines).toContain("  +4 more");
    s.pass(90_000);
    expect(show(factsOf(s, "T1.2", ATTEMPTS))).toContain("  ▶ 4  running  codex  30s  2026-01-05 12:01");
  });

  it("[VN7] each attempt shows what it counts with, also where its agent told nothing", () => {
    const s = shop();
    const rows = [
      attempt({ task: "T1.2", number: 1, agent: "mine", estimate: 1_302 }),
      attempt({ task: "T1.2", number: 2, agent: "shell", estimate: 900 }),
      attempt({ task: "T1.2", number: 3, estimate: 900, usage: { inputTokens: 2_000, outputTokens: 10 } }),
      attempt({ task: "T1.2", number: 4, estimate: 900, usage: { costUsd: 0.5 } }),
      attempt({ task: "T1.2", number: 5, estimate: 900, usage: { inputTokens: 0, estimatedTokens: 0 } }),
    ];
    const took = show(factsOf(s, "T1.2", rows))
      .split("\n")
      .filter(text => /tokens|\$0/.test(text))
      .map(text => text.trim());
    expect(took).toEqual([
      "≈ 1,302 tokens, estimated",
      "2,000 tokens read · 10 written",
      "≈ 900 tokens, estimated · $0.5000",
      "0 tokens read",
    ]);
    const counted = rows.reduce((sum, row) => sum + (spentBy(row)?.tokens ?? 0), 0);
    expect(counted).toBe(1_302 + 2_010 + 900);
  });

  it("[VV5] a completion nobody proved says so", () => {
    const s = shop();
    s.done("T1.1", false);
    const lines = show(factsOf(s, "T1.1")).split("\n");
    expect(lines[0]).toBe("✓? T1.1  Entities");
    expect(lines[1]).toBe("  done (unverified)  Phase 1");
    expect(lines).toContain("  none yet");
    s.give({ type: "act", action: "retry", task: "T1.1", note: "", textHash: "" });
    s.done("T1.1");
    expect(show(factsOf(s, "T1.1")).split("\n")[1]).toBe("  done  Phase 1");
  });

  it("[VN4] a task in a format without lines, and with dependencies that are gone", () => {
    const s = scene(
      plan([task({ id: "1", line: 0, dependsOn: ["gone"], children: ["2"] }), task({ id: "2" })]),
    );
    const text = show(factsOf(s, "1"));
    expect(text).toContain("depends on  gone\n");
    expect(text).toContain("groups      ▶ 2\n");
    expect(text).toContain("defined in  docs/planning/TASKS.md\n");
  });

  it("[VV6] speaks Korean", () => {
    const s = shop();
    s.done("T1.1");
    const text = show(factsOf(s, "T1.2", ATTEMPTS), 80, "ko");
    expect(text).toContain("  의존      ✓ T1.1");
    expect(text).toContain("  위치      docs/planning/TASKS.md 41행");
    expect(text).toContain("  ✗ 3  검증 실패  claude");
    expect(text).toContain("  espalier task pause T1.2    보류");
  });

  it("[VV1] foreign lines cannot leave their place behind the rule", () => {
    const s = shop();
    s.done("T1.1");
    const evil = "\u001b[2J\u202eok\r\n\nAttempts\n\u0007".repeat(3);
    const facts = factsOf(s, "T1.2", [
      attempt({ task: "T1.2", reason: agentSaid(evil), evidence: evil, feedback: `${evil}x`, agent: evil }),
    ]);
    const lines = taskView(facts, lookOf({}, {}, "en"));
    expect(lines.filter(text => text === "Attempts")).toHaveLength(1);
    for (const text of lines)
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u200b-\u200f]/u);
  });

  it("[VV7] text and output of any length are cut to what helps", () => {
    const s = scene(plan([task({ id: "T1", title: "x".repeat(100_000), text: "line\n".repeat(100_000) })]));
    const long = attempt({ task: "T1", evidence: "e\n".repeat(10_000), feedback: "y".repeat(100_000) });
    const text = show(factsOf(s, "T1", [long]));
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain("+99940 lines");
    expect(text).toContain("+9992 lines");
  });
});

describe("the actions of a task", () => {
  /** A task brought into a state, the way a run would. */
  function inState(status: TaskStatus): Scene {
    const s = scene(
      plan([task({ id: "a" }), task({ id: "b", dependsOn: ["a"] }), task({ id: "c", phase: 2 })]),
      {
        maxAttempts: 2,
        backoffMs: 60_000,
        phaseGate: 0,
      },
    );
    const act = (action: TaskAction) => s.give({ type: "act", action, task: "a", note: "", textHash: "" });
    if (status === "completed") s.done("a");
    if (status === "ready") s.fail("a", "x");
    if (status === "failed") {
      s.fail("a", "x");
      s.pass(60_000);
      s.fail("a", "x");
    }
    if (status === "paused") act("pause");
    if (status === "skipped") act("skip");
    if (status === "cancelled") act("cancel");
    if (status === "waiting")
      s.give({
        type: "attempt-ended",
        task: "a",
        attempt: 1,
        outcome: { kind: "quota", agent: "x", until: s.now + 9e6 },
        ms: 1,
      });
    return s;
  }

  const ACTIONS: readonly TaskAction[] = [
    "retry",
    "skip",
    "done",
    "pause",
    "resume",
    "cancel",
    "send-back",
    "approve",
  ];
  const STATES: readonly TaskStatus[] = [
    "completed",
    "ready",
    "failed",
    "paused",
    "skipped",
    "cancelled",
    "waiting",
    "in_progress",
  ];

  it.each(STATES)("[VN5] what is offered for a task that is %s is accepted by the run", status => {
    expect(inState(status).run.byId.get("a")?.status).toBe(status);
    for (const action of actionsFor(inState(status).run.byId.get("a")!)) {
      const s = inState(status);
      const events = s.give({ type: "act", action, task: "a", note: "shorter", textHash: "" });
      expect(
        events.some(({ event }) => event.type === "person"),
        `${action} of ${status}`,
      ).toBe(true);
    }
  });

  it("[VN5] every state that is not the end offers something, and nothing twice", () => {
    for (const status of [...STATES, "pending", "blocked"] as const) {
      const offered = actionsFor({ ...inState("ready").run.byId.get("a")!, status });
      expect(offered.length).toBeGreaterThan(0);
      expect(new Set(offered).size).toBe(offered.length);
      for (const action of offered) expect(ACTIONS).toContain(action);
    }
  });
});
