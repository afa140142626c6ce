import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "../random.ts";
import { lost, unfinished } from "./checks.ts";
import { onDisk, openDisk, type RecordedDisk, whyNoDisk } from "./disk.ts";
import { cutAfter, type DiskRecord } from "./log.ts";
import { makeProject } from "./project.ts";

/** What a series of power cuts came to. */
export interface CutReport {
  readonly cuts: number;
  /** Completions and merges that had been told at the cuts, all together. */
  readonly acknowledged: number;
  /** Why nothing was tried. */
  readonly skipped?: string;
  readonly broken: readonly string[];
}

const CLI = fileURLToPath(new URL("../../../bin/espalier.js", import.meta.url));
/** Cuts of one recorded run. */
const PER_RUN = 40;
const RUN = ["run", "--yes", "--parallel", "4"];

/** A line of the program, and how long the disk's log was when it was read. */
interface Told {
  readonly line: string;
  readonly position: number;
}

interface Ended {
  readonly code: number | null;
  readonly told: readonly Told[];
}

function espalier(root: string, args: readonly string[], disk?: RecordedDisk): Promise<Ended> {
  // After a cut the machine has started anew: the kernel names that, and it is all that a mounted copy lacks of it.
  const boot = `mount --bind ${join(root, "..", "boot")} /proc/sys/kernel/random/boot_id && exec "$@"`;
  const own = [process.execPath, CLI, ...args];
  const [file = "", ...rest] = disk === undefined ? ["unshare", "-m", "sh", "-c", boot, "sh", ...own] : own;
  const child = spawn(file, rest, {
    cwd: join(root, "project"),
    env: { PATH: process.env["PATH"], HOME: join(root, "home"), XDG_STATE_HOME: join(root, "home") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told: Told[] = [];
  let open = "";
  const collect = (chunk: Buffer) => {
    const position = disk?.position() ?? 0;
    const lines = (open + chunk.toString()).split("\n");
    open = lines.pop() ?? "";
    told.push(...lines.map(line => ({ line, position })));
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise(resolve => child.on("close", code => resolve({ code, told })));
}

/** What was acknowledged when the log was so long. */
function acknowledgedAt(told: readonly Told[], position: number): { done: string[]; merged: string[] } {
  const lines = told.filter(one => one.position <= position).map(({ line }) => line);
  const after = (start: string) =>
    lines.flatMap(line => (line.startsWith(start) ? [line.slice(start.length).split(" ")[0] ?? ""] : []));
  return { done: after("[DONE] "), merged: after("[MERGE] Phase ") };
}

interface Cut {
  /** Records the disk had been given. */
  readonly count: number;
  /** What becomes of what its cache held: nothing of it is kept, all of it, or each write by chance. */
  readonly cache: "lost" | "kept" | "any";
}

/** At each acknowledgement, around each flush, and at random; as many as asked for, spread over all of them. */
function choose(records: readonly DiskRecord[], told: readonly Told[], most: number, random: Random): Cut[] {
  const at = (position: number) => records.filter(({ end }) => end <= position).length;
  const acks = told
    .filter(({ line }) => /^\[(?:DONE|MERGE)\]/.test(line))
    .map(({ position }) => at(position));
  const flushes = records.flatMap(({ kind }, n) => (kind === "flush" ? [n, n + 1] : []));
  const caches = ["lost", "kept", "any"] as const;
  const cuts: Cut[] = [...acks, records.length].map(count => ({ count, cache: "lost" }));
  const more = Math.max(0, most - cuts.length);
  for (let n = 0; n < more; n++) {
    const count = n % 3 === 2 ? random.below(records.length) : (flushes[random.below(flushes.length)] ?? 0);
    cuts.push({ count, cache: caches[random.below(3)] ?? "lost" });
  }
  return cuts.slice(0, most);
}

async function tryCut(
  folder: string,
  disk: Buffer,
  { done, merged }: { done: string[]; merged: string[] },
): Promise<string[]> {
  return onDisk(folder, disk, async root => {
    const project = join(root, "project");
    const before = lost(project, done, merged);
    const again = await espalier(root, ["resume", "--yes", "--parallel", "4"]);
    // Cut before there was a run, it is begun.
    const hasNone = again.told.some(({ line }) => line.startsWith("NO_RUN"));
    const { code, told } = hasNone ? await espalier(root, RUN) : again;
    const output = told.map(({ line }) => line).join("\n");
    const after = code === 0 ? unfinished(project) : [`resume ends with ${code}`];
    const words = after.length === 0 ? [] : [`it said: ${output.slice(-1500)}`];
    return [...before, ...after, ...words];
  });
}

/** One recorded run, cut at up to `most` moments. */
async function round(
  seed: number,
  most: number,
  say: (line: string) => void,
): Promise<{ cuts: number; acknowledged: number; broken: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-power-"));
  const random = new Random(seed);
  const broken: string[] = [];
  try {
    writeFileSync(join(folder, "boot"), "the boot after the cut\n");
    const disk = await openDisk(folder, makeProject);
    const { code, told } = await espalier(disk.root, RUN, disk);
    const { base, records } = disk.end();
    if (code !== 0)
      return {
        cuts: 0,
        acknowledged: 0,
        broken: [`seed ${seed}: the run ended with ${code}: ${told.map(({ line }) => line).join("\n")}`],
      };
    const cuts = choose(records, told, most, random);
    let acknowledged = 0;
    for (const { count, cache } of cuts) {
      const survives = () => cache === "kept" || (cache === "any" && random.below(2) === 0);
      const known = acknowledgedAt(told, records[count - 1]?.end ?? 0);
      acknowledged += known.done.length + known.merged.length;
      const found = await tryCut(folder, cutAfter(base, records, count, survives), known);
      const where = `seed ${seed}, cut after ${count} of ${records.length}, cache ${cache}, ${known.done.length} done`;
      if (found.length > 0) say(`  ${where}: ${found.join("; ")}`);
      broken.push(...found.map(sentence => `${where}: ${sentence}`));
    }
    return { cuts: cuts.length, acknowledged, broken };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Records whole runs on a disk of its own, write by write, and cuts the power at `count` moments: what was acknowledged by then
 * has to be there and readable, and the run, taken up again, has to come to its end with everything landed once.
 */
export async function cutPower(count: number, seed: number, say: (line: string) => void): Promise<CutReport> {
  const skipped = whyNoDisk();
  if (skipped !== undefined) return { cuts: 0, acknowledged: 0, skipped, broken: [] };
  const report = { cuts: 0, acknowledged: 0, broken: [] as string[] };
  for (let at = 0; report.cuts < count && report.broken.length < 20; at++) {
    const { cuts, acknowledged, broken } = await round(
      seed + at,
      Math.min(PER_RUN, count - report.cuts),
      say,
    );
    report.cuts += cuts;
    report.acknowledged += acknowledged;
    report.broken.push(...broken);
    if (cuts === 0) break;
    say(`  ${report.cuts} cuts`);
  }
  return report;
}
