import { reasonText, visible } from "../../../text/index.ts";
import type { DoctorWords } from "./doctor-words.ts";

const OWN = "agents are held by their own flags and sandboxes";

/** What `espalier doctor` says, in English. */
export const ENGLISH_DOCTOR: DoctorWords = {
  name: name => name,
  reason: reason => visible(reasonText(reason, "en"), 1000),
  noShell: path =>
    `program sh not found: ${path === "" ? "PATH names no folder to search" : `searched ${path.split(":").join(", ")}`}`,

  noGit: { found: "not found", advice: "tasks run without it; worktrees will need it" },
  git: (version, isRepository) =>
    `${version}, ${isRepository ? "in a repository" : "this folder is no repository"}`,
  gitUnusable: why => `not usable: ${why}`,
  project: (root, isConfigured) =>
    `${root}${isConfigured ? ", espalier.yaml is valid" : ", no espalier.yaml (defaults)"}`,
  installShell: "install bash or sh",

  agentProblem: why => visible(why, 300),
  agentTooOld: (version, needs) => `${version} is too old, needs ${needs}`,
  agentLoggedIn: "logged in",
  agentLoggedOut: "not logged in",
  logIn: "start it once and log in, or set its key in the environment",

  jailUnused: version => ({
    found: `bubblewrap ${version} is there and not asked for: ${OWN}`,
    advice: "jail: { use: auto } uses it",
  }),
  jailed: version => `bubblewrap ${version} around every agent`,
  jailRequired: "runs do not start without it",
  noJail: why => `${why}: ${OWN}`,

  free: "free",
  noState: "none yet",
  sound: kib => `sound, ${kib} KiB`,
  unsound: why => why,
  recovers: isBackupSound =>
    isBackupSound
      ? "the backup is sound: espalier resume recovers from it"
      : "espalier resume recovers what it can and says what",
  notWritable: place => ({
    found: `${place} is not writable`,
    advice: "make it writable, or set stateDir",
  }),
  space: mib => `${mib} MiB free`,
  remote: (space, system) => ({
    found: `${space}, on ${system}`,
    advice: "NETWORK_FS: locks and durability are not guaranteed there",
  }),
  makeRoom: "make room before you run",

  noWorktrees: "not used: no repository with a commit, or switched off",
  repository: (version, target) => `git ${version}, phases are merged into ${target}`,
  notCommitted: (begun, files) => begun ?? `${files} ${files === 1 ? "file" : "files"} not committed`,
  folderGone: "its folder is gone",
  rescue: "espalier worktrees rescue saves its files",
  notTried: command => `${command}; espalier doctor --try runs it once where tasks will`,
  trying: command => `trying ${command}`,
  stopped: command => `${command}; stopped before it was through, so nothing is known of it`,
  passes: (command, where) =>
    `${command} passes ${where === "worktree" ? "in a new worktree" : "in the checkout"}`,
  setUp: command => `new worktrees have no packages yet: worktree: { setup: [${JSON.stringify(command)}] }`,
  leftover: (what, path) => `${what}: ${path}`,
  fix: "the next run mends it; espalier doctor --fix does it now",

  hub: (url, machines, waiting) =>
    `${url}, ${machines === 1 ? "1 machine" : `${machines} machines`}${waiting === 0 ? "" : `, ${waiting} waiting for a slot`}`,
  noMachines: url => ({
    found: `${url}, no machine works for it`,
    advice: `on another one: espalier worker start --hub ${url}`,
  }),
  machine(state, silentSeconds, busy, slots, has) {
    const shown = {
      there: "there",
      silent: `silent for ${silentSeconds} s`,
      draining: "takes nothing more",
      full: "takes nothing: its disk is full",
    };
    return `${shown[state]}, ${busy} of ${slots} slots in use: ${has}`;
  },
  tasks: (named, more) => (more > 0 ? `${named} and ${more} more` : named),
  lacks: what => `lacks ${what}`,
  nobodyTakes: (task, wants) => ({
    found: `no machine takes ${task}: it asks for ${wants}`,
    advice: "install it on a machine or start one with it: espalier worker start --label",
  }),
  onlyDrained: (task, machines, command) => ({
    found: `no machine takes ${task} now: those that could are drained (${machines})`,
    advice: `start another one, or let one work again: ${command}`,
  }),
};
