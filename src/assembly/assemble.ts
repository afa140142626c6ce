import { adviseBreakpoints, CACHE_RATES, type Stretch } from "../budget/index.ts";
import { fitAttempts, fitResults } from "./fit.ts";
import { type Layouts, layOut } from "./layout.ts";
import { ownPiece } from "./render.ts";
import type { ContextPackage, CountTokens, PackageRequest, Piece } from "./types.ts";

/** Share of a package that documents may take. */
const DOCUMENTS = 0.8;

/**
 * One attempt's package: role and rules, documents from the root down, changes since, results, attempts, task. The same request
 * after the same packages gives the same bytes. Nothing is left out or shortened without a line in the receipt, and what
 * could be read elsewhere is pointed at.
 */
export function assemble(request: PackageRequest, layouts: Layouts, count: CountTokens): ContextPackage {
  const { words, path, kind } = request;
  const own = (part: "role" | "task" | "heading", source: string, text: string) =>
    ownPiece(count, part, source, text);
  const heading = (source: "documents" | "updates" | "results" | "attempts" | "task") =>
    own("heading", source, words[source]);
  const role = request.role === "" ? [] : [own("role", kind, request.role)];
  const task = own("task", request.task, request.assignment);
  const headings = ["documents", "updates", "results", "attempts", "task"] as const;
  const fixed = sum([...role, task, ...headings.map(heading)]);
  // The documents' share does not depend on the task, so that all who read a node are given the same.
  const tokens = Math.floor(request.limits.tokens * DOCUMENTS);
  const laid = layOut(layouts, path, {
    words,
    limits: { ...request.limits, tokens },
    count,
    outlook: request.outlook,
  });
  const room = request.limits.tokens - fixed - sum(laid.base) - sum(laid.updates);
  const attempts = fitAttempts(request, Math.floor(room / 2), count);
  const left = Math.min(room - sum(attempts.pieces), request.limits.results ?? Infinity);
  const results = fitResults(request, left, count);

  const sections = [laid.base, laid.updates, results.pieces, attempts.pieces] as const;
  const body = sections.flatMap((pieces, at) =>
    pieces.length === 0 ? [] : [heading(headings[at]!), ...pieces],
  );
  const before = [...role, ...body];
  const pieces = before.length === 0 ? [task] : [...before, heading("task"), task];
  const text = pieces.map(({ text: own }) => own).join("");
  const node = path.at(-1)?.id ?? "";
  const prefix = sharedPrefix(layouts.last.get(`${kind} ${node}`) ?? [], pieces);
  layouts.last.set(`${kind} ${node}`, pieces);
  const parts = [...pieces.map(({ part }) => part), ...laid.left, ...results.left, ...attempts.left];
  const breakpoints = adviseBreakpoints(stretches(pieces, path[0]?.id ?? ""), CACHE_RATES.claude);
  const receipt = {
    form: 1 as const,
    node,
    tokens: sum(pieces),
    limit: request.limits.tokens,
    prefix,
    parts,
  };
  return { text, receipt: breakpoints.length === 0 ? receipt : { ...receipt, breakpoints } };
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
