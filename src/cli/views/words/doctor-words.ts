import type { Reason } from "../../../ports/index.ts";

/** What was found, and what to do about it. */
interface Finding {
  readonly found: string;
  readonly advice: string;
}

/** What `espalier doctor` says, in one language. Arguments are already safe to show. */
export interface DoctorWords {
  /** What a check is called, by its name in `--json`. */
  readonly name: (name: string) => string;
  /** What other rooms have found and advise. */
  readonly reason: (reason: Reason) => string;
  readonly noShell: (path: string) => string;

  readonly noGit: Finding;
  readonly git: (version: string, isRepository: boolean) => string;
  readonly gitUnusable: (why: string) => string;
  readonly project: (root: string, isConfigured: boolean) => string;
  readonly installShell: string;

  readonly agentProblem: (why: string) => string;
  readonly agentTooOld: (version: string, needs: string) => string;
  readonly agentLoggedIn: string;
  readonly agentLoggedOut: string;
  readonly logIn: string;

  readonly jailUnused: (version: string) => Finding;
  readonly jailed: (version: string) => string;
  readonly jailRequired: string;
  readonly noJail: (why: string) => string;

  readonly free: string;
  readonly noState: string;
  readonly sound: (kib: number) => string;
  readonly unsound: (why: string) => string;
  readonly recovers: (isBackupSound: boolean) => string;
  readonly notWritable: (place: string) => Finding;
  readonly space: (mib: number) => string;
  readonly remote: (space: string, system: string) => Finding;
  readonly makeRoom: string;

  readonly noWorktrees: string;
  readonly repository: (version: string, target: string) => string;
  /** What stands in a worktree that no commit has: what was begun there, else how many files. */
  readonly notCommitted: (begun: string | undefined, files: number) => string;
  readonly folderGone: string;
  readonly rescue: string;
  /** A check of the project that nobody has seen pass in a new worktree. */
  readonly notTried: (command: string) => string;
  readonly trying: (command: string) => string;
  readonly stopped: (command: string) => string;
  readonly passes: (command: string, where: "worktree" | "checkout") => string;
  readonly setUp: (command: string) => string;
  readonly leftover: (what: string, path: string) => string;
  readonly fix: string;

  readonly hub: (url: string, machines: number, waiting: number) => string;
  readonly noMachines: (url: string) => Finding;
  readonly machine: (
    state: "there" | "silent" | "draining" | "full",
    silentSeconds: number,
    busy: number,
    slots: number,
    has: string,
  ) => string;
  /** The tasks that are named, and how many more there are. */
  readonly tasks: (named: string, more: number) => string;
  readonly lacks: (what: string) => string;
  readonly nobodyTakes: (task: string, wants: string) => Finding;
  /** Machines could take it, and all of them are drained; the command lets one work again. */
  readonly onlyDrained: (task: string, machines: string, command: string) => Finding;
}
