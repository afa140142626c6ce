import { fail, ok, type Result } from "../ports/index.ts";
import { shortHash } from "./hash.ts";
import type { Conflict, Delta } from "./types.ts";

/** Applies a delta to exactly the document it was made for; to any other it is a conflict and nothing happens. */
export function apply(delta: Delta, old: string): Result<string, Conflict> {
  const found = shortHash(old);
  if (found !== delta.base) {
    return conflict(
      "base",
      delta.base,
      found,
      `The delta belongs to ${delta.base}, this document is ${found}`,
    );
  }
  const lines = old.split("\n");
  const result: string[] = [];
  let at = 0;
  for (const hunk of delta.hunks) {
    const wrong = mismatch(lines, hunk.at, at, hunk.removed);
    if (wrong !== undefined) return wrong;
    for (; at < hunk.at; at++) result.push(lines[at]!);
    for (const line of hunk.added) result.push(line);
    at = hunk.at + hunk.removed.length;
  }
  for (; at < lines.length; at++) result.push(lines[at]!);
  const text = result.join("\n");
  const reached = shortHash(text);
  if (reached === delta.result) return ok(text);
  return conflict(
    "result",
    delta.result,
    reached,
    `The delta leads to ${reached}, not to the ${delta.result} it names`,
  );
}

function mismatch(
  lines: readonly string[],
  at: number,
  from: number,
  removed: readonly string[],
): ReturnType<typeof conflict> | undefined {
  if (!Number.isInteger(at) || at < from || at + removed.length > lines.length) {
    const message = `An operation lies at line ${at + 1}, outside of lines ${from + 1}–${lines.length}`;
    return conflict("lines", `${from + 1}–${lines.length}`, String(at + 1), message);
  }
  for (let step = 0; step < removed.length; step++) {
    const line = lines[at + step]!;
    if (line === removed[step]) continue;
    return conflict(
      "lines",
      removed[step]!,
      line,
      `Line ${at + step + 1} is not what the delta removes there`,
    );
  }
  return undefined;
}

function conflict(
  kind: Conflict["kind"],
  expected: string,
  found: string,
  message: string,
): { readonly ok: false; readonly failure: Conflict } {
  return fail({ kind, expected, found, message });
}
