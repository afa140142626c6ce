import type { NamedBug } from "../bug.ts";

/** Refs, layouts and settings of repositories, and what agents are asked once more. */
export const REF_BUGS: readonly NamedBug[] = [
  {
    name: "a name of no object has the length of SHA-1",
    file: "src/adapters/vcs/git/refs.ts",
    symbol: "changeRefs",
    swap: ['"0".repeat(repository.facts.head.length)', '"0".repeat(40)'],
    by: { test: "test/vcs/long-names.test.ts", rule: "V86" },
  },
  {
    name: "a person's tag with words of its own counts as damaged",
    file: "src/adapters/vcs/git/damaged-refs.ts",
    symbol: "setDamagedRefsAside",
    swap: ['isOurs ? types.get(id) === "commit" : types.has(id)', 'types.get(id) === "commit"'],
    by: { test: "test/vcs/after-power-cut.test.ts", rule: "V87" },
  },
  {
    name: "of several refs one that cannot be read is passed over",
    file: "src/adapters/vcs/git/damaged-refs.ts",
    symbol: "unreadableAmong",
    swap: ["return [...first, ...(await", "return [...(await"],
    by: { test: "test/vcs/after-power-cut.test.ts", rule: "V87" },
  },
  {
    name: "the checkout of a bare repository counts as a worktree beside itself",
    file: "src/adapters/vcs/git/folders.ts",
    symbol: "foldersBeside",
    swap: [".filter(({ admin }) => admin !== gitDir)", ""],
    by: { test: "test/vcs/checkout-of-bare.test.ts", rule: "V81" },
  },
  {
    name: "a person's checkout in which attempts have worked counts as ours",
    file: "src/adapters/vcs/git/folders.ts",
    symbol: "isMadeHere",
    swap: ["(isOfOwnBranch && existsSync(ownIndex(admin)))", "existsSync(ownIndex(admin))"],
    by: { test: "test/vcs/checkout-of-bare.test.ts", rule: "V82" },
  },
  {
    name: "work whose line ends git would change does not land",
    file: "src/adapters/vcs/git/call.ts",
    symbol: "SETTINGS",
    swap: ['  "core.safecrlf=false",\n', ""],
    by: { test: "test/vcs/of-texts.test.ts", rule: "V83" },
  },
  {
    name: "a branch that is gone is told again and again",
    file: "src/adapters/vcs/git/gone-refs.ts",
    symbol: "goneRefs",
    swap: ["known.refs.delete(ref)", "known.refs.has(ref)"],
    by: { test: "test/vcs/gone-refs.test.ts", rule: "V84" },
  },
  {
    name: "a branch that we removed counts as a person's that is gone",
    file: "src/adapters/vcs/git/memory.ts",
    symbol: "createMemory",
    swap: ["if (to === undefined) kept?.refs.delete(ref);", ""],
    by: { test: "test/vcs/gone-refs.test.ts", rule: "V84" },
  },
  {
    name: "the record of a project that was moved together with its worktrees keeps their branches",
    file: "src/adapters/vcs/git/folders.ts",
    symbol: "recordLeftBehind",
    swap: ["isGone || isNobodys(folder.path) || ", "isGone || "],
    by: { test: "test/vcs/moved.test.ts", rule: "V85" },
  },
  {
    name: "nobody is told of a branch that went while a task was worked on",
    file: "src/engine/workspaces/strayed.ts",
    symbol: "tellStrayed",
    swap: ["await tellGone(state, task);", ""],
    by: { test: "test/cli/refs-gone.test.ts", rule: "E170" },
  },
  {
    name: "what a reviewer wrote before it was asked for its signal is lost",
    file: "src/engine/attempt/reviewer.ts",
    symbol: "reviewTurn",
    swap: ["ok(asOneAnswer(wrote, second.value))", "second"],
    by: { test: "test/engine/review.test.ts", rule: "E169" },
  },
  {
    name: "a full disk under what is printed ends the command",
    file: "src/cli/printed.ts",
    symbol: "watchPrinted",
    swap: ["if (isFile(stream)) goOnWriting(stream, fd, tell);", ""],
    by: { test: "test/cli/printed.test.ts", rule: "CL23" },
  },
];
