import { isBareTitle, quoted, readQuoted } from "./quote.ts";
import type { View } from "./view.ts";
import { isBoundary } from "./words.ts";

/** Sections by name. Made once per document. */
export interface SectionNames {
  readonly exact: ReadonlyMap<string, readonly number[]>;
  /** Titles in order of code units, each once. */
  readonly sorted: readonly string[];
}

/** The section before the first heading. */
const TOP = "^";
/** Titles up to this length are written whole. */
const SHORT_TITLE = 16;
/** Prefixes looked at while searching for the sections a shortened title may mean. */
const SEARCH = 64;

/** Indexes the section titles of a document. */
export function sectionNames(view: View): SectionNames {
  const exact = new Map<string, number[]>();
  for (const [index, { level, title }] of view.sections.entries()) {
    if (level === 0) continue;
    const known = exact.get(title);
    if (known === undefined) exact.set(title, [index]);
    else known.push(index);
  }
  return { exact, sorted: [...exact.keys()].sort() };
}

/** The sections a title or the beginning of one may mean, in document order; an exact title hides longer ones. */
function matches(names: SectionNames, title: string): readonly number[] {
  const exact = names.exact.get(title);
  if (exact !== undefined) return exact;
  let low = 0;
  let high = names.sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names.sorted[middle]! < title) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; at < low + SEARCH && names.sorted[at]?.startsWith(title); at++) {
    const candidate = names.sorted[at]!;
    if (isBoundary(candidate, title.length))
      for (const section of names.exact.get(candidate)!) found.push(section);
  }
  return found.sort((a, b) => a - b);
}

/** The section a reference such as `Status`, `Phase 1`, `Risks#2` or `"a: b"` names, or why there is none. */
export function resolveRef(view: View, names: SectionNames, ref: string): number | string {
  if (ref === TOP) return view.sections[0]!.level === 0 ? 0 : "The document begins with a heading";
  const read = readQuoted(ref, 0);
  let title = read?.value ?? ref;
  let rest = read === undefined ? "" : ref.slice(read.end);
  const mark = read === undefined ? ref.lastIndexOf("#") : -1;
  if (mark > 0) {
    title = ref.slice(0, mark);
    rest = ref.slice(mark);
  }
  const found = matches(names, title);
  if (rest === "") {
    if (found.length === 1) return found[0]!;
    return found.length === 0 ? `No section §${ref}` : `${found.length} sections answer to §${ref}`;
  }
  const ordinal = Number(rest.slice(1));
  if (rest[0] !== "#" || !Number.isInteger(ordinal)) return `Not a section reference: §${ref}`;
  return found[ordinal - 1] ?? `No section §${ref}: ${found.length} of that name`;
}

/** How a message names a section: its title, the beginning of a long one, and a number where several share it. */
export function refOf(view: View, names: SectionNames, section: number): string {
  const { level, title, ordinal } = view.sections[section]!;
  if (level === 0) return TOP;
  for (const short of beginnings(title)) {
    if (isBareTitle(short) && resolveRef(view, names, short) === section) return short;
  }
  const count = names.exact.get(title)!.length;
  const written = isBareTitle(title) ? title : quoted(title);
  return count === 1 ? written : `${written}#${ordinal}`;
}

/** A short title itself; of a long one its beginnings that read as names. */
function* beginnings(title: string): Generator<string> {
  if (title.length > SHORT_TITLE || !isBareTitle(title)) {
    let seen = 0;
    for (let at = 1; at < title.length && at <= 60; at++) {
      const next = title[at]!;
      if (!" :,(".includes(next) || !isBoundary(title, at) || " -–—:".includes(title[at - 1]!)) continue;
      if (next === " " && ++seen < 2 && at < 8) continue;
      yield title.slice(0, at);
    }
  }
  yield title;
}

/** A reference names a section, or with a dot one of its items. */
export function targetOf(
  { view, names }: { readonly view: View; readonly names: SectionNames },
  ref: string,
): { section: number; key: string | undefined } | string {
  const section = resolveRef(view, names, ref);
  if (typeof section === "number") return { section, key: undefined };
  for (let dot = ref.indexOf("."); dot > 0; dot = ref.indexOf(".", dot + 1)) {
    const outer = resolveRef(view, names, ref.slice(0, dot));
    if (typeof outer === "number" && dot + 1 < ref.length) return { section: outer, key: ref.slice(dot + 1) };
  }
  return section;
}
