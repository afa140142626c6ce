import { setTimeout as pause } from "node:timers/promises";
import { gitAccess } from "../adapters/fleet/by-git.ts";
import type { HubClient } from "../adapters/fleet/hub-client.ts";
import { type CallEnd, callProgram } from "../adapters/process/index.ts";
import { gitEnv, gitGuards } from "../adapters/vcs/git/index.ts";

/** Milliseconds that one call of git may take: the first fetch of a repository is long. */
const LONGEST = 30 * 60_000;
const MOST_OUTPUT = 64 * 1024 ** 2;

const SIGNED = {
  GIT_AUTHOR_NAME: "Espalier",
  GIT_AUTHOR_EMAIL: "espalier@localhost",
  GIT_COMMITTER_NAME: "Espalier",
  GIT_COMMITTER_EMAIL: "espalier@localhost",
};

export interface GitOptions {
  readonly client: HubClient;
  /** Where calls begin: the worker's own folder. */
  readonly folder: string;
  /** Absolute path of the program. */
  readonly git: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Git as a worker calls it: without anybody's configuration or hooks, in the repository that a call names. */
export interface WorkerGit {
  /** Whatever the exit code is. */
  call(
    args: readonly string[],
    more?: Readonly<Record<string, string>>,
    input?: string | Uint8Array,
  ): Promise<CallEnd>;
  /** What it prints, without the last line end. Throws `GitTrouble`. */
  text(
    args: readonly string[],
    more?: Readonly<Record<string, string>>,
    input?: string | Uint8Array,
  ): Promise<string>;
  /** Reaches the hub's git, again and again while that is away. What it refuses is refused. Throws `GitTrouble`. */
  viaHub(
    args: readonly string[],
    at: Readonly<Record<string, string>>,
    isWanted: () => boolean,
    most?: number,
  ): Promise<void>;
}

export function createWorkerGit({ client, folder, git, env }: GitOptions): WorkerGit {
  const call: WorkerGit["call"] = (args, more = {}, input = "") =>
    callProgram({
      file: git,
      args: [...gitGuards(), ...args],
      cwd: folder,
      env: { ...gitEnv(env), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", ...SIGNED, ...more },
      input,
      longestMs: LONGEST,
      mostBytes: MOST_OUTPUT,
    });

  const text: WorkerGit["text"] = async (args, more, input) => {
    const end = await call(args, more, input);
    if (end.code !== 0) throw new GitTrouble(args[0] ?? "", end);
    return end.stdout.toString("utf8").trimEnd();
  };

  return {
    call,
    text,
    async viaHub(args, at, isWanted, most = Number.POSITIVE_INFINITY) {
      for (let tries = 1; ; tries++) {
        try {
          await text(args, { ...at, ...gitAccess(client.url, client.token) });
          return;
        } catch (error) {
          const isFinal = error instanceof GitTrouble && error.isRefused;
          if (isFinal || tries >= most || !isWanted()) throw error;
          await pause(Math.min(250 * tries, 2000));
        }
      }
    },
  };
}

class GitTrouble extends Error {
  /** The hub was heard, and said no. */
  readonly isRefused: boolean;
  constructor(command: string, { stderr, why }: CallEnd) {
    super(`git ${command}: ${stderr.trim().split("\n").at(-1) ?? why}`);
    this.isRefused = /returned error: 4\d\d|rejected\]/.test(stderr);
  }
}
