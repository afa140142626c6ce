/** Says that these bytes of the stream are secret; `start` inclusive, `end` exclusive. */
export type Cover = (start: number, end: number) => void;
