// The long proofs. `npm run torture` runs them whole (about an hour on two cores), `-- --sample` a few minutes' worth;
// `-- --only simulation,properties,sync,…` picks some. Exits 1 when any promise was broken.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { simulateCheckpoints } from "./checkpoint.ts";
import { deskKills } from "./desk-kills.ts";
import { killGit } from "./git-kills.ts";
import { runProperties } from "./properties.ts";
import { rescueRounds } from "./rescue-rounds.ts";
import { killRuns } from "./run-kills.ts";
import { simulateMany } from "./simulate.ts";
import { storeKills } from "./store-kills.ts";
import { simulateSync } from "./sync.ts";

interface Proof {
  readonly name: string;
  readonly promise: string;
  readonly whole: number;
  readonly sample: number;
  /** Runs it so many times; returns what was broken, one sentence each. */
  run(count: number, seed: number): Promise<readonly string[]>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

const PROOFS: readonly Proof[] = [
  {
    name: "simulation",
    promise: "every run ends and no rule of scheduling is broken, whatever happens in whatever order",
    whole: 100_000,
    sample: 3000,
    async run(count, seed) {
      const CHUNK = 1000;
      const broken: string[] = [];
      for (let done = 0; done < count && broken.length === 0; done += CHUNK) {
        broken.push(...simulateMany(seed + done, Math.min(CHUNK, count - done)).violations);
        if ((done + CHUNK) % 10_000 === 0) say(`  ${done + CHUNK} runs`);
      }
      return broken;
    },
  },
  {
    name: "properties",
    promise: "every property of every room holds for other cases than those of each day",
    whole: 10,
    sample: 0,
    run: runProperties,
  },
  {
    name: "sync",
    promise:
      "no replica that claims a version holds other bytes, whatever is lost, doubled, reordered or forged",
    whole: 50_000,
    sample: 1000,
    async run(count, seed) {
      return simulateSync(seed, count).violations;
    },
  },
  {
    name: "checkpoint",
    promise: "every checkpoint delta is exact and true, and any state leads to any other",
    whole: 50_000,
    sample: 2000,
    async run(count, seed) {
      return simulateCheckpoints(seed, count).violations;
    },
  },
  {
    name: "store",
    promise: "no acknowledged completion is lost by SIGKILL or damaged files",
    whole: 10_000,
    sample: 200,
    async run(kills, seed) {
      const directory = mkdtempSync(join(tmpdir(), "espalier-torture-"));
      try {
        return (await storeKills({ kills, directory, seed, lanes: 2 })).broken;
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  },
  {
    name: "desk",
    promise: "SIGKILL between commit and send loses, doubles and misnumbers nothing of the shared context",
    whole: 2000,
    sample: 50,
    async run(kills, seed) {
      const directory = mkdtempSync(join(tmpdir(), "espalier-desk-"));
      try {
        const { broken, ...counts } = await deskKills({ kills, directory, seed });
        say(`  ${JSON.stringify(counts)}`);
        return broken;
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  },
  {
    name: "program",
    promise: "SIGKILL of the whole program loses, repeats and leaves nothing",
    whole: 1000,
    sample: 25,
    async run(kills, seed) {
      let told = 0;
      const report = await killRuns(kills, seed, sofar => {
        if (sofar.kills < told + 100) return;
        told = sofar.kills;
        say(`  ${told} kills`);
      });
      const { problems, ...counts } = report;
      say(`  ${JSON.stringify(counts)}`);
      return problems;
    },
  },
  {
    name: "repository",
    promise: "the same in a git repository: every completed task is on the target branch exactly once",
    whole: 1000,
    sample: 15,
    async run(kills, seed) {
      let told = 0;
      const tell = (sofar: { readonly kills: number }) => {
        if (sofar.kills < told + 100) return;
        told = sofar.kills;
        say(`  ${told} kills`);
      };
      const { problems, ...counts } = await killRuns(kills, seed, tell, true);
      say(`  ${JSON.stringify(counts)}`);
      return problems;
    },
  },
  {
    name: "git",
    promise:
      "git killed at any system call by which it changes something is recovered from, and nothing lands twice",
    whole: 100_000,
    sample: 30,
    async run(most) {
      return (await killGit(most, say)).broken;
    },
  },
  {
    name: "rescue",
    promise: "no work is lost by clearing away folders, whatever stands in them",
    whole: 200,
    sample: 12,
    run: rescueRounds,
  },
];

const { values } = parseArgs({
  options: {
    sample: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string" },
  },
});
const wanted = values.only?.split(",");
let broken = 0;
for (const proof of PROOFS.filter(({ name }) => wanted?.includes(name) ?? true)) {
  const count = Number(values.count ?? (values.sample ? proof.sample : proof.whole));
  if (count === 0) continue;
  say(`${proof.name}: ${proof.promise} (${count})`);
  const began = performance.now();
  const found = await proof.run(count, Number(values.seed));
  broken += found.length;
  for (const sentence of found) say(`  BROKEN ${sentence}`);
  say(`  ${found.length === 0 ? "held" : "broken"} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
process.exitCode = broken === 0 ? 0 : 1;
