import type { PackageReceipt, ReceiptPart } from "../../../assembly/index.ts";
import type { Budget } from "../../../budget/index.ts";
import {
  fillLabel,
  type KeptOutput,
  keptKey,
  levelRules,
  resultText,
  roleOfTask,
  toldAt,
} from "../../../context/library/index.ts";
import type { RunReading } from "../../../host/project/reader.ts";
import { readContext } from "../../../host/session/context.ts";
import type { Task } from "../../../plan/index.ts";
import type { AttemptRow } from "../../../ports/index.ts";
import { readSource, summarize } from "../../../summary/index.ts";
import { reasonText } from "../../../text/index.ts";

/** What became of one text on its way to a reader. */
export type Fate =
  /** It stood in what the attempt was given. */
  | "told"
  /** It asked for its source by name, and was given that whole. */
  | "asked"
  /** Its source was given at a level that leaves it out. */
  | "cut"
  /** Its source was only pointed at, or left out. */
  | "left-out"
  /** Another attempt or version of its source was given. */
  | "instead"
  /** It is of an earlier attempt of the task, of which less was told, or nothing. */
  | "untold"
  /** It is of a later attempt of the task. */
  | "later"
  /** The attempt answered it. */
  | "own"
  /** Its source is nothing the attempt reads. */
  | "not-read";

/** One place that says what was asked for. */
export interface Sighting {
  /** `T1.2#1`, or `GC@3`. */
  readonly source: string;
  readonly fate: Fate;
  readonly level: ReceiptPart["level"] | undefined;
  readonly why: ReceiptPart["why"] | undefined;
  /** What was given in its place, where its fate is that. */
  readonly given?: string;
  /** How to read the source whole. */
  readonly where: string;
}

/** One that was what its source gave to whoever asked for it by name, from a moment until the next one took its place. */
type Found = Sighting & { readonly from: number; readonly until: number };

/** Whatever there was of it, it was there all the time. */
const ALWAYS = { from: 0, until: Number.POSITIVE_INFINITY };

/** Whose package it is, and where what went into it can be looked up. */
export interface Records {
  readonly budget: Budget;
  readonly reading: RunReading;
  readonly task: string;
  readonly attempt: number;
  readonly receipt: PackageReceipt;
  /** What is looked for. */
  readonly asked: string;
  readonly kept: (key: string) => KeptOutput | undefined;
  /** A shortened text as it was handed on, by its name in receipts; undefined where it is not kept any more. */
  readonly told: (name: string) => string | undefined;
}

/** What a level told of an output, with the artifact index that travels beside it. */
function levelOf(text: string, label: string, level: 0 | 1 | 2 | 3, budget: Budget): string {
  const source = readSource(text, label);
  const rules = levelRules(budget, source.locale);
  return toldAt(summarize(source, level, { rules }), source.artifacts, rules, "");
}

function contains(text: string, asked: string): boolean {
  return text.toLowerCase().includes(asked.toLowerCase());
}

/** What became of a source that was given in some way. */
function fateOf(part: ReceiptPart, told: (level: 0 | 1 | 2 | 3) => boolean): Fate {
  if (!part.in || typeof part.level !== "number") return "left-out";
  return told(part.level) ? "told" : "cut";
}

/** The part in which a reader had what one says: itself, or that whose text it shares. */
function heardIn(part: ReceiptPart, parts: Iterable<ReceiptPart>): ReceiptPart {
  return [...parts].findLast(({ source }) => source === part.of) ?? part;
}

/** What was kept of an earlier run is told as it is; what it had lost before nobody can say any more. */
function fromEarlier(part: ReceiptPart | undefined, kept: KeptOutput | undefined, asked: string): Found[] {
  if (part === undefined || kept === undefined || !contains(kept.text, asked)) return [];
  const { source, level, why } = part;
  const where = "espalier budget cache list";
  return [{ ...ALWAYS, source, fate: fateOf(part, () => true), level, why, where }];
}

/** Where the whole answer of an attempt is: of its task's newest, or of another one. */
function whereIs({ task, number }: AttemptRow, newest: AttemptRow | undefined): string {
  return number === newest?.number ? `espalier context get ${task}` : `espalier task show ${task}`;
}

/** What another task answered: in the attempt that was given, and in its newest. */
function fromTask(records: Records, task: Task, parts: ReadonlyMap<string, ReceiptPart>): Found[] {
  const { budget, reading, asked, kept } = records;
  const rows = reading.attempts(task.id);
  const newest = rows.findLast(({ outcome }) => outcome === "done");
  const nameOf = ({ number }: AttemptRow) => `${task.id}#${number}`;
  const given = rows.find(row => parts.has(nameOf(row)));
  if (newest === undefined && given === undefined)
    return fromEarlier(parts.get(`${task.id}#0`), kept(keptKey(budget, task)), asked);
  return rows.flatMap((row, at): Found[] => {
    if (row !== newest && row !== given) return [];
    const text = resultText(row.finalMessage);
    const source = nameOf(row);
    const own = parts.get(source);
    const part = own && heardIn(own, parts.values());
    const short = part?.kept === undefined ? undefined : records.told(part.kept);
    // A model that shortens may say what the output itself does not.
    if (!contains(text, asked) && !contains(short ?? "", asked)) return [];
    const where = whereIs(row, newest);
    const next = rows.slice(at + 1).find(({ outcome }) => outcome === "done");
    const stood = { from: row.endedAt, until: next?.endedAt ?? ALWAYS.until };
    const base = { source, level: part?.level, why: part?.why, where, ...stood };
    if (part === undefined)
      return [
        given === undefined
          ? { ...base, fate: "not-read" }
          : { ...base, fate: "instead", given: nameOf(given) },
      ];
    const author = sourceOf(part);
    const { label } = roleOfTask(budget, reading.plan.tasks.find(({ id }) => id === author) ?? task);
    const fate = fateOf(part, level =>
      contains(short ?? (level === 0 ? text : levelOf(text, label, level, budget)), asked),
    );
    return [{ ...base, fate }];
  });
}

/** What other attempts of its own task said, and what it answered itself. */
function fromOwn({ reading, task, attempt, receipt, asked }: Records): Found[] {
  const parts = new Map(
    receipt.parts.filter(({ kind }) => kind === "attempt").map(part => [part.source, part]),
  );
  const rows = reading.attempts(task);
  const newest = rows.findLast(({ outcome }) => outcome === "done");
  return rows.flatMap((row): Found[] => {
    const source = `${task}#${row.number}`;
    const how = [reasonText(row.reason, "en"), reasonText(row.reason, "ko")].join("\n");
    if (!contains([row.finalMessage, row.feedback, how].join("\n"), asked)) return [];
    const part = parts.get(source);
    const heard = part && heardIn(part, parts.values());
    const base = { source, level: heard?.level, why: heard?.why, where: whereIs(row, newest), ...ALWAYS };
    if (row.number >= attempt) return [{ ...base, fate: row.number === attempt ? "own" : "later" }];
    const told = contains(how, asked) || (heard?.level === 0 && contains(row.feedback, asked));
    return [{ ...base, fate: heard?.in === true && told ? "told" : "untold" }];
  });
}

/** What documents say, each in the version that was given and in others. */
function fromDocuments(project: Parameters<typeof readContext>[0], records: Records): Found[] {
  const { receipt, asked, told } = records;
  const nameOf = (label: string, version: number | undefined) => `${label}@${version}`;
  const parts = receipt.parts.filter(({ kind }) => kind === "document" || kind === "update");
  const given = new Map(parts.map(part => [nameOf(part.source, part.version), part]));
  const live = new Set(receipt.live?.map(({ label, version }) => nameOf(label, version)));
  const versions = new Map(parts.map(({ source, version }) => [source, nameOf(source, version)]));
  const found = readContext(project, ({ rows }) => {
    const loaded = rows.load();
    if (!loaded.ok) return [];
    const { versions: all } = loaded.value;
    const byName = new Map(all.map(version => [nameOf(version.label, version.number), version]));
    return all.flatMap((version): Found[] => {
      const text = rows.text(version.hash);
      if (!text.ok || text.value === undefined || !contains(text.value, asked)) return [];
      const source = nameOf(version.label, version.number);
      const own = given.get(source);
      const part = own && heardIn(own, parts);
      // The versions of a document rise without gaps.
      const next = byName.get(nameOf(version.label, version.number + 1));
      const stood = { from: version.at, until: next?.at ?? ALWAYS.until };
      const where = `espalier context show ${source}`;
      const base = { source, level: part?.level, why: part?.why, where, ...stood };
      if (live.has(source)) return [{ ...base, fate: "told" }];
      const other = versions.get(version.label);
      if (part === undefined)
        return [
          other === undefined ? { ...base, fate: "not-read" } : { ...base, fate: "instead", given: other },
        ];
      const short = part.kept === undefined ? undefined : told(part.kept);
      return [{ ...base, fate: fateOf(part, () => short === undefined || contains(short, asked)) }];
    });
  });
  return found ?? [];
}

/** The task or the label of what says something. */
export function sourceOf({ source }: Pick<Sighting, "source">): string {
  return source.replace(/[#@]\d+$/, "");
}

/** Every place that says what is looked for, and what became of it on the way to an attempt. */
export function sightingsOf(project: Parameters<typeof readContext>[0], records: Records): Sighting[] {
  const { reading, receipt, task, attempt } = records;
  const results = new Map(
    receipt.parts.filter(({ kind }) => kind === "result").map(part => [part.source, part]),
  );
  const answers = reading.plan.tasks.flatMap(one =>
    one.id === task ? fromOwn(records) : fromTask(records, one, results),
  );
  const documents = fromDocuments(project, records);
  const labels = new Set(documents.map(sourceOf));
  const asked = new Set(receipt.asked?.map(({ source }) => source));
  const { startedAt = 0, endedAt = 0 } = reading.attempts(task).find(row => row.number === attempt) ?? {};
  // What came after the attempt, or was replaced before it, was not what it was given for asking.
  const isGiven = ({ source, from, until }: Found) =>
    asked.has(sourceOf({ source })) && until > startedAt && (endedAt === 0 || from <= endedAt);
  const all = [
    // What a fill answered is told of once, as the document that it became.
    ...answers.filter(one => one.fate !== "not-read" || !labels.has(fillLabel(sourceOf(one)))),
    ...documents,
  ].map((found): Sighting => {
    const { from, until: _, given, ...one } = found;
    const isHad = one.fate === "told" || one.fate === "own" || one.fate === "later";
    if (!isHad && isGiven(found)) return { ...one, fate: "asked" };
    // A document that hangs where the task reads, but was not there yet, is not one that nothing leads to.
    if (one.fate === "not-read" && from > startedAt) return { ...one, fate: "later" };
    return given === undefined ? one : { ...one, given };
  });
  // Which other version says it, too, is of no use to whoever reads that the one that was given does.
  const had = new Set(all.filter(({ fate }) => fate === "told").map(sourceOf));
  return all.filter(one => one.fate !== "instead" || !had.has(sourceOf(one)));
}
