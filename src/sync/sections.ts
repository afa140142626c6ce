import type { Delta } from "../delta/index.ts";
import { type Section, scanMarkdown } from "../markdown/index.ts";

/** What a delta changes, by sections of its base. */
export interface Touched {
  /** For each hunk, the sections of the base it changes; none when it only adds new sections between two. */
  readonly hunks: readonly (readonly number[])[];
  /** Titles of what is changed or new, each with those of the sections around it. */
  readonly titles: ReadonlySet<string>;
  /** Whether text outside of front matter and headed sections changed. */
  readonly preamble: boolean;
}

/** Finds the sections each hunk of a delta touches. */
export function touchedSections(delta: Delta, old: string, next: string): Touched {
  const base = scanMarkdown(old);
  const after = scanMarkdown(next);
  const owners = sectionByLine(base.sections);
  const nextOwners = sectionByLine(after.sections);
  const titles = new Set<string>();
  const hunks: number[][] = [];
  let preamble = false;
  let shift = 0;
  for (const { at, removed, added } of delta.hunks) {
    const touched = new Set<number>();
    for (let line = at; line < at + removed.length; line++) touched.add(owners[line]!);
    const start = at + shift;
    if (removed.length === 0 && !beginsSection(added, start, after.sections, nextOwners))
      touched.add(owners[Math.max(0, at - 1)]!);
    for (const section of touched) collectTitles(base.sections, section, titles);
    for (let line = start; line < start + added.length; line++) {
      const section = nextOwners[line]!;
      if (after.sections[section]!.line === line) collectTitles(after.sections, section, titles);
    }
    preamble ||=
      at + removed.length > base.frontMatterLines &&
      [...touched].some(one => base.sections[one]!.level === 0);
    hunks.push([...touched]);
    shift += added.length - removed.length;
  }
  return { hunks, titles, preamble };
}

/** Whether added lines are whole new sections: nothing but blanks precedes their first heading. */
function beginsSection(
  added: readonly string[],
  start: number,
  sections: readonly Section[],
  owners: readonly number[],
): boolean {
  const first = added.findIndex(line => line.trim() !== "");
  if (first < 0) return false;
  const section = sections[owners[start + first]!]!;
  return section.level > 0 && section.line === start + first;
}

/** The section of each line. */
function sectionByLine(sections: readonly Section[]): number[] {
  const owners: number[] = [];
  for (const [index, { line, endLine }] of sections.entries()) {
    for (let at = line; at < endLine; at++) owners.push(index);
  }
  return owners;
}

/** A section's title and those of the sections around it. */
function collectTitles(sections: readonly Section[], from: number, titles: Set<string>): void {
  for (let at = from; at >= 0; at = sections[at]!.parent) {
    if (sections[at]!.level > 0) titles.add(sections[at]!.title);
  }
}
