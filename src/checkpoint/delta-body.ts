import type { Changed, Differences, Entry } from "./differences.ts";
import { partOf } from "./parts.ts";
import { asCell, oneLine, splitRow, writeRow } from "./table.ts";
import type { DeltaWords } from "./words.ts";

/** Entries told under one heading; the machine block has them all. */
const MOST_ENTRIES = 24;
const MOST_SECTIONS = 3;

/** One sentence on what separates two documents; `headline` says what it was for. */
export function summarySentence(found: Differences, headline: string, words: DeltaWords): string {
  const counts = [
    [found.added.length, words.added],
    [found.modified.length, words.modified],
    [found.removed.length, words.removed],
    [found.transitions.length, words.moved],
  ] as const;
  const parts = counts.flatMap(([count, say]) => (count === 0 ? [] : [say(count)]));
  const what = parts.length > 0 ? parts.join(", ") : found.layout > 0 ? words.layout : words.nothing;
  const titles = [...new Set([...found.added, ...found.removed].map(({ section }) => section))].filter(
    title => title !== "",
  );
  const shown = titles.slice(0, MOST_SECTIONS).map(title => oneLine(title, 40));
  const told = shown.length === 0 ? what : words.inSections(what, shown, titles.length - shown.length);
  return `${oneLine(headline, 200)}: ${told}.`;
}

/** `## Changes`: what was added, modified and removed, and which statuses moved. At least one of the first three stands. */
export function changesSection(found: Differences, words: DeltaWords): string[] {
  const { added, modified, removed, transitions } = found;
  const bare = added.length + modified.length + removed.length === 0;
  const lines = ["## Changes", ""];
  if (added.length > 0) lines.push("### Added", "", ...listed(added, words), "");
  if (modified.length > 0) lines.push("### Modified", "", ...table("Section/Field", modified, words), "");
  // Something must stand: statuses are modifications too, and so is a new arrangement.
  else if (bare && transitions.length > 0)
    lines.push("### Modified", "", ...table("Section/Field", transitions, words), "");
  else if (bare) lines.push("### Modified", "", ...unlisted(found, words), "");
  if (removed.length > 0) lines.push("### Removed", "", ...listed(removed, words, words.goneSection), "");
  if (transitions.length > 0)
    lines.push("### Status Transitions", "", ...table("Item", transitions, words), "");
  return lines;
}

function unlisted({ hunks }: Differences, words: DeltaWords): string[] {
  if (hunks.length === 0) return [`${words.nothing}.`];
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  const added = hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  const row = { section: "", place: words.layout, before: `−${removed}`, after: `+${added}` };
  return table("Section/Field", [row], words);
}

function table(title: string, rows: readonly Changed[], words: DeltaWords): string[] {
  const lines = [`| ${title} | Before | After |`, "|---|---|---|"];
  for (const { place, before, after } of rows.slice(0, MOST_ENTRIES))
    lines.push(writeRow([place, before, after], 100));
  if (rows.length > MOST_ENTRIES) lines.push("", words.more(rows.length - MOST_ENTRIES));
  return lines;
}

function listed(
  entries: readonly Entry[],
  words: DeltaWords,
  ofSection: (lines: string) => string = words.newSection,
): string[] {
  const kept = entries.slice(0, MOST_ENTRIES);
  const files = kept.filter(({ section, kind }) => kind === "row" && partOf(section) === "artifacts");
  const lines: string[] = [];
  const groups = Map.groupBy(
    kept.filter(entry => !files.includes(entry)),
    ({ section }) => section,
  );
  for (const [section, group] of groups) {
    if (lines.length > 0) lines.push("");
    if (section !== "") lines.push(`**${oneLine(section, 80)}**`, "");
    for (const { kind, text } of group)
      lines.push(`- ${kind === "section" ? ofSection(text) : asItem(kind === "row" ? rowText(text) : text)}`);
  }
  if (files.length > 0) {
    if (lines.length > 0) lines.push("");
    const rows = files.map(({ text }) => splitRow(text));
    lines.push(`**${words.files}**`, "", "| File | Status | Key Change |", "|---|---|---|");
    for (const row of rows) lines.push(writeRow([row[0] ?? "", row[1] ?? "", row.slice(2).join(" ")]));
  }
  if (entries.length > kept.length) lines.push("", words.more(entries.length - kept.length));
  return lines;
}

function rowText(row: string): string {
  return splitRow(row).join(" — ");
}

/** Text as a list item: it opens neither a heading nor a fence nor a table. */
function asItem(text: string): string {
  const line = oneLine(text, 120);
  return "#>|=+-~".includes(line[0] ?? " ") || line.startsWith("* ") || line.startsWith("```")
    ? `\\${line}`
    : line;
}

/** The numbered sentences of the Merge Instructions, for people. */
export function instructions(found: Differences, from: string, to: string, words: DeltaWords): string[] {
  const { added, modified, removed, transitions, layout } = found;
  const count = (sections: readonly string[], say: (section: string, count: number) => string) =>
    [...Map.groupBy(sections, section => section)].map(([section, all]) =>
      say(section === "" ? words.front : `§${asCell(section, 60)}`, all.length),
    );
  const sentences = [
    ...count(
      added.map(({ section }) => section),
      words.addTo,
    ),
    ...count(
      modified.map(({ section }) => section),
      words.change,
    ),
    ...count(
      removed.map(({ section }) => section),
      words.takeFrom,
    ),
    ...(transitions.length > 0 ? [words.setStatus(transitions.length)] : []),
    ...(layout > 0 ? [words.arrange(layout)] : []),
  ];
  const shown = sentences.slice(0, 12);
  return [...shown, words.machine(from, to)].map((sentence, at) => `${at + 1}. ${sentence}`);
}
