import { readHeader } from "./header.ts";

/** Characters before a message in which its head is looked for. */
const LONGEST_OPENING = 4_000;
const FENCE = /^ {0,3}(`{3,20}|~{3,20})[\w-]{0,20} {0,3}$/;

/** A message without the words that somebody set before it, and without the fence around it: its hash tells whether it is whole. */
export function unwrapped(text: string): string {
  const opening = text.slice(0, LONGEST_OPENING + 4_096).split("\n");
  let at = 0;
  let fence: string | undefined;
  for (const line of opening) {
    const said = line.trim();
    if (at > LONGEST_OPENING) break;
    if (readHeader(said) !== undefined) {
      if (fence !== undefined) return insideOf(text.slice(at), fence);
      return isFirst(text, at) ? text : text.slice(at);
    }
    if (said !== "") fence = FENCE.exec(line.trimEnd())?.[1];
    at += line.length + 1;
  }
  return text;
}

function isFirst(text: string, at: number): boolean {
  return text.slice(0, at).trim() === "";
}

/** Up to the last line that closes a fence: a document may hold fences of its own. */
function insideOf(text: string, fence: string): string {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line.length >= fence.length && line === fence[0]!.repeat(line.length)) return text.slice(0, start);
    end = start - 1;
  }
  return text;
}
