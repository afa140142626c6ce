import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSource, type SummaryLevel, summarize } from "../src/summary/index.ts";
import { handoverAsked } from "../src/text/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { first, leads, random, textRank } from "./summaries/peers.ts";
import { type Report, reportsOf, toldIn } from "./summaries/reports.ts";

/**
 * Share of the essential facts of reports that each level keeps, at equal size (o200k tokens), beside the first tokens, the first
 * units of sections, TextRank and random units. `npx node bench/summaries.ts [FOLDER …] [--handovers FOLDER]`: a folder holds
 * `facts.json` and the documents it names; without one only the time is measured. Handovers are what somebody who had a document and
 * not its facts wrote for it as agents are asked to, `<id>.md`; documents that have one are measured with it, too.
 */
const LEVELS: readonly (readonly [
  level: SummaryLevel,
  ceiling: number,
  goal: number,
  beside: number,
  withHandover: number,
])[] = [
  [1, 3000, 0.97, 0, 0.97],
  [2, 1000, 0.85, 1.15, 0.95],
  [3, 300, 0.55, 1.5, 0.8],
];
const SEEDS = [1, 2, 3, 4, 5];
/** Tokens of asking for a handover and of the median answer, together. */
const MOST_HANDED = 250;
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

const { values, positionals } = parseArgs({
  options: { handovers: { type: "string" } },
  allowPositionals: true,
});

const ours = MAKERS["ours"]!;

/** Levels of reports that end with what their author hands over, and what asking for that takes. */
function withHandovers(reports: readonly Report[], folder: string): void {
  const own = reports.flatMap(report => {
    const path = join(folder, `${report.id}.md`);
    return existsSync(path) ? [{ ...report, handover: readFileSync(path, "utf8") }] : [];
  });
  for (const [language, some] of Map.groupBy(own, report => report.language)) {
    const [asked, answered] = [
      countTokens(handoverAsked(language === "ko" ? "ko" : "en")),
      some.map(({ handover }) => countTokens(handover)).sort((a, b) => a - b),
    ];
    console.log(
      `\n${language} with a handover: ${some.length} reports; tokens asking ${asked}, answering ${answered.join(" ")}`,
    );
    if (asked + (answered[answered.length >> 1] ?? 0) > MOST_HANDED) failed = true;
    // What its author says itself is not our doing.
    const byAuthor = some.map(report => tally([report], () => [report.handover], 3, 1000).traps);
    const traps = byAuthor.reduce((sum, one) => sum + one, 0);
    const handed = some.map(report => ({ ...report, text: `${report.text}\n\n${report.handover}` }));
    for (const [level, ceiling, , , goal] of LEVELS) {
      const [alone, told] = [tally(some, ours, level, ceiling), tally(handed, ours, level, ceiling)];
      console.log(
        `| ${level} | without ${percent(alone)} | with ${percent(told)}, ${told.traps} traps (${traps} in what is handed over), ${told.over} over |`,
      );
      if (told.traps > traps || told.over > 0 || told.kept < goal * told.all) failed = true;
    }
  }
}

for (const folder of positionals) {
  const reports = reportsOf(folder);
  if (values.handovers !== undefined) withHandovers(reports, values.handovers);
  for (const [language, own] of Map.groupBy(reports, ({ language }) => language)) report(language, own);
  if (new Set(reports.map(({ language }) => language)).size > 1) report("all", reports);
}
console.log("");
const pages = globSync("docs/*.md").map(page => readFileSync(page, "utf8"));
speed("30 KB", pages.join("\n").slice(0, 30_000), MOST_MS.page);
const line = pages.join(" ").replace(/\s+/g, " ");
speed("one line of 3 MB", line.repeat(Math.ceil(3_000_000 / line.length)).slice(0, 3_000_000), MOST_MS.line);
if (failed) process.exitCode = 1;
