/** What a piece is for the reader: how it is written and what must stand above it. */
export type PieceKind =
  | "heading"
  | "table-head"
  | "table-row"
  | "list-item"
  | "line"
  | "sentence"
  | "fence"
  | "code";

/** The smallest part of a document that is taken or left. */
export interface Piece {
  readonly kind: PieceKind;
  /** As it stands in a summary, without its line end. */
  readonly text: string;
  /** Index of the piece that must stand above it: its heading, its table's head, its fence; -1 without one. */
  readonly under: number;
  /** Index of the block it was cut from: sentences of one paragraph are written on one line. */
  readonly block: number;
  /** Title of the section, for weighing. */
  readonly title: string;
}
