import type { Changed, Differences, Entry } from "./differences.ts";
import { shorten } from "./excerpt.ts";
import { partOf } from "./parts.ts";
import { asCell, splitRow, writeRow } from "./table.ts";
import { STATUS_TITLES } from "./transition.ts";
import type { DeltaWords, FileChange } from "./words.ts";

/** Entries told under one heading; the machine block has them all. */
const MOST_ENTRIES = 24;
const MOST_SECTIONS = 3;
/** Sections that have a sentence of their own under Merge Instructions. */
const MOST_STEPS = 12;

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
  const shown = titles.slice(0, MOST_SECTIONS).map(title => shorten(title, 40));
  const told = shown.length === 0 ? what : words.inSections(what, shown, titles.length - shown.length);
  return `${shorten(headline, 200)}: ${told}.`;
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
  if (removed.length > 0) lines.push("### Removed", "", ...listed(removed, words, true), "");
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
    lines.push(shortRow([place, before, after], 100));
  if (rows.length > MOST_ENTRIES) lines.push("", words.more(rows.length - MOST_ENTRIES));
  return lines;
}

function listed(entries: readonly Entry[], words: DeltaWords, gone = false): string[] {
  const ofSection = gone ? words.goneSection : words.newSection;
  const kept = entries.slice(0, MOST_ENTRIES);
  const files = kept.filter(({ section, kind }) => kind === "row" && partOf(section) === "artifacts");
  const lines: string[] = [];
  const groups = Map.groupBy(
    kept.filter(entry => !files.includes(entry)),
    ({ section }) => section,
  );
  for (const [section, group] of groups) {
    if (lines.length > 0) lines.push("");
    if (section !== "") lines.push(`**${shorten(section, 80)}**`, "");
    for (const { kind, text } of group)
      lines.push(`- ${kind === "section" ? ofSection(text) : asItem(kind === "row" ? rowText(text) : text)}`);
  }
  for (const [heading, group] of Map.groupBy(files, file => fileHeading(file, words, gone))) {
    if (lines.length > 0) lines.push("");
    lines.push(`**${heading}**`);
    const tables = Map.groupBy(group, ({ titles }) => writeRow(titles ?? FILE_TITLES));
    for (const rows of tables.values()) lines.push("", ...fileTable(rows));
  }
  if (entries.length > kept.length) lines.push("", words.more(entries.length - kept.length));
  return lines;
}

const FILE_TITLES = ["File", "Status", "Key Change"] as const;

/** Status words of an artifact trail, by what became of the file. */
const FILE_STATUS: readonly (readonly [FileChange, readonly string[]])[] = [
  ["created", ["created", "new", "added", "creado", "nuevo", "생성", "추가"]],
  ["modified", ["modified", "changed", "updated", "edited", "modificado", "actualizado", "수정", "변경"]],
  ["deleted", ["deleted", "removed", "eliminado", "borrado", "삭제"]],
  ["moved", ["moved", "renamed", "movido", "renombrado", "이동"]],
];

/** What the files of an artifact trail's rows stand under: what became of them, where their status says it. */
function fileHeading({ text, titles = FILE_TITLES }: Entry, words: DeltaWords, gone: boolean): string {
  if (gone) return words.goneFiles;
  const column = titles.findIndex(title => STATUS_TITLES.has(title.toLowerCase()));
  const status = (splitRow(text)[column] ?? "").toLowerCase().replaceAll(/[*_`~]/g, "");
  const known = FILE_STATUS.find(([, names]) => names.includes(status.split(/[\s,;:(]/, 1)[0]!));
  return known === undefined ? words.files : words.changedFiles(known[0]);
}

/** Rows under the titles they have; cells beyond them stand in the last. */
function fileTable(rows: readonly Entry[]): string[] {
  const titles = rows[0]!.titles ?? FILE_TITLES;
  const last = titles.length - 1;
  return [
    writeRow(titles),
    `|${"---|".repeat(titles.length)}`,
    ...rows.map(({ text }) => {
      const cells = splitRow(text);
      return shortRow(
        titles.map((_, at) => (at === last ? cells.slice(at).join(" ") : (cells[at] ?? ""))),
        160,
      );
    }),
  ];
}

/** Cells of at most so many characters, the marks aside that a cut closes. */
function shortRow(cells: readonly string[], most: number): string {
  return writeRow(
    cells.map(cell => shorten(cell, most)),
    2 * most,
  );
}

function rowText(row: string): string {
  return splitRow(row).join(" — ");
}

/** Text as a list item: it opens neither a heading nor a fence nor a table. */
function asItem(text: string): string {
  const line = shorten(text, 120);
  return "#>|=+-~".includes(line[0] ?? " ") || line.startsWith("* ") || line.startsWith("```")
    ? `\\${line}`
    : line;
}

/** The numbered sentences of the Merge Instructions, for people. */
export function instructions(found: Differences, from: string, to: string, words: DeltaWords): string[] {
  const { added, modified, removed, transitions, layout } = found;
  const count = (sections: readonly string[], say: (section: string, count: number) => string) =>
    [...Map.groupBy(sections, section => section)].map(([section, all]) =>
      say(section === "" ? words.front : `§${asCell(shorten(section, 60))}`, all.length),
    );
  const bySection = [
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
  ];
  const left = bySection.length > MOST_STEPS + 1 ? bySection.length - MOST_STEPS : 0;
  const sentences = [
    ...bySection.slice(0, left > 0 ? MOST_STEPS : undefined),
    ...(left > 0 ? [words.moreSteps(left)] : []),
    ...(transitions.length > 0 ? [words.setStatus(transitions.length)] : []),
    ...(layout > 0 ? [words.arrange(layout)] : []),
  ];
  return [...sentences, words.machine(from, to)].map((sentence, at) => `${at + 1}. ${sentence}`);
}
