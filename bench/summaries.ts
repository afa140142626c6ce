import { globSync, readFileSync } from "node:fs";
import { readSource, type SummaryLevel, summarize } from "../src/summary/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { first, leads, random, textRank } from "./summaries/peers.ts";
import { type Report, reportsOf, toldIn } from "./summaries/reports.ts";

/**
 * Share of the essential facts of reports that each level keeps, at equal size (o200k tokens), beside the first tokens, the first
 * units of sections, TextRank and random units. `npx node bench/summaries.ts [FOLDER …]`: a folder holds `facts.json` and the
 * documents it names; without one only the time is measured.
 */
const LEVELS: readonly (readonly [level: SummaryLevel, ceiling: number, goal: number, beside: number])[] = [
  [1, 3000, 0.97, 0],
  [2, 1000, 0.85, 1.15],
  [3, 300, 0.55, 1.5],
];
const SEEDS = [1, 2, 3, 4, 5];
const MOST_MS = { page: 50, line: 1000 };

type Maker = (text: string, level: SummaryLevel, ceiling: number) => readonly string[];

const MAKERS: Readonly<Record<string, Maker>> = {
  ours: (text, level) => [summarize(readSource(text), level).text],
  first: (text, _, ceiling) => [first(text, ceiling)],
  leads: (text, _, ceiling) => [leads(text, ceiling)],
  TextRank: (text, _, ceiling) => [textRank(text, ceiling)],
  random: (text, _, ceiling) => SEEDS.map(seed => random(text, ceiling, seed)),
};

interface Tally {
  kept: number;
  all: number;
  traps: number;
  over: number;
  readonly kinds: Map<string, { kept: number; all: number }>;
}

function tally(reports: readonly Report[], make: Maker, level: SummaryLevel, ceiling: number): Tally {
  const sum: Tally = { kept: 0, all: 0, traps: 0, over: 0, kinds: new Map() };
  for (const { text, facts } of reports) {
    const texts = make(text, level, ceiling);
    for (const made of texts) {
      if (countTokens(made) > ceiling) sum.over++;
      for (const [at, told] of toldIn(made, facts).entries()) {
        const { kind, isTrap } = facts[at]!;
        const part = (told ? 1 : 0) / texts.length;
        if (isTrap) sum.traps += part;
        else {
          const own = sum.kinds.get(kind) ?? { kept: 0, all: 0 };
          sum.kinds.set(kind, { kept: own.kept + part, all: own.all + 1 / texts.length });
          sum.kept += part;
          sum.all += 1 / texts.length;
        }
      }
    }
  }
  return sum;
}

let failed = false;
const percent = ({ kept, all }: { kept: number; all: number }) => `${((100 * kept) / all).toFixed(1)} %`;

function report(title: string, reports: readonly Report[]): void {
  console.log(`\n${title}: ${reports.length} reports`);
  console.log(
    `| level | ${Object.keys(MAKERS).join(" | ")} |\n|---|${"---|".repeat(Object.keys(MAKERS).length)}`,
  );
  for (const [level, ceiling, goal, beside] of LEVELS) {
    const all = Object.values(MAKERS).map(make => tally(reports, make, level, ceiling));
    const cells = all.map(one => {
      const bad = [one.traps > 0 ? `${one.traps} traps` : "", one.over > 0 ? `${one.over} over` : ""];
      return [percent(one), ...bad.filter(Boolean)].join(", ");
    });
    console.log(`| ${level} | ${cells.join(" | ")} |`);
    const [ours, ...peers] = all;
    const best = Math.max(...peers.map(({ kept }) => kept));
    if (ours!.over > 0 || ours!.traps > 0 || ours!.kept < goal * ours!.all || ours!.kept < beside * best)
      failed = true;
    const kinds = [...ours!.kinds].map(([kind, own]) => `${kind} ${percent(own)}`);
    if (level > 1) console.log(`  level ${level}, ours by kind: ${kinds.join(", ")}`);
  }
}

function speed(title: string, text: string, most: number): void {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    const source = readSource(text);
    for (const [level] of LEVELS) summarize(source, level);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const [median = 0, worst = 0] = [times[4], times[8]];
  console.log(`${title}, all levels: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`);
  if (median > most) failed = true;
}

for (const folder of process.argv.slice(2)) {
  const reports = reportsOf(folder);
  for (const [language, own] of Map.groupBy(reports, ({ language }) => language)) report(language, own);
  if (new Set(reports.map(({ language }) => language)).size > 1) report("all", reports);
}
console.log("");
const pages = globSync("docs/*.md").map(page => readFileSync(page, "utf8"));
speed("30 KB", pages.join("\n").slice(0, 30_000), MOST_MS.page);
const line = pages.join(" ").replace(/\s+/g, " ");
speed("one line of 3 MB", line.repeat(Math.ceil(3_000_000 / line.length)).slice(0, 3_000_000), MOST_MS.line);
if (failed) process.exitCode = 1;
