import type { NamedBug } from "../bug.ts";

/** Tokens, budgets, summaries and packages. */
export const BUDGET_BUGS: readonly NamedBug[] = [
  {
    name: "each repeated report of an attempt teaches the estimate again",
    file: "src/budget/spend/tracker.ts",
    symbol: "track",
    swap: ["&& before?.reported !== true", ""],
    by: { test: "test/budget/spend.test.ts" },
  },
  {
    name: "a single report moves an estimate as far as it likes",
    file: "src/tokens/calibration.ts",
    symbol: "calibrate",
    swap: ["clamp((seen - known.factor) * WEIGHT, -STEP, STEP)", "seen - known.factor"],
    by: { test: "test/tokens/family.test.ts" },
  },
  {
    name: "a token is lost in rounding shares",
    file: "src/budget/allocate.ts",
    symbol: "roundTo",
    swap: ["let missing = total - sum(whole);", "let missing = total - sum(whole) - 1;"],
    by: { test: "test/budget/allocate.test.ts" },
  },
  {
    name: "a table's rows stand under the head of the table before",
    file: "src/summary/extract/pieces.ts",
    symbol: "Cutter",
    swap: [
      'if (item.kind !== "table-row") this.table = -1;',
      'if (item.kind === "heading") this.table = -1;',
    ],
    by: { test: "test/summary/extraction.test.ts" },
  },
  {
    name: "a heading that only names its section is a reason to tell it",
    file: "src/summary/extract/choose.ts",
    symbol: "choose",
    swap: ['if (kind === "heading" && opens[at]! && !isTitle(pieces[at]!)) return 0;', ""],
    by: { test: "test/summary/choice.test.ts", rule: "X16" },
  },
  {
    name: "two lines that end alike count for less already",
    file: "src/summary/extract/traits.ts",
    symbol: "endingsOf",
    swap: ["counts.get(end)! / 2", "counts.get(end)!"],
    by: { test: "test/summary/choice.test.ts", rule: "X17" },
  },
  {
    name: "an id that a statement of a decision only begins with counts as decided",
    file: "src/summary/artifacts.ts",
    symbol: "decidedIn",
    swap: ["isUnder || LABELS.test(rest) ? idsAt(rest) : []", "idsAt(rest)"],
    by: { test: "test/summary/artifacts.test.ts", rule: "F6" },
  },
  {
    name: "what stands below a key of how a text was made counts in full",
    file: "src/summary/extract/traits.ts",
    symbol: "ofKeys",
    swap: ["key >= 0 && !isMaking", "key === at && !isMaking"],
    by: { test: "test/summary/choice.test.ts", rule: "X18" },
  },
  {
    name: "a declared dependency is dropped where there is no room",
    file: "src/assembly/results.ts",
    symbol: "wantedOf",
    swap: ["...(result.handover === undefined ? { floor: 0 } : {}),", ""],
    by: { test: "test/assembly/levels.test.ts", rule: "B18" },
  },
  {
    name: "what earlier tasks handed over is told in the order of the file, the farthest first",
    file: "src/plan/graph/before.ts",
    symbol: "tasksBefore",
    swap: ["found.sort((a, b) => b - a);", "found.sort((a, b) => a - b);"],
    by: { test: "test/plan/before.test.ts", rule: "L88" },
  },
  {
    name: "what earlier tasks handed over has no limit",
    file: "src/context/library/earlier-results.ts",
    symbol: "earlierResults",
    swap: ["if (room < 0) break;", ""],
    by: { test: "test/context/library/earlier-results.test.ts", rule: "G43" },
  },
  {
    name: "a package leaves no room for the heading of its task",
    file: "src/assembly/assemble.ts",
    symbol: "assemble",
    swap: ["- sum([...role, task]) - sum([headings.task]);", "- sum([...role, task]);"],
    by: { proof: "packages", count: 1000 },
  },
];
