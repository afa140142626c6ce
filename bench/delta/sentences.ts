/** Lines that stand for themselves: headings, list items, rows, rules, fences, quotes, comments, link definitions. */
const STARTS = /^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||>|```|~~~|<|\[[^\]]+\]:|(?:[-*_]\s*){3,}$|={3,}$|$)/;
/** `Key: value` and `**Key:** value`: a line of its own even without a blank line before it. */
const KEYED = /^\s*(?:\*\*[^*]{1,60}\*\*|\p{Lu}[^:.,;]{0,40}:(?:\s|$)|[\w-]{1,40}:(?:\s|$))/u;
/** What nothing is taken over from: headings, rows, rules, fences and lines that break by themselves. */
const CLOSED = /^\s*(?:#{1,6}\s|\||```|~~~|(?:[-*_]\s*){3,}$|={3,}$|$)|(?: {2}|\\|<br ?\/?>)$/;

/** Whether a line goes on with the paragraph or item of the line before. Lines inside fences stand for themselves. */
export function joinsPrevious(lines: readonly string[], at: number): boolean {
  const [before, line] = [lines[at - 1], lines[at]];
  if (before === undefined || line === undefined) return false;
  return !STARTS.test(line) && !KEYED.test(line) && !CLOSED.test(before) && !inFence(lines, at);
}

/** Whether a clause of line `at - 1` goes on in line `at`. */
export function sentenceGoesOn(lines: readonly string[], at: number): boolean {
  return joinsPrevious(lines, at) && !/[.!?:;,。、！？)\]]["'*_`]*\s*$/u.test(lines[at - 1]!);
}

const FENCES = new WeakMap<readonly string[], Uint8Array>();

function inFence(lines: readonly string[], at: number): boolean {
  let known = FENCES.get(lines);
  if (known === undefined) {
    known = new Uint8Array(lines.length + 1);
    let open = 0;
    for (const [line, text] of lines.entries()) {
      known[line] = open;
      if (/^\s*(?:```|~~~)/.test(text)) open ^= 1;
    }
    FENCES.set(lines, known);
  }
  return known[at] === 1;
}
