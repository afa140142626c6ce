// The long proofs. `npm run torture` runs them whole (about an hour on two cores), `-- --sample` a few minutes' worth;
// `-- --only simulation,properties,sync,…` picks some. `--tally FILE` adds what they come to to a file, with seeds that it
// never had, and prints the sums. Exits 1 when any promise was broken.
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
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

const tally = values.tally === undefined ? undefined : new TallyFile(values.tally, commit());
const wanted = values.only?.split(",");
let broken = 0;
for (const proof of PROOFS.filter(({ name }) => wanted?.includes(name) ?? true)) {
  const count = Number(values.count ?? (values.sample ? proof.sample : proof.whole));
  if (count > 0) broken += (await attempt(proof, count, tally)).length;
}
if (tally !== undefined) {
  say(`\nIn all, after ${values.tally}:`);
  for (const sum of tally.sums()) {
    tellSum(sum);
    broken += sum.broken.length;
  }
}
process.exitCode = broken === 0 ? 0 : 1;
