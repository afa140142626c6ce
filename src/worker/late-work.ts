import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import {
  entriesOwned,
  ownedFileCalls,
  readBounded,
  removeOwned,
  writeAtomic,
} from "../adapters/file/index.ts";
import { FILES, FILES_FOLDER, WORK } from "../adapters/fleet/by-git.ts";
import { livenessOf, thisHost, thisProcess } from "../adapters/lock/index.ts";
import { objectId } from "../fleet/index.ts";
import type { WorkerGit } from "./worker-git.ts";

/** Bytes of a file beside the work, such as what a task has learnt. */
const MOST_FILE = 8 * 1024 ** 2;

/** What stands beside the folder of an order, for whoever finds that left. */
const slipShape = z.object({
  version: z.literal(1),
  order: z.string().min(1).max(256),
  task: z.string().min(1).max(256),
  repository: objectId,
  base: objectId,
  host: z.string(),
  process: z.object({ pid: z.number().int().positive(), startTime: z.string(), bootId: z.string() }),
});

type Slip = z.infer<typeof slipShape>;

const SLIP = "order.json";

/** A folder in which an order is worked on. */
export interface Workplace {
  readonly order: string;
  readonly task: string;
  /** The commit that was sent. */
  readonly base: string;
  readonly home: string;
  readonly work: string;
  readonly mirror: string;
  readonly index: string;
}

/** What an order is called in folders and refs. */
export const nameOf = (order: string): string =>
  createHash("sha256").update(order).digest("hex").slice(0, 24);

/** The folder of an order, by the name that its home has. */
export function workplaceIn(
  folder: string,
  name: string,
  given: {
    readonly order: string;
    readonly task: string;
    readonly base: string;
    readonly repository: string;
  },
): Workplace {
  const home = join(folder, "orders", name);
  const { order, task, base, repository } = given;
  return {
    order,
    task,
    base,
    home,
    work: join(home, "work"),
    mirror: join(folder, "git", `${repository}.git`),
    index: join(home, "index"),
  };
}

/** Says whose a folder is, before anything is made in it. */
export function sign({ order, task, base, home }: Workplace, repository: string): void {
  const slip: Slip = { version: 1, order, task, repository, base, host: thisHost(), process: thisProcess() };
  write(join(home, SLIP), `${JSON.stringify(slip)}\n`);
}

/** Submodules that are empty here, and in which something was written all the same: git would pass over it. */
async function filledLinks(
  { text }: WorkerGit,
  work: string,
  seen: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const listed = await text(["ls-files", "--stage", "-z"], seen);
  const links = listed
    .split("\0")
    .flatMap(line => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
  return links.filter(path => {
    const names = namesIn(join(work, path));
    return names.length > 0 && !names.includes(".git");
  });
}

/** Everything that stands in the folder, as a commit on top of what was sent. */
export async function seal(
  git: WorkerGit,
  folder: string,
  { order, base, work, mirror, index }: Workplace,
): Promise<string> {
  const { text } = git;
  const at = { GIT_DIR: mirror };
  const seen = { ...at, GIT_WORK_TREE: work, GIT_INDEX_FILE: index };
  const without = ["-c", `core.excludesFile=${join(folder, "exclude")}`];
  write(join(folder, "exclude"), "/.espalier/\n");
  const add = (place: string) =>
    text([...without, "add", "--all", "--", place], { ...seen, GIT_LITERAL_PATHSPECS: "1" });
  await add(work);
  for (const path of await filledLinks(git, work, seen)) {
    await text(["update-index", "--force-remove", "--", path], seen);
    await add(join(work, path));
  }
  const tree = await text(["write-tree"], seen);
  const lines: string[] = [];
  const files = join(work, FILES_FOLDER);
  for (const name of existsSync(files) ? readdirSync(files) : []) {
    const bytes = readBounded(join(files, name), { maxBytes: MOST_FILE, calls: ownedFileCalls });
    if (!bytes.ok || name.includes("\n") || name.includes("\t")) continue;
    lines.push(`100644 blob ${await text(["hash-object", "-w", "--stdin"], at, bytes.value)}\t${name}\n`);
  }
  const beside = await text(["mktree"], at, lines.join(""));
  const whole = await text(["mktree"], at, `040000 tree ${beside}\t${FILES}\n040000 tree ${tree}\t${WORK}\n`);
  return text(["commit-tree", "-p", base, "-m", `work of ${order}`, whole], at);
}

/**
 * Keeps what stands in a folder in the worker's own repository: where, or undefined where nothing of it differs from what was
 * sent. Throws where git cannot.
 */
export async function keepLate(
  git: WorkerGit,
  folder: string,
  place: Workplace,
): Promise<string | undefined> {
  const { mirror, base } = place;
  const at = { GIT_DIR: mirror };
  const commit = await seal(git, folder, place);
  const [made, sent] = await Promise.all([commit, base].map(one => git.text(["ls-tree", one], at)));
  if (made === sent) return undefined;
  const ref = `refs/espalier/late/${nameOf(place.order)}`;
  await git.text(["update-ref", ref, commit], at);
  return `${ref} of ${mirror}`;
}

/** Clears up behind an order. Never throws. */
export async function clear(git: WorkerGit, place: Workplace): Promise<void> {
  removeOwned(place.home);
  await git.call(["update-ref", "-d", `refs/espalier/base/${nameOf(place.order)}`], {
    GIT_DIR: place.mirror,
  });
}

/**
 * Clears up what workers left that were killed: what their agents had changed is kept, the folders go. A folder whose worker
 * lives, or was on another machine, and one that says nothing of itself stay as they are. Never throws.
 */
export async function sweep(
  git: WorkerGit,
  folder: string,
  kept: (task: string, where: string) => void,
): Promise<void> {
  for (const name of namesIn(join(folder, "orders"))) {
    const slip = readSlip(join(folder, "orders", name));
    if (slip === undefined || slip.host !== thisHost() || livenessOf(slip.process) !== "gone") continue;
    const place = workplaceIn(folder, name, slip);
    try {
      removeOwned(`${place.index}.lock`);
      // Before there was an index nothing was checked out, and no agent had begun.
      const where = existsSync(place.index) ? await keepLate(git, folder, place) : undefined;
      if (where !== undefined) kept(slip.task, where);
      await clear(git, place);
    } catch {
      kept(slip.task, place.work);
    }
  }
  // What nothing leads to is as old as git's own rule asks before it goes.
  for (const name of namesIn(join(folder, "git")))
    await git.call(["gc", "--auto", "--quiet"], { GIT_DIR: join(folder, "git", name) });
}

function namesIn(folder: string): readonly string[] {
  try {
    return entriesOwned(folder).map(({ name }) => name);
  } catch {
    return [];
  }
}

function readSlip(home: string): Slip | undefined {
  const read = readBounded(join(home, SLIP), { maxBytes: 8192, calls: ownedFileCalls });
  if (!read.ok) return undefined;
  try {
    return slipShape.safeParse(JSON.parse(Buffer.from(read.value).toString("utf8"))).data;
  } catch {
    return undefined;
  }
}

export function write(path: string, text: string | Uint8Array): void {
  const written = writeAtomic(path, text, { calls: ownedFileCalls });
  if (!written.ok) throw new Error(`${path}: ${written.failure.message}`);
}
