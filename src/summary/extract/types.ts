/** What a piece is for the reader: where it is written and what must stand above it. */
export type PieceKind =
  | "heading"
  /** A list item, a label or a line of front matter: a line of its own. */
  | "line"
  /** A sentence of prose: on the line of its block. */
  | "sentence"
  /** What a sentence or a table's row can do without: it fills a gap of what it stands under. */
  | "part"
  | "table"
  | "row"
  /** Code or data: whole or not at all. */
  | "block";

/** The smallest part of a document that is taken or left. */
export interface Piece {
  readonly kind: PieceKind;
  /** As it stands in a summary, without marks of emphasis and code; `…` stands for parts that may be filled in. */
  readonly text: string;
  /** Index of the piece that must stand above it: its heading, its list's parent or lead, its table; -1 without one. */
  readonly under: number;
  /** Index of the block it was cut from: sentences of one block are written on one line. */
  readonly block: number;
  /** Index of its heading; -1 before the first. */
  readonly heading: number;
  /** Its author set it, or its beginning, in bold. */
  readonly strong?: boolean;
  /** Of a part: where in the text above it belongs, and whether it takes the place of the `…` there. */
  readonly at?: number;
  readonly fills?: boolean;
}
