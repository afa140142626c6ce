import { kiroVariant } from "./kiro-variant.ts";
import { encode, page, type Variant, variant } from "./page.ts";
import { type Random, seeded } from "./random.ts";
import { specKitVariant } from "./spec-kit-variant.ts";
import { taskMasterVariant } from "./task-master-variant.ts";
import { tasksMdVariant } from "./tasks-md-variant.ts";
import type { TruthTask } from "./truth.ts";

/**
 * Synthetic task files over the spellings of real ones, with known labels: a stand-in for the files nobody has read.
 * The same seed and number give the same file; `variants(n, seed)[k]` does not depend on `n`.
 */
export function variants(count: number, seed: number): Variant[] {
  return Array.from({ length: count }, (_, n) => {
    const random = seeded(seed * 1_000_003 + n);
    const draw = random.int(1, 100);
    if (draw <= 62) return tasksMdVariant(random, n);
    if (draw <= 67) return tableVariant(random, n);
    if (draw <= 70) return plainBoxesVariant(random, n);
    if (draw <= 83) return specKitVariant(random, n);
    if (draw <= 94) return kiroVariant(random, n);
    return taskMasterVariant(random, n);
  });
}

/** Tasks as the rows of tables. */
function tableVariant(random: Random, n: number): Variant {
  const tags = ["tasks-md", "table"];
  const columns = random.dare(0.7);
  if (columns) tags.push("beyond:columns-with-fields");
  const state = random.dare(0.7) ? random.pick(["words", "marks"]) : "boxes";
  const [yes, no] = { words: ["완료", "대기"], marks: ["✅", "⏳"], boxes: ["[x]", "[ ]"] }[state] as [
    string,
    string,
  ];
  if (state !== "boxes") tags.push(`beyond:state-in-${state}`);
  const bold = random.chance(0.2);
  if (bold) tags.push("bold-ids");
  const out = page();
  const tasks: TruthTask[] = [];
  out.add("# TASKS: 표 형식", "");
  const phases = random.int(0, 2);
  for (let p = 0; p <= phases; p += 1) {
    out.add(`## Phase ${p}: 단계 ${p}`, "");
    out.add(
      columns ? "| ID | 태스크 | 담당 | 의존성 | 상태 |" : "| ID | 태스크 | 상태 |",
      columns ? "|----|----|----|----|:--:|" : "|----|----|:--:|",
    );
    const count = random.int(1, 5);
    for (let t = 1; t <= count; t += 1) {
      const id = `P${p}-T${p}.${t}`;
      const done = random.chance(0.5);
      const previous = tasks.at(-1)?.id;
      const depends = columns && previous !== undefined && random.chance(0.6) ? [previous] : [];
      const role = columns ? "backend-specialist" : null;
      const cells = columns
        ? [id, "API 구현", role, depends[0] ?? random.pick(["-", "없음"]), done ? yes : no]
        : [bold ? `**${id}**` : id, "API 구현", done ? yes : no];
      const line = out.add(`| ${cells.join(" | ")} |`);
      tasks.push({ id, line, done, dependsOn: depends, specialist: role });
    }
    out.add("");
  }
  if (random.chance(0.3)) out.add("| 지표 | 값 |", "|----|----|", "| 총 태스크 | 9 |");
  return variant("tasks-md", `docs/planning/table-${n}.md`, encode(random, out.text(), tags), tasks, tags);
}

/** Boxes without ids under headings of phases: the reader has to make up the ids. */
function plainBoxesVariant(random: Random, n: number): Variant {
  const tags = ["tasks-md", "plain-boxes"];
  const out = page();
  const tasks: TruthTask[] = [];
  out.add("# TODO", "");
  const phases = random.int(1, 4);
  for (let p = 1; p <= phases; p += 1) {
    out.add(`## Phase ${p}: ${random.pick(["Setup", "Core", "Release"])}`, "");
    const count = random.int(1, 6);
    for (let t = 1; t <= count; t += 1) {
      const done = random.chance(0.5);
      const line = out.add(
        `- [${done ? "x" : " "}] ${random.pick(["Write the parser", "Add a test", "Deploy to staging", "설정 파일 추가"])}`,
      );
      tasks.push({ id: "", line, done, dependsOn: [], specialist: null, ambiguous: ["dependsOn"] });
    }
    out.add("");
  }
  return variant("tasks-md", `TASKS-${n}.md`, encode(random, out.text(), tags), tasks, tags);
}
