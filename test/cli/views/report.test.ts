import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookOf } from "../../../src/cli/views/look.ts";
import { reportFacts, reportView } from "../../../src/cli/views/report.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { because } from "../../../src/ports/index.ts";
import type { RunPolicy } from "../../../src/run/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { agentSaid } from "../../reasons.ts";
import { look, plan, type Scene, scene, task } from "./scene.ts";

const MORE = {
  ms: 765_000,
  log: ".espalier/orchestrate.log",
  attemptLog: (id: string, number: number) => `.espalier/logs/${id}/${number}.log`,
};

function reportOf(s: Scene, width = 80, locale: Locale = "en"): string {
  return reportView(reportFacts(s.run, MORE), look(width, locale)).join("\n");
}

function shop(policy: Partial<RunPolicy> = {}): Scene {
  return scene(
    plan(
      [
        task({ id: "T1.1", title: "Entities" }),
        task({ id: "T1.2", title: "결제 승인" }),
        task({ id: "T1.3", title: "Payment adapter" }),
        task({ id: "T2.1", phase: 2, title: "REST", dependsOn: ["T1.3"] }),
        task({ id: "T2.2", phase: 2, title: "GraphQL", dependsOn: ["T2.1"] }),
      ],
      { "1": "Domain model", "2": "API" },
    ),
    { maxAttempts: 2, backoffMs: 0, ...policy },
  );
}

describe("the report", () => {
  it("[VR1] is short when everything is fine", () => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2" })]));
    s.done("T1");
    s.done("T2");
    expect(reportOf(s)).toBe(
      [
        "✓ shop-backend  completed in 12m45s",
        "  ✓ 2 done",
        "  T1, T2",
        "",
        "Log: .espalier/orchestrate.log",
      ].join("\n"),
    );
  });

  it.each([
    ["en", 1.5, 0, 0, "  64 attempts, 18,563 tokens, $1.50\n"],
    ["en", 1.5, 0, 400, "  64 attempts, ≈ 18,563 tokens, $1.50\n"],
    ["en", 1.5, 2, 0, "  64 attempts, 18,563 tokens, $1.50 (without 2 of no known price)\n"],
    ["en", undefined, 64, 0, "  64 attempts, 18,563 tokens, no price known\n"],
    ["ko", undefined, 64, 0, "  시도 64회, 18,563 토큰, 가격 정보 없음\n"],
  ] as const)("[VR26] says what the run took: %s %d %d %d", (locale, cost, unpriced, estimated, text) => {
    const s = scene(plan([task({ id: "T1" })]));
    s.done("T1");
    const taken = { attempts: 64, tokens: 18_563.2, estimated, cost, unpriced };
    const lines = reportView(reportFacts(s.run, { ...MORE, taken }), look(80, locale));
    expect(`${lines.join("\n")}\n`).toContain(text);
  });

  it.each([
    ["en", "Waiting\n  ~ T1\n      out of quota until 2026-"],
    ["ko", "대기\n  ~ T1\n      할당량 소진, 2026-"],
  ] as const)("[VR23] [VR287] names whose quota is waited for, until when: %s", (locale, text) => {
    const s = scene(plan([task({ id: "T1", title: "" })]));
    const outcome = { kind: "quota", agent: "a", until: s.now + 9e6 } as const;
    s.give({ type: "attempt-ended", task: "T1", attempt: 1, outcome, ms: 1 });
    s.give({ type: "stop", by: "test", how: "soft" });
    expect(reportOf(s, 80, locale)).toContain(text);
    const facts = reportFacts(s.run, { ...MORE, awaited: new Map([["T1", "codex"]]) });
    expect(reportView(facts, look(80, locale)).join("\n")).toMatch(/T1\n {6}codex.*2026-/);
  });

  it.each([
    ["en", "1 not reviewed: T1"],
    ["ko", "검토받지 못함 1개: T1"],
  ] as const)("[HO36] names completed work that nobody could review: %s", (locale, text) => {
    const s = scene(plan([task({ id: "T1", title: "a" }), task({ id: "T2", title: "b" })]), {
      maxAttempts: 1,
    });
    s.done("T1");
    s.fail("T2", "x");
    const facts = reportFacts(s.run, { ...MORE, unreviewed: ["T1", "T2"] });
    expect(reportView(facts, look(200, locale)).join("\n")).toContain(`  ${text}\n`);
  });

  it("[VR24] names what failed besides the tasks, and the command that tries it again", () => {
    const after = {
      kind: "phase-after",
      reason: because("phase-after-failed", { phase: "1", why: because("proof-unapproved", {}) }),
    } as const;
    const broken = {
      kind: "broken-before",
      reason: because("broken-before", { name: "verify", exit: 1, said: "no module" }),
    } as const;
    const s = scene(plan([task({ id: "T1", title: "a" })]), { maxAttempts: 1 });
    const told = (locale: Locale) =>
      reportView(reportFacts(s.run, { ...MORE, troubles: [after, broken] }), look(200, locale)).join("\n");
    s.fail("T1", "x");
    expect(told("en")).toContain(
      [
        "Besides the tasks",
        "  ! phase 1 has ended, and phase.after failed: a command that proves it is not approved yet; espalier resume asks; the phase stands as it is",
        "  ! verify was broken before: it fails without the work as well, exit 1: no module",
      ].join("\n"),
    );
    expect(told("en")).toMatch(/\n {2}espalier doctor --try +try the checks without anybody's work\n/);
    expect(told("en")).toMatch(/\n {2}espalier resume +go on with the run; phase.after is tried again\n/);
    expect(told("ko")).toContain("태스크 외\n  ! 단계 1 종료, phase.after 실패: ");
    s.give({ type: "act", action: "retry", task: "T1", note: "", textHash: "" });
    s.done("T1");
    // Whatever was broken before, it is no more.
    expect(told("en")).not.toContain("broken before");
    expect(told("en")).toMatch(/What next\n {2}espalier resume +try phase.after again\n/);
  });

  it("[VR1] does not list what is many", () => {
    const s = scene(plan(Array.from({ length: 9 }, (_, at) => task({ id: `T${at}` }))), { parallel: 9 });
    for (let at = 0; at < 9; at++) s.done(`T${at}`);
    expect(reportOf(s)).not.toContain("T1");
    expect(reportOf(s).split("\n")).toHaveLength(4);
  });

  it("[VV5] names completions nobody proved, and how to prove them", () => {
    const s = scene(
      plan([task({ id: "T1" }), task({ id: "T2" }), task({ id: "G", children: ["T1", "T2"] })]),
    );
    s.done("T1", false);
    s.done("T2");
    expect(reportOf(s).split("\n").slice(0, 5)).toEqual([
      "✓ shop-backend  completed in 12m45s",
      "  ✓ 2 done (1 unverified)",
      "  T1, T2",
      "  1 unverified: T1",
      "  nothing proved them; add a verify: line (with tdd: a test: line) to the tasks or to espalier.yaml",
    ]);
  });

  it("[E126] names who completed on a context that had changed", () => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2" })]));
    s.give({
      type: "attempt-ended",
      task: "T1",
      attempt: 1,
      outcome: { kind: "done", verified: true, textHash: "", stale: "GC v1 of v3" },
      ms: 1,
    });
    s.done("T2");
    expect(reportOf(s).split("\n").slice(1, 4)).toEqual([
      "  ✓ 2 done",
      "  T1, T2",
      "  T1: stale: GC v1 of v3",
    ]);
    expect(reportOf(s, 80, "ko")).toContain("  T1: 오래된 컨텍스트: GC v1 of v3");
  });

  it("[VR2] [VR3] [VR4] tells what failed, what is blocked, and what to do", () => {
    const s = shop({ phaseGate: 0.5 });
    s.done("T1.1");
    s.done("T1.2");
    s.fail("T1.3", "TypeError: amount");
    s.fail("T1.3", "TypeError: amount");
    expect(s.run.ended?.outcome).toBe("failed");
    expect(reportOf(s)).toMatchInlineSnapshot(`
      "✗ shop-backend  ended with failed tasks after 12m45s
        ✓ 2 done   ✗ 1 failed   ⊘ 2 blocked

        Phase 1  Domain model  ━━━━━━━━━━━×××××     2/3  ✗1
        Phase 2  API           ××××××××××××××××     0/2  ✗2

      Failed
        ✗ T1.3  Payment adapter
            TypeError: amount  (2 attempts)
            .espalier/logs/T1.3/2.log

      Blocked
        ⊘ T2.1, T2.2  by T1.3

      What next
        espalier task show T1.3    see what happened
        espalier task retry T1.3   give it a fresh start
        espalier task skip T1.3    go on without it
        espalier resume            go on with the run

      Log: .espalier/orchestrate.log"
    `);
  });

  it.each([
    ["en", "Cancelled\n  × T1.3  Payment adapter\n      cancelled by a person\n", "\nFailed"],
    ["ko", "취소됨\n  × T1.3  Payment adapter\n      사용자가 취소함\n", "\n실패"],
  ] as const)("[VR2] lists what a person cancelled as that, with why: %s", (locale, text, failed) => {
    const s = shop();
    s.done("T1.1");
    s.done("T1.2");
    s.give({ type: "act", action: "cancel", task: "T1.3", note: "", textHash: "" });
    s.give({ type: "attempt-ended", task: "T1.3", attempt: 1, outcome: { kind: "cancelled" }, ms: 1 });
    const said = reportOf(s, 80, locale);
    expect(said).toContain(text);
    expect(said).not.toContain(failed);
  });

  it.each([
    ["en", "shop-backend  ended with tasks that were not done after 12m45s"],
    ["ko", "shop-backend  완료되지 않은 태스크를 남기고 끝남 (12m45s)"],
  ] as const)("[VR2] says of no task that it failed where none did: %s", (locale, verdict) => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2", dependsOn: ["T1"] })]));
    s.give({ type: "act", action: "cancel", task: "T1", note: "", textHash: "" });
    s.give({ type: "attempt-ended", task: "T1", attempt: 1, outcome: { kind: "cancelled" }, ms: 1 });
    expect(s.run.ended?.outcome).toBe("failed");
    expect(reportOf(s, 80, locale).split("\n")[0]).toContain(verdict);
  });

  it("[VR4] tells what waits for a person", () => {
    const s = shop({ sameErrorLimit: 2, maxAttempts: 10 });
    s.done("T1.1");
    s.done("T1.2");
    s.fail("T1.3", "not logged in");
    s.fail("T1.3", "not logged in");
    expect(s.run.ended?.outcome).toBe("waiting");
    expect(reportOf(s)).toMatchInlineSnapshot(`
      "‖ shop-backend  waits for you after 12m45s
        ✓ 2 done   · 2 pending   ‖ 1 paused

        Phase 1  Domain model  ━━━━━━━━━━━─────     2/3
        Phase 2  API           ────────────────     0/2

      Paused, needs you
        ‖ T1.3  Payment adapter
            not logged in  (2 attempts)
            .espalier/logs/T1.3/2.log

      What next
        espalier task show T1.3     see what happened
        espalier task resume T1.3   let it go on, once the cause is gone
        espalier resume             go on with the run

      Log: .espalier/orchestrate.log"
    `);
  });

  it("[VR5] names the phase that may not start, and how to start it anyway", () => {
    const s = shop({ maxAttempts: 1 });
    s.done("T1.1");
    s.done("T1.2");
    s.fail("T1.3", "boom");
    expect(s.run.ended?.outcome).toBe("waiting");
    const text = reportOf(s);
    expect(text).toContain("‖ too few tasks completed to start phase 2");
    expect(text).toContain("espalier resume --force-phase 2   start phase 2 all the same");
  });

  it("[VR4] says how to go on after a stop", () => {
    const s = shop();
    s.give({ type: "stop", by: "SIGINT", how: "soft" });
    for (const id of Array.from(s.run.running, state => state.task.id))
      s.give({ type: "attempt-ended", task: id, attempt: 1, outcome: { kind: "cancelled" }, ms: 1 });
    const text = reportOf(s);
    expect(text).toContain("! shop-backend  stopped after 12m45s; everything is saved");
    expect(text).toContain("  espalier resume   go on with the run");
    expect(text).not.toContain("espalier task");
  });

  it("[VR4] a completed task whose text was edited is kept or done again", () => {
    const tasks = [task({ id: "T1", text: "old" }), task({ id: "T2" })];
    const s = scene(plan(tasks));
    s.give({
      type: "attempt-ended",
      task: "T1",
      attempt: 1,
      outcome: { kind: "done", verified: true, textHash: "" },
      ms: 1,
    });
    s.give({ type: "plan-changed", plan: plan([task({ id: "T1", text: "new" }), tasks[1]!]) });
    s.done("T2");
    const text = reportOf(s);
    expect(text).toContain("espalier task done T1    its text was edited: the work still stands");
    expect(text).toContain("espalier task retry T1   its text was edited: do it again");
    expect(text).not.toContain("espalier task resume");
  });

  it("[VR2] lists ten and counts the rest", () => {
    const s = scene(plan(Array.from({ length: 30 }, (_, at) => task({ id: `T${at}` }))), {
      parallel: 30,
      maxAttempts: 1,
    });
    for (let at = 0; at < 30; at++) s.fail(`T${at}`, `error ${at}`);
    const lines = reportOf(s).split("\n");
    expect(lines.filter(text => text.startsWith("  ✗ T"))).toHaveLength(10);
    expect(lines).toContain("  +20 more");
    expect(lines).toContain("  espalier task retry T0 T1 T2 T3 T4   give it a fresh start (+25 more)");
  });

  it("[VR2] gives the engine's reason when the tasks explain nothing", () => {
    const s = shop();
    const facts = {
      ...reportFacts(s.run, MORE),
      outcome: "failed" as const,
      reason: agentSaid("nothing left\u001b[2J to start"),
    };
    expect(reportView(facts, look(80)).join("\n")).toContain("  nothing left\\x1b[2J to start");
  });

  it("[VR4] ids that a shell would misread are quoted", () => {
    const s = scene(plan([task({ id: "a b;rm -rf $(x)'" }), task({ id: "-f" })]), { maxAttempts: 1 });
    s.fail("a b;rm -rf $(x)'", "no");
    s.fail("-f", "no");
    expect(reportOf(s)).toContain(`espalier task retry 'a b;rm -rf $(x)'\\''' '-f'`);
  });

  it("[VV6] speaks Korean", () => {
    const s = shop({ phaseGate: 0.5 });
    s.done("T1.1", false);
    s.done("T1.2");
    s.fail("T1.3", "TypeError: amount");
    s.fail("T1.3", "TypeError: amount");
    const text = reportOf(s, 80, "ko");
    expect(text).toContain("✗ shop-backend  실패한 태스크가 있음 (12m45s)");
    expect(text).toContain("  ⊘ T2.1, T2.2  ← T1.3");
    expect(text).toContain("TypeError: amount  (2회 시도)");
    expect(text).toContain("espalier task retry T1.3   처음부터 다시 시도");
  });

  it("[VV4] on a narrow terminal the tables are cut, what must be read or copied is not", () => {
    const s = shop({ phaseGate: 0.5, maxAttempts: 1 });
    s.done("T1.1");
    s.done("T1.2");
    s.fail("T1.3", "TypeError: Cannot read properties of undefined (reading 'amount')");
    const lines = reportOf(s, 40).split("\n");
    expect(lines).toContain("  espalier task retry T1.3");
    expect(lines).toContain("    give it a fresh start");
    expect(lines.join("\n")).toContain("Cannot read properties of undefined (reading 'amount')");
    for (const text of lines.filter(own => own.startsWith("  Phase")))
      expect(textWidth(text)).toBeLessThanOrEqual(40);
  });

  it("[VV4] in a pipe the phases stand below each other, however long a title is", () => {
    const titles = {
      "1": "짧은 것",
      "2": "아주 긴 제목 — 인증과 레이아웃, 그리고 공통 기반 전부 (7개 태스크)",
    };
    const tasks = [task({ id: "T1", phase: "1" }), task({ id: "T2", phase: "2", dependsOn: ["T1"] })];
    const s = scene(plan(tasks, titles, "긴 제목"), { maxAttempts: 1 });
    s.fail("T1", "no");
    const rows = reportView(reportFacts(s.run, MORE), lookOf({}, {}, "ko")).filter(row =>
      row.startsWith("  단계"),
    );
    expect(rows).toHaveLength(2);
    const bars = rows.map(row => textWidth(row.slice(0, row.search(/[━─]/))));
    expect(new Set(bars).size).toBe(1);
    expect(rows[1]).toContain(titles["2"]);
  });

  it("[VV1] [VV2] nothing foreign gets through, whatever it is", () => {
    const hostile = fc.constantFrom(
      "\u001b[2J",
      "\u202e",
      "\u0000",
      "\r\n",
      "\u009b31m",
      "한글",
      "x".repeat(500),
      "'",
      "\ud800",
    );
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.constantFrom<Locale>("en", "ko"),
        (id, title, reason, locale) => {
          const s = scene(
            plan(
              [task({ id: `T${id}`, title }), task({ id: "D", dependsOn: [`T${id}`] })],
              { "1": title },
              title,
            ),
            {
              maxAttempts: 1,
            },
          );
          s.fail(`T${id}`, reason);
          const pipe = lookOf({}, {}, locale);
          for (const text of reportView(reportFacts(s.run, MORE), pipe))
            expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u200b-\u200f]/u);
        },
      ),
    );
  });
});
