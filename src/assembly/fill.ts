import type { Bound, Piece } from "./types.ts";
import type { Wanted, WantedForm } from "./wanted.ts";

/** Which form each source stands in, undefined where it is left out, and the note that names what is left out. */
export interface Filled {
  readonly forms: readonly (WantedForm | undefined)[];
  readonly note: Piece | undefined;
}

/** What a choice is made within. */
export interface Room {
  /** Tokens of everything between role and task, headings and note included. */
  readonly tokens: number;
  /** Of all results together; absent: what there is. */
  readonly results?: number | undefined;
  /** Tokens of each section's heading, which stands where the section has something. */
  readonly headings: Readonly<Record<Wanted["section"], number>>;
}

/** Names what is left out. */
export type NoteOf = (out: readonly Wanted[]) => Piece | undefined;

export function tokensOf(form: WantedForm | undefined): number {
  return form?.piece.part.tokens ?? 0;
}

/** What a choice takes of the room, and its results of theirs. */
export function usedBy(
  wanted: readonly Wanted[],
  { forms, note }: Filled,
  { headings }: Pick<Room, "headings">,
): { readonly tokens: number; readonly results: number } {
  let tokens = note?.part.tokens ?? 0;
  let results = 0;
  const sections = new Set<Wanted["section"]>();
  for (const [at, form] of forms.entries()) {
    if (form === undefined) continue;
    const { section } = wanted[at]!;
    tokens += tokensOf(form) + (sections.has(section) ? 0 : headings[section]);
    sections.add(section);
    if (section === "results") results += tokensOf(form);
  }
  return { tokens, results };
}

/** Forms that keep more than one does, finest first. */
export function finerThan({ forms }: Wanted, form: WantedForm | undefined): readonly WantedForm[] {
  return forms.filter(
    one => one.retention > (form?.retention ?? -1) && tokensOf(one) > tokensOf(form) && one !== form,
  );
}

const near = ({ section, item: { distance = 0 } }: Wanted): number => (section === "results" ? -1 : distance);

/**
 * Gives what a choice left unused to whatever has a finer form that fits, the nearest and worthiest first, until nothing has: what
 * was set aside for the note, and for headings that nothing stands under, is seldom needed.
 */
export function fill(wanted: readonly Wanted[], chosen: Filled, room: Room, noteOf: NoteOf): Filled {
  const order = wanted
    .map((_, at) => at)
    .sort(
      (a, b) => near(wanted[a]!) - near(wanted[b]!) || wanted[b]!.item.priority - wanted[a]!.item.priority,
    );
  let now = chosen;
  let used = usedBy(wanted, now, room);
  const grown = (at: number): Filled | undefined => {
    const own = now.forms[at];
    for (const form of finerThan(wanted[at]!, own)) {
      const delta = tokensOf(form) - tokensOf(own);
      if (used.tokens + delta > room.tokens) continue;
      if (wanted[at]!.section === "results" && used.results + delta > (room.results ?? Infinity)) continue;
      const forms = now.forms.with(at, form);
      const note = own === undefined ? noteOf(wanted.filter((_, one) => forms[one] === undefined)) : now.note;
      if (usedBy(wanted, { forms, note }, room).tokens <= room.tokens) return { forms, note };
    }
    return undefined;
  };
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const at of order) {
      const better = grown(at);
      if (better === undefined) continue;
      now = better;
      used = usedBy(wanted, now, room);
      isGrowing = true;
    }
  }
  return now;
}

/** The limit that keeps a source from its next finer form: what all results may have together, or the package's own. */
export function boundOf(
  one: Wanted,
  form: WantedForm | undefined,
  left: { readonly tokens: number; readonly results: number },
  bounds: { readonly results: Bound; readonly package: Bound },
): Bound {
  const next = finerThan(one, form).at(-1);
  if (one.section !== "results" || next === undefined) return bounds.package;
  const delta = tokensOf(next) - tokensOf(form);
  return delta > left.results && (delta <= left.tokens || left.results <= left.tokens)
    ? bounds.results
    : bounds.package;
}
