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

/** How a run is struck, and where it is done. */
interface Trial {
  readonly ways: readonly Omit<Strike, "at">[];
  readonly inRepository: boolean;
  /** How many tasks there are when each phase ends. */
  readonly phases: readonly number[];
}

/** Every way in which a disk fails. */
const FAULTS: Trial = { ways: WAYS, inRepository: false, phases: PHASES };
/** SIGKILL before a call and after it, in a repository: in its main checkout, in the folder of a phase, and side by side. */
const KILLS: Trial = { ways: [{ after: false }, { after: true }], inRepository: true, phases: [1, 2, 6] };

/** Runs a plan that is struck at one call, and again unharmed: nothing told may be lost, nothing done twice. */
async function tryStrike(cache: string, trial: Trial, strike: Strike): Promise<Fate> {
  using ground = new Ground({ random: new Random(1), cache, ...trial });
  const note = join(ground.around, "struck");
  const failed = await ground.once(RUN, { kind: "strike", strike: { ...strike, note } });
  const fell = existsSync(note) && !/^\d/.test(readFileSync(note, "utf8"));
  const reached = fell || failed.ended.code === null;
  const again = await ground.once(RUN, { kind: "never" });
  const broken = [...failed.broken, ...again.broken, ...ground.atEnd(again.ended)];
  const where = `${strike.errno ?? "SIGKILL"} ${strike.after ? "after" : "before"} call ${strike.at}${strike.forever ? " and ever after" : ""}`;
  return {
    reached,
    broken: broken.map(({ kind, sentence }) => ({ kind, sentence: `${where}: ${sentence}` })),
  };
}

/** How many calls a run has by which the program changes something. */
async function callsOfRun(cache: string, trial: Trial): Promise<number> {
  using ground = new Ground({ random: new Random(1), cache, ...trial });
  const note = join(ground.around, "calls");
  const errno = trial.ways.every(way => way.errno === undefined) ? {} : { errno: "none" };
  await ground.once(RUN, { kind: "strike", strike: { at: 2 ** 31, after: false, ...errno, note } });
  return Number(readFileSync(note, "utf8"));
}

/** Milliseconds between two notes of how far it came. */
const NOTE = 60_000;

/** Has each call of a whole run by which it changes files fail in each way, or `most` of them, evenly chosen. */
export function failEverywhere(most: number, say: (line: string) => void): Promise<Findings> {
  return strikeEverywhere(FAULTS, most, say);
}

/** Kills the program before and after each call of a whole run by which it changes something, or `most` of them. */
export function killEverywhere(most: number, say: (line: string) => void): Promise<Findings> {
  return strikeEverywhere(KILLS, most, say);
}

async function strikeEverywhere(trial: Trial, most: number, say: (line: string) => void): Promise<Findings> {
  const broken: string[] = [];
  const counts = { enumerated: 0, tried: 0, reached: 0, survived: 0 };
  await withCompiled(async cache => {
    const calls = await callsOfRun(cache, trial);
    const all = Array.from({ length: calls }, (_, at) =>
      trial.ways.map(way => ({ ...way, at: at + 1 })),
    ).flat();
    counts.enumerated = all.length;
    const step = Math.max(1, all.length / most);
    const queue = Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]!);
    const toTry = queue.length;
    let told = performance.now();
    const lane = async () => {
      for (let next = queue.shift(); next !== undefined && broken.length < ENOUGH; next = queue.shift()) {
        const fate = await tryStrike(cache, trial, next);
        counts.tried++;
        if (performance.now() - told > NOTE) {
          told = performance.now();
          say(`  ${counts.tried} of ${toTry}`);
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
