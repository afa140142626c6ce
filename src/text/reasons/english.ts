import type { BlockProblem, Broken, BudgetLeft, BudgetUse, CommandEnd } from "../../ports/index.ts";
import { isoTime } from "../duration.ts";
import { shellWord } from "../shell-word.ts";
import { ENGLISH_AGENTS } from "./agents-english.ts";
import { ENGLISH_ANSWERS, mergeEnglish } from "./answers-english.ts";
import { type Catalogue, dollars, leftShown, listing, parts, whole } from "./catalogue.ts";
import { ENGLISH_GIT } from "./git-english.ts";
import { ENGLISH_MACHINES } from "./machines-english.ts";
import { ENGLISH_NEWS } from "./news-english.ts";
import { ENGLISH_REFUSALS } from "./refusals-english.ts";

const some = listing(more => ` and ${more} more`);

function used({ tokens, maxTokens, cost, maxCost }: BudgetUse): string {
  return parts(
    ", ",
    maxTokens !== undefined && `${whole(tokens ?? 0)} of ${whole(maxTokens)} tokens`,
    maxCost !== undefined && `${dollars(cost ?? 0)} of ${dollars(maxCost)}`,
  );
}

function left({ tasks, tokens, cost, option }: BudgetLeft): string {
  const money = cost > 0 ? `, ${dollars(cost)}` : "";
  const remain = `${tasks} ${tasks === 1 ? "task remains" : "tasks remain"}`;
  return `${remain}, about ${whole(tokens)} tokens more${money}; go on with ${option}`;
}

function broken({ failed, cancelled, blocked, stuck, waits }: Broken): string {
  const outside = waits?.outside === true ? ", which is outside this run (--only)" : "";
  const why = waits && ` (${waits.task} waits for ${waits.on}${outside})`;
  return parts(
    "; ",
    failed && `failed: ${some(failed)}`,
    cancelled && `cancelled: ${some(cancelled)}`,
    blocked && `blocked: ${some(blocked)}`,
    stuck && `nothing left to start, but these never became ready: ${some(stuck)}${why ?? ""}`,
  );
}

function ended({ exit, killed, said }: CommandEnd): string {
  const how =
    killed === undefined ? `exit ${exit ?? "?"}` : killed === "cancelled" ? killed : `ended by ${killed}`;
  return `${how}${said === "" ? "" : `: ${said}`}`;
}

/** The kernel's killer for want of memory leaves no other trace. */
function starved({ killed, said }: CommandEnd): string {
  return killed === "SIGKILL" && said === "" ? "; was memory short?" : "";
}

const BLOCK: Readonly<Record<BlockProblem, string>> = {
  unterminated: "it does not end",
  nested: "another one begins in it",
  empty: "it holds nothing",
  "bad-id": "it names no node",
  "bad-tag": "its tag has to be [ADD_CONTEXT:node], alone and without marks around it",
  "too-long": "it is too long",
  "too-many": "there are too many",
  "too-much": "they are too long together",
};

const NOTES = {
  shallow: "shallow clone: history before its first commit is not there",
  submodules:
    "submodules stay empty in new worktrees; worktree.setup: [git submodule update --init] fills them",
  lfs: "Git LFS: large files come from its filter, and only if it is installed for you",
  sparse: "sparse checkout: new worktrees take over its patterns",
  case: "names differ by more than their case: branches and folders are lower-case",
} as const;

const ONE_FOLDER = {
  "no-repository": "no git repository",
  "no-commits": "the git repository has no commit yet",
  outside: "the git repository does not know this folder",
  off: "git.worktrees: off",
} as const;

const KEPT = {
  held: "left alone: a git process that may hold it is alive",
  merge: 'left alone: "espalier phase merge" or "espalier resume" finishes it',
  gone: "left alone: its folder is gone; git worktree prune forgets it",
} as const;

const MENDED = {
  unheld: "removed: nobody held it",
  unworked: "removed: nobody had worked there",
  "put-back": "put back to where its branch is; anything else was saved first",
} as const;

/** Every reason in English. */
export const ENGLISH_REASONS: Catalogue = {
  ...ENGLISH_REFUSALS,
  ...ENGLISH_NEWS,
  ...ENGLISH_GIT,
  ...ENGLISH_ANSWERS,
  ...ENGLISH_AGENTS,
  said: ({ text }) => text,

  "paused-by-person": () => "paused by a person",
  "cancelled-by-person": () => "cancelled by a person",
  "text-changed": () => "its text changed after the work was done",
  "left-out": () => "the task file leaves it out",
  "asks-less": ({ fields }) =>
    `the task file asks less of it than before (${fields.join(", ")}); espalier resume asks`,
  "blocked-by": ({ task }) => `blocked by ${task}`,
  "no-signal": () => "no signal",
  "stale-context": ({ held }) => `stale: ${held}`,
  "cancelled-outside": () => "the agent was cancelled from outside",
  "run-block-unapproved": () => "its run: block is not approved yet; espalier resume asks",
  "proof-unapproved": () => "a command that proves it is not approved yet; espalier resume asks",
  "file-unapproved": ({ path }) => `unapproved agent configuration ${path}; espalier resume asks`,
  "work-unreadable": ({ path, commit }) => `its work cannot be read: ${path} of commit ${commit} is gone`,
  "state-not-believed": ({ status }) => `said ${status}, which Espalier did not write`,

  "not-asked": ({ agent, kind, said }) =>
    `${agent} does not ask: its permissions deny to ${kind === "execute" ? "run commands" : kind}, and it did: ${said}`,
  "does-not-ask": ({ agent, kind, said }) =>
    `${agent} does not ask before it ${kind === "execute" ? "runs commands" : `does this (${kind})`}, so nobody was: ${said}. What it must not do unasked, deny: it is ended for that, or put it in a jail`,
  "not-heeded": ({ agent, kind, said }) =>
    `${agent} asked to ${kind === "execute" ? "run a command" : kind}, was refused, and did it: ${said}`,
  "agent-failed": ({ said }) => said,
  "agent-crashed": end => `agent ${ended(end)}${starved(end)}`,
  "nobody-answered": ({ kind, said }) => `it asked to ${kind} ${said}, and nobody answered: espalier permit`,
  "asks-decision": ({ said }) => `asks for a decision: ${said === "" ? "no reason given" : said}`,
  "exit-code": ({ exit }) => `exit code ${exit}`,
  "done-but-exit": ({ exit }) => `DONE_BUT_EXIT_${exit}`,
  "check-failed": ({ name, ...end }) => `${name} ${ended(end)}`,
  "check-cannot-run": ({ name, ...end }) =>
    `${name} cannot run here: ${ended(end)}; install what it needs, in worktrees by worktree.setup`,
  "paths-missing": ({ paths }) => `missing ${paths}`,
  "stopped-before": ({ name }) => `stopped before ${name}`,
  "conflict-left": ({ paths }) => `both sides of a conflict are left in ${paths}`,
  "diff-expected": () => "expected a diff",
  "vcs-failed": ({ said }) => said,
  "conflict-with": ({ others, paths }) =>
    `conflict${others.length === 0 ? "" : ` with ${others.join(", ")}`} in ${paths.names.join(", ")}${paths.more > 0 ? " …" : ""}`,
  "check-of-other": ({ task, why }, tell) => `what proves ${task}: ${tell(why)}`,
  "agent-not-there": ({ agent, said, why }, tell) =>
    `agent ${agent}: ${why === undefined ? said || "not found" : tell(why)}`,
  "fails-with-landed": ({ why }, tell) => `with what landed meanwhile: ${tell(why)}`,
  "test-passes-first": () => "RED: its test passes before any work; tdd: off, or a test that fails first",
  "review-findings": ({ by }) => `the review by ${by} still has findings`,
  unreviewed: ({ by, why }, tell) => `not reviewed by ${by}: ${tell(why)}`,
  "sent-back": ({ by, note }) => `sent back by ${by}: ${note.replaceAll("\n", " ")}`,
  "no-diff": () => "its changes cannot be shown as a diff",
  "reviewer-wrote": ({ by, paths, stays }) =>
    stays
      ? `${some(paths)} changed while ${by} reviewed, by it or by you; nothing has landed, and what stood there is kept below refs/espalier/left/`
      : `${by} was to review and changed ${some(paths)}; put back`,
  "reviewer-edited": ({ by, paths }) =>
    `the work changes what reviews it (${by}): ${some(paths)}; look at it, then have the task go on`,
  ...ENGLISH_MACHINES,
  "internal-error": ({ said }) => `internal error: ${said}`,
  "package-unaffordable": ({ tokens }) => `its package of ${tokens} tokens does not fit the run's budget now`,
  "agent-unknown": ({ agent }) => `no agent named ${agent}`,
  "service-busy": ({ agent, until }) =>
    `the service of ${agent} has too much to do; it is asked again at ${isoTime(until)}`,
  "out-of-quota": ({ agent, until, next }) =>
    `${agent} is out of quota${until === undefined ? "" : ` until ${isoTime(until)}`}${next === undefined ? "" : `; ${next} takes over`}`,
  "tries-failed": ({ tries }, tell) =>
    `none of ${tries.length} at once: ${tries.map(({ agent, why }) => `${agent}: ${tell(why)}`).join("; ")}`,
  "no-document": ({ node, why }, tell) => `no document for ${node}: ${tell(why)}`,
  "document-empty": () => "the answer holds no document",
  "document-too-long": () =>
    "an answer of 64 KiB or more is no document; write it to a file: $ESPALIER_DOCUMENT, or one that the task expects",
  "paths-empty": ({ paths }) => `${paths} holds no text`,
  "process-died": () => "the orchestrator died",
  "taken-from-lead": () => "taken from its lead",
  "attempt-not-ours": () => "not written by Espalier",

  "phase-refused": ({ phase, why }, tell) => `phase ${phase}: ${tell(why)}`,
  "branch-joined": ({ branch, into, files }) =>
    `${some(files)}: the lines of ${branch} stand after those that ${into} had`,
  "branch-conflict": ({ branch, into, files }) =>
    `${branch} does not join ${into}: both changed ${some(files)}; merge it by hand, then resume`,
  "below-gate": ({ phase, completed, counted, next, ...tasks }) =>
    `phase ${phase} is below its gate (${completed}/${counted} completed; ${broken(tasks)}); repair its tasks or continue with --force-phase ${next}`,
  "tasks-broken": broken,
  "tasks-paused": ({ tasks }) => `paused, waiting for a person: ${some(tasks)}`,
  "tasks-outside": ({ tasks }) => `${tasks} more in the plan, outside --only`,
  "run-stopped": () => "stopped before all tasks had ended",
  "budget-reached": budget => `budget reached: ${used(budget.used)} used; ${left(budget.left)}`,
  "budget-left": left,
  "from-checkpoint": ({ completed, tasks, gone }) =>
    `${completed} of ${tasks} tasks completed${gone === 0 ? "" : `; ${gone} of its rows are not in the plan any more`}`,

  "budget-mark": ({ percent, ...budget }) => `${percent} % of the run's budget is used: ${used(budget.used)}`,
  "budget-overrun": ({ attempt, tokens, cost, ...budget }) => {
    const took = parts(
      ", ",
      tokens !== undefined && `${whole(tokens)} tokens`,
      cost !== undefined && dollars(cost),
    );
    return `${attempt ?? "a reviewer, or a model that shortens outputs,"} took ${took}: the run is over its budget, ${used(budget.used)}`;
  },
  "signal-missing": ({ said = "" }) =>
    `the final message does not end with the task's signal${said === "" ? "" : `, but with: ${said}`}`,
  "result-orphaned": () =>
    "its attempt ended after the task had left the task file; the result was not counted",
  "result-unwanted": () => "the task was taken from it before that",
  "not-landed": ({ why }, tell) =>
    `its work was proved, and has not landed${why === undefined ? "" : `: ${tell(why)}`}`,
  "not-proved": ({ why }, tell) =>
    `its work is kept, and has still to be proved${why === undefined ? "" : `: ${tell(why)}`}`,
  "landed-orphaned": ({ commit }) =>
    `its work had landed already when the task was taken from it: commit ${commit} stays on its branch`,
  "task-gone": () =>
    "it left the task file while its agent works; the agent may finish, its result will not count",
  "no-research": ({ most }) =>
    `what it asks was asked before, or this run has had its ${most} research tasks`,
  "gate-waits": ({ phase, names }) =>
    `the gate of phase ${phase} waits for an acknowledgement of ${some(names)}; espalier context leave NAME takes somebody off the team`,
  "gate-goes-on": ({ phase, names }) =>
    `the gate of phase ${phase} goes on without ${some(names)}, who did not acknowledge`,
  "state-unwritten": ({ said }) => `the state cannot be written (${said}); nothing new starts, trying again`,
  "state-restored": ({ event }) =>
    `the state was restored up to event ${event} from a backup and the thin state`,
  "rows-not-believed": ({ tasks, more, attempts, run, mixed, event }) =>
    parts(
      "; ",
      tasks.length > 0 &&
        `not written by Espalier, so not believed: ${some({ names: tasks.map(({ task, status }) => `${task} (said ${status})`), more })}`,
      attempts.names.length > 0 &&
        `attempts that Espalier did not write: ${some(attempts)}; they count as crashed`,
      run && "the row of the run was not written by Espalier: phases that it forces are not",
      mixed && "rows that Espalier had replaced were put back, or some were taken out",
      event !== undefined && `the history was changed by somebody else from event ${event} on`,
    ),
  "update-not-taken": ({ said, labels }) => `${said}; ${labels}`,
  "checkpoint-conflict": ({ id, section, said }) => `${id} §${section}: ${said}`,
  "document-lost": ({ task, node, why }, tell) =>
    `its document for ${node} was lost when the process died (${tell(why)}); "espalier task retry ${task}" prepares it again`,
  "outputs-in-brief": ({ percent }) =>
    `outputs take ${percent} % of their window: from now on they are handed on in brief (level 2)`,
  "blocks-off": ({ blocks }) => `${blocks} blocks are not taken in: addContext is off`,
  "blocks-cut": ({ blocks }) =>
    `${blocks} of the blocks stood in the part of the answer that is cut away: its last 64 KiB are kept`,
  "block-not-taken": ({ node, line, why }) =>
    `the block for "${node}" in line ${line} is not taken in: ${BLOCK[why]}`,
  "blocks-not-taken": ({ blocks }) => `${blocks} more blocks are not taken in`,
  "block-unknown-node": ({ node }) =>
    `there is no context node ${node}; the text stays in the attempt's message`,
  "block-out-of-scope": ({ node, own }) =>
    `${node} is not on the way from the root to ${own}; addContext.scope: any would allow it`,
  "block-unhung": ({ node, status }) => `${node} is ${status}; the text stays in the attempt's message`,
  "block-unpublished": ({ label, why }) => `${label} could not be published (${why})`,
  "tree-unreadable": ({ said }) => said,
  "model-refused": ({ said }) => `${said}; extracted instead`,
  "phase-brought-up": ({ branch, target }) => `${branch} has what was committed to ${target} since`,
  "phase-behind": ({ branch, target, paths, path }) =>
    `${branch} goes on without what was committed to ${target} since: both changed ${some(paths)}; commit to ${target} what joins and "espalier task resume ID", or, once the run has ended, merge ${target} in ${path}, commit that, and "espalier resume"`,
  "copy-kept": ({ paths, path }) =>
    `${some(paths)} in ${path} stays as it was changed there, and the main checkout has it otherwise by now; remove it there, and the next attempt gets the present one`,
  "copy-dropped": ({ paths, path }) =>
    `${some(paths)} in ${path} is not brought by worktree.copy or worktree.link any more, and stays, since it was changed there; remove it by hand if nobody needs it`,
  "phase-not-brought": ({ branch, target, why }, tell) =>
    `${branch} goes on without what was committed to ${target} since: ${tell(why)}; once that is mended, let a task of the phase go on (espalier task resume ID)`,
  "phase-occupied": ({ branch, target, task }) =>
    `${branch} takes in what was committed to ${target} once ${task}, which is at work on it, has ended`,
  "branch-rewritten": ({ branch, rescued }) =>
    `${branch} had been rewritten; what it had become is on ${rescued}`,
  "broken-before": ({ name, ...end }) =>
    `${name} was broken before: it fails without the work as well, ${ended(end)}; mend it in the main checkout, commit that, and let the task go on`,
  "phase-after-failed": ({ phase, why }, tell) =>
    `phase ${phase} has ended, and phase.after failed: ${tell(why)}; the phase stands as it is`,
  "phase-after-stopped": ({ phase }) =>
    `phase ${phase} has ended; the stop ended phase.after, which is run again when the run goes on`,
  "tests-missing": () =>
    "unverified: it asks for tests before and after the work (tdd), and no test command is set; test: names one",
  "tests-empty": ({ runner }) =>
    `unverified: its test command passed without running a test (${runner}), and nothing else proves it`,
  "tests-weaker": ({ gone, weaker, fewer }) =>
    `its tests ask for less than before: ${parts(
      "; ",
      gone.names.length > 0 && `deleted: ${some(gone)}`,
      weaker.names.length > 0 && `fewer tests or assertions, or more skipped: ${some(weaker)}`,
      fewer !== undefined && `${fewer.after} tests ran instead of ${fewer.before}`,
    )}`,
  "hot-file": ({ path, times }) =>
    `${times} conflicts in ${path}: tasks that are likely to change it are not started side by side while others can start`,
  "generated-anew": ({ path, command }) => `${path} was in conflict and was made anew by ${command}`,
  "not-generated": ({ path, command, why }, tell) =>
    `${path} is in conflict, and ${command} could not make it anew: ${tell(why)}`,
  "work-set-aside": ({ branch, why }) =>
    why === "unfinished"
      ? `unfinished work was moved to branch ${branch}`
      : `work that did not join was moved to branch ${branch}; it is run again`,
  "work-left": ({ ref }) => `what the attempt left was taken out and is kept; ${leftShown(ref)}`,
  "leftovers-stay": () =>
    "an attempt was tried again on what the one before had left: without git, or with git.worktrees off, nothing takes that away",
  "work-rescued": ({ branch, path }) =>
    `uncommitted work${path === undefined ? "" : ` that no attempt had left in ${path}`} was saved on branch ${branch}`,
  "work-not-landed": ({ branch }) => `work that has not landed stays on branch ${branch}`,
  "files-rescued": ({ path }) => `what git keeps in no commit was moved to ${path}`,
  "worktree-aside": ({ path, aside }) =>
    `a worktree whose repository is gone stood in the way of ${path}; with everything in it, it is ${aside} now`,
  "worktree-kept": ({ said }) => `a worktree stays: ${said}`,
  "boxes-not-ours": ({ tasks }) =>
    `ticked in the file, but not by Espalier, so not believed: ${some(tasks)}. "espalier task done ID" accepts one`,
  "boxes-ticked-again": ({ tasks }) =>
    `unticked in the file, but completed: ${some(tasks)}. "espalier task retry ID" does one again`,
  "file-unreadable": ({ said }) =>
    `the task file cannot be read (${said}); the run goes on with the plan it has`,
  "file-broken": ({ line, said }) =>
    `the task file has an error now (line ${line}: ${said}); the run goes on with the plan it has`,
  "not-told": ({ notifier, said }, tell) =>
    `${notifier} could not be told (${typeof said === "string" ? said : tell(said)}); that changes nothing in the run`,
  "still-telling": ({ notifiers, ms }) => `waits ${ms / 1_000} s at most for ${some(notifiers)} to be told`,
  "decision-refused": ({ what, why }, tell) => `${what} was refused: ${tell(why)}`,

  "repository-note": ({ about }) => NOTES[about],
  "leftover-mended": ({ how, branch }) => `${MENDED[how]}${branch === undefined ? "" : `: ${branch}`}`,
  "leftover-kept": ({ why }) => (typeof why === "string" ? KEPT[why] : `left alone: ${why.folder}`),
  "one-folder": ({ why }) =>
    `${ONE_FOLDER[why]}: all tasks work in this folder, so they go out one at a time; "parallel: 5" in espalier.yaml or --parallel 5 sends them out together`,
  "jail-missing": () => "bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)",
  "jail-broken": ({ said }) => `bubblewrap does not work here: ${said}`,
  "repository-bare": () => "this repository is bare: it has no files to work on",
  "clone-it": () => "clone it",
  "head-detached": () => "no branch is checked out (detached HEAD)",
  "choose-branch": () =>
    "check out a branch, name one with git: { target: … }, or let all tasks work in the main checkout: git: { worktrees: off } in espalier.yaml",
  "no-task-file": ({ folder, looked }) => `no task file in ${folder}; looked at ${looked.join(", ")}`,
  "no-task-file-at": ({ path }) => `no task file at ${path}`,
  "task-file-moved": ({ from, file }) =>
    `${file} holds the tasks of ${from} by now; to go on with the run there: espalier run ${shellWord(file)}`,
  "task-file-copied": ({ from, files }) =>
    `several files hold the tasks of ${from} by now: ${some(files)}; name the one to go on with: espalier run FILE`,
  "task-file-renamed": ({ from, file }) => `${from} is ${file} by now: its run goes on`,
  "task-file-configured": () => "tasks: in espalier.yaml names it",
  "check-path": () => "check the path",
  "name-task-file": () =>
    "espalier init asks for a first task and writes TASKS.md; a file that lies elsewhere is named: espalier run path/to/TASKS.md",
  "see-run": ({ isStopped = false }) =>
    `espalier status shows that run${isStopped ? "" : "; espalier stop ends it"}`,

  "not-a-person": who => {
    if (who.kind === "unproven")
      return "only a person decides, and nothing tells whoever asked this from an agent";
    const by =
      who.kind === "lead"
        ? "by the lead of this run"
        : who.kind === "agent"
          ? `in the shell of an agent (${who.sign} is set)`
          : who.task === undefined
            ? "by a process of the run"
            : `from within an attempt of ${who.task}`;
    return `only a person decides, and this was asked ${by}`;
  },
  "task-unknown": ({ task }) => `no task ${task} in this plan`,
  "task-outside": ({ task }) => `${task} is outside this run (--only)`,
  "task-running": ({ task }) => `${task} is running; pause or cancel it first`,
  "task-blocked": ({ task, by }) => `${task} is blocked by ${by}: retry or skip that task instead`,
  "task-stands": ({ task, status, not }) => {
    if (not === "paused") return `${task} is ${status}, not paused`;
    if (not === "skippable") return `${task} is ${status}; nothing to skip`;
    return not === "cancellable" ? `${task} is ${status}; nothing to cancel` : `${task} is already ${status}`;
  },
  "task-groups": ({ task, children }) =>
    `${task} completes with its tasks: act on ${children.join(", ") || "those"} instead`,
  "merge-outcome": mergeEnglish,
  "note-missing": ({ task }) =>
    `nothing is said of what to change: espalier task send-back ${task} "what you want"`,
  "reads-no-note": ({ task }) =>
    `${task} is a run: block, which reads no note: change the block in the task file, then espalier task retry ${task}`,
  "never-worked": ({ task }) => `nobody has worked on ${task} yet; there is nothing to send back`,
  "task-listens": ({ task }) => `${task} is being worked on: tell its agent (espalier task tell ${task} "…")`,
  "task-proved": ({ task }) => `${task} is proved already; there is nothing to approve`,
  "nothing-to-approve": ({ task, status }) =>
    `${task} is ${status}, and no proved work of it waits: there is nothing to approve`,
  "task-not-ready": ({ task, status, on }) =>
    `${task} is ${status}, not ready${on.length > 0 ? `; it waits for ${on.join(", ")}` : ""}`,
  "resource-taken": ({ task, resource }) =>
    `${task} uses ${resource}, which as many running tasks use as may; wait until one has ended`,
  "task-shares": ({ task, path }) => `${task} shares ${path} with a running task`,
  "task-alone": ({ task, running }) =>
    `${task} must run alone; ${running === undefined ? "wait until it has ended" : `${running} is still running`}`,
  "task-unaffordable": ({ task, beside }) =>
    `${task} finds no room in the budget beside ${beside}; wait until it has ended`,
  "phase-unknown": ({ phase }) => `no phase ${phase} in this plan`,
  "phase-none-left": () => "there is no further phase",
  "phase-ending": ({ phase }) => `the end of phase ${phase} is being worked off`,
  "phase-gated": ({ phase, next }) => `phase ${phase} is below its gate; force phase ${next} to go on`,
  "phase-unended": ({ phase, task, status }) => `phase ${phase} has not ended: ${task} is ${status}`,
  "phase-may-start": ({ phase, resume }) =>
    `phase ${phase} may start${resume ? '; "espalier resume" goes on' : ""}`,
  "run-stopping": () => "the run is stopping",
  "run-held": ({ asked }) => (asked ? "nothing new starts; what runs goes on" : "the run is held already"),
  "run-not-held": ({ asked }) => (asked ? "the run goes on" : "the run is not held"),
  "nothing-started": ({ why }, tell) => `${tell(why)}. Nothing was started`,
  "nothing-changed": ({ why }, tell) => `${tell(why)}; nothing changed`,
};
