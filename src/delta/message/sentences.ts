import { isBlank, lineShape } from "../../markdown/index.ts";
import type { Lines, Room } from "./slides.ts";

/** Lines that a range grows at most, in each direction, to end where sentences do. */
const MOST_GROWN = 8;
const ENDS = ".!?:;。！？：；";
/** Characters of a line, at least, that a paragraph may have been wrapped behind. */
const WRAPPED = 20;

/** Whether a line goes on amid the sentence of the line before: plain words behind words that nothing ends. */
export function goesOn(before: string | undefined, line: string | undefined): boolean {
  if (before === undefined || line === undefined || before.length < WRAPPED || !isPlain(line)) return false;
  if (isBlank(before)) return false;
  const last = before.trimEnd().replaceAll("*", "").replaceAll("`", "").at(-1)!;
  return before === before.trimEnd() && !ENDS.includes(last) && !"#|".includes(before.trimStart()[0]!);
}

/** Words of a key at most: `Last activity: today` is a line of its own. */
const KEY_WORDS = 3;

/** Words of a paragraph: no heading, item, row, quote, fence, rule, comment or `Key: value`. */
export function isPlain(line: string): boolean {
  const { marker, content } = lineShape(line);
  if (marker !== "" || isBlank(line) || "#|>~=<".includes(line[content]!)) return false;
  if (line.startsWith("```", content) || line.startsWith("---", content)) return false;
  const colon = line.indexOf(": ", content);
  return colon < 0 || line.slice(content, colon).split(" ").length > KEY_WORDS;
}

/** Lines that give way, with those that the sentences at both ends begin and end in, as far as the room reaches. */
export function withSentences(lines: readonly string[], hunk: Lines, room: Room): Lines {
  const end = hunk.at + hunk.removed.length;
  const starts = goesOn(lines[hunk.at - 1], hunk.added[0]) || goesOn(lines[hunk.at - 1], lines[hunk.at]);
  const stops = goesOn(lines[end - 1], lines[end]) || goesOn(hunk.added.at(-1), lines[end]);
  let from = hunk.at;
  if (starts)
    do from--;
    while (from > room.from && hunk.at - from < MOST_GROWN && goesOn(lines[from - 1], lines[from]));
  let to = end;
  if (stops)
    do to++;
    while (to < room.to && to - end < MOST_GROWN && goesOn(lines[to - 1], lines[to]));
  if ((!starts && !stops) || from < room.from || to > room.to) return hunk;
  const before = lines.slice(from, hunk.at);
  const after = lines.slice(end, to);
  return {
    at: from,
    removed: [...before, ...hunk.removed, ...after],
    added: [...before, ...hunk.added, ...after],
  };
}

/** Whether what a range holds, before or after, begins or ends amid a sentence. */
export function cutsSentence(lines: readonly string[], { at, removed, added }: Lines): boolean {
  const end = at + removed.length;
  return (
    goesOn(lines[at - 1], lines[at]) ||
    goesOn(lines[at - 1], added[0]) ||
    goesOn(lines[end - 1], lines[end]) ||
    goesOn(added.at(-1), lines[end])
  );
}
