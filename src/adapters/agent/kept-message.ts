import { cutNote, fromLine, localeOf } from "../../text/index.ts";
import { afterContinuation } from "../process/index.ts";

/** Bytes of the final message that are kept. */
export const MESSAGE_BYTES = 1 << 16;
/** Bytes that the line may take which says that the beginning is gone. */
const NOTE_BYTES = 128;
/** Characters of a line that goes with what stands before it, rather than being begun in its middle. */
const LONGEST_BEGUN = 4096;

/** The end of a message, and how many bytes before it are gone. */
interface Tail {
  readonly text: string;
  readonly left: number;
}

/**
 * What is kept of a message, with `after` behind it, in at most 64 KiB: all of it, or its end under a line that says how much is
 * gone, from a line's beginning on.
 */
export function keptMessage({ text, left }: Tail, after = ""): string {
  const all = Buffer.from(text);
  const room = MESSAGE_BYTES - Buffer.byteLength(after);
  if (left === 0 && all.length <= room) return `${all.toString()}${after}`;
  const start = Math.max(0, all.length - Math.max(0, room - NOTE_BYTES));
  const end = new TextDecoder().decode(all.subarray(afterContinuation(all, start, all.length)));
  const kept = fromLine(end, LONGEST_BEGUN);
  const gone = left + all.length - Buffer.byteLength(kept);
  return `${cutNote(localeOf(kept), gone)}\n${kept}${after}`.slice(-MESSAGE_BYTES);
}
