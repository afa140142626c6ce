/** A mutant that no test can notice, with the reason. Code and replacement as Stryker names them, on one line. */
export interface Equivalent {
  readonly file: string;
  readonly code: string;
  /** Any replacement when it is left out. */
  readonly to?: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: "src/budget/select/knapsack.ts",
    code: "greedy.value < greedy.bound",
    why: "where nothing can beat the choice, searching on finds nothing and returns it",
  },
  {
    file: "src/budget/select/exact.ts",
    code: "tokens.length - 1",
    to: "tokens.length + 1",
    why: "no step costs undefined, so the search comes back to the last one",
  },
  {
    file: "src/budget/select/exact.ts",
    code: "tokens[middle]! <= room",
    to: "tokens[middle]! < room",
    why: "the end of one step is the beginning of the next: in that room both say the same",
  },
  {
    file: "src/budget/select/exact.ts",
    code: "[]",
    to: '["Stryker was here"]',
    why: "what has no worth is on no frontier",
  },
  {
    file: "src/adapters/lock/holder.ts",
    code: "!read.ok",
    to: "false",
    why: "what was not read has no bytes to decode, and the failure of that is answered the same",
  },
  {
    file: "src/adapters/lock/holder.ts",
    code: "{ return undefined; }",
    to: "{}",
    why: "the end of the function returns the same",
  },
  {
    file: "src/adapters/lock/lock.ts",
    code: "true",
    to: "false",
    why: "device and inode are told apart as numbers as well as they are in full",
  },
  {
    file: "src/delta/patience.ts",
    code: "gap.a === gap.aEnd || gap.b === gap.bEnd",
    to: "false",
    why: "where one side is empty there is no landmark and nothing to match: it only spares the search",
  },
  {
    file: "src/delta/patience.ts",
    code: "pairs[tails[middle]!]![1] < value",
    to: "pairs[tails[middle]!]![1] <= value",
    why: "each place stands in one pair, so no two are equal",
  },
  {
    file: "src/delta/message/base.ts",
    code: "made.set(section, index);",
    why: "an index that is made again is the same",
  },
  {
    file: "src/delta/message/encode.ts",
    code: "!read.ok || read.value.text !== next",
    to: "false",
    why: "a guard against mistakes of the writer: as long as it makes none, it finds nothing",
  },
  {
    file: "src/delta/message/full.ts",
    code: "!read.ok || read.value.text !== text",
    to: "false",
    why: "a guard against mistakes of the writer: as long as it makes none, it finds nothing",
  },
  {
    file: "src/delta/message/read-head.ts",
    code: "at >= 0",
    to: "at > 0",
    why: "a reference and a key have something before them: nothing behind them begins at 0",
  },
  {
    file: "src/delta/message/read-head.ts",
    code: "at < end",
    to: "at <= end",
    why: "no place begins where a colon stands",
  },
  {
    file: "src/delta/message/plan.ts",
    code: "options.length === 1",
    to: "false",
    why: "the only choice is taken whatever it costs: it only spares the count",
  },
  {
    file: "src/run/queues.ts",
    code: "parentKey <= key",
    to: "parentKey < key",
    why: "tasks that are due at the same time come in any order, and no two have one place in the plan",
  },
  {
    file: "src/run/paths.ts",
    code: "known.has(raw)",
    to: "false",
    why: "a path that is read again says the same; names are kept once",
  },
  {
    file: "src/sync/step.ts",
    code: "default: input satisfies never;",
    to: "default:",
    why: "all cases stand above: the compiler proves that nothing comes here",
  },
  {
    file: "src/sync/heard.ts",
    code: "default: return word satisfies never;",
    to: "default:",
    why: "all cases stand above: the compiler proves that nothing comes here",
  },
  {
    file: "src/sync/log-english.ts",
    code: "default: return event satisfies never;",
    to: "default:",
    why: "all cases stand above: the compiler proves that nothing comes here",
  },
  {
    file: "src/sync/log-korean.ts",
    code: "default: return event satisfies never;",
    to: "default:",
    why: "all cases stand above: the compiler proves that nothing comes here",
  },
  {
    file: "src/sync/log-korean.ts",
    code: "default: return reason satisfies never;",
    to: "default:",
    why: "all cases stand above: the compiler proves that nothing comes here",
  },
  {
    file: "src/sync/read-ack.ts",
    code: "newline < 0",
    to: "newline <= 0",
    why: "a block begins with its tag, so no line of it ends at 0",
  },
  {
    file: "src/sync/read-ack.ts",
    code: "at < text.length",
    to: "at <= text.length",
    why: "behind the end stands no blank, quote or field",
  },
  {
    file: "src/sync/read-ack.ts",
    code: "at < list.length",
    to: "at <= list.length",
    why: "behind the end stands nothing, and an empty reference is none",
  },
  {
    file: "src/sync/read-ack.ts",
    code: "end < list.length",
    to: "end <= list.length",
    why: "a slice ends with its text",
  },
  {
    file: "src/sync/request.ts",
    code: "newline < 0",
    to: "newline <= 0",
    why: "where the first line is empty, the whole text is none either: it begins with a line's end",
  },
  {
    file: "src/sync/request.ts",
    code: "open < 0",
    to: "open <= 0",
    why: "a line begins with its tag, so no reason begins at 0",
  },
  {
    file: "src/sync/request.ts",
    code: "{ return undefined; }",
    to: "{}",
    why: "the end of the function returns the same",
  },
];
