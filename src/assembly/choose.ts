import { type BudgetItem, type Level, selectLevels } from "../budget/index.ts";
import { wantedAttempts } from "./attempts.ts";
import { wantedDocuments } from "./documents.ts";
import { leftOutNote, noteRoom } from "./left-out.ts";
import { left } from "./render.ts";
import { wantedResults } from "./results.ts";
import type { Bound, CountTokens, PackageRequest, Piece, ReceiptPart } from "./types.ts";
import type { Wanted } from "./wanted.ts";

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
  const bound: Bound = { limit: "budget.context_budget.allocation.agent_outputs", tokens: most };
  const { choices } = selectLevels(results.map(itemOf), most);
  return results.map((one, at) => ({
    ...one,
    forms: one.forms
      .filter(({ piece }) => choices[at]!.level !== undefined && piece.part.tokens <= choices[at]!.tokens)
      .map(({ piece: { text, part }, retention }) => ({
        retention,
        piece: { text, part: part.why === "no-room" ? { ...part, bound } : part },
      })),
  }));
}

interface Placed {
  readonly pieces: Readonly<Record<Wanted["section"], readonly Piece[]>>;
  readonly out: readonly Wanted[];
}

function placed(wanted: readonly Wanted[], room: number): Placed {
  const { choices } = selectLevels(wanted.map(itemOf), room);
  const pieces: Record<Wanted["section"], Piece[]> = { documents: [], results: [], attempts: [] };
  const out: Wanted[] = [];
  for (const [at, one] of wanted.entries()) {
    const { level } = choices[at]!;
    const form = one.forms.find(({ piece }) => levelOf(piece) === level);
    if (form === undefined) out.push(one);
    else pieces[one.section].push(form.piece);
  }
  return { pieces, out };
}

/**
 * What goes into a package in which not everything has room: one choice over documents, results and attempts, worth the most
 * and never over. Shortest forms of dependencies and of the last attempt come first, then those of the nearest documents; what
 * is nearer chooses before what is farther.
 */
export function choose(request: PackageRequest, space: number, count: CountTokens): Body {
  const { limits } = request;
  const attempts = wantedAttempts(request, count);
  const others = [...withinOutputs(wantedResults(request, true, count), limits.results), ...attempts.wanted];
  const beside = others.reduce((sum, { forms }) => sum + (forms[0]?.piece.part.tokens ?? 0), 0);
  const wanted = [...wantedDocuments(request, Math.max(0, space), beside, count), ...others];
  const forNote = noteRoom(space);
  const note = (left: readonly Wanted[]) => leftOutNote(left, request.words, forNote, count);
  // Where everything is in, if shorter, nothing has to be named.
  const all = placed(wanted, space - (note([])?.part.tokens ?? 0));
  const { pieces, out } = all.out.length === 0 ? all : placed(wanted, space - forNote);
  const bound = { limit: "context.package.tokens", tokens: limits.tokens };
  return {
    ...pieces,
    updates: [],
    note: note(out.filter(({ name }) => name !== "")),
    left: [
      ...out.map(({ part, whole }) => left({ ...part, level: "pointer", why: "no-room", whole, bound })),
      ...attempts.left,
    ],
  };
}
