import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deflateSync } from "node:zlib";
import { createGitVcs, openRepository } from "../src/adapters/vcs/git/index.ts";
import type { VcsFailure } from "../src/ports/index.ts";
import { reasonText } from "../src/text/index.ts";

/**
 * What it costs that landed work is on the disk before it is told: ours from the sealed work to the committed transaction,
 * beside a bare program that writes and syncs the same objects, the same refs and one WAL commit, each file and folder as it
 * comes. Turn by turn on the same file system, so that whatever else the machine does falls on both; medians.
 * `node bench/durable-landing.ts [FOLDER ON A DISK] [--quick]`
 */
const [place = tmpdir()] = process.argv.slice(2).filter(one => !one.startsWith("--"));
const ROUNDS = process.argv.includes("--quick") ? 10 : 60;
/** Files each landing changes, each in a folder of its own. */
const FILES = 5;
const AUTHOR = ["-c", "user.name=b", "-c", "user.email=b@b"];
const around = mkdtempSync(join(place, "espalier-bench-"));
const say = (line: string) => process.stdout.write(`${line}\n`);

async function take<T>(
  call: Promise<{ ok: true; value: T } | { ok: false; failure: VcsFailure }>,
): Promise<T> {
  const done = await call;
  if (!done.ok) throw new Error(reasonText(done.failure.reason, "en"));
  return done.value;
}

function openDatabase(name: string): () => void {
  const database = new DatabaseSync(join(around, name));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE done (task TEXT)");
  const insert = database.prepare("INSERT INTO done VALUES ('T1.1')");
  return () => {
    insert.run();
  };
}

/** One landing: prepared before, then timed. */
type Landing = (n: number) => Promise<() => Promise<void>>;

async function ours(): Promise<Landing> {
  const root = join(around, "project");
  mkdirSync(root);
  const git = (...args: string[]) => execFileSync("git", [...AUTHOR, ...args], { cwd: root });
  git("init", "-q", "-b", "main");
  writeFileSync(join(root, "a.txt"), "a\n");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  const opened = await openRepository({
    root,
    env: process.env,
    leaveOut: () => [],
    rescueDir: join(around, "rescued"),
    allows: () => false,
  });
  if (!opened.ok) throw new Error(opened.failure.code);
  const vcs = createGitVcs(opened.value);
  const acknowledge = openDatabase("ours.db");
  let folder = await take(vcs.open({ branch: "phase/1", path: join(around, "p"), from: "main" }));
  return async n => {
    for (let at = 0; at < FILES; at++) {
      const path = join(folder.path, `f${at}`, `${n}.txt`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${n} ${at}\n`.repeat(100));
    }
    const { tree } = await take(vcs.snapshot(folder));
    const by = { task: `T1.${n}`, title: "x", attempt: `a${n}`, verified: true };
    return async () => {
      const landed = await take(vcs.land({ folder, tree, into: folder, how: "rebase", by }));
      acknowledge();
      if (landed.kind === "landed") folder = { ...folder, base: landed.commit };
    };
  };
}

function syncPath(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

/** Writes a file under another name, syncs it, and gives it its own. */
function put(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(`${path}.new`, "w");
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
  syncPath(dirname(path));
}

/** The objects that one of our landings makes are as many and as large: blobs, their folders, the top, the commit. */
function bare(): Landing {
  const acknowledge = openDatabase("bare.db");
  const store = join(around, "bare");
  return async n => {
    const object = (type: string, body: Buffer) => {
      const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
      return { id: createHash("sha1").update(whole).digest("hex"), bytes: deflateSync(whole, { level: 1 }) };
    };
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);
    const parts = Array.from({ length: FILES }, (_, at) => {
      const blob = object("blob", Buffer.from(`${n} ${at}\n`.repeat(100)));
      const tree = object(
        "tree",
        Buffer.concat(Array.from({ length: n + 1 }, (__, k) => entry("100644", `${k}.txt`, blob.id))),
      );
      return { blob, tree };
    });
    const top = object("tree", Buffer.concat(parts.map(({ tree }, at) => entry("40000", `f${at}`, tree.id))));
    const commit = object("commit", Buffer.from(`tree ${top.id}\nauthor b <b@b> 0 +0000\n\nT1.${n}\n`));
    const objects = [...parts.flatMap(({ blob, tree }) => [blob, tree]), top, commit];
    const id = Buffer.from(`${commit.id}\n`);
    return async () => {
      for (const one of objects) put(join(store, "objects", one.id.slice(0, 2), one.id.slice(2)), one.bytes);
      for (const ref of ["refs/heads/phase/1", "refs/espalier/base/phase/1"]) put(join(store, ref), id);
      acknowledge();
    };
  };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

try {
  const ways = [bare(), await ours()];
  const times: number[][] = [[], []];
  for (let n = 0; n < ROUNDS; n++) {
    for (const [at, way] of ways.entries()) {
      const land = await way(n);
      const began = performance.now();
      await land();
      times[at]?.push(performance.now() - began);
    }
  }
  const [plain = 0, own = 0] = times.map(median);
  const disk = existsSync("/proc/mounts")
    ? readFileSync("/proc/mounts", "utf8")
        .split("\n")
        .map(line => line.split(" "))
        .filter(([, at = "?"]) => around.startsWith(at))
        .at(-1)?.[2]
    : undefined;
  say(`a landing of ${FILES} files until it may be told, ${ROUNDS} times, on ${disk ?? "this file system"}:`);
  say(`  bare program, the same objects, refs and one WAL commit: ${plain.toFixed(1)} ms`);
  say(`  espalier: ${own.toFixed(1)} ms, ${(own / plain).toFixed(2)} times as much (goal: 2)`);
} finally {
  rmSync(around, { recursive: true, force: true });
}
