import { adviseBreakpoints, CACHE_RATES, type Stretch } from "../budget/index.ts";
import { wantedAttempts } from "./attempts.ts";
import { type Body, choose } from "./choose.ts";
import { type Layouts, layOut, repetitions } from "./layout.ts";
import { ownPiece } from "./render.ts";
import { wantedResults } from "./results.ts";
import type { ContextPackage, CountTokens, PackageRequest, Piece } from "./types.ts";
import type { Wanted } from "./wanted.ts";

const SECTIONS = ["documents", "updates", "results", "attempts"] as const;
type Headings = Readonly<Record<(typeof SECTIONS)[number] | "task", Piece>>;

/**
 * One attempt's package: role and rules, documents from the root down, changes since, results, attempts, task. The same request
 * after the same packages gives the same bytes. Everything is whole where it fits; else nothing is left out or shortened without
 * a line in the receipt and a way to the whole, and the limit holds unless role and task alone pass it.
 */
export function assemble(request: PackageRequest, layouts: Layouts, count: CountTokens): ContextPackage {
  const tried = made(request, layouts, count);
  const limits = request.stricter?.(tried.package);
  const given = limits === undefined ? tried : made({ ...request, limits }, layouts, count);
  layouts.last.set(lastOf(request), given.pieces);
  return given.package;
}

/** Under which the last package is remembered that begins as this one does. */
function lastOf({ kind, path }: PackageRequest): string {
  return `${kind} ${path.at(-1)?.id ?? ""}`;
}

/** A package within the limits of a request, and the pieces it is made of; not given to anybody yet. */
function made(
  request: PackageRequest,
  layouts: Layouts,
  count: CountTokens,
): { readonly package: ContextPackage; readonly pieces: readonly Piece[] } {
  const { words, path, kind, limits } = request;
  const hasRules = request.role !== "";
  // Without rules nothing else says what foreign texts are.
  const role = hasRules
    ? [ownPiece(count, "role", kind, request.role)]
    : isForeign(request)
      ? [ownPiece(count, "heading", "data", words.data)]
      : [];
  const task = ownPiece(count, "task", request.task, request.assignment);
  const headings = Object.fromEntries(
    ([...SECTIONS, "task"] as const).map(name => [name, ownPiece(count, "heading", name, words[name])]),
  ) as Headings;
  const space = limits.tokens - sum([...role, task]) - sum([headings.task]);
  const body = whole(request, layouts, space, headings, count) ?? shortened(request, space, headings, count);

  const sections = SECTIONS.flatMap(name => (body[name].length === 0 ? [] : [headings[name], ...body[name]]));
  const told = [...sections, ...(body.note === undefined ? [] : [body.note])];
  const before = hasRules || told.length > 0 ? [...role, ...told] : [];
  const pieces = before.length === 0 ? [task] : [...before, headings.task, task];
  const text = pieces.map(({ text: own }) => own).join("");
  const prefix = sharedPrefix(layouts.last.get(lastOf(request)) ?? [], pieces);
  const breakpoints = adviseBreakpoints(stretches(pieces, path[0]?.id ?? ""), CACHE_RATES.claude);
  const receipt = {
    form: 1 as const,
    node: path.at(-1)?.id ?? "",
    tokens: sum(pieces),
    limit: limits.tokens,
    prefix,
    parts: [...pieces.map(({ part }) => part), ...repetitions(path), ...body.left],
  };
  return {
    package: { text, receipt: breakpoints.length === 0 ? receipt : { ...receipt, breakpoints } },
    pieces,
  };
}

/** Whether anything of others is to be told. */
function isForeign({ path, results, attempts }: PackageRequest): boolean {
  return results.length + attempts.length > 0 || path.some(({ documents }) => documents.length > 0);
}

const finest = (wanted: readonly Wanted[]): Piece[] => wanted.flatMap(({ forms }) => forms[0]?.piece ?? []);

/** A section with its heading, as far as there is anything in it. */
function tokensOf(pieces: readonly Piece[], heading: Piece): number {
  return pieces.length === 0 ? 0 : sum([heading, ...pieces]);
}

/** Everything in the finest form in which it may be told; undefined where that has no room. */
function whole(
  request: PackageRequest,
  layouts: Layouts,
  space: number,
  headings: Headings,
  count: CountTokens,
): Body | undefined {
  const results = finest(wantedResults(request, false, count));
  if (sum(results) > (request.limits.results ?? Infinity)) return undefined;
  const { wanted, left } = wantedAttempts(request, count);
  const attempts = finest(wanted);
  const room = space - tokensOf(results, headings.results) - tokensOf(attempts, headings.attempts);
  if (room < 0) return undefined;
  const around = (isBase: boolean, isUpdated: boolean) =>
    sum([...(isBase ? [headings.documents] : []), ...(isUpdated ? [headings.updates] : [])]);
  const laid = layOut(layouts, request.path, {
    words: request.words,
    fits: (tokens, isBase, isUpdated) => tokens === 0 || tokens + around(isBase, isUpdated) <= room,
    count,
    outlook: request.outlook,
  });
  return laid && { documents: laid.base, updates: laid.updates, results, attempts, left };
}

/** What is chosen where not everything has room. */
function shortened(request: PackageRequest, space: number, headings: Headings, count: CountTokens): Body {
  const { documents, results, attempts } = headings;
  const tokens = { documents: sum([documents]), results: sum([results]), attempts: sum([attempts]) };
  return choose(request, space, tokens, count);
}

/** How long each part of a package stays as it is: the root's documents for all, a node's for its branch. */
function stretches(pieces: readonly Piece[], root: string): Stretch[] {
  const lasts = (piece: Piece | undefined): Stretch["lasts"] => {
    const { kind, node } = piece?.part ?? {};
    if (kind === "role") return "run";
    return kind === "document" || kind === "update" ? (node === root ? "run" : "branch") : "attempt";
  };
  return pieces.map((piece, at) => {
    const { kind, source, tokens } = piece.part;
    return { name: `${kind} ${source}`, tokens, lasts: lasts(kind === "heading" ? pieces[at + 1] : piece) };
  });
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { part }) => total + part.tokens, 0);
}

/** How far two packages are the same, in whole parts. */
function sharedPrefix(before: readonly Piece[], now: readonly Piece[]): { tokens: number; bytes: number } {
  let tokens = 0;
  let bytes = 0;
  for (const [at, piece] of now.entries()) {
    if (before[at]?.text !== piece.text) break;
    tokens += piece.part.tokens;
    bytes += Buffer.byteLength(piece.text);
  }
  return { tokens, bytes };
}
