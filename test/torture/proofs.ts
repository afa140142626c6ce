import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spellAcks } from "./ack-spellings.ts";
import { simulateCheckpoints } from "./checkpoint.ts";
import { contextKills } from "./context-kills.ts";
import { readEndless } from "./endless.ts";
import { tryConfigs } from "./git-configs.ts";
import { killGit } from "./git-kills.ts";
import { handOvers } from "./hand-overs.ts";
import { assembleMany } from "./packages.ts";
import { cutPower } from "./power/power-cuts.ts";
import { failEverywhere, killEverywhere } from "./program/faults.ts";
import { killRuns } from "./program/kills.ts";
import type { Proof } from "./proof.ts";
import { runProperties } from "./properties.ts";
import { rescueRounds } from "./rescue-rounds.ts";
import { simulateMany } from "./simulate.ts";
import { stopRuns } from "./stops.ts";
import { storeKills } from "./store-kills.ts";
import { visitStrangers } from "./stranger/visits.ts";
import { simulateSync } from "./sync.ts";
import { SAMPLED, tryTables } from "./tables.ts";

/** Every proof, in the order in which they are run. */
export const PROOFS: readonly Proof[] = [
  {
    name: "simulation",
    promise: "every run ends and no rule of scheduling is broken, whatever happens in whatever order",
    whole: 100_000,
    sample: 3000,
    part: 1000,
    async run(count, seed) {
      const { runs, steps, violations } = simulateMany(seed, count);
      return { counts: { runs, steps }, broken: violations };
    },
  },
  {
    name: "properties",
    promise: "every property of every room holds for other cases than those of each day",
    whole: 10,
    sample: 0,
    part: 1,
    async run(seeds, seed) {
      return { counts: { seeds }, broken: await runProperties(seeds, seed) };
    },
  },
  {
    name: "tables",
    promise: "every row, case and further test of which `npm test` tries a sample holds",
    whole: SAMPLED.length,
    sample: 1,
    part: 8,
    run: tryTables,
  },
  {
    name: "sync",
    promise:
      "no replica that claims a version holds other bytes, whatever is lost, doubled, reordered or forged",
    whole: 50_000,
    sample: 1000,
    part: 1000,
    async run(count, seed) {
      const { sequences, steps, violations } = simulateSync(seed, count);
      return { counts: { sequences, steps }, broken: violations };
    },
  },
  {
    name: "acks",
    promise:
      "whatever the spelling of an acknowledgement, none is taken for a yes that is none, no PAUSE is lost, and a plain yes is read",
    whole: 100_000,
    sample: 3000,
    part: 10_000,
    async run(count, seed) {
      const { spellings, valid, read, broken } = spellAcks(seed, count);
      const missed = read < 0.99 * valid ? [`only ${read} of ${valid} plain answers read`] : [];
      return { counts: { spellings, valid, read }, broken: [...broken, ...missed] };
    },
  },
  {
    name: "packages",
    promise: "no package of documents, results and attempts is over its limit, and its receipt is exact",
    whole: 100_000,
    sample: 1000,
    part: 1000,
    run: (count, seed) => Promise.resolve(assembleMany(seed, count)),
  },
  {
    name: "checkpoint",
    promise: "every checkpoint delta is exact and true, and any state leads to any other",
    whole: 50_000,
    sample: 2000,
    part: 2000,
    async run(count, seed) {
      const { pairs, replays, violations } = simulateCheckpoints(seed, count);
      return { counts: { pairs, replays }, broken: violations };
    },
  },
  {
    name: "endless",
    promise: "no text whatever takes its readers more than linear time",
    whole: 5000,
    sample: 60,
    part: 100,
    run: readEndless,
  },
  {
    name: "store",
    promise: "no acknowledged completion is lost by SIGKILL or damaged files",
    whole: 10_000,
    sample: 50,
    part: 200,
    run: (kills, seed) =>
      inFolder(async directory => {
        const { broken, ...counts } = await storeKills({ kills, directory, seed, lanes: 2 });
        return { counts, broken };
      }),
  },
  {
    name: "context",
    promise: "SIGKILL between commit and send loses, doubles and misnumbers nothing of the shared context",
    whole: 2000,
    sample: 30,
    part: 100,
    run: (kills, seed) =>
      inFolder(async directory => {
        const { broken, ...counts } = await contextKills({ kills, directory, seed });
        return { counts, broken };
      }),
  },
  {
    name: "hand-overs",
    promise:
      "a run whose machine is lost again and again ends on others, and loses and repeats none of its work",
    whole: 200,
    sample: 3,
    part: 10,
    run: handOvers,
  },
  {
    name: "program",
    promise: "SIGKILL of the whole program loses, repeats and leaves nothing; compared after each kill",
    whole: 10_000,
    sample: 25,
    part: 500,
    run: (kills, seed) => killRuns({ kills, seed }),
  },
  {
    name: "repository",
    promise: "the same in a git repository: every completed task is on the target branch exactly once",
    whole: 1000,
    sample: 8,
    part: 100,
    run: (kills, seed) => killRuns({ kills, seed, inRepository: true }),
  },
  {
    name: "faults",
    promise:
      "a disk that fails at any call by which a run changes files, with EIO, ENOSPC, EROFS or EACCES, loses nothing told",
    whole: 100_000,
    sample: 10,
    part: 100_000,
    run: (most, _seed, say) => failEverywhere(most, say),
  },
  {
    name: "leftovers",
    promise:
      "SIGKILL before and after each call by which a run changes something: every task's work is there exactly once",
    whole: 100_000,
    sample: 6,
    part: 100_000,
    run: (most, _seed, say) => killEverywhere(most, say),
  },
  {
    name: "git",
    promise:
      "git killed at any system call by which it changes something is recovered from, and nothing lands twice",
    whole: 100_000,
    sample: 30,
    part: 100_000,
    async run(most, _seed, say) {
      const { broken, ...counts } = await killGit(most, say);
      return { counts, broken };
    },
  },
  {
    name: "power",
    promise: "a power cut loses nothing of database and repository that was acknowledged, and breaks neither",
    whole: 200,
    sample: 3,
    part: 40,
    async run(cuts, seed, say) {
      const { broken, skipped, ...counts } = await cutPower(cuts, seed, say);
      if (skipped !== undefined) say(`  skipped: ${skipped}`);
      return { counts, broken };
    },
  },
  {
    name: "git-config",
    promise:
      "what a repository's configuration has git start is shown, and off until approved; ESPALIER_GITS=path:path tries other gits, too",
    whole: 1000,
    sample: 15,
    part: 100,
    run: tryConfigs,
  },
  {
    name: "rescue",
    promise: "no work is lost by clearing away folders, whatever stands in them",
    whole: 200,
    sample: 12,
    part: 20,
    async run(rounds, seed) {
      const { broken, ...counts } = await rescueRounds(rounds, seed);
      return { counts, broken };
    },
  },
  {
    name: "stranger",
    promise: "whatever is planted in a repository, nothing around it changes and every command ends",
    whole: 2000,
    sample: 12,
    part: 100,
    run: visitStrangers,
  },
  {
    name: "stops",
    promise: "every signal in every state ends a run, counts no attempt and leaves nothing",
    whole: 72,
    sample: 12,
    part: 12,
    run: stopRuns,
  },
];

/** An empty folder for as long as the work takes. */
async function inFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "espalier-torture-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
