import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { casesOf } from "../sample.ts";
import { read } from "./reading.ts";

/** Blocks of a plan that can be rearranged and decorated without changing what it says. */
const BLOCKS: readonly (readonly string[])[] = [
  [
    "### [x] T1.1: Oven model",
    "",
    "- **담당**: backend-specialist",
    "- **의존**: 없음",
    "- **파일**: `src/oven.ts`",
    "- [x] heats",
  ],
  [
    "### [ ] T1.2: Oven screen RED→GREEN",
    "",
    "- **담당**: frontend-specialist",
    "- **의존**: T1.1",
    "- **병렬**: T1.3",
    "- [ ] shows",
    "- [x] updates",
  ],
  [
    "### [ ] T1.3: Door model",
    "",
    "- **담당**: backend-specialist",
    "- **의존**: T1.1",
    "- **병렬**: T1.2",
    "- **Worktree**: `../oven-door`",
  ],
  ["### [ ] T1.4: Check both", "", "- **담당**: test-specialist", "- **의존**: T1.2, T1.3"],
];

const HEAD = ["# TASKS: Oven", "", "## Phase 1: Model", ""];

/** What a text says, without what moves when lines move. */
function said(text: string): unknown {
  const { plan, diagnostics } = read(text);
  return {
    project: plan.project,
    phases: plan.phases,
    tasks: plan.tasks
      .map(found => ({ ...found, line: 0, text: "" }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    // That something is hidden is told; nothing else may come of it.
    codes: diagnostics.map(found => found.code).filter(code => code !== "TASK_HIDDEN"),
  };
}

const PLAIN = [...HEAD, ...BLOCKS.flatMap(block => [...block, ""])].join("\n");
const EXPECTED = said(PLAIN);

/** Lines that say nothing about tasks. */
const NOISE: readonly (readonly string[])[] = [
  [""],
  ["", "", ""],
  ["<!-- - [ ] T9.1: hidden -->"],
  ["<!--", "### [ ] T9.2: hidden", "- 담당: nobody", "-->"],
  ["```text", "### [ ] T9.3: example", "- 의존: T1.1", "```"],
  ["````markdown", "```bash", "- [ ] T9.4: example", "```", "````"],
  ["~~~", "- 담당: nobody", "~~~"],
  ["> - [ ] T9.5: quoted"],
  ["> ### [ ] T9.6: quoted"],
  ["A paragraph that speaks of T1.1 and T9.9, and of Phase 7."],
  ["---"],
  ["![picture](a.png)"],
  ["```mermaid", "sequenceDiagram", "T1.1->>T1.2: x", "```"],
];

describe("what changes nothing", () => {
  it("[L8] noise between blocks", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(NOISE.length - 1), { minLength: 5, maxLength: 5 }), picks => {
        const lines = [...HEAD];
        for (const [index, block] of BLOCKS.entries()) lines.push(...block, "", ...NOISE[picks[index]!]!, "");
        lines.push(...NOISE[picks[4]!]!);
        expect(said(lines.join("\n"))).toEqual(EXPECTED);
      }),
      { numRuns: casesOf(75, 300) },
    );
  });

  it("[L20] the order of blocks", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), order => {
        const lines = [...HEAD, ...order.flatMap(index => [...BLOCKS[index]!, ""])];
        expect(withoutOrder(said(lines.join("\n")))).toEqual(withoutOrder(EXPECTED));
      }),
      { numRuns: 50 },
    );
  });

  /** Lists of ids stand in the order of the file: sorted, they do not. */
  function withoutOrder(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value), (_, inner) =>
      Array.isArray(inner) ? inner.toSorted(byText) : inner,
    );
  }

  function byText(a: unknown, b: unknown): number {
    const [x, y] = [JSON.stringify(a), JSON.stringify(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  }

  it("[L24] the order of fields", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([2, 3, 4, 5], { minLength: 4 }), order => {
        const block = BLOCKS[0]!;
        const lines = [
          ...HEAD,
          block[0]!,
          "",
          ...order.map(index => block[index]!),
          "",
          ...BLOCKS.slice(1).flatMap(one => [...one, ""]),
        ];
        expect(said(lines.join("\n"))).toEqual(EXPECTED);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["heading level", (text: string) => text.replaceAll("### ", "#### ")],
    [
      "deeper phases",
      (text: string) => text.replaceAll("### ", "##### ").replaceAll("## Phase", "#### Phase"),
    ],
    ["star bullets", (text: string) => text.replaceAll("\n- ", "\n* ")],
    ["plus bullets", (text: string) => text.replaceAll("\n- ", "\n+ ")],
    ["bold without", (text: string) => text.replaceAll("**", "")],
    ["colon inside the bold", (text: string) => text.replaceAll("**: ", ":** ")],
    ["full-width colons", (text: string) => text.replaceAll("**: ", "**：")],
    ["capital box marks", (text: string) => text.replaceAll("[x]", "[X]")],
    ["empty boxes", (text: string) => text.replaceAll("[ ]", "[]")],
    ["trailing spaces", (text: string) => text.replaceAll("\n", "  \n")],
    ["no blank lines", (text: string) => text.replace(/\n{2,}/g, "\n")],
    ["many blank lines", (text: string) => text.replaceAll("\n\n", "\n\n\n\n")],
    ["tabs before bullets", (text: string) => text.replaceAll("\n- ", "\n\t- ")],
    ["closing hashes", (text: string) => text.replace(/^(#+) (.*)$/gm, "$1 $2 $1")],
    ["Phase in front", (text: string) => text.replaceAll(/\] (T1\.\d)/g, "] Phase 1, $1")],
    ["bold ids", (text: string) => text.replaceAll(/\] (T1\.\d):/g, "] **$1**:")],
    ["ids in backticks", (text: string) => text.replaceAll(/\] (T1\.\d):/g, "] `$1`")],
    [
      "English names",
      (text: string) =>
        text
          .replaceAll("담당", "Specialist")
          .replaceAll("의존", "Depends on")
          .replaceAll("병렬", "Parallel")
          .replaceAll("파일", "Files"),
    ],
    [
      "Chinese names",
      (text: string) =>
        text
          .replaceAll("담당", "负责人")
          .replaceAll("의존", "依赖")
          .replaceAll("병렬", "并行")
          .replaceAll("파일", "文件"),
    ],
    [
      "Japanese names",
      (text: string) =>
        text
          .replaceAll("담당", "担当")
          .replaceAll("의존", "依存")
          .replaceAll("병렬", "並列")
          .replaceAll("파일", "ファイル"),
    ],
    ["English none", (text: string) => text.replaceAll("없음", "None")],
    [
      "a table of contents",
      (text: string) => text.replace("## Phase", "- [T1.1](#a)\n- [T1.2](#b)\n\n## Phase"),
    ],
    ["a summary list", (text: string) => `${text}\n## 현황\n- [x] T1.1 Oven model\n- [ ] T1.2 Oven screen\n`],
    [
      "a summary table",
      (text: string) =>
        `${text}\n## 현황\n| ID | 담당 | 의존성 | 상태 |\n|---|---|---|---|\n| T1.1 | other | T1.4 | ⬜ |\n`,
    ],
    [
      "a diagram that repeats the fields",
      (text: string) => `${text}\n## Graph\n\`\`\`mermaid\ngraph TD\nT1.1 --> T1.2 & T1.3 --> T1.4\n\`\`\`\n`,
    ],
    ["front matter", (text: string) => `---\nversion: 2\n---\n${text}`],
    ["a byte-order mark", (text: string) => `\uFEFF${text}`],
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["no final newline", (text: string) => text.trimEnd()],
  ])("[L10] %s", (_, change) => {
    const changed = change(PLAIN);
    expect(said(changed)).toEqual(EXPECTED);
  });

  it("[L10] several of them at once", () => {
    const changes: readonly ((text: string) => string)[] = [
      text => text.replaceAll("### ", "#### "),
      text => text.replaceAll("\n- ", "\n* "),
      text => text.replaceAll("**: ", ":** "),
      text => text.replaceAll("[x]", "[X]"),
      text => text.replaceAll("\n", "\r\n"),
      text => `\uFEFF${text}`,
      text => text.replaceAll("담당", "Owner").replaceAll("의존", "Blocked-by"),
      text => text.trimEnd(),
    ];
    fc.assert(
      fc.property(fc.subarray([...changes]), chosen => {
        expect(said(chosen.reduce((text, change) => change(text), PLAIN))).toEqual(EXPECTED);
      }),
      { numRuns: 100 },
    );
  });
});

describe("what changes exactly one thing", () => {
  const plan = read(PLAIN).plan;

  /** Keys of the tasks whose values differ. */
  function differences(text: string): string[] {
    const after = new Map(read(text).plan.tasks.map(found => [found.id, found]));
    return plan.tasks.flatMap(before => {
      const now = after.get(before.id);
      if (now === undefined) return [`${before.id} gone`];
      const keys = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof typeof before>;
      return [...keys]
        .filter(
          key => key !== "line" && key !== "text" && JSON.stringify(before[key]) !== JSON.stringify(now[key]),
        )
        .map(key => `${before.id} ${key}`);
    });
  }

  it.each<[string, (text: string) => string, string[]]>([
    ["ticking", text => text.replace("### [ ] T1.3", "### [x] T1.3"), ["T1.3 done"]],
    ["a title", text => text.replace("Door model", "Gate model"), ["T1.3 title"]],
    ["a role", text => text.replace("test-specialist", "qa-specialist"), ["T1.4 specialist"]],
    ["a dependency less", text => text.replace("T1.2, T1.3", "T1.2"), ["T1.4 dependsOn"]],
    ["a file", text => text.replace("src/oven.ts", "src/stove.ts"), ["T1.1 files"]],
    ["a worktree", text => text.replace("../oven-door", "../door"), ["T1.3 worktree"]],
    [
      "no partners",
      text => text.replace("- **병렬**: T1.3\n", "").replace("- **병렬**: T1.2\n", ""),
      ["T1.2 parallelWith", "T1.3 parallelWith"],
    ],
    ["no test first", text => text.replace(" RED→GREEN", ""), ["T1.2 title", "T1.2 tdd"]],
    ["struck out", text => text.replace("[ ] T1.4: Check both", "[ ] ~~T1.4: Check both~~"), ["T1.4 skip"]],
    ["nothing", text => text, []],
  ])("[L23] %s", (_, change, expected) => {
    expect(differences(change(PLAIN))).toEqual(expected);
  });
});
