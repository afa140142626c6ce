/** Where two packages part: from there on nothing of the cache is of use. */
export interface FirstDifference {
  /** UTF-8 bytes they share. */
  readonly byte: number;
  /** 1-based line and column (in UTF-16 units) of the first difference, in the second text. */
  readonly line: number;
  readonly column: number;
  /** What stands there in each, at most 60 characters of a line. */
  readonly before: string;
  readonly after: string;
}

const SHOWN = 60;

function excerpt(text: string, at: number): string {
  const line = text.slice(at, at + SHOWN);
  const end = line.indexOf("\n");
  return end < 0 ? line : line.slice(0, end);
}

/** The first place at which two consecutive packages differ; undefined when the first is a beginning of the second. */
export function firstDifference(before: string, after: string): FirstDifference | undefined {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  if (at === before.length) return undefined;
  // Halves of different surrogate pairs may begin alike; a difference is that of whole characters.
  const inPair = at > 0 && (after.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  if (inPair) at--;
  const shared = after.slice(0, at);
  const lineStart = shared.lastIndexOf("\n") + 1;
  let line = 1;
  for (let from = shared.indexOf("\n"); from >= 0; from = shared.indexOf("\n", from + 1)) line++;
  return {
    byte: Buffer.byteLength(shared),
    line,
    column: at - lineStart + 1,
    before: excerpt(before, at),
    after: excerpt(after, at),
  };
}
