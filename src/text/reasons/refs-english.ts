import type { RefReasonArgs } from "../../ports/index.ts";
import { shellWord } from "../shell-word.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";

const some = listing(more => ` and ${more} more`);

/** What others do in the repository, in English. */
export const ENGLISH_REFS: CatalogueOf<RefReasonArgs> = {
  "target-moved": ({ branch, from, to, task }) => {
    const now = to === undefined ? "is gone" : `was moved from ${from} to ${to}`;
    const look =
      to === undefined
        ? `git branch ${branch} ${from} puts it back`
        : `git log ${from}..${to} shows what came`;
    const during = task === undefined ? "" : ` while ${task} was worked on`;
    return `${branch} ${now}${during}, and not by this run; nothing of it counts as landed; ${look}`;
  },
  "landed-lost": ({ branch, tasks, kept }) => {
    if (tasks.names.length === 0) return `${branch} was rewritten; what it held before is kept on ${kept}`;
    if (kept === undefined)
      return `${branch} was rewritten and had lost what ${some(tasks)} landed; a merge has brought that back`;
    return `${branch} was rewritten and does not hold what ${some(tasks)} landed any more; git merge ${kept}, in the main checkout, brings it back`;
  },
  "landed-gone": ({ branch, tasks, kept }) =>
    `${branch} does not hold what ${some(tasks)} landed any more: with ${branch} checked out ${kept.map(one => `git merge ${one}`).join("; ")} brings it back, espalier task retry ${tasks.names.join(" ")} has it done anew; where it was meant, delete what keeps it: git branch -D ${kept.join(" ")}`,
  "target-put-back": ({ branch, at }) => `${branch} was deleted; it stands at ${at} again, as before`,
  "work-ignored": ({ task, paths, first }) =>
    `${task} made files that git ignores: no commit holds them, whatever they proved there: ${some(paths)}; git check-ignore -v --no-index ${shellWord(first)} names the rule`,
  "changed-elsewhere": ({ task, paths, top }) =>
    `${task} has changed nothing in its own folder, and meanwhile files changed in the main checkout: ${some(paths)}. It may have been its agent, by an absolute path, or a person; nothing lands them. See git -C ${shellWord(top)} status`,
  "entry-replaced": ({ entry }) =>
    `the .git of its worktree had been replaced, as by git init, and was put back; what stood there is kept in ${entry}`,
  "checkout-busy": ({ pid, cwd }) =>
    `a task of another project works in this checkout (process ${pid}, started in ${cwd}); this one begins when that has ended`,
  "refs-gone": ({ refs, back, task }) => {
    const during = task === undefined ? "" : ` while ${task} was worked on`;
    return `gone${during}, and not by Espalier: ${some(refs)}; to have them back: ${back.join(" && ")}`;
  },
};
