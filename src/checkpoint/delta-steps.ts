import type { Room } from "./delta-body.ts";
import type { Changed, Differences } from "./differences.ts";
import type { Entry } from "./entries.ts";
import { apart, shorten } from "./excerpt.ts";
import { asCell } from "./table.ts";
import type { DeltaWords } from "./words.ts";

/** One sentence on what separates two documents; `headline` says what it was for. */
export function summarySentence(found: Differences, headline: string, words: DeltaWords, room: Room): string {
  const { added, modified, removed, transitions, moved, arranged, layout, hunks } = found;
  const say = (names: readonly string[], sentence: (names: string) => string) =>
    names.length === 0
      ? []
      : [sentence(room.entries > 0 ? some(names, words, room) : words.list([], names.length))];
  const parts = [
    ...say(
      transitions.map(one => statusOf(one, words, room)),
      names => (room.entries > 0 ? names : words.statuses(names)),
    ),
    ...say(
      added.map(one => entryName(one, room)),
      words.added,
    ),
    ...say(
      modified.map(one => changedName(one, room)),
      words.modified,
    ),
    ...say(
      removed.map(one => entryName(one, room)),
      words.removed,
    ),
    ...say(
      moved.map(({ section }) => sectionName(section, words, room)),
      words.moved,
    ),
  ];
  if (parts.length === 0 && layout > 0)
    parts.push(
      words.layoutOf(
        some(
          arranged.map(title => sectionName(title, words, room)),
          words,
          room,
        ),
      ),
    );
  else if (parts.length === 0 && hunks.length > 0) parts.push(words.frontOnly);
  return `${shorten(headline, room.entries > 0 ? 200 : 60)}: ${parts.length === 0 ? words.nothing : parts.join("; ")}.`;
}

/** The numbered sentences of the Merge Instructions, for people: each says what to do, with what, and where. */
export function instructions(
  found: Differences,
  from: string,
  to: string,
  words: DeltaWords,
  room: Room,
): string[] {
  const { added, modified, removed, transitions, moved, arranged } = found;
  const where = (title: string) => sectionName(title, words, room);
  const names = (all: readonly string[]) => some(all, words, room);
  const within = (entries: readonly (Entry | Changed)[], say: (section: string, names: string) => string) =>
    [...Map.groupBy(entries, ({ section }) => section)].map(([section, group]) =>
      say(
        where(section),
        names(group.map(one => ("text" in one ? entryName(one, room) : changedName(one, room)))),
      ),
    );
  const [newSections, newEntries] = parted(added);
  const [goneSections, goneEntries] = parted(removed);
  const of = (kind: Changed["kind"]) => modified.filter(one => one.kind === kind);
  const each = (all: readonly string[], say: (names: string) => string) =>
    all.length === 0 ? [] : [say(names(all))];
  const steps = [
    ...each(newSections, words.addSections),
    ...within(newEntries, words.addTo),
    ...within(of("changed"), words.change),
    ...of("renamed").map(({ before, after }) => words.rename(...titles(before, after))),
    ...of("moved").map(one =>
      words.move(changedName(one, room), brief(one.before, room), brief(one.after, room)),
    ),
    ...moved.map(({ section, after }) =>
      words.moveSection(where(section), words.behind(shorten(after, room.name))),
    ),
    ...within(goneEntries, words.takeFrom),
    ...each(goneSections, words.takeSections),
    ...each(
      transitions.map(one => statusOf(one, words, room)),
      words.setStatus,
    ),
    ...each(arranged.map(where), words.arrange),
  ];
  const left = Math.max(0, steps.length - room.steps);
  const sentences = [
    ...steps.slice(0, room.steps),
    ...(left > 0 && room.steps > 0 ? [words.moreSteps(left)] : []),
    room.steps > 0 && steps.length > 0 ? words.machine(from, to) : words.allSteps(steps.length, from, to),
  ];
  return sentences.map((sentence, at) => `${at + 1}. ${sentence}`);

  /** Two titles of one section; where they are cut, what differs is shown. */
  function titles(before: string, after: string): readonly [string, string] {
    const [was, is] = [where(before), where(after)];
    if (was !== is) return [was, is];
    const [old, fresh] = apart(before, after, room.name);
    return [where(old), where(fresh)];
  }

  function parted(entries: readonly Entry[]): [string[], Entry[]] {
    const sections = entries.filter(({ kind }) => kind === "section");
    return [sections.map(one => entryName(one, room)), entries.filter(({ kind }) => kind !== "section")];
  }
}

/** The first of several names, and how many more there are. */
function some(names: readonly string[], words: DeltaWords, room: Room): string {
  // One more is told rather than counted.
  const kept = names.length === room.names + 1 && room.names > 1 ? names : names.slice(0, room.names);
  return words.list(kept, names.length - kept.length);
}

function brief(text: string, room: Room): string {
  return asCell(shorten(text, room.name));
}

function sectionName(title: string, words: DeltaWords, room: Room): string {
  return title === "" ? words.front : `§${brief(title, room)}`;
}

function entryName({ kind, name }: Entry, room: Room): string {
  return kind === "section" ? `§${brief(name, room)}` : quoted(name, room);
}

function changedName({ kind, name }: Changed, room: Room): string {
  return kind === "renamed" ? `§${brief(name, room)}` : quoted(name, room);
}

function statusOf({ name, after }: Changed, words: DeltaWords, room: Room): string {
  return words.status(quoted(name, room), brief(after, room));
}

/** A name, in quotation marks where it is more than a word. */
function quoted(name: string, room: Room): string {
  const text = brief(name, room);
  return /[ .…:]|^$/.test(text) ? `"${text}"` : text;
}
