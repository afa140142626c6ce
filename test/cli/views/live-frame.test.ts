import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allot } from "../../../src/cli/views/allot.ts";
import { liveFrame } from "../../../src/cli/views/live/live-frame.ts";
import { createLiveModel } from "../../../src/cli/views/live/live-model.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import type { Task } from "../../../src/plan/index.ts";
import type { RunEvent } from "../../../src/ports/index.ts";
import { type Locale, visible } from "../../../src/text/index.ts";
import { growth, LINEAR } from "../../growth.ts";
import { agentSaid } from "../../reasons.ts";
import { casesOf } from "../../sample.ts";
import { look, plan, type Scene, scene, task, told } from "./scene.ts";

const TITLES = { "0": "Setup", "1": "Domain model", "2": "API", "3": "결제와 배송 연동", "4": "Release" };

function titled(id: string, phase: number, title: string, more: Partial<Task> = {}): Task {
  return task({ id, phase, title, ...more });
}

/** A shop in its second phase: four tasks run, one failed once, one waits for a person. */
function shop(): Scene {
  const s = scene(
    plan(
      [
        titled("T0.1", 0, "Repository and tooling"),
        titled("T1.1", 1, "Entities"),
        titled("T1.2", 1, "Value objects"),
        titled("T1.3", 1, "Order aggregate with optimistic locking and an outbox table"),
        titled("T1.4", 1, "주문 상태 전이 모델과 재고 예약"),
        titled("T1.5", 1, "Payment adapter"),
        titled("T1.6", 1, "검색 색인"),
        titled("T2.1", 2, "REST endpoints", { dependsOn: ["T1.5"] }),
        titled("T3.1", 3, "결제 승인"),
        titled("T4.1", 4, "Publish"),
      ],
      TITLES,
    ),
  );
  s.pass(1000);
  s.done("T0.1");
  s.pass(59_000);
  s.done("T1.1");
  s.done("T1.2", false, 185_000);
  s.fail("T1.5", "TypeError: amount is undefined");
  s.pass(5000);
  s.give({ type: "act", action: "pause", task: "T1.6", note: "needs a decision", textHash: "" });
  return s;
}

interface Shown {
  readonly width: number;
  readonly rows: number;
  readonly locale?: Locale;
  readonly color?: boolean;
  readonly extra?: readonly RunEvent[];
  readonly stopping?: boolean;
}

function frameOf(
  s: Scene,
  { width, rows, locale = "en", color = false, extra = [], stopping = false }: Shown,
): string[] {
  const shownAs = look(width, locale, color);
  const model = createLiveModel(shownAs.words, text => text);
  for (const stamped of s.events) {
    model.hear(stamped, 0);
    if (stamped.event.type !== "dispatched") continue;
    for (const id of stamped.event.tasks) {
      const attempt = s.run.byId.get(id)?.attempts ?? 1;
      model.hear(
        told({ type: "attempt-started", task: id, attempt, agent: id === "T1.4" ? "codex" : "claude" }),
        0,
      );
    }
  }
  for (const event of extra) model.hear(told(event, s.now), 0);
  if (stopping) model.stop();
  return liveFrame(s.run, model, { now: s.now, monotonic: 130_000, began: 0, rows }, shownAs);
}

const LINES: readonly RunEvent[] = [
  { type: "attempt-line", task: "T1.3", attempt: 1, text: "\u001b[32mwriting\u001b[0m src/domain/order.ts" },
  {
    type: "attempt-line",
    task: "T1.4",
    attempt: 1,
    text: "테스트 14개 통과, 1개 실패: 재고가 음수가 될 수 있음",
  },
  { type: "verify-started", task: "T1.5", attempt: 2, command: "npm test -- payment" },
];

describe("the frame", () => {
  it("[VL1] on an ordinary terminal", () => {
    expect(frameOf(shop(), { width: 79, rows: 24, extra: LINES }).join("\n")).toMatchInlineSnapshot(`
      " shop-backend                                                    running  2m10s
       ━━━━━━━━━━━━━━━━━━━━╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍───────────────────────────  3/10  30%
       ✓ 3 done (1 unverified)   ▶ 3 running   · 3 pending   ‖ 1 paused

       ✓ Phase 0  Setup             ━━━━━━━━━━━━━━━━━━━━     1/1
       ▶ Phase 1  Domain model      ━━━━━━━╍╍╍╍╍╍╍╍╍╍───     2/6  ▶3
       · Phase 2  API               ────────────────────     0/1
       · Phase 3  결제와 배송 연동  ────────────────────     0/1
       · Phase 4  Release           ────────────────────     0/1

       ▶ T1.3  Order aggregate with optimistic locking an…  claude  2m10s
         └ writing src/domain/order.ts
       ▶ T1.4  주문 상태 전이 모델과 재고 예약              codex   2m10s
         └ 테스트 14개 통과, 1개 실패: 재고가 음수가 될 수 있음
       ▶ T1.5  Payment adapter                              claude  2m10s  retry 1/10
         └ verify: npm test -- payment

       12:01:00 ✓  T1.1  12.0s
       12:01:00 ✓? T1.2  3m05s  unverified
       12:01:00 ✗  T1.5  TypeError: amount is undefined  retry 1/10
       12:01:05 ‖  T1.6  needs a decision

       Ctrl+C: stop · twice: at once · keys: espalier watch, in another terminal"
    `);
  });

  it("[VL1] on a small one", () => {
    expect(frameOf(shop(), { width: 39, rows: 15, extra: LINES }).join("\n")).toMatchInlineSnapshot(`
      " shop-backend            running  2m10s
       ━━━━━━━━╍╍╍╍╍╍╍╍───────────  3/10  30%
       ✓3(1?)  ▶3  ·3  ‖1
       ✓ +1 phase
       ▶ 1  Domain…  ━━━╍╍╍╍─     2/6  ▶3
       · +3 phases
       ▶ T1.3  Order aggr…  2m10s
         └ writing src/domain/order.ts
       ▶ T1.4  주문 상태 …  2m10s
         └ 테스트 14개 통과, 1개 실패: 재고…
       ▶ T1.5  Payment ad…  2m10s  retry 1/10
       ✗  T1.5  TypeError: amount is undefin…
       ‖  T1.6  needs a decision
       Ctrl+C: stop · twice: at once"
    `);
  });

  it("[VL1] [VV6] on a wide one, in Korean", () => {
    expect(
      frameOf(shop(), { width: 159, rows: 50, locale: "ko", extra: LINES }).join("\n"),
    ).toMatchInlineSnapshot(`
      " shop-backend                                                                                   실행 중  2m10s
       ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍───────────────────────────────────────  3/10  30%
       ✓ 3 완료 (미검증 1개)   ▶ 3 실행 중   · 3 대기   ‖ 1 일시 중지

       ✓ 단계 0  Setup             ━━━━━━━━━━━━━━━━━━━━     1/1
       ▶ 단계 1  Domain model      ━━━━━━━╍╍╍╍╍╍╍╍╍╍───     2/6  ▶3
       · 단계 2  API               ────────────────────     0/1
       · 단계 3  결제와 배송 연동  ────────────────────     0/1
       · 단계 4  Release           ────────────────────     0/1

       ▶ T1.3  Order aggregate with optimistic locking and an outbox table  claude  2m10s
         └ writing src/domain/order.ts
       ▶ T1.4  주문 상태 전이 모델과 재고 예약                              codex   2m10s
         └ 테스트 14개 통과, 1개 실패: 재고가 음수가 될 수 있음
       ▶ T1.5  Payment adapter                                              claude  2m10s  재시도 1/10
         └ 검증: npm test -- payment

       12:00:00 ▶  단계 0  시작, 태스크 1개
       12:00:01 ✓  T0.1  12.0s
       12:00:01 ✓  단계 0  종료, 1/1 완료
       12:00:01 ▶  단계 1  시작, 태스크 6개
       12:01:00 ✓  T1.1  12.0s
       12:01:00 ✓? T1.2  3m05s  미검증
       12:01:00 ✗  T1.5  TypeError: amount is undefined  재시도 1/10
       12:01:05 ‖  T1.6  needs a decision

       Ctrl+C: 중단 · 두 번: 즉시 · 키 조작: 다른 터미널에서 espalier watch"
    `);
  });

  it("[VV2] in colour it says the same, and closes every colour on its line", () => {
    const shown = { width: 79, rows: 24, extra: LINES };
    const colored = frameOf(shop(), { ...shown, color: true });
    // biome-ignore lint/complexity/useRegexLiterals: an escape reads better as a string
    const sgr = new RegExp("\\u001b\\[[0-9;]*m", "g");
    expect(colored.map(line => line.replaceAll(sgr, ""))).toEqual(frameOf(shop(), shown));
    expect(colored.join("")).toContain("\u001b[32m");
    for (const line of colored) {
      const codes = [...line.matchAll(sgr)].map(([code]) => code);
      const opened = codes.filter(code => /\[(?:1|2|31|32|33|36)m$/.test(code)).length;
      expect(codes).toHaveLength(2 * opened);
    }
  });

  it("[VL8] says that a stop was asked for", () => {
    const wide = frameOf(shop(), { width: 79, rows: 24, stopping: true });
    expect(wide[0]).toContain("stopping…");
    expect(wide.at(-1)).toBe(" stopping… agents are being ended · Ctrl+C again: at once");
    const narrow = frameOf(shop(), { width: 39, rows: 12, stopping: true });
    expect(narrow.at(-1)).toBe(" stopping… · Ctrl+C again: at once");
    const s = shop();
    s.give({ type: "stop", by: "SIGINT", how: "soft" });
    expect(frameOf(s, { width: 79, rows: 24 }).at(-1)).toContain("Ctrl+C again");
  });

  it("[VL7] says what happens next when nothing runs", () => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2", dependsOn: ["T1"] })]), { backoffMs: 60_000 });
    s.fail("T1", "boom");
    expect(frameOf(s, { width: 79, rows: 24 }).join("\n")).toContain("~ nothing runs; T1 again in 1m00s");
    s.give({ type: "hold", held: true, by: "me" });
    expect(frameOf(s, { width: 79, rows: 24 }).join("\n")).not.toContain("again in");
    s.give({ type: "hold", held: false, by: "me" });
    s.pass(60_000);
    s.give({
      type: "attempt-ended",
      task: "T1",
      attempt: 2,
      outcome: { kind: "quota", agent: "claude", until: s.now + 2 * 3_600_000 },
      ms: 1,
    });
    expect(frameOf(s, { width: 79, rows: 24 }).join("\n")).toContain("~ T1 out of quota until 14:01");
  });

  it("[VL5] always shows the open phase and counts the hidden ones", () => {
    const tasks = Array.from({ length: 30 }, (_, at) => task({ id: `T${at}`, phase: at + 1 }));
    const s = scene(plan(tasks));
    for (let at = 0; at < 15; at++) s.done(`T${at}`);
    for (let rows = 8; rows < 50; rows++) {
      const lines = frameOf(s, { width: 79, rows });
      expect(lines.filter(line => line.startsWith(" ▶ Phase 16"))).toHaveLength(1);
    }
    for (let rows = 14; rows < 50; rows++) {
      const lines = frameOf(s, { width: 79, rows });
      const shown = lines.filter(line => /^ [✓▶·] Phase [0-9]+ +[━╍─]/.test(line)).length;
      const hidden = lines.map(line => Number(/\+([0-9]+) phases?$/.exec(line)?.[1] ?? 0));
      expect(hidden.reduce((sum, count) => sum + count, shown)).toBe(30);
    }
  });

  it("[VL4] gives every running task a line before any gets a second one", () => {
    const tasks = Array.from({ length: 12 }, (_, at) => task({ id: `T${at}` }));
    const s = scene(plan(tasks), { parallel: 12 });
    const taskLines = (rows: number) => {
      const lines = frameOf(s, { width: 79, rows });
      const running = lines.filter(line => line.startsWith(" ▶ T")).length;
      const details = lines.filter(line => line.startsWith("   └")).length;
      const more = lines.find(line => /^ {3}\+[0-9]+ more$/.test(line));
      return { running, details, more };
    };
    expect(taskLines(50)).toEqual({ running: 12, details: 12, more: undefined });
    for (let rows = 8; rows < 50; rows++) {
      const { running, details, more } = taskLines(rows);
      const hidden = Number(/[0-9]+/.exec(more ?? "0")?.[0]);
      expect(running + hidden).toBe(12);
      expect(details === 0 || hidden === 0).toBe(true);
    }
  });

  it("[VL1] marks a phase that waits for a person, and one with failures", () => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2", phase: 2 })]), { maxAttempts: 1 });
    s.fail("T1", "boom");
    const lines = frameOf(s, { width: 79, rows: 24 });
    expect(lines[0]).toContain("waiting for you");
    expect(lines.find(line => line.includes("Phase 1"))).toMatch(/^ ‖ Phase 1 {2}×{20}/);
    expect(lines.find(line => line.includes("Phase 2"))).toMatch(/^ · Phase 2/);
  });

  it("[VL1] counts only what --only asked for", () => {
    const s = scene(plan([task({ id: "T1" }), task({ id: "T2" }), task({ id: "T3" })]), {}, ["T2"]);
    const lines = frameOf(s, { width: 79, rows: 24 });
    expect(lines[1]).toContain("0/1");
    expect(lines[2]).toBe(" ✓ 0 done   ▶ 1 running");
  });

  it("[VV1] [VV7] hostile titles of any length stay inside their line", () => {
    const evil = `\u001b[2J\u001b]0;x\u0007\u202egnp.exe\u200b\r\n# heading${"A".repeat(10_000)}`;
    const s = scene(
      plan(
        [task({ id: `T1${evil}`, title: evil }), task({ id: "T2", title: "\u0301".repeat(5000) })],
        { "1": evil },
        evil,
      ),
    );
    const id = s.run.tasks[0]!.task.id;
    const lines = frameOf(s, {
      width: 79,
      rows: 24,
      extra: [
        { type: "attempt-started", task: id, attempt: 1, agent: evil },
        { type: "attempt-line", task: id, attempt: 1, text: evil },
        { type: "paused", task: id, reason: agentSaid(evil), by: "rule" },
      ],
    });
    for (const line of lines) {
      expect(textWidth(line)).toBeLessThanOrEqual(79);
      expect(visible(line)).toBe(line);
      expect(line.length).toBeLessThan(2000);
    }
  });

  it("[VL1] fits whatever the size and however far the run is", () => {
    const sizes = fc.record({
      width: fc.integer({ min: 1, max: 200 }),
      rows: fc.integer({ min: 1, max: 70 }),
    });
    const words = ["plain", "한글 제목", "漢字", "👍🏽 emoji", "e\u0301", "\u001b[31mred", "x".repeat(300)];
    const shape = fc.array(fc.tuple(fc.nat(8), fc.constantFrom(...words), fc.nat(3)), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(sizes, shape, fc.constantFrom<Locale>("en", "ko"), ({ width, rows }, tasks, locale) => {
        const sorted = tasks.toSorted((a, b) => a[0] - b[0]);
        const s = scene(plan(sorted.map(([phase, title], at) => task({ id: `T${at}`, phase, title }))), {
          parallel: 9,
        });
        for (const [at, [, reason, end]] of sorted.entries()) {
          if (s.run.byId.get(`T${at}`)?.status !== "in_progress") continue;
          if (end === 1) s.done(`T${at}`);
          if (end === 2) s.fail(`T${at}`, reason);
        }
        const lines = frameOf(s, { width, rows, locale });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
        for (const line of lines) {
          expect(textWidth(line)).toBeLessThanOrEqual(width);
          expect(visible(line)).toBe(line);
        }
      }),
      { numRuns: casesOf(75, 300) },
    );
  });

  it("[VV7] a frame takes linear time, however many tasks", () => {
    const sceneOf = (size: number) =>
      scene(plan(Array.from({ length: size }, (_, at) => task({ id: `T${at}`, phase: at % 500 }))));
    expect(growth(5000, sceneOf, s => frameOf(s, { width: 79, rows: 24 }))).toBeLessThan(LINEAR);
  });
});

describe("sharing lines out", () => {
  it("[VL1] grants wishes in order, each section paying for what stands above it", () => {
    const wishes = [
      { section: "a", lines: 2 },
      { section: "b", lines: 3 },
      { section: "a", lines: 5 },
    ] as const;
    expect([...allot(20, 1, wishes)]).toEqual([
      ["a", 5],
      ["b", 3],
    ]);
    expect([...allot(8, 1, wishes)]).toEqual([
      ["a", 3],
      ["b", 3],
    ]);
    expect([...allot(4, 1, wishes)]).toEqual([["a", 3]]);
    expect([...allot(1, 1, wishes)]).toEqual([]);
    expect([...allot(-3, 0, wishes)]).toEqual([]);
  });

  it("[VL1] never gives more than there is", () => {
    const wish = fc.record({ section: fc.constantFrom("a", "b", "c"), lines: fc.nat(30) });
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 60 }), fc.nat(2), fc.array(wish), (lines, overhead, wishes) => {
        const granted = [...allot(lines, overhead, wishes).values()];
        const used = granted.reduce((sum, own) => sum + own + overhead, 0);
        expect(used).toBeLessThanOrEqual(Math.max(0, lines));
        for (const own of granted) expect(own).toBeGreaterThan(0);
      }),
    );
  });
});
