import type { TaskStatus } from "../../../ports/index.ts";
import type { Piece, Style } from "./paint.ts";

/** A small sign for a state and the colour it is shown in. */
export interface Mark {
  readonly sign: string;
  readonly style: Style;
}

/** The one table of marks; every view uses it. */
export const MARKS: Readonly<Record<TaskStatus, Mark>> = {
  completed: { sign: "✓", style: "green" },
  in_progress: { sign: "▶", style: "cyan" },
  ready: { sign: "○", style: "plain" },
  pending: { sign: "·", style: "dim" },
  failed: { sign: "✗", style: "red" },
  blocked: { sign: "⊘", style: "red" },
  paused: { sign: "‖", style: "yellow" },
  waiting: { sign: "~", style: "yellow" },
  skipped: { sign: "–", style: "dim" },
  cancelled: { sign: "×", style: "dim" },
};

/** A completion nobody proved. */
export const UNVERIFIED: Mark = { sign: "✓?", style: "yellow" };

/** Something a person should read. */
export const NOTICE: Mark = { sign: "!", style: "yellow" };

/** The order in which states are listed and counted. */
export const STATUS_ORDER: readonly TaskStatus[] = [
  "completed",
  "in_progress",
  "ready",
  "pending",
  "failed",
  "blocked",
  "paused",
  "waiting",
  "skipped",
  "cancelled",
];

/** The mark of a task. */
export function markOf(status: TaskStatus, verified: boolean | undefined): Mark {
  return status === "completed" && verified !== true ? UNVERIFIED : MARKS[status];
}

/** A mark as the beginning of a line: the sign, filled to the widest one, and a space. */
export function markPiece(mark: Mark): Piece {
  return { text: mark.sign.padEnd(3), style: mark.style };
}
