import { describe, expect, it } from "vitest";
import { growth, LINEAR } from "../growth.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { ids, read } from "./reading.ts";

/** Pieces until there are so many characters. */
function fill(size: number, piece: (n: number) => string): string {
  const parts: string[] = [];
  for (let n = 0, length = 0; length < size; n++) {
    const next = piece(n);
    parts.push(next);
    length += next.length;
  }
  return parts.join("");
}

/** How the time of reading grows with a file. */
function readingGrowth(make: (size: number) => string, path = "TASKS.md"): number {
  const bytesOf = (size: number) => new TextEncoder().encode(make(size));
  return growth(SMALL, bytesOf, bytes =>
    read(bytes, path, { allowMissing: true, limits: { edges: 50_000 } }),
  );
}

/** Characters of the smaller file. */
const SMALL = 1 << 14;

/** Files that are easy to read slowly, by size. */
const CASES: Record<string, (size: number) => string> = {
  "empty boxes": size => fill(size, () => "- [ ]\n"),
  "boxes behind words": size => fill(size, n => (n % 5000 === 0 ? "\nwords " : "[ ] T9.1 `<&#91;")),
  "tags behind boxes": size => fill(size, n => (n % 50 === 0 ? "\nwords [ ]" : "<:a")),
  "boxes of one letter": size => fill(size, () => "- [ ] a\n"),
  hashes: size => fill(size, () => "#"),
  "headings of one letter": size => fill(size, () => "# a\n"),
  "opening brackets": size => fill(size, n => (n % 1000 === 999 ? "\n" : "[")),
  "brackets and newlines": size => fill(size, () => "[\n"),
  parentheses: size => fill(size, n => (n % 5000 === 0 ? "\n- [ ] T1.1: " : n % 2 === 0 ? "(" : "a(")),
  stars: size => fill(size, n => (n % 1000 === 999 ? "\n" : "*")),
  backticks: size => fill(size, n => (n % 100 === 99 ? "\n" : "`a")),
  "open comments": size => fill(size, () => "<!-- a\n"),
  "closed comments": size => fill(size, () => "<!-- a -->\n"),
  fences: size => fill(size, () => "```\n"),
  "fences of Markdown": size => fill(size, n => (n % 2 === 0 ? "```markdown\n" : "```x\n")),
  quotes: size => fill(size, () => ">>>> a\n"),
  "carriage returns": size => fill(size, () => "- a\r"),
  "deep lists": size => fill(size, n => `${" ".repeat(n % 500)}- [ ] T${n}: a\n`),
  tables: size => fill(size, n => (n % 30 === 0 ? "\n| a | b |\n|---|---|\n" : `| T${n} | ✅ |\n`)),
  "wide tables": size => fill(size, n => (n % 2000 === 0 ? "\n|" : " a |")),
  "ids with many parts": size => fill(size, n => `- [ ] P1${"-R1".repeat(15)}-T${n}: a\n`),
  "the same id": size => fill(size, n => `- [ ] T1.1: a${n}\n`),
  "one long dependency list": size =>
    `${fill(size / 2, n => `- [ ] T${n}: a\n`)}- [ ] P9-T1: z\n${fill(size / 2, n => `  - 의존: T${n}, T${n + 1}\n`)}`,
  "everything waits for the phase": size => fill(size, n => `- [ ] P1-T${n}: a\n  - 의존: Phase 1\n`),
  "everything runs beside the phase": size => fill(size / 2, n => `- [ ] P1-T${n}: a\n  - 병렬: Phase 1\n`),
  "one task names the phase again and again": size =>
    `${fill(size / 2, n => `- [ ] P1-T${n}: a\n`)}- [ ] P2-T1: z\n${fill(size / 2, () => "  - 의존: Phase 1\n")}`,
  "a group with a long word and many members": size =>
    `### P1-T1: g\n${fill(size / 2, () => "- depends: words and words and words\n")}${fill(size / 2, n => `- [ ] P1-T1.${n}: a\n`)}`,
  "a group with many roles and many members": size =>
    `### P1-T1: g\n${fill(size / 2, () => "- 담당: x\n")}${fill(size / 2, n => `- [ ] P1-T1.${n}: a\n`)}`,
  "ranges without end": size =>
    `${fill(size / 2, n => `- [ ] M${n}-T1: a\n`)}- [ ] P2-T1: z\n${fill(size / 2, n => `  - 의존: M${n % 10}~M${99_999_999 - n}\n`)}`,
  "unknown ids": size => fill(size, n => `- [ ] P1-T${n}: a\n  - 의존: P1-T${n}x9, P1-X${n}\n`),
  "a ring": size => fill(size, n => `- [ ] T${n}: a\n  - 의존: T${n + 1}\n`),
  "nested subgraphs": size =>
    `- [ ] T1: a\n- [ ] T2: b\n\`\`\`mermaid\ngraph TD\n${fill(size / 2, () => "subgraph a\n")}${fill(size / 2, n => `n${n} --> m${n}\n`)}\`\`\`\n`,
  "arrows that multiply": size =>
    `- [ ] T1: a\n\`\`\`mermaid\ngraph TD\n${fill(size / 4, n => `a${n} & `)}z --> ${fill(size / 4, n => `b${n} & `)}y\n\`\`\`\n`,
  "arrows between groups": size =>
    `${fill(size / 2, n => `- [ ] P1-R${1 + (n % 2)}-T${n}: a\n  - 의존: 없음\n`)}\`\`\`mermaid\ngraph TD\nA[P1-R1]\nB[P1-R2]\n${fill(size / 2, () => "A --> B\n")}\`\`\`\n`,
  "fields on one line": size => fill(size, n => (n % 5000 === 0 ? "\n- [ ] T1.1: a\n  - " : "담당: x | ")),
  "a group that names many titles and has many members": size =>
    `### T1: g\n- depends: ${fill(size / 2, n => `name it ${n}, `)}and more\n${fill(size / 2, n => `- [ ] T1.${n}: name it ${n}\n`)}`,
  "a phase for each task": size => fill(size * 4, n => `## Phase ${n}\n- [ ] ${n + 1}. a\n`),
  prose: size => fill(size, () => "Only words, and words again, about nothing in particular.\n"),
};

describe("time", { timeout: 120_000 }, () => {
  it.each(sampleOf(Object.entries(CASES), 0, 2, 12, 20, 26, 28, 32, 35, 36))(
    "[L4] is linear for %s",
    (_, make) => {
      expect(readingGrowth(make)).toBeLessThan(LINEAR);
    },
  );

  it("[L4] is linear for a dense file", () => {
    const dense = (size: number) =>
      fill(size, n =>
        n % 50 === 0
          ? `## Phase ${n / 50}: Part\n\n`
          : `### [ ] P${Math.floor(n / 50)}-T${n}: Task number ${n} of many\n- **담당**: backend-specialist\n- **의존**: ${n % 50 === 1 ? "없음" : `P${Math.floor(n / 50)}-T${n - 1}`}\n- **파일**: \`src/module-${n}.ts\`\n- [ ] first criterion\n- [ ] second criterion\n\n`,
      );
    expect(readingGrowth(dense)).toBeLessThan(LINEAR);
  });

  itWhole("[L4] spec-kit and Kiro files are linear too", () => {
    const kiro = (size: number) =>
      fill(
        size,
        n =>
          `- [ ] ${Math.floor(n / 20) + 1}.${n % 20} a\n  - _Depends: ${Math.floor(n / 20) + 1}.${Math.max(0, (n % 20) - 1)}_\n`,
      );
    const speckit = (size: number) =>
      fill(
        size,
        n =>
          `- [ ] T${String(n).padStart(3, "0")} [P] Make src/file-${n}.ts (depends on T${String(Math.max(0, n - 1)).padStart(3, "0")})\n`,
      );
    for (const make of [kiro, speckit]) expect(readingGrowth(make)).toBeLessThan(LINEAR);
  });

  it("[L4] JSON is linear too", () => {
    const json = (size: number) =>
      `{"tasks":[${fill(size, n => `${n === 0 ? "" : ","}{"id":${n + 1},"title":"a","status":"pending","dependencies":[${n === 0 ? "" : n}]}`)}]}`;
    const deep = (size: number) => `{"tasks":${"[".repeat(size)}`;
    const escaped = (size: number) => `{"tasks":[{"id":"${"\\n".repeat(size)}"}]}`;
    for (const make of [json, deep, escaped]) expect(readingGrowth(make, "tasks.json")).toBeLessThan(LINEAR);
  });

  it("[L3] as many tasks as the limit are read, one more is refused", () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `- [ ] T${n}: a\n`).join("");
    const limits = { tasks: 20_000 };
    expect(ids(read(many(20_000), "TASKS.md", { limits }))).toHaveLength(20_000);
    expect(read(many(20_001), "TASKS.md", { limits }).diagnostics[0]?.code).toBe("TOO_MANY_TASKS");
  });
});
