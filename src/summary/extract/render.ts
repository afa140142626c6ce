import type { Piece } from "./types.ts";

/** Writes chosen pieces in document order: sentences of a paragraph on one line, code lines in their fence. */
export function render(pieces: readonly Piece[], chosen: readonly number[]): string {
  const lines: string[] = [];
  let before: Piece | undefined;
  let fence = "";
  for (const index of chosen) {
    const piece = pieces[index]!;
    if (fence !== "" && piece.kind !== "code") {
      lines.push(fence);
      fence = "";
    }
    if (
      piece.kind === "sentence" &&
      before !== undefined &&
      isProse(before) &&
      before.block === piece.block
    ) {
      lines.push(`${lines.pop()!} ${piece.text}`);
    } else lines.push(piece.text);
    if (piece.kind === "fence") fence = fenceMark(piece.text);
    before = piece;
  }
  if (fence !== "") lines.push(fence);
  return lines.join("\n");
}

function isProse({ kind }: Piece): boolean {
  return kind === "sentence" || kind === "line";
}

/** The run of marks that opens a fence and closes it. */
export function fenceMark(opener: string): string {
  let end = 0;
  while (end < opener.length && opener[end] === opener[0]) end++;
  return opener.slice(0, end);
}
