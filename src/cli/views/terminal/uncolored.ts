const ESC = "\u001b";

/** Position behind a control sequence (`ESC [` parameters, one final letter) that begins at `from`; `from` when none does. */
function endOfSequence(text: string, from: number): number {
  if (text[from + 1] !== "[") return from;
  for (let at = from + 2; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return at + 1;
    if (code < 0x20 || code > 0x3f) return from;
  }
  return from;
}

/**
 * Program output without its colours. Only whole control sequences go; whatever else could move the cursor stays and
 * is shown as an escape by `visible`.
 */
export function uncolored(text: string): string {
  let out = "";
  let start = 0;
  for (let at = text.indexOf(ESC); at >= 0; at = text.indexOf(ESC, at + 1)) {
    const end = endOfSequence(text, at);
    if (end === at) continue;
    out += text.slice(start, at);
    start = end;
    at = end - 1;
  }
  return start === 0 ? text : out + text.slice(start);
}

/** What a line shows in the end: a progress display rewrites it after each carriage return. */
export function finalState(text: string): string {
  const clean = uncolored(text).trimEnd();
  return clean.slice(clean.lastIndexOf("\r") + 1).trim();
}
