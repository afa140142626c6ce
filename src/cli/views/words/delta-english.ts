import type { DeltaWords } from "./delta-words.ts";

/** What the delta commands say, in English. */
export const ENGLISH_DELTA: DeltaWords = {
  exact: (from, to, hash) => `exact: ${from} → ${to} ${hash}`,
  places: count => `${count} ${count === 1 ? "place" : "places"}`,
  lines: (added, removed) => `${added} ${added === 1 ? "line" : "lines"} in, ${removed} out`,
  changedLines: (added, removed) => `+${added} −${removed} lines`,
  tokensFor: (message, document) => `${message} tokens for ${document}`,
  instead: (message, document) => `${message} tokens instead of ${document}`,
  unproven: name =>
    `${name} names no hash of its result: every operation was found, but nothing proves the outcome`,
  appliesExactly: "applies exactly",
  appliesUnproven: "applies, unproven",
  line: number => `line ${number}`,
  category: { structural: "structural", value: "value", artifact: "artifact", progress: "progress" },

  doesNotApply: (name, why) => `${name} does not apply, nothing was changed: ${why}`,
  why: ({ message }) => message,
  expectedFound: (expected, found) => `expected ${expected}, found ${found}`,
  theMessage: versions => `the message: ${versions}`,
  advice: {
    base: "give the version of the document that the message names",
    result: "get the message again, or the whole document",
    prose: "this older form only describes changes; ask for the whole document",
    "needs-section": "ask for the section's text, or the whole document",
    "not-an-update": "a message begins with [CONTEXT-UPDATE] LABEL-v1→2",
  },
  notExact: (name, led, wanted, is) => `${name} leads to ${led}, ${wanted} is ${is}`,
  notMade: ({ message }) => message,
  chain: (name, expected, found) => ({
    message: `${name} does not follow the one before it: expected ${expected}, found ${found}`,
    hint: "give the messages in the order in which they were made",
  }),
  notUtf8: (name, offset) => ({
    message: `${name}: not valid UTF-8`,
    hint: `expected UTF-8 text; the first byte that is none stands at offset ${offset}`,
  }),
  twice: "standard input (-) can be read only once",
  standardInput: "standard input",

  columns: { step: "step", form: "form", sent: "sent", full: "full", saved: "saved" },
  sameVersions: path => `${path}: its versions do not differ`,
  stepsExact: (exact, steps) => `${exact} of ${steps} ${steps === 1 ? "step" : "steps"} exact`,
  share: (mean, median) => [`; sent ${mean} % of the document on average`, ` (median ${median} %)`],
  sum: (sent, full, saved) =>
    `${sent} tokens instead of ${full}${saved === undefined ? "" : `: saves ${saved} %`}`,
  plainDiff: (tokens, among, factor) =>
    `git diff -U0, which names no base and proves nothing: ${tokens} tokens${among === undefined ? "" : ` over ${among} of the steps`}${factor === undefined ? "" : `, ours is ${factor} ×`}`,
  noPlainDiff: "git diff -U0: not compared, git was not found",
  forms: list => `forms: ${list}`,
  progress: (seen, count) => `${seen} of ${count} versions`,
  leftOutLarge: (commit, size, most) => `left out ${commit}: it has ${size} bytes, at most ${most} are read`,
  leftOut: (commit, why) => `left out ${commit}: ${why}`,
  ofFolder: path => ({
    message: `${path} is a folder; --git walks the history of one file`,
    hint: "name a file; for a folder of 0001.md, 0002.md, … leave --git out",
  }),
  emptyFolder: path => ({
    message: `${path} holds no numbered files: expected 0001.md, 0002.md, …`,
    hint: "for the git history of a file name the file",
  }),
  noFolder: "the folder does not exist",
  noGit: "git was not found",
  noVersions: "git knows no version of it",
  noContent: (blob, commit) => `git has not the content of ${blob} (commit ${commit})`,
  historyHint: "give a file that is under git, or a folder of 0001.md, 0002.md, …",
};
