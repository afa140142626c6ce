export { type Choice, createChooser } from "./choose.ts";
export { piecesOf } from "./pieces.ts";
export { render } from "./render.ts";
export type { Piece, PieceKind } from "./types.ts";
export { scanFeatures, type Weights, weigh } from "./weigh.ts";
