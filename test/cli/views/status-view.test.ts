import { describe, expect, it } from "vitest";
import { ledTasks } from "../../../src/cli/led.ts";
import { lookOf } from "../../../src/cli/views/look.ts";
import { type StatusFacts, statusView } from "../../../src/cli/views/status-view.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { because } from "../../../src/ports/index.ts";
import { taskRow } from "../../../src/run/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { growth, LINEAR } from "../../growth.ts";
import { attempt, look, NOON, plan, type Scene, scene, task } from "./scene.ts";

function stored(s: Scene, more: Partial<StatusFacts> = {}): StatusFacts {
  return {
    stored: {
      run: {
        id: "r-1",
        project: s.run.plan.project,
        state: s.run.ended?.outcome ?? "running",
        phase: s.run.phases[s.run.open]?.label ?? "",
        file: "TASKS.md",
        planHash: "",
        plan: "",
        startedAt: NOON - 60_000,
        updatedAt: s.now,
        forced: [],
        leadTokens: 0,
        reason: undefined,
      },
      tasks: s.run.tasks.map(taskRow),
      openAttempts: [...s.run.running].map(({ task: { id }, attempts }) =>
        attempt({ task: id, number: attempts, startedAt: s.now - 42_000, endedAt: 0, outcome: "running" }),
      ),
      lastSeq: 1,
      usage: [],
    },
    plan: s.run.plan,
    live: true,
    maxAttempts: 10,
    phaseGate: 0.9,
    now: s.now,
    all: false,
    ...more,
  };
}

const show = (facts: StatusFacts, width = 80, locale: Locale = "en") =>
  statusView(facts, look(width, locale)).join("\n");

function shop(): Scene {
  const s = scene(
    plan(
      [
        task({ id: "T1.1", title: "Entities" }),
        task({ id: "T1.2", title: "결제 승인" }),
        task({ id: "T1.3", title: "Payment adapter" }),
        task({ id: "T1.4", title: "Search" }),
        task({ id: "T1.5", title: "Export" }),
        task({ id: "T2.1", phase: 2, title: "REST", dependsOn: ["T1.3"] }),
        task({ id: "T2.2", phase: 2, title: "GraphQL", dependsOn: ["T2.1"] }),
      ],
      { "1": "Domain model", "2": "API" },
    ),
    { maxAttempts: 2, backoffMs: 60_000 },
  );
  s.done("T1.1");
  s.done("T1.2", false);
  s.fail("T1.3", "TypeError: amount");
  s.pass(60_000);
  s.fail("T1.3", "TypeError: amount");
  s.fail("T1.5", "flaky test");
  return s;
}

describe("the status", () => {
  it("[VN2] lists the tasks by phase, and what waits for a person", () => {
    expect(show(stored(shop()))).toMatchInlineSnapshot(`
      "shop-backend  running  Phase 1  2m00s  r-1  2026-01-05 11:59
      ✓ 2 done (1 unverified)   ▶ 1 running   ○ 1 ready   ✗ 1 failed   ⊘ 2 blocked

      Phase 1  Domain model  2/5
        ✓  T1.1  Entities
        ✓? T1.2  결제 승인        unverified
        ✗  T1.3  Payment adapter  retry 2/10  TypeError: amount
        ▶  T1.4  Search           claude  42s
        ○  T1.5  Export           retry 1/10  until 12:02  flaky test

      Phase 2  API  0/2
        ⊘  T2.1  REST     by T1.3
        ⊘  T2.2  GraphQL  by T1.3

      Waits for you
        espalier task show T1.3    see what happened
        espalier task retry T1.3   give it a fresh start
        espalier task skip T1.3    go on without it"
    `);
  });

  it("[E126] marks who completed on a context that had changed, until the task is done anew", () => {
    const s = scene(plan([task({ id: "T1", title: "Bake" })]));
    s.give({
      type: "attempt-ended",
      task: "T1",
      attempt: 1,
      outcome: { kind: "done", verified: true, textHash: "", stale: "GC v1 of v3" },
      ms: 1,
    });
    expect(taskRow(s.run.tasks[0]!).reason).toEqual(because("stale-context", { held: "GC v1 of v3" }));
    expect(show(stored(s))).toContain("T1  Bake  stale: GC v1 of v3");
    s.give({ type: "act", action: "done", task: "T1", note: "", textHash: "" });
    s.give({ type: "act", action: "retry", task: "T1", note: "", textHash: "" });
    s.done("T1");
    expect(taskRow(s.run.tasks[0]!).reason).toBeUndefined();
  });

  it("[VN3] a run that a lead holds goes on, although its row says that nobody works on it", () => {
    const facts = stored(shop());
    const led = {
      ...facts,
      stored: { ...facts.stored, run: { ...facts.stored.run, state: "interrupted" as const } },
    };
    expect(show(led).split("\n")[0]).toContain("shop-backend  running  Phase 1");
    expect(show({ ...led, live: false }).split("\n")[0]).toContain("shop-backend  interrupted");
    // Between two commands of a lead what it has taken is its own.
    const openAttempts = led.stored.openAttempts.map(row => ({ ...row, agent: "lead" }));
    const between = show({ ...led, stored: { ...led.stored, openAttempts }, live: false });
    expect(between.split("\n")[0]).toContain("shop-backend  running  Phase 1");
    expect(between).toMatch(/▶ {2}T1\.4 {2}Search +lead {2}42s/);
    // An attempt that a newer one has replaced holds nothing.
    const tasks = led.stored.tasks.map(row => ({ ...row, attempts: row.attempts + 1 }));
    const stale = { ...led.stored, openAttempts, tasks };
    expect(ledTasks({ ...led.stored, openAttempts })).toEqual(new Set(["T1.4"]));
    expect(ledTasks(stale)).toEqual(new Set());
    expect(show({ ...led, stored: stale, live: false })).not.toContain("▶");
  });

  it("[VN3] a run whose process is gone is interrupted, its running tasks are ready", () => {
    const text = show(stored(shop(), { live: false }));
    expect(text.split("\n").slice(0, 3)).toEqual([
      "shop-backend  interrupted  Phase 1  2m00s  r-1  2026-01-05 11:59",
      "✓ 2 done (1 unverified)   ○ 2 ready   ✗ 1 failed   ⊘ 2 blocked",
      "! its process is gone; nothing runs now",
    ]);
    expect(text).toContain("  ○  T1.4  Search\n");
    expect(text).not.toContain("▶");
    expect(text).toContain("What next\n");
    expect(text.split("\n").at(-1)).toBe("  espalier resume            go on with the run");
  });

  it("[VN3] says that agents on other machines go on, and nothing of what goes on where another one conducts it", () => {
    const gone = stored(shop(), { live: false, isElsewhere: true });
    expect(show(gone)).toContain("! its process is gone; nothing runs now");
    const openAttempts = gone.stored.openAttempts.map(row => ({ ...row, machine: "build1" }));
    const working = { ...gone, stored: { ...gone.stored, openAttempts } };
    expect(show(working)).toContain("agents on other machines go on for ten minutes");
    const away = { url: "https://hub.example.com", host: "train" };
    expect(show({ ...working, away })).not.toContain("its process is gone");
  });

  it.each([
    ["en", "‖ held: nothing new starts until h in espalier watch lets it go on"],
    ["ko", "‖ 보류 중: espalier watch에서 h를 누를 때까지 새로 시작하는 태스크 없음"],
  ] as const)("[VN8] says that a person holds the run back, and how it goes on (%s)", (locale, said) => {
    const facts = stored(shop());
    const held = { ...facts, stored: { ...facts.stored, run: { ...facts.stored.run, held: true as const } } };
    expect(show(held, 80, locale).split("\n")).toContain(said);
    expect(show(facts, 80, locale)).not.toContain(said);
  });

  it("[VN2] a completed run has nothing left to say", () => {
    const s = scene(plan([task({ id: "T1" })]));
    s.done("T1");
    expect(show(stored(s, { live: false })).split("\n")).toEqual([
      "shop-backend  completed  Phase 1  1m00s  r-1  2026-01-05 11:59",
      "✓ 1 done",
      "",
      "Phase 1    1/1",
      "  ✓  T1  Title of T1",
    ]);
  });

  it.each([
    ["en", "another-host", "Another machine has taken this run over (another-host)", "bring it back here"],
    ["ko", "", "다른 머신이 이 실행을 이어받아 계속하고 있습니다", "여기로 되찾아 옴"],
  ] as const)("[CL16] says in %s that another machine has taken the run", (locale, host, said, why) => {
    const shown = show(
      stored(shop(), { live: false, away: { url: "http://127.0.0.1:4748", host } }),
      120,
      locale,
    );
    expect(shown).toContain(said);
    expect(shown).toMatch(new RegExp(`espalier resume --take-over --on http://127.0.0.1:4748\\s+.*${why}`));
    expect(shown.match(/espalier resume/g)).toHaveLength(1);
  });

  it("[VR5] names the phase that is held back", () => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2", phase: 2 })]), { maxAttempts: 1 });
    s.fail("T1", "boom");
    const text = show(stored(s, { live: false }));
    expect(text).toContain("‖ too few tasks completed to start phase 2");
    expect(text).toContain("espalier resume --force-phase 2");
  });

  it("[VN2] in a long list a quiet phase is one line, unless all are asked for", () => {
    const tasks = Array.from({ length: 60 }, (_, at) => task({ id: `T${at}`, phase: Math.floor(at / 20) }));
    const s = scene(plan(tasks, { "0": "Setup", "1": "Work", "2": "Later" }), { parallel: 20 });
    for (let at = 0; at < 20; at++) s.done(`T${at}`);
    s.done("T20");
    const lines = show(stored(s)).split("\n");
    expect(lines.filter(text => text.startsWith("Phase"))).toEqual([
      "Phase 0  Setup  20/20",
      "Phase 1  Work  1/20",
      "Phase 2  Later  0/20",
    ]);
    expect(lines.filter(text => /^ {2}\S/.test(text))).toHaveLength(20);
    const all = show(stored(s, { all: true })).split("\n");
    expect(all.filter(text => /^ {2}\S/.test(text))).toHaveLength(60);
  });

  it("[VV6] speaks Korean", () => {
    const text = show(stored(shop()), 90, "ko");
    expect(text).toContain("shop-backend  실행 중  단계 1");
    expect(text).toContain("✓ 2 완료 (미검증 1개)");
    expect(text).toContain("T2.2  GraphQL  ← T1.3");
    expect(text).toContain("확인 필요\n");
  });

  it("[VV3] no line of the table is wider than the terminal; a command is never cut", () => {
    const s = scene(
      plan(
        Array.from({ length: 20 }, (_, at) =>
          task({ id: `T${at}-${"긴".repeat(at)}`, title: "제목 ".repeat(at * 3) }),
        ),
        { "1": "긴 제목 ".repeat(30) },
        "프로젝트 ".repeat(40),
      ),
      { parallel: 20, maxAttempts: 1 },
    );
    for (let at = 0; at < 10; at++) s.fail(`T${at}-${"긴".repeat(at)}`, "reason ".repeat(20));
    for (const width of [20, 40, 80, 160]) {
      for (const text of statusView(stored(s), look(width)).filter(
        own => !own.includes("espalier ") && !own.startsWith("    "),
      ))
        expect(textWidth(text)).toBeLessThanOrEqual(width);
    }
  });

  it("[VN6] why no machine has begun a task is a line of its own, and only while none has", () => {
    const s = scene(plan([task({ id: "T1.1", title: "Train" })]));
    const reason = because("repository-not-taken", { repository: "a".repeat(40), agent: "shell" });
    const showing = (
      part: { machine?: string; reason?: typeof reason },
      isElsewhere: boolean,
      locale: Locale,
    ) => {
      const facts = stored(s, { isElsewhere });
      const openAttempts = facts.stored.openAttempts.map(one => ({ ...one, ...part }));
      return show({ ...facts, stored: { ...facts.stored, openAttempts } }, 400, locale);
    };
    expect(showing({ reason }, true, "en")).toMatch(/waits for a machine.*\n {6}no machine.*aaaa/);
    expect(showing({ reason }, true, "ko")).toMatch(/\n {6}저장소 aaaa/);
    for (const text of [showing({}, true, "en"), showing({ reason }, false, "en")])
      expect(text).not.toContain("aaaa");
    expect(showing({ reason, machine: "m1" }, true, "en")).not.toContain("aaaa");
  });

  it("[VV1] nothing foreign gets through", () => {
    const evil = "\u001b[2J\u202e\r\n\u200b";
    const s = scene(plan([task({ id: `T1${evil}`, title: evil })], { "1": evil }, evil), { maxAttempts: 1 });
    s.fail(`T1${evil}`, evil);
    for (const text of statusView(stored(s), lookOf({}, {}, "en")))
      expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u200b-\u200f]/u);
  });

  it("[VV7] takes linear time, however many tasks", () => {
    const storedOf = (size: number) => {
      const tasks = Array.from({ length: size }, (_, at) => task({ id: `T${at}`, phase: at % 100 }));
      return stored(scene(plan(tasks)), { all: true });
    };
    expect(statusView(storedOf(20_000), look(80)).length).toBeGreaterThan(20_000);
    expect(growth(1000, storedOf, state => statusView(state, look(80)))).toBeLessThan(LINEAR);
  });
});
