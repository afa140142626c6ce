import { describe, expect, it } from "vitest";
import { lookOf } from "../../../src/cli/views/look.ts";
import { type PlanFacts, planView } from "../../../src/cli/views/plan-view.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { criticalPath, type Diagnostic, type Plan, widestFront } from "../../../src/plan/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { growth, LINEAR } from "../../growth.ts";
import { look, plan, task } from "./scene.ts";

function facts(of: Plan, more: Partial<PlanFacts> = {}): PlanFacts {
  return {
    plan: of,
    file: "docs/planning/TASKS.md",
    criticalPath: criticalPath(of),
    widestFront: widestFront(of),
    diagnostics: [],
    rendered: [],
    ...more,
  };
}

const show = (from: PlanFacts, width = 90, locale: Locale = "en") =>
  planView(from, look(width, locale)).join("\n");

const SHOP = plan(
  [
    task({ id: "T0.1", phase: 0, title: "Repository", done: true }),
    task({
      id: "T1.1",
      title: "Entities",
      dependsOn: ["T0.1"],
      specialist: "backend",
      files: ["src/a.ts", "src/b.ts"],
    }),
    task({ id: "T1.2", title: "결제 승인", dependsOn: ["T0.1"], parallelWith: ["T1.1"], agent: "codex" }),
    task({ id: "T1.3", title: "Migration", dependsOn: ["T1.1", "T1.2"], risk: "critical", role: "database" }),
    task({ id: "T1", title: "All of it", children: ["T1.1", "T1.2"] }),
    task({ id: "T1.4", title: "Facts", kind: "context-fill", fills: "ctx-pay", files: ["docs/pay.md"] }),
  ],
  { "0": "Setup", "1": "Domain model" },
);

const finding = (severity: Diagnostic["severity"]): Diagnostic => ({
  code: "MISSING_DEP",
  severity,
  message: "",
  line: 1,
  column: 1,
  hint: "",
});

describe("the plan", () => {
  it("[VN1] has one line per task, then the graph and the findings", () => {
    expect(show(facts(SHOP))).toMatchInlineSnapshot(`
      "shop-backend  docs/planning/TASKS.md  (tasks-md)
      6 tasks   2 phases   4 dependencies   1 of 6 done

      Phase 0  Setup  1/1
        [x] T0.1  Repository

      Phase 1  Domain model  0/5
        [ ] T1.1  Entities    ← T0.1  @backend  src/a.ts +1
        [ ] T1.2  결제 승인   ← T0.1  ‖ T1.1  agent codex
        [ ] T1.3  Migration   ! critical  ← T1.1, T1.2  @database
        [ ] T1    All of it   ⊃ T1.1, T1.2
        [ ] T1.4  Facts       fills ctx-pay  docs/pay.md

      Critical path  3 tasks  T0.1 → T1.1 → T1.3
      Widest front   2 at once  T0.1, T1.4

      ✓ nothing wrong with it"
    `);
  });

  it("[VN1] [VV6] speaks Korean", () => {
    const text = show(facts(SHOP), 90, "ko");
    expect(text).toContain("태스크 6개   단계 2개   의존 관계 4개   6개 중 1개 완료");
    expect(text).toContain("임계 경로  태스크 3개  T0.1 → T1.1 → T1.3");
    expect(text).toContain("✓ 문제 없음");
  });

  it("[VN1] shows the findings as they were rendered, and their number", () => {
    const rendered = ["TASKS.md:3:5: error MISSING_DEP: T9\n   3 | - T9\n     |   ^^"];
    const diagnostics = [finding("error"), finding("warning"), finding("warning"), finding("info")];
    const text = show(facts(SHOP, { diagnostics, rendered }));
    expect(text).toContain("\nTASKS.md:3:5: error MISSING_DEP: T9\n   3 | - T9\n     |   ^^\n");
    expect(text).toContain("\n+3 more\n");
    expect(text.split("\n").at(-1)).toBe("✗ 1 error   ! 2 warnings   1 note");
  });

  it("[VN1] a plan without tasks says so", () => {
    const text = show(facts(plan([]), { diagnostics: [finding("error")], rendered: ["no tasks"] }));
    expect(text).toContain("0 tasks   0 phases   0 dependencies");
    expect(text).not.toContain("Critical path");
  });

  it("[VV3] no line of the tables is wider than the terminal", () => {
    const wide = plan(
      Array.from({ length: 50 }, (_, at) =>
        task({
          id: `T${at}-아주-긴-이름-${"x".repeat(at)}`,
          title: "한글 제목 ".repeat(at),
          dependsOn: Array.from({ length: at }, (_unused, to) => `T${to}`),
          files: ["src/".repeat(at)],
        }),
      ),
      { "1": "긴 제목 ".repeat(50) },
      "project ".repeat(40),
    );
    for (const width of [20, 40, 80, 160])
      for (const text of planView(facts(wide), look(width)))
        expect(textWidth(text)).toBeLessThanOrEqual(width);
  });

  it("[VV4] in a pipe titles are whole and still aligned", () => {
    const long = `한글 제목 ${"very ".repeat(30)}long`;
    const lines = planView(
      facts(plan([task({ id: "T1", title: long, risk: "critical" }), task({ id: "T2", risk: "critical" })])),
      lookOf({}, {}, "en"),
    );
    expect(lines.find(text => text.includes("T1"))).toBe(`  [ ] T1  ${long}  ! critical`);
    expect(lines.find(text => text.includes("T2"))).toBe(`  [ ] T2  ${"Title of T2".padEnd(60)}  ! critical`);
  });

  it("[VV1] hostile names stay names", () => {
    const evil = "\u001b[2J\u202e\n[x] T9";
    const text = show(
      facts(
        plan(
          [task({ id: `T1${evil}`, title: evil, specialist: evil, fills: evil, agent: evil, files: [evil] })],
          { "1": evil },
          evil,
        ),
      ),
      500,
    );
    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u202e");
    expect(
      text
        .split("\n")
        .filter(line => line.includes("T9"))
        .every(line => line.includes("\\n")),
    ).toBe(true);
  });

  it("[VV7] takes linear time, however many tasks", () => {
    const planOf = (size: number) =>
      plan(
        Array.from({ length: size }, (_, at) => task({ id: `T${at}`, phase: at % 100, title: `제목 ${at}` })),
      );
    const draw = (many: Plan) =>
      planView(
        { ...facts(plan([])), plan: many, criticalPath: ["T0"], widestFront: many.tasks.map(({ id }) => id) },
        look(80),
      );
    expect(draw(planOf(20_000)).length).toBeGreaterThan(20_000);
    expect(growth(1000, planOf, draw)).toBeLessThan(LINEAR);
  });
});
