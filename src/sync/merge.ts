import { type Delta, diff, type Hunk } from "../delta/index.ts";
import { type Section, scanMarkdown } from "../markdown/index.ts";
import type { Clash } from "./protocol.ts";
import { touchedSections } from "./sections.ts";

/** Two publishers' texts as one, or the sections both changed. */
export type Merge =
  | { readonly merged: string; readonly clashes?: undefined }
  | { readonly merged?: undefined; readonly clashes: readonly Clash[] };

interface Side {
  readonly hunk: Hunk;
  readonly sections: readonly number[];
  readonly current: boolean;
}

/**
 * Merges what two publishers made of one base, section by section: disjoint sections keep both changes, the same change
 * made twice is one, and a section that both changed differently is shown as each left it.
 */
export function mergeSections(base: string, current: string, published: string): Merge {
  const theirs = sidesOf(diff(base, current), base, current, true);
  const mine = sidesOf(diff(base, published), base, published, false);
  const known = new Set(theirs.map(side => keyOf(side.hunk)));
  const shared = new Set(mine.map(side => keyOf(side.hunk)).filter(key => known.has(key)));
  const alone = (side: Side): boolean => !shared.has(keyOf(side.hunk));
  const taken = new Set(theirs.filter(alone).flatMap(side => side.sections));
  const both = new Set(
    mine.filter(alone).flatMap(side => side.sections.filter(section => taken.has(section))),
  );
  const sides = [...theirs, ...mine.filter(alone)].sort(inOrder);
  const { merged, collisions } = combine(base.split("\n"), sides);
  for (const section of collisions) both.add(section);
  if (both.size === 0) return { merged };
  const [before, now, other] = [scan(base), scan(current), scan(published)];
  const clashes = [...both]
    .sort((a, b) => a - b)
    .map(index => {
      const section = before.sections[index]!;
      return { section: section.title, current: textOf(now, section), published: textOf(other, section) };
    });
  return { clashes };
}

function sidesOf(delta: Delta, base: string, next: string, current: boolean): Side[] {
  const { hunks } = touchedSections(delta, base, next);
  return delta.hunks.map((hunk, index) => ({ hunk, sections: hunks[index]!, current }));
}

function keyOf({ at, removed, added }: Hunk): string {
  return JSON.stringify([at, removed, added]);
}

/** At one place: lines added to the section before it, new sections, the earlier publisher's first; then replacements. */
function inOrder(a: Side, b: Side): number {
  const rank = ({ hunk, sections }: Side): number =>
    hunk.removed.length > 0 ? 2 : sections.length === 0 ? 1 : 0;
  return a.hunk.at - b.hunk.at || rank(a) - rank(b) || Number(b.current) - Number(a.current);
}

/** Carries out hunks of both sides on the base; `collisions` are sections where they overlap after all. */
function combine(
  lines: readonly string[],
  sides: readonly Side[],
): { merged: string; collisions: readonly number[] } {
  const result: string[] = [];
  const collisions: number[] = [];
  let at = 0;
  let last = 0;
  for (const { hunk, sections } of sides) {
    last = sections[0] ?? last;
    if (hunk.at < at) {
      collisions.push(last);
      continue;
    }
    for (; at < hunk.at; at++) result.push(lines[at]!);
    for (const line of hunk.added) result.push(line);
    at = hunk.at + hunk.removed.length;
  }
  for (; at < lines.length; at++) result.push(lines[at]!);
  return { merged: result.join("\n"), collisions };
}

interface Scanned {
  readonly lines: readonly string[];
  readonly sections: readonly Section[];
}

function scan(text: string): Scanned {
  return { lines: text.split("\n"), sections: scanMarkdown(text).sections };
}

/** The text of the section that answers to another document's; empty when there is none. */
function textOf({ lines, sections }: Scanned, { title, ordinal, level }: Section): string {
  const found = sections.find(
    one => one.title === title && one.ordinal === ordinal && (level === 0) === (one.level === 0),
  );
  return found === undefined ? "" : lines.slice(found.line, found.endLine).join("\n");
}
