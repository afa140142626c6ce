import type { LogTail } from "../../host/monitor/types.ts";
import type { AttemptSpan } from "../../ports/index.ts";
import { isSignal } from "../../text/index.ts";
import type { SearchShape } from "../shapes/history.ts";
import { LINE, shown } from "../shown.ts";

/** What one search reads at most: bytes of the end of each output, bytes of all, attempts, and attempts with a hit. */
export const SEARCH = { each: 256 * 1024, all: 4 * 1024 * 1024, attempts: 400, hits: 60 } as const;
/** Lines of one attempt that are told; the others are counted. */
const LINES = 5;

/** The lines of a text in which words stand, however they are spelt in capitals. Linear. */
export function linesWith(text: string, words: string): { readonly lines: string[]; readonly more: number } {
  const wanted = words.toLowerCase();
  const lines: string[] = [];
  let more = 0;
  for (const line of text.split("\n")) {
    if (!line.toLowerCase().includes(wanted) || isSignal(line)) continue;
    if (lines.length < LINES) lines.push(around(line, wanted));
    else more++;
  }
  return { lines, more };
}

/** A line as it is shown; of a long one the part where the words stand. */
function around(line: string, wanted: string): string {
  if (line.length <= LINE) return shown(line.trim());
  const from = Math.max(0, line.toLowerCase().indexOf(wanted) - LINE / 4);
  return `${from > 0 ? "…" : ""}${shown(line.slice(from, from + LINE))}`;
}

/**
 * Looks for words in what attempts put out, from the newest on; `from` of them are passed over. Reads no more than one search
 * may, and lets others have their turn between two outputs.
 */
export async function searchOutputs(
  spans: readonly AttemptSpan[],
  words: string,
  from: number,
  log: (task: string, attempt: number, maxBytes: number) => LogTail | undefined,
): Promise<SearchShape> {
  const hits: SearchShape["hits"] = [];
  let [at, bytes, cut] = [from, 0, 0];
  const end = Math.min(spans.length, from + SEARCH.attempts);
  for (; at < end && bytes < SEARCH.all && hits.length < SEARCH.hits; at++) {
    const { task, number, agent, startedAt } = spans[spans.length - 1 - at]!;
    const found = log(task, number, SEARCH.each);
    if (found === undefined) continue;
    bytes += found.text.length;
    if (found.bytes > SEARCH.each) cut++;
    const { lines, more } = linesWith(found.text, words);
    if (lines.length > 0)
      hits.push({ task, attempt: number, agent: shown(agent, 200), startedAt, lines, more });
    await new Promise(resolve => setImmediate(resolve));
  }
  return { hits, searched: at - from, cut, ...(at < spans.length ? { next: at } : {}) };
}
