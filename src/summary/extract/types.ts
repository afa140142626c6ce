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
  | "block"
  /** Says in a few words what stands here, for a sentence that is about it. */
  | "stand-in";

/** The smallest part of a document that is taken or left. */
export interface Piece {
  readonly kind: PieceKind;
  /** As it stands in a summary, without marks of emphasis and code; `…` stands for parts that may be filled in. */
  readonly text: string;
  /** Index of the piece that must stand above it: its heading, its list's parent or lead, its table; -1 without one. */
  readonly under: number;
  /** Index of the block it was cut from: sentences of one block are written on one line. */
  readonly block: number;
  /** Index of a piece below it that takes back or limits what it says, or of another item of a list that is whole: it is told with that one or not at all. */
  readonly with?: number;
  /** Says nothing by itself: it is told with something that stands under it only. */
  readonly opens?: boolean;
  /** Index of its heading; -1 before the first. */
  readonly heading: number;
  /** Its author set it, or its beginning, in bold. */
  readonly strong?: boolean;
  /**
   * Of a part: where in the text above it belongs, and whether it takes the place of the `…` there. Of a stand-in: the first of the
   * pieces that it stands for, which go up to it.
   */
  readonly at?: number;
  readonly fills?: boolean;
}
