import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errors, read } from "./reading.ts";

/** What a person meant when writing a task file. */
interface Meant {
  readonly id: string;
  readonly phase: number;
  readonly title: string;
  readonly done: boolean;
  readonly specialist: string | undefined;
  readonly dependsOn: readonly string[];
  readonly criteria: readonly boolean[];
}

/** How a person writes: one choice of each list, made by number. */
interface Hand {
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

const dotted = plans((phase, n) => `T${phase}.${n}`);
const prefixed = plans((phase, n) => `P${phase}-T${n}`);
const layered = plans((phase, n) => (n % 2 === 0 ? `P${phase}-R${n}-T1` : `P${phase}-S${n}-T1`));

const hands: fc.Arbitrary<Hand> = fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }).map(numbers => {
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
function asHeadings(tasks: readonly Meant[], hand: Hand): string {
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
      lines.push("", "```bash", `# ${task.id} 실행`, "- [ ] T8.8: example", "```");
    return lines;
  }).join("\n");
}

/** The list style: nested bullets. */
function asItems(tasks: readonly Meant[], hand: Hand): string {
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
function asRows(tasks: readonly Meant[], hand: Hand): string {
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

/** What was understood, in the same form. */
function understood(text: string): unknown {
  return read(text).plan.tasks.map(({ id, phase, title, done, specialist, dependsOn }) => ({
    id,
    phase,
    title,
    done,
    specialist,
    dependsOn,
  }));
}

function meant(tasks: readonly Meant[]): unknown {
  return tasks.map(({ id, phase, title, done, specialist, dependsOn }) => ({
    id,
    phase,
    title,
    done,
    specialist,
    dependsOn,
  }));
}

/** Errors apart from the one that a half-ticked plan may earn. */
function faults(text: string): string[] {
  return errors(read(text));
}

describe("what is written is what is read", () => {
  for (const [name, arbitrary] of [
    ["T1.1", dotted],
    ["P1-T1", prefixed],
    ["P1-R2-T1", layered],
  ] as const) {
    it(`[L10] as headings with ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, hand) => {
          const text = asHeadings(tasks, hand);
          expect(understood(text)).toEqual(meant(tasks));
          expect(faults(text)).toEqual([]);
        }),
        { numRuns: 400 },
      );
    });

    it(`[L10] as list items with ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, hand) => {
          const text = asItems(tasks, hand);
          expect(understood(text)).toEqual(meant(tasks));
          expect(faults(text)).toEqual([]);
        }),
        { numRuns: 400 },
      );
    });

    it(`[L21] as table rows with ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, hand) => {
          const text = asRows(tasks, hand);
          expect(understood(text)).toEqual(meant(tasks));
          expect(faults(text)).toEqual([]);
        }),
        { numRuns: 300 },
      );
    });

    it(`[L20] with a list in front that repeats ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, hand) => {
          const summary = tasks
            .map(task => `- [${task.done ? "x" : " "}] ${task.id} ${task.title}`)
            .join("\n");
          const text = `# 현황\n${summary}\n\n${asHeadings(tasks, hand)}`;
          expect(understood(text)).toEqual(meant(tasks));
          expect(faults(text)).toEqual([]);
        }),
        { numRuns: 200 },
      );
    });

    it(`[L35] with the dependencies in a diagram and ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, { choose }) => {
          const node = (id: string) =>
            choose([`${id}`, `n${id.replace(/\W/g, "_")}[${id}]`, `n${id.replace(/\W/g, "_")}["${id}: x"]`]);
          const arrows = tasks.flatMap(task =>
            task.dependsOn.map(
              id => `  ${node(id)} ${choose(["-->", "==>", "-.->", "-->|then|"])} ${node(task.id)}`,
            ),
          );
          const body = tasks.map(task => `### [ ] Phase ${task.phase}, ${task.id}: x`).join("\n");
          const text = `${body}\n\n\`\`\`mermaid\ngraph TD\n${arrows.join("\n")}\n\`\`\`\n`;
          expect(read(text).plan.tasks.map(found => found.dependsOn)).toEqual(
            tasks.map(task => task.dependsOn),
          );
        }),
        { numRuns: 200 },
      );
    });
  }

  it("[L43] as spec-kit", () => {
    fc.assert(
      fc.property(dotted, hands, (tasks, { choose }) => {
        const ids = new Map(tasks.map((task, n) => [task.id, `T${String(n + 1).padStart(3, "0")}`]));
        let phase = -1;
        const lines: string[] = ["# Tasks: Bakery"];
        for (const task of tasks) {
          if (task.phase !== phase) lines.push("", `## Phase ${task.phase + 1}: Part`, "");
          phase = task.phase;
          const depends = task.dependsOn.map(id => ids.get(id)).join(", ");
          const tag = choose(["", "[P] ", "[US1] ", "[P] [US2] "]);
          lines.push(
            `- [${task.done ? choose(["x", "X"]) : " "}] ${ids.get(task.id)} ${tag}${task.title}${depends === "" ? "" : ` (depends on ${depends})`}`,
          );
        }
        const reading = read(lines.join("\n"), "specs/001-x/tasks.md");
        expect(reading.plan.format).toBe("spec-kit");
        expect(
          reading.plan.tasks.map(({ id, phase: number, done, dependsOn }) => ({
            id,
            phase: number,
            done,
            dependsOn,
          })),
        ).toEqual(
          tasks.map(task => ({
            id: ids.get(task.id),
            phase: task.phase + 1,
            done: task.done,
            dependsOn: task.dependsOn.map(id => ids.get(id)),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("[L44] as Kiro", () => {
    fc.assert(
      fc.property(prefixed, hands, (tasks, hand) => {
        const { choose } = hand;
        const number = new Map(
          tasks.map(task => [task.id, `${task.phase + 1}.${task.id.replace(/^.*T/, "")}`]),
        );
        const lines: string[] = ["# Implementation Plan"];
        const majors: string[] = [];
        let phase = -1;
        for (const task of tasks) {
          if (task.phase !== phase) {
            lines.push(`- [ ] ${task.phase + 1}. Part`);
            majors.push(String(task.phase + 1));
          }
          phase = task.phase;
          const indent = choose(["", "  "]);
          lines.push(
            `${indent}- [${task.done ? "x" : " "}] ${number.get(task.id)} ${task.title}${choose(["", " (P)"])}`,
          );
          lines.push(`${indent}  - Some detail`, `${indent}  - _Requirements: 1.1, 2.2_`);
          const depends = task.dependsOn.map(id => number.get(id)).join(", ");
          if (depends !== "")
            lines.push(
              `${indent}  - ${choose([`_Depends: ${depends}_`, `Depends on ${depends}`, `依赖: ${depends}`])}`,
            );
        }
        const reading = read(lines.join("\n"), ".kiro/specs/x/tasks.md");
        expect(reading.plan.tasks.map(found => found.id).sort()).toEqual(
          [...number.values(), ...majors].sort(),
        );
        for (const task of tasks) {
          expect(reading.plan.tasks.find(found => found.id === number.get(task.id))).toMatchObject({
            done: task.done,
            dependsOn: task.dependsOn.map(id => number.get(id)),
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("[L47] as Task Master", () => {
    fc.assert(
      fc.property(prefixed, fc.boolean(), (tasks, tagged) => {
        const place = new Map<string, string>();
        const list: {
          id: number;
          title: string;
          status: string;
          dependencies: unknown[];
          subtasks: { id: number; title: string; status: string; dependencies: unknown[] }[];
        }[] = [];
        for (const task of tasks) {
          let parent = list.find(candidate => candidate.id === task.phase + 1);
          if (parent === undefined) {
            parent = { id: task.phase + 1, title: "Part", status: "pending", dependencies: [], subtasks: [] };
            list.push(parent);
          }
          const own = parent.subtasks.length + 1;
          place.set(task.id, `${parent.id}.${own}`);
          parent.subtasks.push({
            id: own,
            title: task.title,
            status: task.done ? "done" : "pending",
            dependencies: task.dependsOn.map(id => {
              const full = place.get(id)!;
              return full.startsWith(`${parent.id}.`) ? Number(full.split(".")[1]) : full;
            }),
          });
        }
        const text = JSON.stringify(tagged ? { master: { tasks: list } } : { tasks: list });
        const reading = read(text, "tasks.json");
        for (const task of tasks) {
          expect(reading.plan.tasks.find(found => found.id === place.get(task.id))).toMatchObject({
            title: task.title,
            done: task.done,
            dependsOn: task.dependsOn.map(id => place.get(id)),
          });
        }
        expect(reading.plan.tasks).toHaveLength(tasks.length + list.length);
        expect(errors(reading)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
