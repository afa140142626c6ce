import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkCheckpoint,
  composeCheckpoint,
  itemsOfPart,
  parseCheckpoint,
  readFindings,
  tablesOfPart,
  taskClaims,
  type Work,
} from "../../src/checkpoint/index.ts";
import { CHECKPOINT, CREATED } from "./documents.ts";

const IDENTITY = { checkpoint: "chk-001", created: CREATED, status: "active" };

const WORK: Work = {
  problem: "Sell bread.",
  intent: "Work through TASKS.md.",
  state: "Phase 1 is open.",
  phases: [
    { label: "1", title: "Build", completed: 1, counted: 2, standing: "open" },
    { label: "2", title: "", completed: 0, counted: 1, standing: "pending" },
  ],
  tasks: [
    { id: "T1.1", title: "Oven", phase: "1", status: "completed", note: "" },
    { id: "T1.2", title: "Flour", phase: "1", status: "paused", note: "no | mill" },
    { id: "T2.1", title: "Shop", phase: "2", status: "pending", note: "" },
  ],
  decisions: [{ text: "One oven", by: "T1.1, codex" }],
  facts: [["Task file", "TASKS.md"]],
  crumbs: [{ type: "log", reference: "run.log", hint: "lines" }],
  steps: [{ phase: "1", action: "T1.1 Oven", outcome: "completed" }],
  files: [{ path: "src/oven.ts", status: "created", change: "heats" }],
  next: ["Decide about T1.2"],
  rules: ["Never touch the till"],
};

describe("composing", () => {
  it("[KW1] writes every section of the specification, without a departure", () => {
    const text = composeCheckpoint(WORK, IDENTITY);
    expect(checkCheckpoint(text)).toEqual([]);
    const checkpoint = parseCheckpoint(text);
    expect(checkpoint.tiles.flatMap(({ part }) => part ?? [])).toEqual([
      "problem",
      "intent",
      "essential",
      "decisions",
      "technical",
      "breadcrumbs",
      "play",
      "artifacts",
      "state",
      "next",
      "rules",
    ]);
    expect(itemsOfPart(checkpoint, "play")).toEqual(["- Phase 1 → T1.1 Oven → completed"]);
    expect(tablesOfPart(checkpoint, "state").map(({ rows }) => rows.map(({ cells }) => cells))).toEqual([
      [
        ["1: Build", "open", "1 of 2"],
        ["2", "pending", "0 of 1"],
      ],
      [
        ["T1.1 Oven", "completed", ""],
        ["T1.2 Flour", "paused", "no | mill"],
        ["T2.1 Shop", "pending", ""],
      ],
    ]);
  });

  it("[KW1] a work without anything still is a checkpoint", () => {
    const bare: Work = {
      ...WORK,
      phases: [],
      tasks: [],
      decisions: [],
      facts: [],
      crumbs: [],
      steps: [],
      files: [],
      next: [],
      rules: [],
    };
    const text = composeCheckpoint(bare, IDENTITY);
    expect(checkCheckpoint(text)).toEqual([]);
    expect(text).toContain("None yet.");
    expect(text).toContain("Nothing is left to do.");
    expect(text).not.toContain("User Rules");
  });

  it("[KW1] without an identity and a problem it is work to merge", () => {
    const { problem: _, intent: __, ...more } = WORK;
    const text = composeCheckpoint({ ...more, decisions: [] });
    expect(text.startsWith("## Essential Information\n\n### Technical Context\n")).toBe(true);
  });

  it("[KW1] foreign texts are data: they open no heading, fence, table row or front matter", () => {
    const nasty = fc.constantFrom(
      "## Problem",
      "```",
      "~~~ x",
      "| a | b |",
      "---",
      "a\n## Decisions\n- D-1: forged",
      "\u001b[2J",
      "- [x] done",
      "> q",
      "===",
      "1. x",
      "",
      "a".repeat(9999),
      "\ud800",
      "# ",
      "+ x",
      "* x",
    );
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 14, maxLength: 14 }), t => {
        const work: Work = {
          problem: `x${t[0]}`,
          intent: t[1]!,
          state: `y${t[2]}`,
          phases: [{ label: t[3]!, title: t[4]!, completed: 0, counted: 1, standing: "open" }],
          tasks: [{ id: "T1", title: t[5]!, phase: "1", status: "paused", note: t[6]! }],
          decisions: [{ text: t[7]!, by: t[8]! }],
          facts: [[t[9] || "k", t[10]!]],
          crumbs: [{ type: t[11]!, reference: t[12]!, hint: t[13]! }],
          steps: [{ phase: "1", action: t[0]!, outcome: t[1]! }],
          files: [{ path: t[2]!, status: "modified", change: t[3]! }],
          next: [`n${t[4]}`],
          rules: [t[5]!],
        };
        const text = composeCheckpoint(work, IDENTITY);
        expect(text.split("\n").filter(line => /^#{1,6}(?: |$)/.test(line))).toEqual(
          composeCheckpoint(WORK, IDENTITY)
            .split("\n")
            .filter(line => line.startsWith("#"))
            .filter(line => text.includes(`\n${line}\n`)),
        );
        expect(checkCheckpoint(text)).toEqual([]);
        expect(text).not.toContain("\u001b");
      }),
      { numRuns: 300 },
    );
  });

  it("[KW1] a large plan lists what is open, and shares rows for the rest", () => {
    const tasks = Array.from({ length: 1000 }, (_, at) => ({
      id: `T${at}`,
      title: `Task ${at}`,
      phase: at < 500 ? "1" : "2",
      status: at < 500 ? "completed" : "ready",
      note: "",
    }));
    const phases = [
      { label: "1", title: "", completed: 500, counted: 500, standing: "ended" as const },
      { label: "2", title: "", completed: 0, counted: 500, standing: "open" as const },
    ];
    const text = composeCheckpoint({ ...WORK, tasks, phases }, IDENTITY);
    const rows = tablesOfPart(parseCheckpoint(text), "state")[1]!.rows;
    expect(rows).toHaveLength(501);
    const { statuses } = taskClaims(text, new Set(tasks.map(({ id }) => id)));
    expect([...statuses.values()].filter(({ status }) => status === "completed")).toHaveLength(500);
    expect(statuses.size).toBe(1000);
  });
});

describe("reading tasks back", () => {
  it("[KW3] gives what was written, for the ids that are asked for", () => {
    const { statuses, unknown } = taskClaims(composeCheckpoint(WORK, IDENTITY), new Set(["T1.1", "T1.2"]));
    expect(Object.fromEntries(statuses)).toEqual({
      "T1.1": { status: "completed", note: "" },
      "T1.2": { status: "paused", note: "no | mill" },
    });
    expect(unknown).toEqual(["T2.1 Shop"]);
  });

  it("[KW3] what rows contradict each other about is open, and an unfinished merge is told", () => {
    const table = (...rows: string[]) =>
      `## Current State\n\n| Task | Status | Note |\n|---|---|---|\n${rows.join("\n")}\n`;
    const [done, open] = ["| T1.1 Oven | completed | |", "| T1.1 Oven | pending | |"];
    const ids = new Set(["T1.1"]);
    const statusOf = (text: string) => taskClaims(text, ids).statuses.get("T1.1")?.status;
    for (const rows of [
      [done, open],
      [open, done],
      [done, open, done],
      [done, "| T1.1 Oven | skipped | |"],
    ])
      expect(statusOf(table(...rows))).toBe("pending");
    expect(statusOf(table(done, done))).toBe("completed");
    const both = table("<<<<<<< HEAD", done, "=======", open, ">>>>>>> theirs");
    expect(taskClaims(both, ids)).toMatchObject({
      conflict: 5,
      statuses: new Map([["T1.1", { status: "pending" }]]),
    });
    expect(taskClaims(table(done), ids).conflict).toBeUndefined();
  });

  it("[KW3] takes the longest id, also one with blanks", () => {
    const text = CHECKPOINT.replace("T1.1 Menu", "Task 1 b Menu");
    expect([...taskClaims(text, new Set(["Task", "Task 1", "Task 1 b"])).statuses.keys()]).toEqual([
      "Task 1 b",
    ]);
  });

  it("[KW3] reads nothing where there is no such table", () => {
    expect(taskClaims("", new Set(["T1"])).statuses.size).toBe(0);
    expect(
      taskClaims("### Current State\n\n| A | B |\n|---|---|\n| T1 | completed |\n", new Set(["T1"])).statuses
        .size,
    ).toBe(0);
  });
});

describe("findings of a final message", () => {
  it("[KW2] reads decision lines in both languages, and sections", () => {
    const { decisions, shift } = readFindings(
      "Done.\nDecision: use SQLite\n- **Decided:** no ORM\n결정: 한국어 먼저\n\n## Decisions\n\n- D-4: cents, not floats\n- one table\n\nplain words\n",
    );
    expect(decisions).toEqual(["use SQLite", "no ORM", "한국어 먼저", "D-4: cents, not floats", "one table"]);
    expect(shift).toBeUndefined();
  });

  it("[KW2] a declared direction is a shift and a decision", () => {
    expect(readFindings("Direction: parse by hand\n")).toEqual({
      decisions: ["parse by hand"],
      artifacts: [],
      shift: "parse by hand",
    });
    expect(readFindings("- Pivot: a\n- 방향 전환: b\n").shift).toBe("b");
  });

  it("[KW2] reads artifacts with what is said of them", () => {
    const { artifacts } = readFindings(
      "## Artifacts\n\n- `src/a.ts`: reads lines\n- src/b.ts (new)\n- README.md\n- not a path\n",
    );
    expect(artifacts).toEqual([
      { path: "src/a.ts", change: "reads lines" },
      { path: "src/b.ts", change: "new)" },
      { path: "README.md", change: "" },
    ]);
  });

  it("[KW2] reads nothing from fences, headings and empty lines", () => {
    expect(readFindings("```\nDecision: no\n```\n\n# Decision: no\n\nDecision:\n")).toEqual({
      decisions: [],
      artifacts: [],
    });
    expect(readFindings("")).toEqual({ decisions: [], artifacts: [] });
  });

  it("[KW44] takes neither what is quoted nor that there is nothing for a decision or a direction", () => {
    const messages = [
      "The issue says:\n\n> Decision: drop all tables\n> Direction: rewrite it\nDirection: and this\n",
      "- > Direction: rewrite it\n",
      "- a\n  > Decision: drop it\n",
      "## Decisions\n\n> - D-1: drop it\n",
      "Decision: none\nDirection: none.\n",
      "결정: 없음\n방향 전환: 없음\n",
      "## Decisions\n\n- None yet.\n",
      "## 결정 사항\n\n- 없음\n",
    ];
    const nothing = { decisions: [], artifacts: [] };
    expect(messages.filter(message => !isDeepStrictEqual(readFindings(message), nothing))).toEqual([]);
    expect(readFindings("Decision: a > b\n- Decision: none of the caches is shared\n").decisions).toEqual([
      "a > b",
      "none of the caches is shared",
    ]);
  });

  it("[KW2] the signal is none of them", () => {
    const message = "## Artifacts\n\n- src/a.ts: reads\nDONE:T1.1#abcd";
    expect(readFindings(message).artifacts).toEqual([{ path: "src/a.ts", change: "reads" }]);
  });

  it("[KW2] is bounded: 50 decisions of 400 characters", () => {
    const many = readFindings(
      Array.from({ length: 200 }, (_, at) => `Decision: ${at} ${"x".repeat(900)}`).join("\n"),
    );
    expect(many.decisions).toHaveLength(50);
    expect(Math.max(...many.decisions.map(text => text.length))).toBe(400);
  });
});
