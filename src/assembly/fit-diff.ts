import type { CountTokens } from "./types.ts";

/** A diff as far as there is room for it. */
export interface FittedDiff {
  readonly text: string;
  /** Files of which not every line is in it, in their order, with the number of lines left out. */
  readonly left: readonly { readonly path: string; readonly lines: number }[];
}

/** The part of a unified diff about one file. */
interface FilePart {
  readonly path: string;
  readonly text: string;
}

/** The name behind the last `+++ b/` or `--- a/` before the first hunk; else as git names it in the header. */
function pathOf(text: string): string {
  const hunk = text.indexOf("\n@@ ");
  const head = (hunk < 0 ? text : text.slice(0, hunk)).split("\n");
  for (const mark of ["+++ b/", "--- a/", "rename to "]) {
    const line = head.find(one => one.startsWith(mark));
    // Git puts a tab behind a name that holds spaces.
    if (line !== undefined) return line.slice(mark.length).replace(/\t$/, "");
  }
  // Only a file that keeps its name has none of these lines: it stands there twice, as `a/name b/name`.
  const both = (head[0] ?? "").slice("diff --git a/".length);
  const half = (both.length - " b/".length) / 2;
  return both.slice(-half);
}

/** The parts of a unified diff, file by file. Lines of a file's content never begin like a header. */
function partsOf(diff: string): FilePart[] {
  const starts = [...diff.matchAll(/^diff --git /gm)].map(({ index }) => index);
  return starts.map((start, at) => {
    const text = diff.slice(start, starts[at + 1] ?? diff.length);
    return { path: pathOf(text), text };
  });
}

/** The paths that a unified diff is about, in its order. */
export function pathsInDiff(diff: string): string[] {
  return partsOf(diff).map(({ path }) => path);
}

/** The longest prefix of whole lines with at most so many tokens, and how many lines that leaves out. */
function linesWithin(text: string, room: number, count: CountTokens): { text: string; left: number } {
  const lines = text.split("\n");
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (count(lines.slice(0, middle).join("\n")) <= room) low = middle;
    else high = middle - 1;
  }
  return { text: lines.slice(0, low).join("\n"), left: lines.length - low };
}

/** Files that are named with what was left out of them; the others are counted. */
const MOST_NAMED = 200;

/**
 * A diff within about `maxTokens`: whole where it fits. Else small files are whole, large ones share what is left evenly and are cut at
 * the end of a line, and what was left out is said in the place where it stood. Linear but for a logarithm.
 */
export function fitDiff(diff: string, maxTokens: number, count: CountTokens): FittedDiff {
  if (count(diff) <= maxTokens) return { text: diff, left: [] };
  const parts = partsOf(diff).map((part, at) => ({ ...part, at, tokens: count(part.text) }));
  const texts = new Map<number, string>();
  const left: { at: number; path: string; lines: number }[] = [];
  let room = maxTokens;
  let waiting = parts.length;
  for (const { at, path, text, tokens } of parts.toSorted((a, b) => a.tokens - b.tokens || a.at - b.at)) {
    const share = Math.floor(room / waiting--);
    if (tokens <= share) {
      texts.set(at, text);
      room -= tokens;
      continue;
    }
    const cut = linesWithin(text, share, count);
    left.push({ at, path, lines: cut.left });
    room -= count(cut.text);
    if (left.length <= MOST_NAMED || cut.text !== "")
      texts.set(at, `${cut.text}${cut.text === "" ? "" : "\n"}[${cut.left} lines of ${path} left out]\n`);
  }
  const told = parts.flatMap(({ at }) => texts.get(at) ?? []);
  const untold = parts.length - told.length;
  return {
    text: `${told.join("")}${untold === 0 ? "" : `[${untold} more files left out]\n`}`,
    left: left.toSorted((a, b) => a.at - b.at).map(({ path, lines }) => ({ path, lines })),
  };
}
