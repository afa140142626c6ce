import { existsSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeOwnedFolder, ownedFileCalls } from "../adapters/file/index.ts";
import {
  BASE_REF,
  FILES,
  FILES_FOLDER,
  formatOf,
  resultRef,
  WORK,
  workUrl,
} from "../adapters/fleet/by-git.ts";
import type { HubClient } from "../adapters/fleet/hub-client.ts";
import {
  type AgentFailure,
  because,
  fail,
  type MachineRefusal,
  type Order,
  ok,
  type Result,
} from "../ports/index.ts";
import type { Bench } from "./bench.ts";
import type { Means } from "./calls.ts";
import { clear, keepLate, nameOf, seal, sign, type Workplace, workplaceIn, write } from "./late-work.ts";
import type { Sessions } from "./sessions.ts";
import type { WorkerGit } from "./worker-git.ts";

/** Times that work is fetched while the hub is away. */
const MOST_TRIES = 30;

export interface CellOptions {
  readonly client: HubClient;
  /** The worker's own folder: repositories, and a folder for each order. */
  readonly folder: string;
  readonly git: WorkerGit;
  /** What the owner of the machine lets an order have; why it may not run here. */
  readonly admit: (order: Order) => Result<Readonly<Record<string, string>>, MachineRefusal>;
  /** How an order's agent asks its run. */
  readonly means?: (order: Order) => Means;
  /** Hears where the work of an order lies. */
  readonly placed?: (order: Order, place: Workplace) => void;
  /** Sessions of agents that later orders may go on with; absent where none outlives its order. */
  readonly sessions?: Sessions;
  /** Makes a new folder fit to work in; why that failed. */
  readonly prepare: (cwd: string, order: Order) => Promise<MachineRefusal | undefined>;
  /** Says what is kept here of work that nobody took. */
  readonly kept: (order: Order, where: string) => void;
}

/** An order at work in its folder. */
interface Cell extends Workplace {
  /** What its folder is called. */
  readonly name: string;
  /** The session that it goes on with. */
  readonly resume: string | undefined;
  /** The session that its agent has named. */
  session?: string;
  /** Counts what is handed in. */
  turn: number;
}

/** The folder of a project in the work of an order. Throws where it is none that lies there. */
function projectIn(work: string, project = ""): string {
  const folder = resolve(work, project);
  const isThere = existsSync(folder) && realpathSync(folder) === join(realpathSync(work), project);
  if (!isThere) throw new Error(`the order's work has no folder ${project}`);
  return folder;
}

/** What is told of an order that its machine does not carry out. */
export const refusedFor = (refusal: MachineRefusal): AgentFailure => ({
  kind: "unsuitable",
  message: refusal.said,
  reason: because("machine-refuses", refusal),
  retryable: true,
});

/**
 * A bench that makes a folder of each order's own, with what its coordinator sent, and sends back what was made. Git looks at that
 * folder from a directory that the agent does not have: what it writes into its own starts nothing.
 */
export function createCells(options: CellOptions): Bench {
  const { client, folder, git, admit, means, prepare, sessions } = options;
  const { text, call, viaHub } = git;
  const cells = new Map<string, Cell>();
  /** Calls that change a mirror, one after the other. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(use: () => Promise<T>): Promise<T> => {
    const next = last.then(use, use);
    last = next.catch(() => {});
    return next;
  };

  async function open(order: Order): Promise<Cell> {
    const { base } = order;
    if (base === undefined) throw new Error("the order names no commit to begin with");
    // An agent finds its session where it had it.
    const before = sessions?.folderOf(order);
    const isBack = before !== undefined && !existsSync(join(folder, "orders", before));
    const name = isBack ? before : nameOf(order.id);
    const resume = isBack ? order.resume : undefined;
    const given = { order: order.id, task: order.task, base: base.commit, repository: base.repository };
    const place = workplaceIn(folder, name, given);
    const { mirror, work } = place;
    for (const one of ["git", "orders", join("orders", name)]) makeOwnedFolder(join(folder, one));
    sign(place, base.repository);
    makeOwnedFolder(work);
    const at = { GIT_DIR: mirror };
    const format = formatOf(base.commit);
    await inTurn(async () => {
      if (!existsSync(join(mirror, "HEAD")))
        await text(["init", "--quiet", "--bare", "--template=", ...format, "--", mirror]);
      const url = workUrl(client.url, base.repository, order.id);
      const ref = `refs/espalier/base/${nameOf(order.id)}`;
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
    const cell = { ...place, name, resume, turn: 1 };
    const seen = { ...at, GIT_WORK_TREE: work, GIT_INDEX_FILE: place.index };
    await text(["read-tree", `${base.commit}:${WORK}`], seen);
    await text(["checkout-index", "--all", "--force", "--quiet"], seen);
    // The agent has a repository of its own, which borrows its objects.
    const own = { GIT_DIR: join(work, ".git") };
    await text(["init", "--quiet", "--template=", ...format, "--", work]);
    makeOwnedFolder(join(work, ".git", "info"));
    write(join(work, ".git", "objects", "info", "alternates"), `${join(mirror, "objects")}\n`);
    write(join(work, ".git", "info", "exclude"), "/.espalier/\n");
    await text(["update-ref", "refs/heads/task", base.head], own);
    await text(["symbolic-ref", "HEAD", "refs/heads/task"], own);
    await text(["read-tree", base.head], { ...own, GIT_WORK_TREE: work });
    await giveFiles(cell, at);
    return cell;
  }

  async function giveFiles({ work, base }: Cell, at: Readonly<Record<string, string>>): Promise<void> {
    const into = join(work, FILES_FOLDER);
    makeOwnedFolder(join(work, ".espalier"));
    makeOwnedFolder(into);
    const listed = await text(["ls-tree", "-z", "--name-only", `${base}:${FILES}`], at);
    for (const name of listed.split("\0").filter(one => one !== "")) {
      const end = await call(["cat-file", "blob", `${base}:${FILES}/${name}`], at);
      if (end.code === 0) write(join(into, name), end.stdout);
    }
  }

  return {
    async open(order) {
      const admitted = admit(order);
      if (!admitted.ok) return fail(refusedFor(admitted.failure));
      try {
        const cell = await open(order);
        cells.set(order.id, cell);
        options.placed?.(order, cell);
        const cwd = projectIn(cell.work, order.base?.project);
        const problem = await prepare(cwd, order);
        if (problem !== undefined) return fail(refusedFor(problem));
        const files = join(cell.work, FILES_FOLDER);
        const own = Object.entries(order.env).map(([name, value]) => {
          const path = join(cwd, value);
          return [name, path.startsWith(`${files}/`) ? path : value];
        });
        const { base: _, mcp: __, hook: ___, resume: ____, calls: _____, ...rest } = order;
        const env = { ...admitted.value, ...Object.fromEntries(own) };
        const resume = cell.resume === undefined ? {} : { resume: cell.resume };
        return ok({ ...rest, ...resume, ...means?.(order), cwd, env, writable: [join(files, order.task)] });
      } catch (error) {
        return fail(refusedFor({ said: error instanceof Error ? error.message : String(error) }));
      }
    },
    named(order, session) {
      const cell = cells.get(order.id);
      if (cell !== undefined) cell.session = session;
    },
    async handIn(order, isWanted) {
      const cell = cells.get(order.id);
      if (cell === undefined || order.base === undefined) return undefined;
      try {
        const commit = await seal(git, folder, cell);
        const { mirror } = cell;
        const url = workUrl(client.url, order.base.repository, order.id);
        const args = ["push", "--quiet", "--no-verify", url, `${commit}:${resultRef(cell.turn)}`];
        await viaHub(args, { GIT_DIR: mirror }, isWanted);
        cell.turn++;
        // From now on what it knows of its folder is with its coordinator.
        if (cell.session !== undefined) sessions?.keep(order, cell.session, cell.name);
        return undefined;
      } catch (error) {
        return `its work could not be handed in: ${error instanceof Error ? error.message : String(error)}`;
      }
    },
    closed({ id, base, task }) {
      const cell = cells.get(id);
      if (cell?.session === undefined || base === undefined) return;
      // Its agent finds its session by the folder, which the next order has.
      const given = { order: id, task, base: base.commit, repository: base.repository };
      const aside = workplaceIn(folder, `${nameOf(id)}.over`, given);
      try {
        ownedFileCalls.rename(cell.home, aside.home);
        cells.set(id, { ...cell, ...aside });
      } catch {
        // The next one begins afresh.
      }
    },
    async keep(order) {
      const cell = cells.get(order.id);
      if (cell === undefined) return;
      try {
        const where = await keepLate(git, folder, cell);
        if (where !== undefined) options.kept(order, where);
      } catch {
        // Its folder stays instead.
        cells.delete(order.id);
        options.kept(order, cell.work);
      }
    },
    async leave(order) {
      const cell = cells.get(order.id);
      cells.delete(order.id);
      if (cell !== undefined) await clear(git, cell);
    },
  };
}
