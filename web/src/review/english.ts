import type { ReviewWords } from "./words.ts";

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

/** The review in English. */
export const ENGLISH_REVIEW: ReviewWords = {
  choose: "Review",
  chooseHint: "Choose a phase, or a task, to see what it changed, what proved it, and to decide.",
  phases: "Phases",
  tasks: "Tasks with work",
  files: files => count(files, "file", "files"),
  filter: "Filter files",
  unified: "One column",
  split: "Side by side",
  layout: "How changes are shown",
  state: {
    landed: "landed",
    proved: "proved, not landed yet",
    standing: "stands in its worktree, not landed",
    nothing: "There is no work to show: nothing has landed, and nothing stands in a worktree.",
    apart: "The commits of this phase do not lie in one line of history: look at its tasks one by one.",
  },
  commits: commits => count(commits, "commit", "commits"),
  others: commits => `${count(commits, "other commit", "other commits")} between them is shown too`,
  status: {
    added: "added",
    deleted: "deleted",
    modified: "changed",
    renamed: "moved",
    retyped: "of another type",
  },
  movedFrom: path => `moved from ${path}`,
  modes: (before, after) => `mode ${before} → ${after}`,
  crlf: "lines end in CR LF",
  binary: "A binary file: its bytes are not shown.",
  submodule: "A submodule: the commit it stands on.",
  unchanged: "Its text is the same.",
  folded: lines => `${count(lines, "changed line", "changed lines")}, folded`,
  show: "Show",
  moreLines: lines =>
    `${count(lines, "more changed line is", "more changed lines are")} not shown: espalier diff shows all`,
  moreFiles: files => `${count(files, "more file is", "more files are")} not listed: espalier diff shows all`,
  noNewline: "no line break at the end of the file",
  diff: "Changes",
  before: "before",
  after: "after",
  again: "Read again",
  back: "All work",
  newest: "newest",
  provedBy: "What proves it",
  provedByNothing: "Nothing: it counts on its agent's word.",
  review: "Review",
  overview: "Nothing has landed yet. What tasks change is shown here as soon as they have worked.",
};
