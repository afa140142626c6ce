import { describe, expect, it } from "vitest";
import { decode, diff, encode } from "../../src/delta/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

const FILLER = `\n## Appendix\n\n${Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of unchanged text.\n`).join("\n")}`;

/** The operations of the message that turns a document into its edited self, proved exact. */
function wording(old: string, edit: (text: string) => string): string {
  const [base, next] = [old + FILLER, edit(old) + FILLER];
  const result = encode(diff(base, next), base, next, { label: "GC", from: 1, to: 2, countTokens });
  if (!result.ok) throw new Error(result.failure.message);
  const read = decode(result.value.text, base);
  expect(read.ok && read.value.text === next).toBe(true);
  expect(result.value.form).not.toBe("full");
  return `\n${result.value.text.split("\n").slice(2).join("\n")}\n`;
}

const replace =
  (...pairs: readonly (readonly [string, string])[]) =>
  (text: string): string =>
    pairs.reduce((result, [from, to]) => {
      if (!result.includes(from)) throw new Error(`Not there: ${from}`);
      return result.replaceAll(from, () => to);
    }, text);

const STATE = `# Project state

## Position

Phase: 2 of 5 (Storage)
Plan: 1 of 3 in current phase
Status: Executing
Last activity: 2026-03-04 — Finished 02-01 (schema and migrations)

Progress: [███░░░░░░░] 33%

## Velocity

| Phase | Plans | Time | Mean |
|-------|-------|------|------|
| 1. Foundation | 3/3 | 12min | 4min |
| 2. Storage | 1/3 | 5min | 5min |

## Decisions

- [Phase 1]: One package, subpath exports
- [Phase 1]: Types are erased, never compiled away
- [Phase 2]: WAL and one writer

## Continuity

Last session: 2026-03-04
Stopped at: Finished 02-01-PLAN.md
Next: Execute 02-02-PLAN.md (backups)
`;

describe("a state file", () => {
  it("[U13] moves on by one plan", () => {
    const edit = replace(
      ["Plan: 1 of 3", "Plan: 2 of 3"],
      ["2026-03-04", "2026-03-05"],
      ["Finished 02-01 (schema and migrations)", "Finished 02-02 (backups)"],
      ["[███░░░░░░░] 33%", "[████░░░░░░] 40%"],
      ["| 2. Storage | 1/3 | 5min | 5min |", "| 2. Storage | 2/3 | 11min | 5.5min |"],
      [
        "- [Phase 2]: WAL and one writer\n",
        "- [Phase 2]: WAL and one writer\n- [Phase 2]: A backup is a copy, then a rename\n",
      ],
      ["Finished 02-01-PLAN.md", "Finished 02-02-PLAN.md"],
      ["Execute 02-02-PLAN.md (backups)", "Execute 02-03-PLAN.md (recovery)"],
    );
    expect(wording(STATE, edit)).toMatchInlineSnapshot(`
      "
      - CHANGED §Position:
       Plan: 1 → 2
       Last activity: → 2026-03-05 — Finished 02-02 (backups)
       Progress: → [████░░░░░░] 40%
      - CHANGED §Velocity: "1/3 | 5min | 5min" → "2/3 | 11min | 5.5min"
      - ADDED §Decisions: [Phase 2]: A backup is a copy, then a rename
      - CHANGED §Continuity:
       Last session: → 2026-03-05
       Stopped at: → Finished 02-02-PLAN.md
       Next: → Execute 02-03-PLAN.md (recovery)
      "
    `);
  });

  it("[U13] enters the next phase", () => {
    const edit = replace(
      ["Phase: 2 of 5 (Storage)", "Phase: 3 of 5 (Engine)"],
      ["Plan: 1 of 3 in current phase", "Plan: 0 of ? in current phase"],
      ["Status: Executing", "Status: Ready to plan"],
      [
        "| 2. Storage | 1/3 | 5min | 5min |\n",
        "| 2. Storage | 3/3 | 15min | 5min |\n| 3. Engine | 0/? | - | - |\n",
      ],
      ["Next: Execute 02-02-PLAN.md (backups)", "Next: Plan phase 3"],
    );
    expect(wording(STATE, edit)).toMatchInlineSnapshot(`
      "
      - CHANGED §Position:
       Phase: → 3 of 5 (Engine)
       Plan: → 0 of ? in current phase
       Status: Executing → Ready to plan
      - CHANGED §Velocity: 2. Storage: "1/3 | 5min" → "3/3 | 15min"
      - ADDED: | 3. Engine | 0/? | - | - |
      - CHANGED §Continuity: Next: → Plan phase 3
      "
    `);
  });

  it("[U13] is written anew below a heading", () => {
    const edit = (text: string): string =>
      text.replace(
        /## Decisions[\s\S]*## Continuity/,
        "## Decisions\n\nAll are in the archive.\n\n## Continuity",
      );
    expect(wording(STATE, edit)).toMatchInlineSnapshot(`
      "
      - REPLACED §Decisions:
      All are in the archive.
      "
    `);
  });
});

const TASKS = `# Tasks

## Phase 1

- [ ] T1.1: Read the plan
  - specialist: parser
- [ ] T1.2: Check the graph
  - specialist: parser
- [ ] T1.3: Print the report
  - specialist: printer

## Phase 2

- [ ] T2.1: Start agents
  - specialist: runner
- [ ] T2.2: Collect signals
  - specialist: runner

\`\`\`sh
# not a heading
- [ ] T2.1: not a task
\`\`\`
`;

describe("a task file", () => {
  it("[U6] boxes of a phase are ticked together", () => {
    expect(
      wording(
        TASKS,
        replace(["- [ ] T1.1", "- [x] T1.1"], ["- [ ] T1.2", "- [x] T1.2"], ["- [ ] T1.3", "- [x] T1.3"]),
      ),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §Phase 1: T1.1, T1.2, T1.3: [ ] → [x]
      "
    `);
  });

  it("[U5] a line that stands twice is found by its number", () => {
    const edit = (text: string): string =>
      text.replace(
        "T1.2: Check the graph\n  - specialist: parser",
        "T1.2: Check the graph\n  - specialist: judge",
      );
    expect(wording(TASKS, edit)).toMatchInlineSnapshot(`
      "
      - CHANGED §Phase 1: L5: parser → judge
      "
    `);
  });

  it("[U5] lines in fences are lines like others", () => {
    expect(
      wording(TASKS, replace(["- [ ] T2.1: not a task", "- [x] T2.1: not a task"])),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §Phase 2: "T2.1: not": [ ] → [x]
      "
    `);
    expect(wording(TASKS, replace(["# not a heading", "# no heading at all"]))).toMatchInlineSnapshot(`
      "
      - CHANGED §Phase 2: not a heading → no heading at all
      "
    `);
  });

  it("[U7] a task with its fields goes between others", () => {
    const edit = replace(["- [ ] T1.3", "- [ ] T1.2b: Draw the graph\n  - specialist: printer\n- [ ] T1.3"]);
    expect(wording(TASKS, edit)).toMatchInlineSnapshot(`
      "
      - ADDED §Phase 1 before T1.3:
      - [ ] T1.2b: Draw the graph
        - specialist: printer
      "
    `);
  });

  it("[U8] a task goes with its fields", () => {
    expect(
      wording(TASKS, replace(["- [ ] T2.2: Collect signals\n  - specialist: runner\n", ""])),
    ).toMatchInlineSnapshot(`
      "
      - REMOVED §Phase 2: T2.2 (2 lines)
      "
    `);
  });

  it("[U8] a phase goes whole", () => {
    const edit = (text: string): string => text.replace(/## Phase 1[\s\S]*## Phase 2/, "## Phase 2");
    expect(wording(TASKS, edit)).toMatchInlineSnapshot(`
      "
      - REMOVED §Phase 1
      "
    `);
  });
});

const KOREAN = `# 공유 컨텍스트

## 진행 상황

- **1단계:** 완료 (게이트 1 승인)
- **2단계:** 진행 중
- **3단계:** 대기

## 결정 사항

| 번호 | 결정 | 이유 |
|------|------|------|
| D-1 | 파일은 해시로 찾는다 | 중복이 해가 되지 않는다 |
| D-2 | 작업은 데이터베이스에 둔다 | 새 서비스가 필요 없다 |

## 메모

日本語の行もある。テストは通った。
`;

describe("other scripts", () => {
  it("[U6] values change behind their keys", () => {
    expect(
      wording(
        KOREAN,
        replace(["**2단계:** 진행 중", "**2단계:** 완료"], ["**3단계:** 대기", "**3단계:** 진행 중"]),
      ),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §진행 상황:
       2단계: 진행 중 → 완료
       3단계: 대기 → 진행 중
      "
    `);
  });

  it("[U6] cells change by the row's id", () => {
    expect(
      wording(KOREAN, replace(["새 서비스가 필요 없다", "주문과 같은 트랜잭션"])),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §결정 사항.D-2: 새 서비스가 필요 없다 → 주문과 같은 트랜잭션
      "
    `);
  });

  it("[U6] words change where no blank parts them", () => {
    expect(wording(KOREAN, replace(["テストは通った", "テストは失敗した"]))).toMatchInlineSnapshot(`
      "
      - CHANGED §메모: テストは通った → テストは失敗した
      "
    `);
  });
});

const HARD = `Title
=====

Risks: open → closed
--------------------

- one: a → b
- two: "quoted"
- three: x | y
- same line
- same line

## Phase 1: Start

text

## Phase 1: Start

text
last line without end`;

describe("what would read as something else", () => {
  it("[U6] arrows in values", () => {
    expect(wording(HARD, replace(["one: a → b", "one: a → c"]))).toMatchInlineSnapshot(`
      "
      - CHANGED §Risks: one: b → c
      "
    `);
  });

  it("[U6] quotes and bars in values", () => {
    expect(
      wording(HARD, replace(['two: "quoted"', 'two: "other"'], ["three: x | y", "three: x | z"])),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §Risks:
       two: quoted → other
       three: y → z
      "
    `);
  });

  it("[U4] [U5] the second of two headings, the second of two lines", () => {
    const edit = (text: string): string =>
      `${text.slice(0, text.lastIndexOf("text"))}TEXT${text.slice(text.lastIndexOf("text") + 4)}`;
    expect(wording(HARD, edit)).toMatchInlineSnapshot(`
      "
      - CHANGED §"Phase 1: Start"#2: text → TEXT
      "
    `);
    expect(
      wording(HARD, replace(["- same line\n- same line", "- same line\n- other line"])),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §Risks: L7: same line → other line
      "
    `);
  });

  it("[U3] headings underlined", () => {
    expect(
      wording(
        HARD,
        replace(["Risks: open → closed\n--------------------", "Risks: all closed\n-----------------"]),
      ),
    ).toMatchInlineSnapshot(`
      "
      - CHANGED §Risks → "Risks: all closed"
      - CHANGED -------------------- → -----------------
      "
    `);
  });
});
