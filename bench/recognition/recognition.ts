/**
 * How well `readPlan` recognises real task files, beside the documents' own regexes.
 *
 *   npm run bench:recognition -- FOLDER [--verbose]
 *   npm run bench:recognition -- --variants 2000 --seed 1 [--verbose] [--show N]
 *
 * Only files whose labels are known (by hash) are measured. Exits 1 when a gated measure is below 99 %.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { readPlan } from "../../src/plan/index.ts";
import type { Task } from "../../src/plan/types.ts";
import type { Variant } from "./page.ts";
import { findByRegexes } from "./regexes.ts";
import {
  addScore,
  emptyScore,
  FIELDS,
  type Found,
  fittingReading,
  GATED,
  percent,
  type Score,
  score,
} from "./score.ts";
import { loadTruths, type Truth, truthKey } from "./truth.ts";
import { variants } from "./variants.ts";

const THRESHOLD = 99;

interface Subject {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly truth: Truth;
  /** The line of the table it is counted in. */
  readonly row: string;
  readonly tags: readonly string[];
  readonly gated: boolean;
}

/** Files of a kind, counted together. */
interface Row {
  readonly ours: Score;
  readonly regexes: Score;
  files: number;
  formats: number;
  /** Files with a diagnostic that forbids a run. */
  refused: number;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    variants: { type: "string" },
    seed: { type: "string", default: "1" },
    show: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const subjects = positionals.flatMap(labelled);
if (flags.variants !== undefined) {
  const made = variants(Number(flags.variants), Number(flags.seed));
  if (flags.show !== undefined) show(made, Number(flags.show));
  else subjects.push(...made.map(synthetic));
}
if (flags.show === undefined) process.exitCode = measure(subjects);

function labelled(folder: string): Subject[] {
  const truths = loadTruths(join(import.meta.dirname, "truth"));
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry): Subject[] => {
    if (!entry.isFile()) return [];
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    const truth = truths.get(truthKey(bytes));
    return truth
      ? [{ path: relative(folder, path), bytes, truth, row: truth.format, tags: [], gated: true }]
      : [];
  });
  console.log(`${found.length} of ${truths.size} labelled files found in ${folder}`);
  return found.sort((a, b) => (a.truth.name < b.truth.name ? -1 : 1));
}

function synthetic(made: Variant, index: number): Subject {
  const row = `${made.truth.format}${made.beyond ? ", unseen spellings" : ""} (synthetic)`;
  return {
    path: `#${index}`,
    bytes: made.bytes,
    truth: made.truth,
    row,
    tags: made.tags,
    gated: !made.beyond,
  };
}

function show(made: readonly Variant[], index: number): void {
  const one = made[index];
  if (!one) return;
  console.log(new TextDecoder("utf-8", { ignoreBOM: true }).decode(one.bytes));
  for (const task of one.truth.tasks) console.log(JSON.stringify(task));
  console.log(one.tags.join("; "));
}

function measure(files: readonly Subject[]): number {
  const rows = new Map<string, Row>();
  const gated = newRow();
  const stumbles = new Map<string, { wrong: number; files: number }>();
  for (const file of files) {
    const reading = readPlan(file.bytes, {
      path: file.truth.format === "task-master" ? "tasks.json" : file.path,
    });
    const found = reading.plan.tasks.map(asFound);
    const labels = fittingReading(file.truth, found);
    const ours = score(labels, found);
    const regexes = score(labels, findByRegexes(new TextDecoder().decode(file.bytes)));
    const row = rows.get(file.row) ?? newRow();
    rows.set(file.row, row);
    for (const total of file.gated ? [row, gated] : [row]) {
      total.files += 1;
      if (reading.plan.format === file.truth.format) total.formats += 1;
      if (reading.diagnostics.some(finding => finding.severity === "error")) total.refused += 1;
      addScore(total.ours, ours);
      addScore(total.regexes, regexes);
    }
    for (const tag of file.tags) {
      const seen = stumbles.get(tag) ?? { wrong: 0, files: 0 };
      seen.files += 1;
      if (ours.mismatches.some(miss => GATED.includes(miss.field))) seen.wrong += 1;
      stumbles.set(tag, seen);
    }
    if (flags.verbose) explain(file, ours, reading.plan.format);
  }
  for (const [name, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) print(name, row);
  if (rows.size > 1) print("all gated", gated);
  if (flags.verbose) printStumbles(stumbles);
  const failed = [...rows].flatMap(([name, row]) =>
    name.includes("unseen")
      ? []
      : GATED.filter(field => percent(row.ours, field) < THRESHOLD).map(field => `${name}: ${field}`),
  );
  if (files.length === 0) failed.push("nothing was measured");
  if (failed.length > 0) console.log(`\nbelow ${THRESHOLD} %: ${failed.join("; ")}`);
  return failed.length > 0 ? 1 : 0;
}

function newRow(): Row {
  return { ours: emptyScore(), regexes: emptyScore(), files: 0, formats: 0, refused: 0 };
}

function asFound(task: Task): Found {
  const { id, line, done, dependsOn, parallelWith, specialist } = task;
  return { id, line, done, dependsOn, parallelWith, ...(specialist === undefined ? {} : { specialist }) };
}

function print(name: string, row: Row): void {
  console.log(
    `\n${name}: ${row.files} files, format right in ${row.formats}, errors reported in ${row.refused}`,
  );
  console.log(`  ${"".padEnd(16)}${"readPlan".padStart(22)}${"documents' regexes".padStart(22)}`);
  for (const field of FIELDS) {
    if (row.ours.of[field] === 0) continue;
    const remark = field === "tasks" ? `  missing ${row.ours.missing}, extra ${row.ours.extra}` : "";
    const shown = GATED.includes(field) ? "" : "  (not gated)";
    console.log(`  ${field.padEnd(16)}${cell(row.ours, field)}${cell(row.regexes, field)}${remark}${shown}`);
  }
}

function cell(result: Score, field: (typeof FIELDS)[number]): string {
  const share = `${percent(result, field).toFixed(1)} %`;
  return `${`${result.right[field]}/${result.of[field]}`.padStart(13)}${share.padStart(9)}`;
}

function explain(file: Subject, ours: Score, format: string): void {
  const name = file.truth.name === file.truth.format ? file.path : `${file.truth.name}, ${file.path}`;
  if (format !== file.truth.format)
    console.log(`${name}: format: expected ${file.truth.format}, got ${format}`);
  for (const miss of ours.mismatches)
    console.log(`${name}:${miss.line} ${miss.id}: ${miss.field}: expected ${miss.expected}, got ${miss.got}`);
}

function printStumbles(stumbles: ReadonlyMap<string, { wrong: number; files: number }>): void {
  const worst = [...stumbles]
    .filter(([, seen]) => seen.wrong > 0)
    .sort(([, a], [, b]) => b.wrong / b.files - a.wrong / a.files);
  if (worst.length > 0) console.log("\nspellings by share of files with a mistake");
  for (const [tag, seen] of worst.slice(0, 40))
    console.log(`  ${tag.padEnd(36)}${`${seen.wrong}/${seen.files}`.padStart(10)}`);
}
