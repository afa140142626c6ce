import { readSource, type SummaryLevel, summarize } from "../src/summary/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { type Case, casesOf, isFolder } from "./summaries/cases.ts";
import { corpusCases } from "./summaries/corpus.ts";
import { goldOf, share } from "./summaries/gold.ts";
import { lead, random, textRank } from "./summaries/peers.ts";

/**
 * Share of an output's facts that later documents use and a summary keeps, at equal size (o200k tokens), ours beside
 * lead, random and TextRank. `npx node bench/summaries.ts [FOLDER …]`: folders of real files come as arguments.
 */
const LEVELS: readonly (readonly [SummaryLevel, number])[] = [
  [1, 3000],
  [2, 1000],
  [3, 300],
];
const SEEDS = [1, 2, 3, 4, 5];
const MOST_MS = 150;

interface Shares {
  ours: number;
  lead: number;
  random: number;
  textRank: number;
}

function measure({ source, later }: Case, level: SummaryLevel, ceiling: number): Shares | undefined {
  if (countTokens(source) < 1.25 * ceiling) return undefined;
  const gold = goldOf(source, later);
  if (gold.size < 5) return undefined;
  const ours = summarize(readSource(source), level).text;
  if (countTokens(ours) > ceiling) throw new Error(`Over the ceiling of ${ceiling}`);
  return {
    ours: share(gold, ours),
    lead: share(gold, lead(source, ceiling)),
    random: SEEDS.reduce((sum, seed) => sum + share(gold, random(source, ceiling, seed)), 0) / SEEDS.length,
    textRank: share(gold, textRank(source, ceiling)),
  };
}

function percent(list: readonly Shares[], name: keyof Shares): number {
  return (100 * list.reduce((sum, one) => sum + one[name], 0)) / list.length;
}

let failed = false;

function report(title: string, cases: readonly Case[]): void {
  console.log(`\n${title}: ${cases.length} documents`);
  console.log("| level | documents | ours | lead | random | TextRank |\n|---:|---:|---:|---:|---:|---:|");
  for (const [level, ceiling] of LEVELS) {
    const shares = cases.flatMap(one => measure(one, level, ceiling) ?? []);
    if (shares.length === 0) continue;
    const names = ["ours", "lead", "random", "textRank"] as const;
    const [ours = 0, ...peers] = names.map(name => percent(shares, name));
    console.log(
      `| ${level} | ${shares.length} | ${[ours, ...peers].map(value => value.toFixed(1)).join(" | ")} |`,
    );
    if (peers.some(peer => peer >= ours)) failed = true;
  }
}

function speed(text: string): void {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    const source = readSource(text);
    for (const [level] of LEVELS) summarize(source, level);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const [median = 0, worst = 0] = [times[4], times[8]];
  console.log(
    `\n${(text.length / 1000).toFixed(1)} KB, all levels: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
  );
  if (median > MOST_MS) failed = true;
}

const corpus = corpusCases();
report("self-written outputs", corpus);
for (const folder of process.argv.slice(2)) if (isFolder(folder)) report(folder, casesOf(folder));
const long = corpus.map(({ source }) => source).join("\n");
speed(long.slice(0, 30_000));
if (failed) process.exitCode = 1;
