import { documentText, piece, shown, wholeDocument } from "./render.ts";
import type { CountTokens, PackageDocument, PackageNode, PackageRequest } from "./types.ts";
import { type Wanted, type WantedForm, whyOf, within } from "./wanted.ts";

type Request = Pick<PackageRequest, "path" | "words" | "limits" | "documentLevels">;

function wantedOf(
  node: PackageNode,
  document: PackageDocument,
  distance: number,
  { words, limits, documentLevels }: Request,
  count: CountTokens,
): Wanted {
  const { label, version, hash, name } = document;
  const part = { kind: "document", source: label, node: node.id, version, hash: shown(hash) } as const;
  const whole = count(document.text);
  const levels = documentLevels?.(document, distance) ?? {
    forms: [{ level: 0, text: document.text, retention: 1 } as const],
    priority: 0.5,
  };
  const from = words.origin(document.origin);
  const made = levels.forms.map(({ level, text, kept, retention }, at): WantedForm => {
    if (level === 0) return { piece: wholeDocument(node.id, document, words, count), retention };
    const told = piece(count, documentText(node.id, document, from, text, { level, of: { whole, name } }), {
      ...part,
      level,
      ...whyOf(levels, level, at, limits.tokens),
      whole,
      ...(kept === undefined ? {} : { kept }),
    });
    return { piece: told, retention };
  });
  return {
    section: "documents",
    part,
    name,
    whole,
    item: { priority: levels.priority, distance },
    forms: within(made, limits.document, "context.package.document"),
  };
}

/** Share of a package's room that is sure for what stands farther off than the reader's own node. */
const SURE = 0.2;

/** Tokens that delimiters take, at most about. */
const AROUND = 120;

/** What documents are wanted within. */
interface DocumentRoom {
  /** Tokens of everything between role and task. */
  readonly tokens: number;
  /** Of these, what nothing else is sure to have. */
  readonly free: number;
  /** Tokens of everything else in its finest form. */
  readonly beside: number;
}

/**
 * What is wanted of the documents of a path where not everything fits, root first. Of those above the own node as many shortest
 * forms are set aside as a fifth of the free room holds, the nearest and worthiest first; then those of the own node's.
 */
export function wantedDocuments(given: Request, room: DocumentRoom, count: CountTokens): Wanted[] {
  const { path, words, limits } = given;
  const all = path.flatMap(node => node.documents).reduce((sum, { text }) => sum + count(text) + AROUND, 0);
  // Where it is others that have no room, shorter forms of documents are not even made.
  const request = all + room.beside <= room.tokens ? { path, words, limits } : given;
  // Levels are asked for from near to far: where they cost too much to make, what is far goes without.
  const wanted = path
    .toReversed()
    .flatMap((node, distance) =>
      node.documents.map(document => wantedOf(node, document, distance, request, count)),
    );
  const floors = new Set<Wanted>();
  let sure = room.free * SURE;
  const near = (one: Wanted) => one.item.distance ?? 0;
  for (const one of wanted.toSorted((a, b) => near(a) - near(b) || b.item.priority - a.item.priority)) {
    const least = Math.min(...one.forms.map(({ piece }) => piece.part.tokens));
    if (near(one) > 0 && least > sure) continue;
    if (near(one) > 0) sure -= least;
    floors.add(one);
  }
  const placed = Map.groupBy(wanted, ({ part }) => part.node);
  return path.flatMap(({ id }) =>
    (placed.get(id) ?? []).map(one =>
      floors.has(one) ? { ...one, item: { ...one.item, floor: near(one) || path.length } } : one,
    ),
  );
}
