import fc from "fast-check";

/** What a person meant when writing a task file. */
export interface Meant {
  readonly id: string;
  readonly phase: number;
  readonly title: string;
  readonly done: boolean;
  readonly specialist: string | undefined;
  readonly dependsOn: readonly string[];
  readonly criteria: readonly boolean[];
}

/** How a person writes: one choice of each list, made by number. */
export interface Hand {
  readonly choose: <T>(list: readonly T[]) => T;
}

const TITLES = [
  "Login form",
  "장바구니 API 구현",
  "결제 연동 RED→GREEN",
  "Set up CI",
  "ログイン画面",
  "登录页面",
  "Cart totals & tax",
  "`cart.ts` split",
];
const ROLES = ["backend-specialist", "frontend-specialist", "test-specialist", "database-specialist"];

/** A plan whose tasks only wait for tasks above them. */
function plans(idOf: (phase: number, n: number) => string): fc.Arbitrary<Meant[]> {
  const line = fc.record({
    step: fc.boolean(),
    title: fc.constantFrom(...TITLES),
    done: fc.boolean(),
    specialist: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
    before: fc.array(fc.nat(20), { maxLength: 3 }),
    criteria: fc.array(fc.boolean(), { maxLength: 3 }),
  });
  return fc.array(line, { minLength: 1, maxLength: 10 }).map(lines => {
    const tasks: Meant[] = [];
    let phase = 0;
    let n = 0;
    for (const { step, title, done, specialist, before, criteria } of lines) {
      if (step && n > 0) {
        phase++;
        n = 0;
      }
      n++;
      const earlier = [...new Set(before.filter(index => index < tasks.length))].sort((a, b) => a - b);
      const dependsOn = earlier.map(index => tasks[index]!.id);
      tasks.push({ id: idOf(phase, n), phase, title, done, specialist, dependsOn, criteria });
    }
    return tasks;
  });
}

/** Plans with ids like T1.1. */
export const dotted: fc.Arbitrary<Meant[]> = plans((phase, n) => `T${phase}.${n}`);
/** Plans with ids like P1-T1. */
export const prefixed: fc.Arbitrary<Meant[]> = plans((phase, n) => `P${phase}-T${n}`);
/** Plans with ids like P1-R2-T1. */
export const layered: fc.Arbitrary<Meant[]> = plans((phase, n) =>
  n % 2 === 0 ? `P${phase}-R${n}-T1` : `P${phase}-S${n}-T1`,
);

/** Hands, each with 40 choices. */
export const hands: fc.Arbitrary<Hand> = fc
  .array(fc.nat(1000), { minLength: 40, maxLength: 40 })
  .map(numbers => {
    let next = 0;
    return { choose: list => list[numbers[next++ % numbers.length]! % list.length]! };
  });

function field(name: string, value: string, { choose }: Hand): string {
  return choose([
    `**${name}**: ${value}`,
    `**${name}:** ${value}`,
    `${name}: ${value}`,
    `**${name}**：${value}`,
    `_${name}_: ${value}`,
  ]);
}

function dependencyValue(ids: readonly string[], { choose }: Hand): string {
  if (ids.length === 0)
    return choose(["없음", "none", "-", "N/A", "없음 (T9.9와 병렬 가능)", "None", "なし", "无", "[]"]);
  const wrap = choose([
    (id: string) => id,
    (id: string) => `\`${id}\``,
    (id: string) => `**${id}**`,
    (id: string) => `${id} (완료 후)`,
    (id: string) => `${id} ✅`,
  ]);
  const list = ids.map(wrap);
  return choose([
    list.join(", "),
    list.join(" · "),
    list.join(" + "),
    list.join(" 및 "),
    `[${list.join(", ")}]`,
    list.join(", "),
  ]);
}

/** The lines of fields and criteria below a task. */
function details(task: Meant, hand: Hand, mayOmit: boolean): string[] {
  const { choose } = hand;
  const role = choose(["담당", "담당자", "specialist", "Owner", "Assignee", "agent role", "担当", "负责人"]);
  const dependency = choose([
    "의존",
    "의존성",
    "선행",
    "depends_on",
    "Dependencies",
    "Blocked-by",
    "deps",
    "依存",
    "依赖",
  ]);
  const lines: string[] = [];
  if (task.specialist !== undefined)
    lines.push(
      field(role, choose([task.specialist, `\`${task.specialist}\``, `${task.specialist} (리드)`]), hand),
    );
  if (task.dependsOn.length > 0 || !mayOmit || choose([true, false]))
    lines.push(field(dependency, dependencyValue(task.dependsOn, hand), hand));
  if (choose([true, false]))
    lines.push(
      field(
        choose(["예상 시간", "설명", "우선순위", "Estimate"]),
        choose(["2h", "T9.9를 참고", "P1-R9"]),
        hand,
      ),
    );
  return lines;
}

function phaseHeading(phase: number, { choose }: Hand): string {
  return choose([
    `## Phase ${phase}: 단계`,
    `## Phase ${phase} — 단계`,
    `# Phase ${phase}`,
    `## 📦 Phase ${phase}: 단계`,
    `## M${phase}: 단계 (Phase ${phase})`,
    `## ${phase}단계: 준비`,
  ]);
}

/** Phases with what stands in them, in the order of the file. */
function inPhases(tasks: readonly Meant[], hand: Hand, write: (task: Meant) => string[]): string[] {
  const lines: string[] = ["# TASKS: 빵집", "", "> 설명 T9.9", ""];
  let phase: number | undefined;
  for (const task of tasks) {
    if (task.phase !== phase) {
      phase = task.phase;
      lines.push(phaseHeading(phase, hand), "");
    }
    lines.push(...write(task), "");
  }
  return lines;
}

/** The heading style: fields in a list or as paragraphs, criteria as boxes. */
export function asHeadings(tasks: readonly Meant[], hand: Hand): string {
  const { choose } = hand;
  const mark = choose(["###", "####"]);
  const bullet = choose(["- ", "* ", "", "> "]);
  const style = choose([0, 1, 2, 3, 4]);
  return inPhases(tasks, hand, task => {
    const box = task.done ? choose(["[x]", "[X]", "[✓]", "[완료]"]) : choose(["[ ]", "[]", "[-]", "[~]"]);
    const heads = [
      `${mark} ${box} Phase ${task.phase}, ${task.id}: ${task.title}`,
      `${mark} ${box} ${task.id}: ${task.title}`,
      `${mark} ${box} **${task.id}**: ${task.title}`,
      `${mark} ${task.id}: ${task.title} ${box}`,
      `${mark} ${box} \`${task.id}\` ${task.title}`,
    ];
    const lines = [heads[style]!, ""];
    for (const line of details(task, hand, true)) lines.push(bullet + line);
    if (task.criteria.length > 0)
      lines.push(
        "",
        "**완료 조건**:",
        ...task.criteria.map(checked => `- [${checked ? "x" : " "}] 기준 T9.9`),
      );
    if (choose([true, false, false]))
      lines.push("", "```text", `# ${task.id} 실행`, "- [ ] T8.8: example", "```");
    return lines;
  }).join("\n");
}

/** The list style: nested bullets. */
export function asItems(tasks: readonly Meant[], hand: Hand): string {
  const { choose } = hand;
  const bullet = choose(["-", "*", "+", "1."]);
  const style = choose([0, 1, 2, 3]);
  return inPhases(tasks, hand, task => {
    const box = task.done ? choose(["[x]", "[X]"]) : "[ ]";
    const heads = [
      `${bullet} ${box} ${task.id}: ${task.title}`,
      `${bullet} ${box} **${task.id}**: ${task.title}`,
      `${bullet} ${box} **${task.id}: ${task.title}**`,
      `${bullet} ${box} [${task.id}] ${task.title}`,
    ];
    const inner = details(task, hand, true).map(line => `   - ${line}`);
    return [heads[style]!, ...inner, ...task.criteria.map(checked => `   - [${checked ? "x" : " "}] 기준`)];
  }).join("\n");
}

/** The table style: one row a task. */
export function asRows(tasks: readonly Meant[], hand: Hand): string {
  const { choose } = hand;
  const wrap = choose([(id: string) => id, (id: string) => `**${id}**`, (id: string) => `\`${id}\``]);
  const lines = [
    "# TASKS: 빵집",
    "",
    "## Tasks",
    "",
    "| ID | 태스크 | 담당 | 의존성 | 상태 |",
    "|---|---|---|---|---|",
  ];
  for (const task of tasks) {
    const depends = task.dependsOn.length === 0 ? choose(["-", "없음", ""]) : task.dependsOn.join(", ");
    lines.push(
      `| ${wrap(task.id)} | ${task.title} | ${task.specialist ?? "-"} | ${depends} | [${task.done ? "x" : " "}] |`,
    );
  }
  return lines.join("\n");
}
