import type { KnownCopy, Stranger, UnderWay } from "../../ports/index.ts";
import { ENGLISH_CALLS } from "./calls-english.ts";
import { listing, type RefusalCatalogue } from "./catalogue.ts";
import { ENGLISH_HUB } from "./hub-english.ts";

const some = listing(more => ` and ${more} more`);

const BEGUN: Readonly<Record<UnderWay, string>> = {
  merge: "a merge",
  rebase: "a rebase",
  "cherry-pick": "a cherry-pick",
  revert: "a revert",
  bisect: "a bisect",
};

const ALTERNATIVE = {
  move: "move it away",
  rename: "rename the folder",
  "unset-worktree": "git config --unset core.worktree",
  init: "git init makes one",
  commit: "make a first one",
  end: "finish or abort it",
  "put-away": "commit them, or put them away",
  restore: "put its .git back (the folders of its phases still have their files)",
} as const;

/** A run that a hub has, with whose it is where that is known. */
function copyWords({ run, host, file = "", at = 0 }: KnownCopy): string {
  if (host === undefined) return run;
  return `${run} (${file}, of ${host}, as it stood at ${new Date(at).toISOString().slice(0, 19)}Z)`;
}

/** What stands where a file or folder of ours should. */
function stranger(found: Stranger, count: number): string {
  const words: Readonly<Record<Stranger, string>> = {
    link: "a symbolic link",
    "no-file": "no plain file",
    "no-folder": "no folder",
    "another-folder": "not the folder it was",
    "another-users": "another user's",
    "linked-elsewhere": `one of ${count} hard links to a file, not all of them here`,
    "filled-lock": `no lock of Espalier's: it holds ${count} bytes, and a lock none`,
    "beside-lock": "no file of Espalier's: a lock has none beside it",
    "foreign-journal": "a journal that names another file",
  };
  return words[found];
}

/** Why a command does nothing, and what to do about it, in English. */
export const ENGLISH_REFUSALS: RefusalCatalogue = {
  ...ENGLISH_CALLS,
  ...ENGLISH_HUB,
  "project-held": ({ by }) => {
    if (by === undefined) return "held by another process, which has not said yet who it is";
    const { pid, host, cwd, since = "an unknown time", isStopped } = by;
    const sentence = `held by process ${pid} on ${host}, in ${cwd}, since ${since}`;
    if (!isStopped) return sentence;
    return `${sentence}; it is stopped: "kill -CONT ${pid}" lets it go on, "kill -KILL ${pid}" ends it`;
  },
  "taken-over": ({ name, host }) =>
    `${host === "" ? "another process" : `${name} on ${host}`} has taken this run over; this process stopped and changed nothing more`,
  "conducted-elsewhere": () =>
    "another machine has conducted this run since this folder did, so what it did is not known here; nothing was started",
  "copy-old": () =>
    "the other machine has gone on with the run since its copy was brought here, so what it did is not known here; nothing was started",
  "no-copy": ({ url, run }) =>
    run === undefined
      ? `${url} has no run of this repository`
      : `${url} has no run ${run} of this repository`,
  "take-over-needs-hub": () =>
    "--take-over takes a run from a hub: name it, espalier resume --take-over --on URL",
  "several-copies": ({ runs }) =>
    `the hub has several runs of this repository: ${runs.map(copyWords).join(", ")}`,
  "run-left": ({ url, ...copy }) =>
    `the hub has a run of this task file that ended without being completed: ${copyWords(copy)}; espalier resume --take-over ${copy.run} --on ${url} goes on with it`,
  "run-elsewhere": copy =>
    `the hub has a run of this task file that has not ended, and what it does would be done twice: ${copyWords(copy)}`,
  "copy-unreadable": ({ run }) => `the copy of run ${run} was made by another version of espalier`,
  "copy-elsewhere": ({ folder, here }) =>
    `the run is one of ${folder === "" ? "the top folder" : folder} of this repository, and this is ${here === "" ? "its top folder" : here}`,
  "run-here": ({ file }) => `this folder has a run of ${file} that has not ended`,
  "branch-differs": ({ branch, commit }) =>
    `${branch} has commits here that the run does not have, and lacks some of ${commit.slice(0, 12)}, where the run has it`,
  "folder-held": ({ branch, folder, why }, tell) =>
    `${branch} is checked out in ${folder} and cannot go forward to where the run has it: ${tell(why)}`,
  "target-differs": ({ target, here }) =>
    `finished phases of the run go to ${target}, and here ${here} is checked out, which would get them`,
  "hub-needs-git": () =>
    "work travels to other machines by git, and this folder is in no repository with a commit",
  "hub-token-unset": () => "ESPALIER_HUB_TOKEN is not set",
  "hub-not-known": () =>
    "nothing here tells that this run was handed to a hub; espalier resume --on URL does that",
  fenced: ({ stored, ours }) =>
    `another process took over (epoch ${stored}, ours was ${ours}); this one stopped and wrote nothing more`,
  "disk-full": ({ said }) => `${said}. Everything acknowledged before is safe`,
  "not-printed": ({ said }) => `not all of what this printed could be written: ${said}`,
  "state-newer": ({ found, supported }) =>
    `the state was made by a newer version (format ${found}; this one reads ${supported}). It was not touched`,
  "state-damaged": ({ said, kept }) => `${said}${kept === undefined ? "" : `; kept as ${kept}`}`,
  "state-foreign": ({ found, expected }) => `the state belongs to ${found}, this is ${expected}`,
  "state-unsealed": ({ isOfAnother }) =>
    `the state ${isOfAnother ? "was sealed with a key that is not here" : "carries no seal"}: an older version, another machine or home, or somebody else wrote it`,
  "state-set-back": ({ event }) =>
    event === undefined
      ? "rows of the state are older than what was written last, or gone: somebody put earlier ones back, or took some out"
      : `the state is older than what was acknowledged last (event ${event}): somebody put an earlier copy in its place`,
  "key-unreadable": ({ said }) => `what the state is sealed with cannot be opened: ${said}`,
  "boxes-unproven": ({ ticked, proven, unproven, more }) =>
    proven === 0
      ? `the state could not be recovered, and nothing proves the ${ticked} ticked boxes of the task file`
      : `the state could not be recovered: ${proven} ticked boxes are proven by commits, ${ticked - proven} are not (${unproven.join(", ")}${more ? " …" : ""})`,
  "no-run": ({ root }) => `there is no run in ${root} yet`,
  "no-answer": ({ pid, isStopped = false }) =>
    `process ${pid} holds the lock ${isStopped ? "and is stopped, so it hears nothing" : "but does not answer"}`,
  "run-silent": ({ stopped }) =>
    stopped === undefined
      ? "the running process does not answer; try again, espalier status shows what it is at"
      : `process ${stopped}, which runs it, is stopped and hears nothing; kill -CONT ${stopped} lets it go on`,
  "nothing-runs": () => "nothing runs here",
  stopped: () => "stopped; espalier resume goes on",
  "still-ending": ({ pid }) => `process ${pid} is still ending its agents`,
  "kill-it": ({ pid, isStopped = false }) =>
    `${isStopped ? `kill -CONT ${pid} lets it go on, and espalier stop then ends it` : `kill -TERM ${pid} asks it to stop`}; kill -KILL ${pid} ends it, and nothing acknowledged is lost`,
  "take-it-over": ({ url }) =>
    `bring it here: espalier resume --take-over --on ${url}; with --trust-state it goes on as this folder knows it, and what was done since is done again`,
  "copies-are": ({ runs }) =>
    runs.length === 0
      ? "a run keeps a copy there from the time it is conducted with --on, until 30 days after the last"
      : `it has ${runs.join(", ")}`,
  "name-copy": ({ url }) => `name one: espalier resume --take-over RUN --on ${url}`,
  "take-over-or-begin": ({ run, url }) =>
    `go on with it here: espalier resume --take-over ${run} --on ${url}; or begin another one beside it with --trust-state`,
  "same-version": () => "take it over with the version that conducted it",
  "go-to-folder": ({ folder }) =>
    `call it ${folder === "" ? "at the top of the repository" : `in ${folder}`}`,
  "finish-run-here": () => "finish it first, or take the other one over in a clone of its own",
  "join-branch": ({ branch, commit, isTarget }) =>
    isTarget
      ? `join both first: git merge ${commit.slice(0, 12)}`
      : `give yours another name first: git branch -m ${branch} ${branch}-before`,
  "clear-folder": () => "nothing was changed; commit these files or move them away, and say the same again",
  "check-out-target": ({ target, commit }) =>
    `git checkout ${commit === undefined ? target : `-b ${target} ${commit.slice(0, 12)}`}, or git: { target: NAME } in espalier.yaml for another one`,
  "clone-or-init": () =>
    "git clone the run's repository to go on with it; for a new run git init and commit, or leave --on away",
  "ask-for-token": () => "whoever keeps the hub makes a token: espalier hub token add NAME --run",
  "go-on-there": ({ host }) =>
    `go on ${host === "" ? "there" : `on ${host}`}; espalier resume --take-over here brings the run back`,
  "see-status": () => "espalier status shows the run that goes on",
  "make-room": () => "make room, then: espalier resume",
  "make-writable": ({ path }) =>
    path === undefined
      ? "make the state folder writable, or set stateDir in espalier.yaml"
      : `make ${path} writable, or set stateDir in espalier.yaml; nothing was started`,
  "came-with-repository": () =>
    "nothing was started: what came with a repository is not believed to be Espalier's own",
  "update-program": () => "update espalier",
  "see-doctor": ({ of }) =>
    of === "state"
      ? "espalier doctor shows what can be recovered"
      : "espalier doctor looks at the repository",
  "doctor-says-why": () => "espalier doctor says why",
  "state-gone": () =>
    "the state folder was removed or replaced while the run was going on; agents were ended",
  "state-back": () =>
    "put it back, then: espalier resume; where it is gone for good, as after git clean -x: espalier run --trust-boxes, which believes the boxes of the task file",
  "check-disk": () => "check the disk, then: espalier resume",
  "adopt-state": () =>
    "if the folder was moved, espalier resume --adopt takes the state over; otherwise move the state folder away",
  "trust-state": ({ first }) =>
    first === "look"
      ? "look at it with espalier status; espalier resume --trust-state believes it as it stands, otherwise move the state folder away"
      : "put the later one back; espalier resume --trust-state believes this one as it stands",
  "make-private": ({ folder }) =>
    `make ${folder} yours alone and writable (chmod 700); espalier resume --trust-state believes the state as it stands`,
  "trust-boxes": ({ isKept }) =>
    `believe them with espalier run --trust-boxes, or untick what must be done again${isKept === true ? "; the damaged files are kept in the state folder" : ""}`,
  "run-starts-one": ({ url }) =>
    `espalier run starts one${url === undefined ? "" : `; one that another machine has conducted goes on here with espalier resume --take-over --on ${url}`}`,

  "no-git": () => "git was not found",
  "git-too-old": ({ found, needed }) => `git ${found} is older than ${needed}`,
  "program-unnamed": ({ name }) =>
    `git's configuration has a program under a name that is no UTF-8 text: ${name}`,
  "line-break-in-path": ({ folder }) =>
    `the path of the repository has a line break (${folder}): git tells its worktrees line by line`,
  "worktree-leads-away": ({ top }) => `core.worktree leads git out of this checkout, to ${top}`,
  "ref-unreadable": ({ ref }) => `${ref} names nothing that can be read`,
  "target-deleted": ({ branch }) => `${branch}, which this run goes to and which is checked out, was deleted`,
  "run-without-repository": ({ root }) =>
    `what this run has landed is in a git repository, and there is none in ${root} any more`,
  "no-commits": () => "this repository has no commit yet",
  "under-way": ({ what }) => `${BEGUN[what]} is under way in the main checkout`,
  "landed-unreadable": ({ why }, tell) => `what has landed cannot be read: ${tell(why)}`,
  "landing-unknown": ({ task, root }) =>
    `${task} was landing when its process died, and there is no git, or no repository, to ask in ${root}`,
  "repository-unmended": ({ why }, tell) => `the repository cannot be mended: ${tell(why)}`,
  "place-inside-checkout": ({ path }) => `git.folder lies inside the checkout: ${path}`,
  "place-unwritable": ({ folder }) => `worktrees go to ${folder}, which is not writable`,
  "first-phase-elsewhere": ({ branch }) => `phase 0 works on ${branch}, which is not checked out`,
  "first-phase-here": ({ branch }) =>
    `phase 0 works in this checkout: what its tasks do is committed to ${branch}; later phases have branches of their own`,
  "target-stays": ({ target }) =>
    `finished phases go to ${target}, which was checked out when the run began; git: { target: … } in espalier.yaml names another branch`,
  "target-gone": ({ begun, target }) =>
    `the run began on ${begun}, and there is no such branch any more: finished phases go to ${target}`,
  "checkout-changed": ({ files }) =>
    `phase 0 commits its work in the main checkout, which has changes of its own: ${some(files)}`,
  "no-worktrees": ({ root }) => `no worktrees are used in ${root}`,
  "install-git": ({ version }) =>
    version === undefined
      ? "install git, or set git: { worktrees: off }"
      : `install git ${version}, or let all tasks work in the main checkout: git: { worktrees: off } in espalier.yaml`,
  "rename-it": () => "it can be neither shown nor switched off: rename it",
  "worktrees-off": ({ or }) => {
    const off = "or let all tasks work in the main checkout: git: { worktrees: off } in espalier.yaml";
    return or === undefined ? off : `${ALTERNATIVE[or]}, ${off}`;
  },
  "own-it": ({ folder }) => `if you trust it: git config --global --add safe.directory ${folder}`,
  "name-worktree": ({ command }) =>
    `if you made it (git init --separate-git-dir): ${command}; if you did not, move it away`,
  "put-branch-back": ({ branch, last }) =>
    `git update-ref refs/heads/${branch} ${last ?? "COMMIT"} puts it back, with what has landed there; then go on`,
  "put-ref-back": ({ ref }) =>
    `git reflog names the commits it stood at; git update-ref ${ref} COMMIT puts it back to one`,
  "mend-repository": ({ by }) =>
    by === "git"
      ? "nothing was started; put git on the PATH, or mend the repository"
      : by === "doctor"
        ? "nothing was started; mend the repository, or let espalier doctor look"
        : "nothing was started; git fsck says what is missing",
  "choose-place": ({ state }) => `choose a folder beside the checkout, or below ${state}/`,
  "make-place-writable": ({ folder }) => `make it writable, or set git: { folder: "${folder}" }`,
  "switch-branch": ({ branch }) => `git switch ${branch}`,
  "worktrees-need": () => "they need a git repository with a commit, and git: { worktrees: auto }",

  "plan-changed": ({ file, added, removed, changed }) => {
    const counted = [
      [added, "added"],
      [removed, "removed"],
      [changed, "changed"],
    ] as const;
    const parts = counted.flatMap(([tasks, what]) => {
      const count = tasks.names.length + tasks.more;
      return count === 0 ? [] : [`${count} ${what} (${some(tasks)})`];
    });
    return `${file} has changed since the run read it: ${parts.join(", ")}`;
  },
  "only-unknown": ({ task }) => `--only names ${task}, which is not in the plan`,
  "only-needs": ({ task, needs }) => `--only ${task} needs ${needs.join(", ")} first`,
  "force-unknown": ({ phase }) => `--force-phase names ${phase}, which is no phase of the plan`,
  "not-owned": ({ path, found, count = 0 }) =>
    `${path} is ${stranger(found, count)}; it is neither read nor written: move it away`,
  "state-place": ({ named, tools }) =>
    tools === undefined
      ? `stateDir "${named}" is not a folder inside the project`
      : `stateDir "${named}" lies in ${tools}, where other tools look for their settings and programs`,
  "tasks-outside-project": ({ file, real }) => `the task file ${file} lies outside the project: ${real}`,
  "put-file-back": () => "put the file back, or leave out --plan frozen to reconcile",
  "plan-lists": () => "espalier plan lists the tasks",
  "add-to-only": ({ tasks }) => `add ${tasks.join(",")} to --only`,
  "phases-are": ({ labels, nearest }) =>
    `its phases: ${labels.join(", ")}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
  "choose-state-place": ({ isTools }) =>
    isTools
      ? "choose .espalier, .claude, or a folder without a dot in front"
      : "choose a relative path such as .espalier or .claude",
  "could-lead-out": () =>
    "what came with a repository could lead the state, and what is written to it, out of the project",
  "name-it-yourself": () => "name it on the command line, if it is the one to work through",

  "not-in-progress": ({ task }) => `${task} is not in progress here`,
  "foreign-signal": ({ said }) => `"${said}" is not the signal of this attempt; nothing changed`,
  "window-full": ({ face }) =>
    face === "tools"
      ? "begin a new session: next_tasks with new_session true"
      : "start a new session, then: espalier next --new-session",
  "ask-next": ({ face }) => `${face === "tools" ? "next_tasks" : "espalier next"} says what is ready`,
  "start-task": ({ task, face }) =>
    face === "tools" ? `start_task with id ${task}` : `espalier start ${task}`,
  "started-before": ({ path }) => `its prompt is ${path}; if its agent is gone, give that to another`,
  "raise-budget": ({ face }) =>
    `espalier ${face === "tools" ? "mcp" : "next"} --max-tokens N (or --max-cost USD) raises what the run may take`,
  "hand-in-whole": () => "hand in the agent's own last line, whole",
  "hand-in-document": ({ face }) =>
    `its agent writes it to the file that its prompt names${face === "tools" ? "" : ", or: espalier report … --result FILE"}`,
};
