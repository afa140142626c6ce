import { type Delta, diff, encode } from "../../delta/index.ts";
import type { CompareShape, Stretch } from "../shapes/context.ts";
import { shown, shownBlock } from "../shown.ts";

/** Equal lines shown around a change. */
const AROUND = 3;
/** Changed lines, and stretches, that reach the page. */
const LINES = 4000;
/** Characters of one line. */
const WIDE = 2000;
/** Characters of documents that are compared; larger ones would keep the run waiting. */
export const COMPARABLE: number = 4 * 1024 * 1024;

function same(lines: readonly string[], from: number, to: number, shift: number): Stretch[] {
  if (to <= from) return [];
  const texts = lines.slice(from, to).map(line => shown(line, WIDE));
  return [
    { kind: "same", left: from + 1, right: from + shift + 1, removed: texts, added: [], lines: to - from },
  ];
}

/** Equal lines between two changes: those near one are shown, the others counted. */
function between(lines: readonly string[], from: number, to: number, shift: number): Stretch[] {
  const head = from === 0 ? 0 : AROUND;
  const tail = to === lines.length ? 0 : AROUND;
  if (to - from <= head + tail + 1) return same(lines, from, to, shift);
  const [start, end] = [from + head, to - tail];
  return [
    ...same(lines, from, start, shift),
    {
      kind: "skipped",
      left: start + 1,
      right: start + shift + 1,
      removed: [],
      added: [],
      lines: end - start,
    },
    ...same(lines, end, to, shift),
  ];
}

function stretchesOf(
  delta: Delta,
  old: string,
): Pick<CompareShape, "stretches" | "cut" | "added" | "removed"> {
  const lines = old.split("\n");
  const stretches: Stretch[] = [];
  let [at, shift, added, removed, shownLines] = [0, 0, 0, 0, 0];
  let cut = false;
  for (const hunk of delta.hunks) {
    added += hunk.added.length;
    removed += hunk.removed.length;
    cut ||= shownLines > LINES;
    if (!cut) {
      stretches.push(...between(lines, at, hunk.at, shift), {
        kind: "changed",
        left: hunk.at + 1,
        right: hunk.at + shift + 1,
        removed: hunk.removed.slice(0, LINES).map(line => shown(line, WIDE)),
        added: hunk.added.slice(0, LINES).map(line => shown(line, WIDE)),
        lines: 0,
      });
      shownLines += hunk.added.length + hunk.removed.length + AROUND;
    }
    at = hunk.at + hunk.removed.length;
    shift += hunk.added.length - hunk.removed.length;
  }
  if (!cut) stretches.push(...between(lines, at, lines.length, shift));
  return { stretches, cut, added, removed };
}

/** Two texts side by side, and what the change from one to the other costs as an update message. */
export function compare(
  old: string,
  next: string,
  name: { readonly label: string; readonly from: number; readonly to: number },
  countTokens: (text: string) => number,
): CompareShape {
  const delta = diff(old, next);
  const sendable = old === next ? undefined : encode(delta, old, next, { ...name, countTokens });
  const encoded = sendable?.ok === true ? sendable.value : undefined;
  return {
    ...stretchesOf(delta, old),
    full: encoded?.tokens.full ?? countTokens(next),
    sent: encoded?.tokens.sent ?? 0,
    form: encoded?.form ?? "",
    message: encoded === undefined ? "" : shownBlock(encoded.text),
  };
}
