import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Findings } from "../proof.ts";
import { Random } from "../random.ts";
import { Ground, RUN, withCompiled } from "./ground.ts";
import type { Broken } from "./promises.ts";
import type { Strike } from "./strike.ts";

/** Ways in which a disk fails: at once or for good, before anything happened or after the call took effect. */
const WAYS: readonly Omit<Strike, "at">[] = [
  { errno: "EIO", after: false },
  { errno: "EIO", after: true },
  { errno: "ENOSPC", after: false, forever: true },
  { errno: "EROFS", after: false, forever: true },
  { errno: "EACCES", after: false },
];
/** Few tasks, which lead through every way of writing all the same. */
const PHASES: readonly number[] = [1, 4, 5];
const LANES = 3;
/** Broken promises after which no further fault is tried. */
const ENOUGH = 5;

/** What became of one fault: it may not be reached, for the calls of two runs differ a little. */
interface Fate {
  readonly reached: boolean;
  readonly broken: readonly Broken[];
}

/** Runs a plan on a disk that fails at one call, and again on a sound one: nothing told may be lost, nothing done twice. */
async function tryFault(cache: string, strike: Strike): Promise<Fate> {
  using ground = new Ground({ random: new Random(1), cache, phases: PHASES });
  const note = join(ground.around, "struck");
  const failed = await ground.once(RUN, { kind: "strike", strike: { ...strike, note } });
  const reached = existsSync(note) && !/^\d/.test(readFileSync(note, "utf8"));
  const again = await ground.once(RUN, { kind: "never" });
  const broken = [...failed.broken, ...again.broken, ...ground.atEnd(again.ended)];
  const where = `${strike.errno} ${strike.after ? "after" : "before"} call ${strike.at}${strike.forever ? " and ever after" : ""}`;
  return {
    reached,
    broken: broken.map(({ kind, sentence }) => ({ kind, sentence: `${where}: ${sentence}` })),
  };
}

/** How many calls by which the program changes files a run has. */
async function callsOfRun(cache: string): Promise<number> {
  using ground = new Ground({ random: new Random(1), cache, phases: PHASES });
  const note = join(ground.around, "calls");
  await ground.once(RUN, { kind: "strike", strike: { at: 2 ** 31, after: false, errno: "none", note } });
  return Number(readFileSync(note, "utf8"));
}

/** Milliseconds between two notes of how far it came. */
const NOTE = 60_000;

/** Has each call of a whole run by which it changes files fail in each way, or `most` of them, evenly chosen. */
export async function failEverywhere(most: number, say: (line: string) => void): Promise<Findings> {
  const broken: string[] = [];
  const counts = { enumerated: 0, tried: 0, reached: 0, survived: 0 };
  await withCompiled(async cache => {
    const calls = await callsOfRun(cache);
    const all = Array.from({ length: calls }, (_, at) => WAYS.map(way => ({ ...way, at: at + 1 }))).flat();
    counts.enumerated = all.length;
    const step = Math.max(1, all.length / most);
    const queue = Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]!);
    const toTry = queue.length;
    let told = performance.now();
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined && broken.length < ENOUGH; next = queue.shift()) {
        const fate = await tryFault(cache, next);
        counts.tried++;
        if (performance.now() - told > NOTE) {
          told = performance.now();
          say(`  ${counts.tried} of ${toTry} faults`);
        }
        if (fate.reached) counts.reached++;
        if (fate.reached && fate.broken.length === 0) counts.survived++;
        broken.push(...fate.broken.map(({ kind, sentence }) => `${kind}: ${sentence}`));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  });
  return { counts, broken };
}
