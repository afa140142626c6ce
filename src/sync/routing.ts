import { diff } from "../delta/index.ts";
import { touchedSections } from "./sections.ts";
import type { Teammate } from "./state.ts";

/** What a version changes, as routing looks at it. */
export interface Changes {
  /** Titles of changed and new sections and of those around them. */
  readonly sections: readonly string[];
  /** Text that belongs to no section changed: that concerns everyone. */
  readonly everyone: boolean;
  /** The changed lines, in lower case. */
  readonly words: string;
}

/** Looks at what lies between two versions. */
export function changesBetween(old: string, next: string): Changes {
  const delta = diff(old, next);
  const { titles, preamble } = touchedSections(delta, old, next);
  const words = delta.hunks
    .flatMap(({ removed, added }) => [...removed, ...added])
    .join("\n")
    .toLowerCase();
  return { sections: [...titles], everyone: preamble, words };
}

/** Whether a change touches a teammate's work: a section it works with, its role, or its name in a changed line. */
export function isAffected(mate: Teammate, changes: Changes): boolean {
  if (mate.interests.length === 0 || changes.everyone) return true;
  if (mentions(changes.words, mate.id) || mentions(changes.words, mate.role)) return true;
  const interests = mate.interests.map(interest => withoutMark(interest).toLowerCase());
  return changes.sections.some(title =>
    interests.some(interest => startsWithName(title.toLowerCase(), interest)),
  );
}

function withoutMark(interest: string): string {
  return interest.startsWith("§") ? interest.slice(1) : interest;
}

/** `decisions log` answers to `decisions`, `phase 12` does not answer to `phase 1`. */
function startsWithName(title: string, name: string): boolean {
  return name !== "" && title.startsWith(name) && !isWord(title[name.length]);
}

function mentions(text: string, name: string): boolean {
  const word = name.toLowerCase();
  if (word === "") return false;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + word.length])) return true;
  }
  return false;
}

function isWord(char: string | undefined): boolean {
  return (
    char !== undefined &&
    (char === "-" ||
      char === "_" ||
      char.toLowerCase() !== char.toUpperCase() ||
      (char >= "0" && char <= "9"))
  );
}
