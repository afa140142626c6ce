/** Where two texts part, in words: the line, both sides of it around the first character that differs. */
export function firstDifference(expected: string, found: string): string {
  const length = Math.min(expected.length, found.length);
  let at = 0;
  let line = 1;
  let start = 0;
  while (at < length && expected.charCodeAt(at) === found.charCodeAt(at)) {
    if (expected.charCodeAt(at) === 0x0a) {
      line++;
      start = at + 1;
    }
    at++;
  }
  const column = at - start + 1;
  return `line ${line}, column ${column}: expected ${excerpt(expected, start, at)}, found ${excerpt(found, start, at)}`;
}

/** Characters shown before and behind the place. */
const [BEFORE, BEHIND] = [30, 50];

function excerpt(text: string, start: number, at: number): string {
  if (at >= text.length) return "the end";
  const from = Math.max(start, at - BEFORE);
  const newline = text.indexOf("\n", at);
  const end = newline < 0 ? text.length : newline + 1;
  const to = Math.min(end, at + BEHIND);
  return `${from > start ? "…" : ""}${JSON.stringify(text.slice(from, to).toWellFormed())}${to < end ? "…" : ""}`;
}
