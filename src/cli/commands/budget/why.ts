import type { PackageReceipt, ReceiptPart } from "../../../assembly/index.ts";
import type { Budget } from "../../../budget/index.ts";
import {
  type KeptOutput,
  keptKey,
  levelRules,
  resultText,
  roleOfTask,
  toldAt,
  UNUSED,
  usesIn,
} from "../../../context/library/index.ts";
import { type RunReading, requireRun } from "../../../host/project/reader.ts";
import { archiveFiles, keptOutputs, projectTiers } from "../../../host/run/keep-outputs.ts";
import { readContext } from "../../../host/session/context.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { readSource, summarize } from "../../../summary/index.ts";
import { visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { budgetWords } from "../../views/budget-words.ts";
import { attemptOf } from "../context/receipt.ts";
import { projectBudget } from "./show.ts";

/** What became of one text on its way to a reader. */
export type Fate =
  /** It stood in what the attempt was given. */
  | "told"
  /** Its source was given at a level that leaves it out. */
  | "cut"
  /** Its source was only pointed at, or left out. */
  | "left-out"
  /** Its source is nothing the attempt reads. */
  | "not-read";

/** One place that says what was asked for. */
export interface Sighting {
  /** `T1.2#1`, or `GC@3`. */
  readonly source: string;
  readonly fate: Fate;
  readonly level: ReceiptPart["level"] | undefined;
  readonly why: ReceiptPart["why"] | undefined;
  /** How to read the source whole. */
  readonly where: string;
}

/** A sighting, and what attempts of the run made of its source. */
type Told = Sighting & {
  /** How often they asked for it by its name, and how many of their accepted answers name it. */
  readonly asked: number;
  readonly cited: number;
  /** Which of them say that it is wrong, in their words; foreign. */
  readonly contradicted: readonly { readonly attempt: string; readonly said: string }[];
};

/** What a level told of an output, with the artifact index that travels beside it. */
function levelOf(text: string, label: string, level: 0 | 1 | 2 | 3, budget: Budget): string {
  const source = readSource(text, label);
  const rules = levelRules(budget, source.locale);
  return toldAt(summarize(source, level, { rules }), source.artifacts, rules, "");
}

function contains(text: string, asked: string): boolean {
  return text.toLowerCase().includes(asked.toLowerCase());
}

function fateOf(part: ReceiptPart | undefined, told: (level: 0 | 1 | 2 | 3) => boolean): Fate {
  if (part === undefined) return "not-read";
  if (!part.in) return "left-out";
  if (typeof part.level !== "number") return "left-out";
  return told(part.level) ? "told" : "cut";
}

/** Where what attempts were given can be looked up. */
interface Records {
  readonly budget: Budget;
  readonly kept: (key: string) => KeptOutput | undefined;
  /** A shortened text as it was handed on, by its name in receipts; undefined where it is not kept any more. */
  readonly told: (name: string) => string | undefined;
}

/** What was kept of an earlier run is told as it is; what it had lost before nobody can say any more. */
function fromEarlier(part: ReceiptPart | undefined, kept: KeptOutput | undefined, asked: string): Sighting[] {
  if (part === undefined || kept === undefined || !contains(kept.text, asked)) return [];
  const { source, level, why } = part;
  return [{ source, fate: fateOf(part, () => true), level, why, where: "espalier budget cache list" }];
}

function fromResults(
  { budget, kept, told }: Records,
  reading: RunReading,
  receipt: PackageReceipt,
  asked: string,
): Sighting[] {
  const parts = new Map(
    receipt.parts.filter(({ kind }) => kind === "result").map(part => [part.source, part]),
  );
  return reading.plan.tasks.flatMap((task): Sighting[] => {
    const done = reading.attempts(task.id).findLast(({ outcome }) => outcome === "done");
    if (done === undefined) return fromEarlier(parts.get(`${task.id}#0`), kept(keptKey(budget, task)), asked);
    const text = resultText(done.finalMessage);
    const source = `${task.id}#${done.number}`;
    const part = parts.get(source);
    const given = part?.kept === undefined ? undefined : told(part.kept);
    // A model that shortens may say what the output itself does not.
    if (!contains(text, asked) && !contains(given ?? "", asked)) return [];
    const { label } = roleOfTask(budget, task);
    const fate = fateOf(part, level =>
      contains(given ?? (level === 0 ? text : levelOf(text, label, level, budget)), asked),
    );
    return [{ source, fate, level: part?.level, why: part?.why, where: `espalier context get ${task.id}` }];
  });
}

function fromDocuments(
  project: Parameters<typeof readContext>[0],
  { told }: Pick<Records, "told">,
  receipt: PackageReceipt,
  asked: string,
): Sighting[] {
  const given = new Map(
    receipt.parts
      .filter(({ kind }) => kind === "document" || kind === "update")
      .map(part => [`${part.source}@${part.version}`, part]),
  );
  const found = readContext(project, ({ rows }) => {
    const loaded = rows.load();
    if (!loaded.ok) return [];
    return loaded.value.versions.flatMap((version): Sighting[] => {
      const text = rows.text(version.hash);
      if (!text.ok || text.value === undefined || !contains(text.value, asked)) return [];
      const source = `${version.label}@${version.number}`;
      const part = given.get(source);
      const short = part?.kept === undefined ? undefined : told(part.kept);
      const fate = fateOf(part, () => short === undefined || contains(short, asked));
      return [{ source, fate, level: part?.level, why: part?.why, where: `espalier context show ${source}` }];
    });
  });
  return found ?? [];
}

/** `espalier budget why TASK[#N] TEXT`: who said it, and what became of it on the way to this attempt. */
export function whyBudget(io: Io, name: string, asked: string, options: { json?: boolean }): number {
  const project = projectOf(io);
  const { locale } = project;
  const words = budgetWords(locale);
  const reading = requireRun(project);
  const { task, number } = attemptOf(name);
  const rows = readContext(project, context => context.rows.receipts(reading.stored.run.id, task));
  const receipts = rows?.ok === true ? rows.value : [];
  const row = number === undefined ? receipts.at(-1) : receipts.find(({ attempt }) => attempt === number);
  if (row === undefined || asked.trim() === "") {
    throw new EspalierError("NO_RECEIPT", words.noReceipt(visible(name, 100)), { exitCode: EXIT.usage });
  }
  const receipt = JSON.parse(row.receipt) as PackageReceipt;
  const budget = projectBudget(project);
  const kept = keptOutputs(projectTiers(project, budget));
  const archive = archiveFiles(project, budget);
  const records: Records = {
    budget,
    kept: key => kept(key, Date.now()),
    told: given => archive.told.get(given),
  };
  const { run } = reading.stored;
  const made = readContext(project, context => usesIn(context.rows, run.id, reading.plan.tasks));
  const sightings = [
    ...fromResults(records, reading, receipt, asked),
    ...fromDocuments(project, records, receipt, asked),
  ].map((one): Told => {
    const named = one.source.replace(/[#@]\d+$/, "");
    const { asked: times, cited } = made?.uses.get(named) ?? UNUSED;
    const against = made?.contradictions.filter(({ source }) => source === named) ?? [];
    return {
      ...one,
      asked: times,
      cited,
      contradicted: against.map(({ attempt: by, said }) => ({ attempt: by, said })),
    };
  });
  const attempt = `${task}#${row.attempt}`;
  if (options.json === true) sayJson(io, { attempt, asked, sightings });
  else if (sightings.length === 0) say(io, words.nobodySaid(visible(asked, 80)));
  else
    for (const { source, fate, level, where, asked: times, cited, contradicted } of sightings) {
      const shown = typeof level === "number" ? `${level} (${words.levels[level]})` : "";
      say(
        io,
        `${visible(source, 100)}: ${words.fates[fate](visible(attempt, 100), shown)}  ${fate === "told" ? "" : visible(where, 120)}`.trimEnd(),
      );
      const { learn } = project.config.context;
      if (times > 0) say(io, `  ${words.askedFor(times, learn)}`);
      if (cited > contradicted.length) say(io, `  ${words.citedBy(cited - contradicted.length, learn)}`);
      for (const { attempt: by, said } of contradicted)
        say(io, `  ${words.contradictedBy(visible(by, 100), visible(said, 200), learn)}`);
    }
  return EXIT.done;
}
