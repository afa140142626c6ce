import { createHash } from "node:crypto";
import { dirname, normalize, relative } from "node:path";
import { anchorOf, linksIn } from "./links.ts";
import { cellsOf } from "./page.ts";

/** A part of a page: a heading and what stands below it up to the next one. */
interface Section {
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
  /** Its lines, the heading first. */
  readonly lines: readonly string[];
  /** Of a Korean one: the English section it was translated from, and a hash of that. */
  readonly from?: { readonly anchor: string; readonly hash: string };
}

/** Texts of pages, by the names of their originals: those of `docs`, and `README.md` of the root. */
export type Pages = ReadonlyMap<string, string>;

const README = "README.md";

/** Where the Korean page of an original stands. */
export const koreanPath = (name: string): string => (name === README ? "README.ko.md" : `docs/ko/${name}`);

/** Where an original stands. */
export const englishPath = (name: string): string => (name === README ? README : `docs/${name}`);

/** Which page a path is: its name, and its language. */
function pageAt(path: string): { readonly name: string; readonly isKorean: boolean } {
  if (path === koreanPath(README)) return { name: README, isKorean: true };
  const name = /^docs\/ko\/([^/]+)$/.exec(path)?.[1];
  if (name !== undefined) return { name, isKorean: true };
  return { name: path === README ? README : path.replace(/^docs\//, ""), isKorean: false };
}

/** A path as a page links to it. */
function fromPage(page: string, path: string): string {
  return relative(dirname(page), path);
}

const MARKER = /^<!-- from (\S+) (\w+) -->$/;
const BEHIND = "> **번역이 원문보다 뒤처져 있습니다.**";

/** The code spans of a text, whatever stands around them in backticks. */
const SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/gs;

function spansOf(text: string): string[] {
  return [...text.matchAll(SPAN)].map(([, , code]) => (code ?? "").trim().replace(/\s+/g, " "));
}

/** Whether each line stands in a fenced block, the fences themselves among them. */
function fenced(lines: readonly string[]): boolean[] {
  let open = "";
  return lines.map(line => {
    const fence = /^ {0,3}`{3,}/.exec(line)?.[0].trim() ?? "";
    if (open === "") open = fence;
    else if (line.trim() === open) {
      open = "";
      return true;
    }
    return open !== "";
  });
}

export function sectionsOf(text: string): Section[] {
  const lines = text.split("\n");
  const isCode = fenced(lines);
  const starts = lines.flatMap((line, at) => (!isCode[at] && /^#{1,6} /.test(line) ? [at] : []));
  const seen = new Map<string, number>();
  return starts.map((at, index) => {
    const [, marks = "", title = ""] = /^(#+) (.*)$/.exec(lines[at]!)!;
    const base = anchorOf(title);
    const times = seen.get(base) ?? 0;
    seen.set(base, times + 1);
    const [, anchor, hash] = MARKER.exec(lines[at + 1] ?? "") ?? [];
    return {
      level: marks.length,
      title,
      anchor: times === 0 ? base : `${base}-${times}`,
      lines: lines.slice(at, starts[index + 1]),
      ...(anchor === undefined || hash === undefined ? {} : { from: { anchor, hash } }),
    };
  });
}

/** A hash of what a section says; where its lines are broken does not count. */
function hashOf({ lines }: Section): string {
  const said = lines.join(" ").replace(/\s+/g, " ").trim();
  return createHash("sha256").update(said).digest("hex").slice(0, 8);
}

interface Behind {
  /** English sections that changed, or that are new. */
  readonly changed: readonly Section[];
  /** Korean sections whose English one is gone. */
  readonly gone: readonly Section[];
}

export function behindOf(english: string, korean: string): Behind {
  const ours = sectionsOf(korean);
  const theirs = sectionsOf(english);
  const seen = new Map(ours.map(({ from }) => [from?.anchor, from?.hash]));
  return {
    changed: theirs.filter(section => seen.get(section.anchor) !== hashOf(section)),
    gone: ours.filter(({ from }) => !theirs.some(({ anchor }) => anchor === from?.anchor)),
  };
}

/** What the head of a page tells its readers of sections that are behind; nothing where none is. */
export function markFor(name: string, { changed, gone }: Behind): string {
  if (changed.length + gone.length === 0) return "";
  const told = (sections: readonly Section[], file: string) =>
    sections.map(({ title, anchor }) => `[${title}](${file}#${anchor})`).join(", ");
  return [
    BEHIND,
    ...(changed.length === 0
      ? []
      : [`> 원문에서 바뀐 절: ${told(changed, fromPage(koreanPath(name), englishPath(name)))}`]),
    ...(gone.length === 0 ? [] : [`> 원문에서 사라진 절: ${told(gone, "")}`]),
  ].join("\n");
}

/** The mark in the head of a page, or nothing. */
export function markIn(korean: string): string {
  const lines = korean.split("\n");
  const at = lines.indexOf(BEHIND);
  if (at < 0) return "";
  const end = lines.findIndex((line, index) => index > at && !line.startsWith(">"));
  return lines.slice(at, end).join("\n");
}

/** A page with this mark in its head, in place of the one it has. */
export function withMark(korean: string, mark: string): string {
  const old = markIn(korean);
  const plain = old === "" ? korean : korean.replace(`${old}\n\n`, "");
  if (mark === "") return plain;
  const lines = plain.split("\n");
  const head = MARKER.test(lines[1] ?? "") ? 2 : 1;
  return [...lines.slice(0, head), "", ...mark.split("\n"), ...lines.slice(head)].join("\n");
}

/** The lines of each fenced block of a section, its fences among them. */
function blocksIn(lines: readonly string[]): (readonly [start: number, end: number])[] {
  const isCode = fenced(lines);
  const blocks: [number, number][] = [];
  let start = -1;
  for (const [at, line] of lines.entries()) {
    if (!isCode[at]) continue;
    if (start < 0) start = at;
    else if (line.trim() === /^ {0,3}(`{3,})/.exec(lines[start]!)?.[1]) {
      blocks.push([start, at + 1]);
      start = -1;
    }
  }
  return blocks;
}

/** A Korean section with the blocks of its English one, where there are as many. */
function withBlocks(lines: readonly string[], english: readonly string[]): string[] {
  const ours = blocksIn(lines);
  const theirs = blocksIn(english);
  if (ours.length !== theirs.length) return [...lines];
  const filled = [...lines];
  for (const [index, [start, end]] of [...ours.entries()].reverse()) {
    filled.splice(start, end - start, ...english.slice(...theirs[index]!));
  }
  return filled;
}

/** A page whose sections count as translated from what the English ones say now: marked so, with their examples. */
export function settled(english: string, korean: string): string {
  const theirs = sectionsOf(english);
  const ours = sectionsOf(withMark(korean, ""));
  const inOrder = ours.length === theirs.length;
  const lines = ours.flatMap((section, index) => {
    const name = section.from?.anchor ?? (inOrder ? theirs[index]!.anchor : undefined);
    const source = theirs.find(({ anchor }) => anchor === name);
    if (source === undefined) return section.lines;
    const [heading = "", ...rest] = withBlocks(section.lines, source.lines);
    const body = section.from === undefined ? rest : rest.slice(1);
    return [heading, `<!-- from ${source.anchor} ${hashOf(source)} -->`, ...body];
  });
  return lines.join("\n");
}

/** A table of a section: what its cells hold of code. */
function tablesIn(lines: readonly string[]): string[][] {
  const isCode = fenced(lines);
  const rows = lines.filter((line, at) => !isCode[at] && line.startsWith("|"));
  return rows.map(row => {
    const cells = cellsOf(row);
    const spans = spansOf(cells[0] ?? "");
    return [`${cells.length} columns`, ...spans.sort()];
  });
}

/** A link of a page as a path from the root; those to Korean pages and headings as links to their originals. */
function asEnglish(link: string, page: string, korean: Pages): string {
  if (/^[a-z]+:/.test(link)) return link;
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? page : normalize(`${dirname(page)}/${file}`);
  const { name, isKorean } = pageAt(path);
  const target = isKorean ? englishPath(name) : path;
  if (anchor === undefined) return target;
  const section = isKorean
    ? sectionsOf(korean.get(name) ?? "").find(one => one.anchor === decodeURIComponent(anchor))
    : undefined;
  return `${target}#${section?.from?.anchor ?? anchor}`;
}

/** A link of a Korean page that leads to Korean pages and headings, wherever there are some. */
function asKorean(link: string, korean: Pages, name: string): string {
  if (/^[a-z]+:/.test(link)) return link;
  const [file = "", anchor] = link.split("#");
  const page = koreanPath(name);
  const path = file === "" ? page : normalize(`${dirname(page)}/${file}`);
  const text = korean.get(pageAt(path).name);
  // A page leads to its own original where it names the other language.
  if (text === undefined || (pageAt(path).name === name && !pageAt(path).isKorean && anchor === undefined))
    return link;
  const sections = sectionsOf(text);
  const section =
    sections.find(({ from }) => from?.anchor === anchor) ?? sections.find(one => one.anchor === anchor);
  const target = pageAt(path).name;
  if (anchor !== undefined && section === undefined)
    return `${fromPage(page, englishPath(target))}#${anchor}`;
  const own = target === name && anchor !== undefined ? "" : fromPage(page, koreanPath(target));
  return section === undefined ? own : `${own}#${section.anchor}`;
}

/** A Korean page whose links lead to Korean pages, wherever there are some. */
export function relinked(name: string, text: string, korean: Pages): string {
  const lines = text.split("\n");
  const isCode = fenced(lines);
  return lines
    .map((line, at) =>
      isCode[at] || line.startsWith(">")
        ? line
        : line.replace(/\]\(([^()\s]+)\)/g, (_, link: string) => `](${asKorean(link, korean, name)})`),
    )
    .join("\n");
}

const prose = (lines: readonly string[]): string => {
  const isCode = fenced(lines);
  return lines.filter((_, at) => !isCode[at]).join("\n");
};

/** What one list has and the other has not, however often. */
const lacking = (these: readonly string[], those: readonly string[]): string[] => [
  ...new Set(these.filter(one => !those.includes(one))),
];

/** What differs between an English section and the Korean one that was translated from it as it is. */
function sectionDifferences(theirs: Section, ours: Section, name: string, korean: Pages): string[] {
  const code = (lines: readonly string[]) =>
    blocksIn(lines).map(([start, end]) => lines.slice(start, end).join("\n"));
  // The other language is linked to from both.
  const others = new Set([englishPath(name), koreanPath(name)]);
  const links = (section: Section, page: string) =>
    linksIn(section.lines.filter(line => !line.startsWith(">")).join("\n"))
      .map(link => asEnglish(link, page, korean))
      // A picture of words is there in both languages.
      .map(link => link.replace(/\.ko\.svg$/, ".svg"))
      .filter(link => !others.has(link));
  const spans = (section: Section) => spansOf(prose(section.lines)).map(span => span.replace(/\s+/g, " "));
  const [english, own] = [links(theirs, englishPath(name)), links(ours, koreanPath(name))];
  return [
    ...(theirs.level === ours.level ? [] : ["another level of heading"]),
    ...(code(theirs.lines).join("\n") === code(ours.lines).join("\n") ? [] : ["other code blocks"]),
    ...(`${tablesIn(theirs.lines).join("\n")}` === `${tablesIn(ours.lines).join("\n")}`
      ? []
      : ["other rows or keys in a table"]),
    ...lacking(spans(theirs), spans(ours)).map(span => `without \`${span}\``),
    ...lacking(spans(ours), spans(theirs)).map(span => `\`${span}\` is not in the original`),
    ...lacking(english, own).map(link => `without the link ${link}`),
    ...lacking(own, english).map(link => `the link ${link} is not in the original`),
  ];
}

/** What differs between a page and its Korean one, section by section; those that are behind aside. */
export function differencesOf(name: string, english: Pages, korean: Pages): string[] {
  const ours = sectionsOf(korean.get(name)!);
  const theirs = sectionsOf(english.get(name)!);
  const { changed } = behindOf(english.get(name)!, korean.get(name)!);
  const isBehind = new Set(changed.map(({ anchor }) => anchor));
  const order = ours.flatMap(({ from }) => theirs.find(({ anchor }) => anchor === from?.anchor) ?? []);
  const sorted = theirs.filter(section => order.includes(section));
  return [
    ...(order.every((section, at) => section === sorted[at]) ? [] : ["its sections stand in another order"]),
    ...theirs
      .filter(({ anchor }) => !isBehind.has(anchor))
      .flatMap(section => {
        const own = ours.find(({ from }) => from?.anchor === section.anchor)!;
        return sectionDifferences(section, own, name, korean).map(found => `"${section.title}": ${found}`);
      }),
  ];
}

/** The words of a page: without its code blocks, its marks and the targets of its links. */
export function wordsOf(text: string): string {
  const told = withMark(text, "").split("\n");
  return prose(told.filter(line => !MARKER.test(line))).replace(/\]\([^()\s]+\)/g, "]");
}

/** Its words that are no code. */
export function plainOf(text: string): string {
  return wordsOf(text).replace(SPAN, "`");
}
