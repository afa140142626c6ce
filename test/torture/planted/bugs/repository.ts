import type { NamedBug } from "../bug.ts";

/** What happens in a git repository. */
export const REPOSITORY_BUGS: readonly NamedBug[] = [
  {
    name: "what landed already is not looked for",
    file: "src/adapters/vcs/git/land.ts",
    symbol: "landWork",
    swap: ["if (before.value !== undefined)", "if (before.value === request.by.attempt)"],
    by: { proof: "git", count: 60 },
  },
  {
    name: "work that landed before its process died is done again",
    file: "src/cli/session/landed.ts",
    symbol: "landedAttempts",
    swap: ["found.push(...read(await vcs.attemptsIn(branch)))", "read(await vcs.attemptsIn(branch))"],
    by: { test: "test/cli/repository-death.test.ts" },
  },
  {
    name: "the branch of a phase stays when it is merged",
    file: "src/engine/grounds/phase-end.ts",
    symbol: "clearPhase",
    swap: ['rules.branches === "delete"', 'rules.branches === "keep"'],
    by: { proof: "repository", count: 3 },
  },
  {
    name: "branches move before what they name is on the disk",
    file: "src/adapters/vcs/git/refs.ts",
    symbol: "changeRefs",
    swap: ["await repository.objects.sync()", "ok(undefined)"],
    by: { proof: "power", count: 10 },
  },
  {
    name: "a filter that stays running needs no approval",
    file: "src/adapters/vcs/git/settings.ts",
    symbol: "isDriver",
    swap: ["FILTER.has(last)", 'last !== "process" && FILTER.has(last)'],
    by: { proof: "git-config", count: 60 },
  },
  {
    name: "a file that has another name elsewhere is written to",
    file: "src/adapters/file/owned.ts",
    symbol: "requireOwn",
    swap: ["facts.links === 1", "facts.links >= 1"],
    by: { proof: "stranger", count: 80 },
  },
  {
    name: "what stands in a folder is thrown away with it",
    file: "src/adapters/vcs/git/retire.ts",
    symbol: "looseIn",
    swap: ["found.value.some(line =>", "found.value.every(line => line.length > 0 &&"],
    by: { proof: "rescue", count: 20 },
  },
  {
    name: "a branch goes although its work is nowhere else",
    file: "src/adapters/vcs/git/retire.ts",
    symbol: "isHeld",
    swap: ["return ok(false);", "return ok(true);"],
    by: { test: "test/vcs/conformance.test.ts" },
    suite: "vcs",
  },
];
