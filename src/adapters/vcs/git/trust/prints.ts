import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readBounded } from "../../../file/index.ts";

/** What a file held when it was last read, and by what facts it would be seen that it was written since. */
export interface Print {
  /** Empty for what is not there. */
  readonly stamp: string;
  /** Hash of its bytes; the reason why there are none for what is no plain file or not there. */
  readonly content: string;
  /** Milliseconds; 0 for what is not there. */
  readonly changedAt: number;
}

/** The print of a place where nothing is. */
export const NOTHING: Print = { stamp: "", content: "missing", changedAt: 0 };

const MAX_BYTES = 16 * 1024 ** 2;
/** Milliseconds within which two changes of a file may bear the same time. */
const GRAIN = 2000;

function factsOf(path: string): { readonly stamp: string; readonly changedAt: number } {
  try {
    // The time of the last change of its facts cannot be set back by anybody.
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) return { stamp: "", changedAt: 0 };
    const { dev, ino, size, mode, ctimeNs } = facts;
    return { stamp: `${dev}:${ino}:${size}:${mode}:${ctimeNs}`, changedAt: Number(ctimeNs / 1_000_000n) };
  } catch {
    return { stamp: "", changedAt: 0 };
  }
}

/** Whether a file can be taken for unread since: it stands as it did, and was not written just before it was read. */
function isSettled({ stamp, changedAt }: Print, now: number): boolean {
  return stamp === "" || Math.abs(now - changedAt) > GRAIN;
}

/** Reads a file through whatever links lead to it, unless it stands as before. */
export function printOf(path: string, before: Print | undefined, now: number): Print {
  const facts = factsOf(path);
  if (before !== undefined && before.stamp === facts.stamp && isSettled(before, now)) return before;
  const bytes = readBounded(path, { maxBytes: MAX_BYTES, follow: true });
  const content = bytes.ok ? createHash("sha256").update(bytes.value).digest("hex") : bytes.failure.kind;
  return { ...facts, content };
}

/** Whether a print is of bytes, or of a place where nothing is: of anything else nobody knows what git would read. */
export function isReadable({ content }: Print): boolean {
  return content === "missing" || content.length === 64;
}
