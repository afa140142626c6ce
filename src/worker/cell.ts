import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  makeOwnedFolder,
  ownedFileCalls,
  readBounded,
  removeOwned,
  writeAtomic,
} from "../adapters/file/index.ts";
import {
  BASE_REF,
  FILES,
  FILES_FOLDER,
  gitAccess,
  resultRef,
  WORK,
  workUrl,
} from "../adapters/fleet/by-git.ts";
import type { HubClient } from "../adapters/fleet/hub-client.ts";
import { type CallEnd, callProgram } from "../adapters/process/index.ts";
import { gitEnv, gitGuards } from "../adapters/vcs/git/index.ts";
import { type AgentFailure, because, fail, type Order, ok, type Result } from "../ports/index.ts";
import type { Bench } from "./bench.ts";

/** Milliseconds that one call of git may take: the first fetch of a repository is long. */
const LONGEST = 30 * 60_000;
const MOST_OUTPUT = 64 * 1024 ** 2;
/** Times that work is fetched while the hub is away. */
const MOST_TRIES = 30;
const MOST_FILE = 8 * 1024 ** 2;

export interface CellOptions {
  readonly client: HubClient;
  /** The worker's own folder: repositories, and a folder for each order. */
  readonly folder: string;
  /** Absolute path of the program. */
  readonly git: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the owner of the machine lets an order have; why it may not run here. */
  readonly admit: (order: Order) => Result<Readonly<Record<string, string>>, string>;
  /** Makes a new folder fit to work in; why that failed. */
  readonly prepare: (cwd: string, order: Order) => Promise<string | undefined>;
  /** Says what is kept here of work that nobody took. */
  readonly kept: (order: Order, where: string) => void;
}

/** Where an order is worked on. */
interface Cell {
  readonly order: Order;
  readonly home: string;
  readonly work: string;
  readonly mirror: string;
  readonly index: string;
  turn: number;
  isSent: boolean;
}

const refused = (message: string): AgentFailure => ({
  kind: "unsuitable",
  message,
  reason: because("machine-refuses", { said: message }),
  retryable: true,
});

/**
 * A bench that makes a folder of each order's own, with what its coordinator sent, and sends back what was made. Git looks at that
 * folder from a directory that the agent does not have: what it writes into its own starts nothing.
 */
export function createCells(options: CellOptions): Bench {
  const { client, folder, git, env, admit, prepare } = options;
  const cells = new Map<string, Cell>();
  /** Calls that change a mirror, one after the other. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(use: () => Promise<T>): Promise<T> => {
    const next = last.then(use, use);
    last = next.catch(() => {});
    return next;
  };

  const call = (
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
    input: string | Uint8Array = "",
  ) =>
    callProgram({
      file: git,
      args: [...gitGuards(), ...args],
      cwd: folder,
      env: { ...gitEnv(env), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", ...SIGNED, ...more },
      input,
      longestMs: LONGEST,
      mostBytes: MOST_OUTPUT,
    });

  async function text(
    args: readonly string[],
    more?: Readonly<Record<string, string>>,
    input?: string | Uint8Array,
  ) {
    const end = await call(args, more, input);
    if (end.code !== 0) throw new GitTrouble(args[0] ?? "", end);
    return end.stdout.toString("utf8").trimEnd();
  }

  /** Reaches the hub's git, again and again while that is away. What it refuses is refused. */
  async function viaHub(
    args: readonly string[],
    at: Readonly<Record<string, string>>,
    isWanted: () => boolean,
    most = Number.POSITIVE_INFINITY,
  ): Promise<void> {
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
  }

  async function open(order: Order): Promise<Cell> {
    const { base } = order;
    if (base === undefined) throw new Error("the order names no commit to begin with");
    const name = createHash("sha256").update(order.id).digest("hex").slice(0, 24);
    const mirror = join(folder, "git", `${base.repository}.git`);
    const home = join(folder, "orders", name);
    const work = join(home, "work");
    for (const one of ["git", "orders", join("orders", name), join("orders", name, "work")])
      makeOwnedFolder(join(folder, one));
    const at = { GIT_DIR: mirror };
    await inTurn(async () => {
      if (!existsSync(join(mirror, "HEAD")))
        await text(["init", "--quiet", "--bare", "--template=", "--", mirror]);
      const url = workUrl(client.url, base.repository, order.id);
      const ref = `refs/espalier/base/${name}`;
      const args = [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-auto-gc",
        url,
        `+${BASE_REF}:${ref}`,
      ];
      await viaHub(args, at, () => true, MOST_TRIES);
      const found = await text(["rev-parse", "--verify", ref], at);
      const parent = await text(["rev-parse", "--verify", `${ref}^`], at);
      if (found !== base.commit || parent !== base.head)
        throw new Error("the hub has another commit than the order names");
    });
    const cell = { order, home, work, mirror, index: join(home, "index"), turn: 1, isSent: false };
    const seen = { ...at, GIT_WORK_TREE: work, GIT_INDEX_FILE: cell.index };
    await text(["read-tree", `${base.commit}:${WORK}`], seen);
    await text(["checkout-index", "--all", "--force", "--quiet"], seen);
    // The agent has a repository of its own, which borrows its objects.
    const own = { GIT_DIR: join(work, ".git") };
    await text(["init", "--quiet", "--template=", "--", work]);
    makeOwnedFolder(join(work, ".git", "info"));
    write(join(work, ".git", "objects", "info", "alternates"), `${join(mirror, "objects")}\n`);
    write(join(work, ".git", "info", "exclude"), "/.espalier/\n");
    await text(["update-ref", "refs/heads/task", base.head], own);
    await text(["symbolic-ref", "HEAD", "refs/heads/task"], own);
    await text(["read-tree", base.head], { ...own, GIT_WORK_TREE: work });
    await giveFiles(cell, at);
    return cell;
  }

  async function giveFiles({ work, order }: Cell, at: Readonly<Record<string, string>>): Promise<void> {
    const into = join(work, FILES_FOLDER);
    makeOwnedFolder(join(work, ".espalier"));
    makeOwnedFolder(into);
    const listed = await text(["ls-tree", "-z", "--name-only", `${order.base?.commit}:${FILES}`], at);
    for (const name of listed.split("\0").filter(one => one !== "")) {
      const end = await call(["cat-file", "blob", `${order.base?.commit}:${FILES}/${name}`], at);
      if (end.code === 0) write(join(into, name), end.stdout);
    }
  }

  /** Everything that stands in the folder, as a commit on top of what was sent. */
  async function seal({ order, work, mirror, index }: Cell): Promise<string> {
    const at = { GIT_DIR: mirror };
    const seen = { ...at, GIT_WORK_TREE: work, GIT_INDEX_FILE: index };
    const without = ["-c", `core.excludesFile=${join(folder, "exclude")}`];
    write(join(folder, "exclude"), "/.espalier/\n");
    await text([...without, "add", "--all", "--", work], { ...seen, GIT_LITERAL_PATHSPECS: "1" });
    const tree = await text(["write-tree"], seen);
    const lines: string[] = [];
    const files = join(work, FILES_FOLDER);
    for (const name of existsSync(files) ? readdirSync(files) : []) {
      const bytes = readBounded(join(files, name), { maxBytes: MOST_FILE, calls: ownedFileCalls });
      if (!bytes.ok || name.includes("\n") || name.includes("\t")) continue;
      lines.push(`100644 blob ${await text(["hash-object", "-w", "--stdin"], at, bytes.value)}\t${name}\n`);
    }
    const beside = await text(["mktree"], at, lines.join(""));
    const whole = await text(
      ["mktree"],
      at,
      `040000 tree ${beside}\t${FILES}\n040000 tree ${tree}\t${WORK}\n`,
    );
    return text(["commit-tree", "-p", order.base?.commit ?? "", "-m", `work of ${order.id}`, whole], at);
  }

  return {
    async open(order) {
      const admitted = admit(order);
      if (!admitted.ok) return fail(refused(admitted.failure));
      try {
        const cell = await open(order);
        cells.set(order.id, cell);
        const problem = await prepare(cell.work, order);
        if (problem !== undefined) return fail(refused(problem));
        const own = Object.entries(order.env).map(([name, value]) => [
          name,
          value.startsWith(`${FILES_FOLDER}/`) ? join(cell.work, value) : value,
        ]);
        const { base: _, mcp: __, hook: ___, resume: ____, writable: _____, ...rest } = order;
        return ok({ ...rest, cwd: cell.work, env: { ...admitted.value, ...Object.fromEntries(own) } });
      } catch (error) {
        return fail(refused(error instanceof Error ? error.message : String(error)));
      }
    },
    async handIn(order, isWanted) {
      const cell = cells.get(order.id);
      if (cell === undefined || order.base === undefined) return undefined;
      try {
        const commit = await seal(cell);
        const { mirror } = cell;
        const url = workUrl(client.url, order.base.repository, order.id);
        const args = ["push", "--quiet", "--no-verify", url, `${commit}:${resultRef(cell.turn)}`];
        await viaHub(args, { GIT_DIR: mirror }, isWanted);
        cell.turn++;
        cell.isSent = true;
        return undefined;
      } catch (error) {
        return `its work could not be handed in: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    async keep(order) {
      const cell = cells.get(order.id);
      if (cell === undefined) return;
      try {
        const ref = `refs/espalier/late/${cell.home.split("/").at(-1)}`;
        await text(["update-ref", ref, await seal(cell)], { GIT_DIR: cell.mirror });
        options.kept(order, `${ref} of ${cell.mirror}`);
      } catch {
        // Its folder stays instead.
        cells.delete(order.id);
        options.kept(order, cell.work);
      }
    },
    async leave(order) {
      const cell = cells.get(order.id);
      cells.delete(order.id);
      if (cell !== undefined) removeOwned(cell.home);
    },
  };
}

const SIGNED = {
  GIT_AUTHOR_NAME: "Espalier",
  GIT_AUTHOR_EMAIL: "espalier@localhost",
  GIT_COMMITTER_NAME: "Espalier",
  GIT_COMMITTER_EMAIL: "espalier@localhost",
};

class GitTrouble extends Error {
  /** The hub was heard, and said no. */
  readonly isRefused: boolean;
  constructor(command: string, { stderr, why }: CallEnd) {
    super(`git ${command}: ${stderr.trim().split("\n").at(-1) ?? why}`);
    this.isRefused = /returned error: 4\d\d|rejected\]/.test(stderr);
  }
}

function write(path: string, text: string | Uint8Array): void {
  const written = writeAtomic(path, text, { calls: ownedFileCalls });
  if (!written.ok) throw new Error(`${path}: ${written.failure.message}`);
}
