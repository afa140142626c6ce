import { type BudgetItem, type Level, selectLevels } from "../budget/index.ts";
import { wantedAttempts } from "./attempts.ts";
import { wantedDocuments } from "./documents.ts";
import { boundOf, type Filled, fill, finerThan, type Room, usedBy } from "./fill.ts";
import { leftOutNote, noteRoom } from "./left-out.ts";
import { left } from "./render.ts";
import { wantedResults } from "./results.ts";
import type { CountTokens, PackageRequest, Piece, ReceiptPart } from "./types.ts";
import type { Wanted, WantedForm } from "./wanted.ts";

/** What stands between role and task, by section, and what does not. */
export interface Body {
  readonly documents: readonly Piece[];
  readonly updates: readonly Piece[];
  readonly results: readonly Piece[];
  readonly attempts: readonly Piece[];
  /** Names what is left out. */
  readonly note?: Piece | undefined;
  readonly left: readonly ReceiptPart[];
}

/** What is only named is chosen like key points. */
function levelOf({ part }: Piece): Level {
  return part.level === "pointer" ? 3 : part.level;
}

function itemOf({ item, forms }: Wanted, at: number): BudgetItem {
  return {
    ...item,
    id: String(at),
    offers: forms.map(({ piece, retention }) => ({
      level: levelOf(piece),
      tokens: piece.part.tokens,
      retention,
    })),
  };
}

/** Results within what all of them may have together, where that is less than there is: no form beyond the best choice's. */
function withinOutputs(results: readonly Wanted[], most: number | undefined): readonly Wanted[] {
  const finest = results.reduce((sum, { forms }) => sum + (forms[0]?.piece.part.tokens ?? 0), 0);
  if (most === undefined || finest <= most) return results;
  const { choices } = selectLevels(results.map(itemOf), most);
  return results.map((one, at) => ({
    ...one,
    forms: one.forms.filter(
      ({ piece }) => choices[at]!.level !== undefined && piece.part.tokens <= choices[at]!.tokens,
    ),
  }));
}

/** What is set aside of the room for a source, before documents have any. */
function floorOf({ item, forms }: Wanted): number {
  if (item.floor === undefined || forms.length === 0) return 0;
  return Math.min(...forms.map(({ piece }) => piece.part.tokens));
}

/** The form that each source is chosen in. */
function placed(wanted: readonly Wanted[], room: number): (WantedForm | undefined)[] {
  const { choices } = selectLevels(wanted.map(itemOf), room);
  return wanted.map(({ forms }, at) => forms.find(({ piece }) => levelOf(piece) === choices[at]!.level));
}

/**
 * What goes into a package in which not everything has room: one choice over documents, results and attempts, worth the most
 * and never over. Shortest forms of dependencies and of the last attempt come first, then those of the nearest documents; what
 * is nearer chooses before what is farther. What that leaves unused is filled.
 */
export function choose(
  request: PackageRequest,
  space: number,
  headings: Room["headings"],
  count: CountTokens,
): Body {
  const { limits } = request;
  const attempts = wantedAttempts(request, count);
  const results = wantedResults(request, true, count);
  const others = [...withinOutputs(results, limits.results), ...attempts.wanted];
  const beside = others.reduce((sum, { forms }) => sum + (forms[0]?.piece.part.tokens ?? 0), 0);
  // Headings are sure to have room wherever something stands under them.
  const sure = space - sum(headings, request);
  const forNote = noteRoom(sure);
  const free = Math.max(0, sure - forNote - others.reduce((all, one) => all + floorOf(one), 0));
  const documents = wantedDocuments(request, { tokens: Math.max(0, sure), free, beside }, count);
  const wanted = [...documents, ...results, ...attempts.wanted];
  const offered = [...documents, ...others];
  const noteOf = (out: readonly Wanted[]) =>
    leftOutNote(
      out.filter(({ name }) => name !== ""),
      request.words,
      forNote,
      count,
    );
  const outOf = (forms: Filled["forms"]) => wanted.filter((_, at) => forms[at] === undefined);
  // Where everything is in, if shorter, nothing has to be named.
  const all = placed(offered, sure - (noteOf([])?.part.tokens ?? 0));
  const forms = all.includes(undefined) ? placed(offered, sure - forNote) : all;
  const room = { tokens: space, results: limits.results, headings };
  const filled = fill(wanted, { forms, note: noteOf(outOf(forms)) }, room, noteOf);
  return bodyOf(wanted, filled, room, limits.tokens, attempts.left);
}

function sum(headings: Room["headings"], { path, results, attempts }: PackageRequest): number {
  return (
    (path.some(({ documents }) => documents.length > 0) ? headings.documents : 0) +
    (results.length > 0 ? headings.results : 0) +
    (attempts.length > 0 ? headings.attempts : 0)
  );
}

/** The chosen pieces by section; of what is shortened or left out for want of room, the limit that bound it. */
function bodyOf(
  wanted: readonly Wanted[],
  filled: Filled,
  room: Room,
  tokens: number,
  older: readonly ReceiptPart[],
): Body {
  const bounds = {
    package: { limit: "context.package.tokens", tokens },
    results: { limit: "budget.context_budget.allocation.agent_outputs", tokens: room.results ?? tokens },
  };
  const used = usedBy(wanted, filled, room);
  const unused = { tokens: room.tokens - used.tokens, results: (room.results ?? Infinity) - used.results };
  const pieces: Record<Wanted["section"], Piece[]> = { documents: [], results: [], attempts: [] };
  const out: ReceiptPart[] = [];
  for (const [at, one] of wanted.entries()) {
    const form = filled.forms[at];
    const bound = boundOf(one, form, unused, bounds);
    if (form === undefined)
      out.push(left({ ...one.part, level: "pointer", why: "no-room", whole: one.whole, bound }));
    else if (form.piece.part.why === "no-room" && finerThan(one, form).length > 0)
      pieces[one.section].push({ ...form.piece, part: { ...form.piece.part, bound } });
    else pieces[one.section].push(form.piece);
  }
  return { ...pieces, updates: [], note: filled.note, left: [...out, ...older] };
}
