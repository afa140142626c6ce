import type { Changed, Differences } from "./differences.ts";
import type { Entry } from "./entries.ts";
import { apart, shorten } from "./excerpt.ts";
import { partOf } from "./parts.ts";
import { splitRow, writeRow } from "./table.ts";
import { STATUS_TITLES } from "./transition.ts";
import type { DeltaWords, FileChange } from "./words.ts";

/** How much of a difference is told to people; the machine block has all of it. */
export interface Room {
  /** Entries under one heading; 0 for names alone, -1 for those under one heading. */
  readonly entries: number;
  /** Characters of a cell, of an item and of a name. */
  readonly cell: number;
  readonly item: number;
  readonly name: number;
  /** Sentences of the Merge Instructions, 0 for their number alone; and names in a sentence. */
  readonly steps: number;
  readonly names: number;
}

/** The roomiest first. */
export const ROOMS: readonly Room[] = [
  { entries: 24, cell: 100, item: 120, name: 48, steps: 14, names: 4 },
  { entries: 18, cell: 90, item: 110, name: 44, steps: 12, names: 3 },
  { entries: 12, cell: 80, item: 100, name: 40, steps: 9, names: 3 },
  { entries: 9, cell: 72, item: 90, name: 36, steps: 7, names: 2 },
  { entries: 7, cell: 64, item: 80, name: 32, steps: 6, names: 2 },
  { entries: 5, cell: 56, item: 72, name: 32, steps: 5, names: 2 },
  { entries: 4, cell: 48, item: 64, name: 28, steps: 3, names: 2 },
  { entries: 4, cell: 48, item: 64, name: 28, steps: 0, names: 1 },
  { entries: 3, cell: 48, item: 56, name: 28, steps: 0, names: 1 },
  { entries: 2, cell: 40, item: 48, name: 24, steps: 0, names: 1 },
  { entries: 0, cell: 32, item: 32, name: 32, steps: 0, names: 5 },
  { entries: 0, cell: 32, item: 32, name: 32, steps: 0, names: 3 },
  { entries: 0, cell: 24, item: 24, name: 24, steps: 0, names: 2 },
  { entries: 0, cell: 24, item: 24, name: 24, steps: 0, names: 1 },
  { entries: -1, cell: 24, item: 24, name: 24, steps: 0, names: 1 },
];

/** `## Changes`: what was added, modified and removed, and which statuses moved. At least one of the first three stands. */
export function changesSection(found: Differences, words: DeltaWords, room: Room): string[] {
  const { added, removed, transitions } = found;
  const modified = [...movedRows(found, words), ...found.modified];
  if (room.entries < 0)
    return ["## Changes", "", ...oneHeading(added, modified, removed, found, words, room), ""];
  const bare = added.length + modified.length + removed.length === 0;
  const lines = ["## Changes", ""];
  if (added.length > 0) lines.push("### Added", "", ...listed(added, words, room), "");
  if (modified.length > 0)
    lines.push("### Modified", "", ...table("Section/Field", modified, words, room), "");
  // Something must stand: statuses are modifications too, and so is a new arrangement.
  else if (bare && transitions.length > 0)
    lines.push("### Modified", "", ...table("Section/Field", transitions, words, room), "");
  else if (bare) lines.push("### Modified", "", ...unlisted(found, words, room), "");
  if (removed.length > 0) lines.push("### Removed", "", ...listed(removed, words, room, true), "");
  if (transitions.length > 0)
    lines.push("### Status Transitions", "", ...table("Item", transitions, words, room), "");
  return lines;
}

/** Of a text that is nearly all new: one change, and how many more of its kind; the Summary has the numbers of all. */
function oneHeading(
  added: readonly Entry[],
  modified: readonly Told[],
  removed: readonly Entry[],
  found: Differences,
  words: DeltaWords,
  room: Room,
): string[] {
  const names = (entries: readonly Entry[]) => entries.map(nameIn);
  const kinds = [
    ["### Added", names(added)],
    ["### Removed", names(removed)],
    ["### Modified", [...modified, ...found.transitions].map(({ place }) => place)],
  ] as const;
  const [heading, own] = kinds.find(([, all]) => all.length > 0) ?? kinds[2];
  if (own.length === 0) return [heading, "", ...unlisted(found, words, room)];
  return [heading, "", firstOf(own, words, room)];
}

/** A row of a table of changes. */
type Told = Pick<Changed, "place" | "before" | "after"> & { readonly section?: string };

function movedRows({ moved }: Differences, words: DeltaWords): Told[] {
  return moved.map(({ section, before, after }) => ({
    place: `§${section}`,
    before: words.behind(before),
    after: words.behind(after),
  }));
}

function unlisted({ hunks, layout, arranged }: Differences, words: DeltaWords, room: Room): string[] {
  if (hunks.length === 0) return [`${words.nothing}.`];
  if (layout === 0) return [`${words.frontOnly}.`];
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  const added = hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  const place = [words.layout, ...arranged.filter(title => title !== "").map(title => `§${title}`)].join(" ");
  return table("Section/Field", [{ place, before: `−${removed}`, after: `+${added}` }], words, room);
}

function table(title: string, rows: readonly Told[], words: DeltaWords, room: Room): string[] {
  if (room.entries === 0) {
    const told = rows.map(({ place, after }) =>
      title === "Item" ? words.status(shorten(place, room.item), shorten(after, room.item)) : place,
    );
    return [firstOf(told, words, { ...room, item: 2 * room.item + 4 })];
  }
  const lines = [`| ${title} | Before | After |`, "|---|---|---|"];
  for (const row of rows.slice(0, room.entries))
    lines.push(shortRow([placeOf(row, room.cell), ...apart(row.before, row.after, room.cell)], room.cell));
  if (rows.length > room.entries) lines.push("", words.more(rows.length - room.entries));
  return lines;
}

/** Section and name, of which the name is shown whole. */
function placeOf({ place, section = "" }: Told, most: number): string {
  if (place.length <= most || !place.startsWith(`${section}: `)) return place;
  const name = place.slice(section.length + 2);
  return `${shorten(section, Math.max(most >> 2, most - name.length - 2))}: ${name}`;
}

function listed(entries: readonly Entry[], words: DeltaWords, room: Room, gone = false): string[] {
  if (room.entries === 0) return [firstOf(entries.map(nameIn), words, room)];
  const kept = entries.slice(0, room.entries);
  const files = kept.filter(({ section, kind }) => kind === "row" && partOf(section) === "artifacts");
  const lines = kept
    .filter(({ kind }) => kind === "section")
    .map(entry => `- ${sectionLine(entry, words, room, gone)}`);
  const groups = Map.groupBy(
    kept.filter(entry => entry.kind !== "section" && !files.includes(entry)),
    ({ section }) => section,
  );
  for (const [section, group] of groups) {
    if (lines.length > 0) lines.push("");
    if (section !== "") lines.push(strong(shorten(section, room.item)), "");
    for (const { kind, text } of group)
      lines.push(`- ${asItem(kind === "row" ? rowText(text) : text, room.item)}`);
  }
  for (const [heading, group] of Map.groupBy(files, file => fileHeading(file, words, gone))) {
    if (lines.length > 0) lines.push("");
    lines.push(`**${heading}**`);
    const tables = Map.groupBy(group, ({ titles }) => writeRow(titles ?? FILE_TITLES));
    for (const rows of tables.values()) lines.push("", ...fileTable(rows, room));
  }
  if (entries.length > kept.length) lines.push("", words.more(entries.length - kept.length));
  return lines;
}

/** A title may have marks of its own. */
function strong(title: string): string {
  return title.includes("**") ? title : `**${title}**`;
}

function nameIn({ kind, name }: Entry): string {
  return kind === "section" ? `§${name}` : name;
}

/** The first of several names, and how many more there are. */
function firstOf(names: readonly string[], words: DeltaWords, room: Room): string {
  const shown = names.slice(0, room.names).map((name, at) => {
    const short = shorten(name, room.item);
    return at === 0 ? asItem(short, room.item) : short;
  });
  return `- ${words.list(shown, names.length - shown.length)}`;
}

/** A section that came or went whole, with those below it. */
function sectionLine(
  { name, text, inner = [] }: Entry,
  words: DeltaWords,
  room: Room,
  gone: boolean,
): string {
  const below = inner.slice(0, room.names).map(title => `§${shorten(title, room.name)}`);
  const lines = gone ? words.goneSection(text) : words.newSection(text);
  const rest = below.length === 0 ? "" : `, ${words.with(words.list(below, inner.length - below.length))}`;
  return `§${shorten(name, room.item)}: ${lines}${rest}`;
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
function fileTable(rows: readonly Entry[], room: Room): string[] {
  const titles = rows[0]!.titles ?? FILE_TITLES;
  const last = titles.length - 1;
  return [
    writeRow(titles),
    `|${"---|".repeat(titles.length)}`,
    ...rows.map(({ text }) => {
      const cells = splitRow(text);
      return shortRow(
        titles.map((_, at) => (at === last ? cells.slice(at).join(" ") : (cells[at] ?? ""))),
        room.item,
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
function asItem(text: string, most: number): string {
  const line = shorten(text, most);
  return "#>|=+-~".includes(line[0] ?? " ") || line.startsWith("* ") || line.startsWith("```")
    ? `\\${line}`
    : line;
}
