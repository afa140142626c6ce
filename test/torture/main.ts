// The long proofs. `npm run torture` runs them whole (about an hour on two cores), `-- --sample` a few minutes' worth;
// `-- --only simulation,properties,sync,…` picks some. `--tally FILE` adds what they come to to a file, with seeds that it
// never had, and prints the sums. `--planted` plants bugs in the program instead, one at a time, and reports who notices
// (20 minutes; `--sample`: three of the named ones). Exits 1 when any promise was broken, or a bug survived.
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { tellAll, tellFate } from "./planted/report.ts";
import { plantAll } from "./planted/run.ts";
import { addCounts, type Findings, type Proof } from "./proof.ts";
import { PROOFS } from "./proofs.ts";
import { type Sum, TallyFile } from "./tally.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    sample: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    count: { type: "string" },
    tally: { type: "string" },
    planted: { type: "boolean", default: false },
  },
});

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") === "" ? "" : "+"}`;
}

/** Tries a proof part by part until one breaks; returns what was broken. */
async function attempt(
  proof: Proof,
  count: number,
  tally: TallyFile | undefined,
): Promise<readonly string[]> {
  say(`${proof.name}: ${proof.promise} (${count})`);
  const began = performance.now();
  const first = Number(values.seed);
  const parts: Findings[] = [];
  let told = began;
  for (let done = 0; done < count && parts.every(({ broken }) => broken.length === 0); ) {
    const size = Math.min(proof.part, count - done);
    const since = performance.now();
    const claimed = tally?.begin(proof.name, size, first);
    const findings = await proof.run(size, claimed?.seed ?? first + done, say);
    const now = performance.now();
    if (claimed !== undefined) tally?.end(claimed, findings, Math.round((now - since) / 100) / 10);
    parts.push(findings);
    done += size;
    if (now - told < 20_000 || done >= count) continue;
    told = now;
    say(`  ${done} in ${((now - began) / 1000).toFixed(0)} s`);
  }
  const broken = parts.flatMap(part => part.broken);
  say(`  ${JSON.stringify(addCounts(parts.map(({ counts }) => counts)))}`);
  for (const sentence of broken) say(`  BROKEN ${sentence}`);
  say(`  ${broken.length === 0 ? "held" : "broken"} in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return broken;
}

function tellSum({ proof, commits, parts, unended, seconds, counts, broken }: Sum): void {
  const open = unended === 0 ? "" : `, ${unended} not ended`;
  say(`${proof}: ${parts} parts${open}, ${seconds.toFixed(0)} s, of ${commits.join(", ")}`);
  say(`  ${JSON.stringify(counts)}`);
  say(`  ${broken.length === 0 ? "held" : `${broken.length} broken`}`);
  for (const sentence of broken) say(`  BROKEN ${sentence}`);
}

/** Runs the proofs that are wanted; returns how many promises were broken. */
async function prove(): Promise<number> {
  const tally = values.tally === undefined ? undefined : new TallyFile(values.tally, commit());
  const wanted = values.only?.split(",");
  let broken = 0;
  for (const proof of PROOFS.filter(({ name }) => wanted?.includes(name) ?? true)) {
    const count = Number(values.count ?? (values.sample ? proof.sample : proof.whole));
    if (count > 0) broken += (await attempt(proof, count, tally)).length;
  }
  if (tally === undefined) return broken;
  say(`\nIn all, after ${values.tally}:`);
  for (const sum of tally.sums()) {
    tellSum(sum);
    broken += sum.broken.length;
  }
  return broken;
}

/** Plants bugs; returns how many survived. */
async function plant(): Promise<number> {
  const most = values.count === undefined ? (values.sample ? 3 : undefined) : Number(values.count);
  // Another piece of code draws other bugs: a sample of those would say something else of every change.
  const matching = values.only ?? (values.sample ? "named" : undefined);
  const fates = await plantAll(
    {
      seed: Number(values.seed),
      perRoom: 2,
      ...(most === undefined ? {} : { most }),
      ...(matching === undefined ? {} : { matching }),
    },
    fate => tellFate(fate, say),
  );
  return tellAll(fates, say);
}

process.exitCode = (await (values.planted ? plant() : prove())) === 0 ? 0 : 1;
