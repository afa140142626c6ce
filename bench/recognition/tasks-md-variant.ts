import { encode, type Page, page, type Variant, variant } from "./page.ts";
import type { Random } from "./random.ts";
import { bodyLines, criteria, drawFieldStyle, type FieldStyle } from "./tasks-md-fields.ts";
import { drawGraph, type Graph } from "./tasks-md-graph.ts";
import { drawHeadStyle, type HeadStyle, type State } from "./tasks-md-head.ts";
import { type Meant, meanDependencies, meanTasks, SHAPES } from "./tasks-md-plan.ts";
import type { TruthTask } from "./truth.ts";

const TITLES = {
  korean: [
    "로그인 API 구현",
    "DB 스키마 생성 (8개 테이블)",
    "대시보드 화면: 통계 카드",
    "E2E 테스트 작성",
    "캐시 → 큐 전환",
  ],
  english: [
    "Build the login API",
    "Create schema (8 tables)",
    "Dashboard: stat cards",
    "Write end-to-end tests",
    "Move cache → queue",
  ],
} as const;

/** What the parts of one file share. */
interface Sheet {
  readonly random: Random;
  readonly out: Page;
  readonly tasks: readonly Meant[];
  /** What follows each task's colon; summaries repeat it. */
  readonly titles: ReadonlyMap<string, string>;
  readonly head: HeadStyle;
  readonly fields: FieldStyle;
  readonly graph: Graph | undefined;
  /** Some dependencies name tasks that were moved out of the file. */
  readonly archived: boolean;
  readonly tags: Set<string>;
}

/** A task file of the documents' own kind, in one of its many spellings. */
export function tasksMdVariant(random: Random, n: number): Variant {
  const tags = new Set<string>(["tasks-md"]);
  const shape = random.pick(SHAPES);
  tags.add(`ids:${shape}`);
  const fields = drawFieldStyle(random, tags);
  const head = drawHeadStyle(random, fields.korean, tags);
  const tasks = meanTasks(random, shape);
  meanDependencies(random, tasks, shape, tags);
  const graph = drawGraph(random, tasks, tags);
  const archived = random.chance(0.08);
  if (archived) tags.add("deps:archived");
  const titles = new Map(tasks.map(task => [task.id, drawTitle(random, fields.korean, tags)]));
  const sheet: Sheet = { random, out: page(), tasks, titles, head, fields, graph, archived, tags };

  const graphFirst = random.chance(0.7);
  opening(sheet);
  if (graph && graphFirst) sheet.out.add("", ...graph.lines);
  const truths = renderPhases(sheet);
  if (graph && !graphFirst) sheet.out.add("", ...graph.lines);
  closing(sheet);
  const list = [...tags];
  const bytes = encode(random, sheet.out.text(), list);
  return variant("tasks-md", `docs/planning/tasks-${n}.md`, bytes, truths, list);
}

function opening(sheet: Sheet): void {
  const { random, out } = sheet;
  const korean = sheet.fields.korean;
  out.add(korean ? "# TASKS: 샘플 프로젝트" : "# TASKS: Sample project", "");
  if (random.chance(0.4)) out.add(korean ? "> 생성일: 2026-03-01" : "> Created: 2026-03-01", "");
  if (random.chance(0.3))
    out.add("| 항목 | 내용 |", "|------|------|", "| 총 Task | 12개 |", "| 형식 | `P{N}-T{X}` |", "");
  if (random.chance(0.2))
    out.add(
      korean ? "## 담당자 매핑" : "## Who does what",
      "",
      "- backend-specialist: P{N}-R{M}-T{X}",
      "- frontend-specialist: P{N}-S{M}-T{X}",
      "",
    );
  if (random.chance(0.07)) summary(sheet, korean ? "## 전체 체크리스트" : "## Overview of tasks");
}

/** A list that repeats the tasks with their states; the headings are the tasks. */
function summary({ out, tasks, titles, head, tags }: Sheet, title: string): void {
  if (head.state === "criteria" || head.state === "mark") return;
  tags.add("summary-repeats-tasks");
  out.add("", title, "");
  for (const task of tasks) out.add(`- [${task.done ? "x" : " "}] ${task.id}: ${titles.get(task.id)!}`);
  out.add("");
}

function renderPhases(sheet: Sheet): TruthTask[] {
  const { random, out, tasks, head, fields, tags } = sheet;
  const truths: TruthTask[] = [];
  const level = head.lead === "- " ? "##" : random.pick(["#", "##"]);
  const rules = random.chance(0.3);
  const containers = random.chance(0.7);
  // Where tasks name milestones or groups, the file must show them.
  const always = tasks.some(task => task.group?.startsWith("M"));
  let phase: string | undefined;
  let group: string | undefined;
  for (const [index, task] of tasks.entries()) {
    if (task.phase !== phase) {
      phase = task.phase;
      if (rules) out.add("", "---");
      if (!always)
        out.add(
          "",
          `${level} ${random.chance(0.8) || !/^\d+$/.test(phase) ? `Phase ${phase}` : `P${phase}`}: ${fields.korean ? "핵심 기능" : "Core"}`,
        );
      if (random.chance(0.2)) out.add("", fields.korean ? "> **목표**: 기반 구축" : "> **Goal**: groundwork");
    }
    if (task.group !== group) {
      group = task.group;
      if (group && (always || containers)) {
        tags.add("containers");
        out.add(
          "",
          `${always ? "##" : "###"} ${group}: ${fields.korean ? "사용자 리소스" : "User resource"}`,
        );
      }
    }
    if (head.lead !== "- " || random.chance(0.3)) out.add("");
    truths.push(renderTask(sheet, task, tasks[(index + 3) % tasks.length]!));
  }
  return truths;
}

function renderTask(sheet: Sheet, task: Meant, other: Meant): TruthTask {
  const { random, out, head, fields, graph, tags } = sheet;
  const indent = head.lead === "- " ? "  " : "";
  const add = (...lines: string[]): void => void out.add(...lines.map(line => `${indent}${line}`));
  const line = out.add(head.write(task, sheet.titles.get(task.id)!));
  if (random.chance(0.15) && indent === "")
    out.add("", fields.korean ? "**설명**: 기본 구조를 만든다" : "**Summary**: lays the ground", "");

  const specialist = random.chance(0.85);
  const [spelledRole, role] = fields.role(task.role);
  const said: [name: string, value: string][] = specialist ? [[fields.specialist, spelledRole]] : [];
  // With a graph, tasks that wait for something may leave it to the graph.
  const byGraph =
    graph !== undefined &&
    (graph.sources.get(task.id)?.length ?? 0) > 0 &&
    (task.spelled === undefined || random.chance(0.4));
  const drawn = byGraph ? graph.sources.get(task.id)! : [];
  const nested = task.spelled !== undefined && task.spelled === task.dependsOn.join(", ") && random.dare(0.1);
  if (byGraph) tags.add("deps:graph");
  else if (task.spelled !== undefined && !nested) said.push([fields.depends, dependencyValue(sheet, task)]);
  else if (task.spelled === undefined && (graph || random.chance(0.6)))
    said.push([fields.depends, fields.none(other.id)]);
  add(...fields.write(said));
  if (nested && !byGraph) {
    tags.add("beyond:deps-nested-list");
    add(`- **${fields.depends}**:`, ...task.dependsOn.map(id => `  - ${id}`));
  }
  for (const text of bodyLines(random, fields.korean, other, tags)) add(text);
  const states = criteriaStates(random, task, head.state);
  const direct = head.state === "criteria" && random.chance(0.5);
  if (states.length > 0) add(...criteria(random, fields.korean, states, direct));
  const truth = { id: task.id, line, done: task.done, specialist: specialist ? role : null };
  if (!byGraph) return { ...truth, dependsOn: task.dependsOn };
  return graph.groups ? { ...truth, dependsOn: [], mermaidDependsOn: drawn } : { ...truth, dependsOn: drawn };
}

function dependencyValue({ random, fields, archived }: Sheet, task: Meant): string {
  const dressed = fields.dress(task.spelled ?? "", task.dependsOn);
  const bare = dressed === task.dependsOn.join(", ");
  if (!archived || !bare || !random.chance(0.4)) return dressed;
  return `${dressed}, ${task.id.startsWith("T") ? "T99.9" : "P99-T9"}`;
}

function drawTitle(random: Random, korean: boolean, tags: Set<string>): string {
  const title = random.pick(korean ? TITLES.korean : TITLES.english);
  if (!random.chance(0.1)) return title;
  tags.add("title:RED→GREEN");
  return `${title} RED→GREEN`;
}

/** Boxes decide over criteria; only where there is neither box nor mark do the criteria tell. */
function criteriaStates(random: Random, task: Meant, state: State): boolean[] {
  if (state === "criteria")
    return task.done ? [true, true] : random.pick([[false, false], [true, false], [false]]);
  if (!random.chance(0.5)) return [];
  return Array.from({ length: random.int(1, 3) }, () =>
    random.chance(state === "mark" ? (task.done ? 1 : 0) : 0.3),
  );
}

/** What stands after the tasks: lists and tables that repeat them, checklists, prose about parallel work. */
function closing(sheet: Sheet): void {
  const { random, out, tasks, tags } = sheet;
  const korean = sheet.fields.korean;
  if (random.chance(0.25) && tasks[1]) {
    out.add(
      "",
      korean ? "## 병렬 실행 가능" : "## Parallel groups",
      "",
      `- ${tasks[0]!.id}, ${tasks[1].id} ${korean ? "**병렬 가능**" : "can run together"}`,
    );
    out.add("", "```", `${tasks[0]!.id} → ${tasks[1].id}`, "```");
  }
  if (random.chance(0.2))
    out.add("", "| Phase | 태스크 수 |", "|-------|------|", "| P0 | 3 |", "| **합계** | **9** |");
  if (random.chance(0.12)) summary(sheet, korean ? "## 진행 현황 요약" : "## Progress summary");
  if (random.chance(0.15) && tasks.some(task => task.group?.startsWith("M"))) {
    tags.add("summary-of-milestones");
    out.add("", korean ? "## 마일스톤 요약" : "## Milestones", "", "- [x] M0: 준비", "- [ ] M1: 핵심");
  }
  if (random.chance(0.25)) {
    tags.add("checklist");
    out.add(
      "",
      korean ? "## 마지막 체크리스트" : "## Final checklist",
      "",
      korean ? "- [ ] 모든 Task에 고유 ID" : "- [ ] every task has an id",
      "- [x] 순환 참조 없음",
    );
  }
}
