import type { Base } from "./base.ts";
import { KEYS, RANGE, resolveKey } from "./keys.ts";
import { readChange } from "./read-change.ts";

/** Lines in a row that are named by the first and the last of them. */
const SHORTEST_RANGE = 3;

/** Changes of one section, those that say the same of several keys said once, where their first one stands. */
export function shareChanges(base: Base, section: number, changes: readonly string[]): string[] {
  const byRest = new Map<string, string[]>();
  const order: { key: string | undefined; text: string }[] = [];
  for (const text of changes) {
    const end = keyEnd(text);
    const key = end < 0 ? undefined : text.slice(0, end);
    const rest = end < 0 ? text : text.slice(end);
    const known = key === undefined ? undefined : byRest.get(rest);
    if (known !== undefined && key !== undefined) {
      known.push(key);
      continue;
    }
    if (key !== undefined) byRest.set(rest, [key]);
    order.push({ key, text: rest });
  }
  return order.flatMap(({ key, text }) => {
    if (key === undefined) return [text];
    const keys = inRanges(base, section, byRest.get(text)!, text);
    const joined = keys.join(KEYS);
    const misread = keys.length > 1 && typeof resolveKey(base.view, base.keys(section), joined) !== "string";
    return misread ? keys.map(one => one + text) : [joined + text];
  });
}

/** Keys of three or more lines in a row as `first…last`, where that is read as exactly those lines. */
function inRanges(base: Base, section: number, keys: readonly string[], rest: string): readonly string[] {
  if (keys.length < SHORTEST_RANGE) return keys;
  const { view } = base;
  const index = base.keys(section);
  const lines = keys.map(key => {
    const found = resolveKey(view, index, key);
    return typeof found === "string" ? -1 : found.line;
  });
  const result: string[] = [];
  for (let from = 0; from < keys.length; ) {
    let to = from + 1;
    while (to < keys.length && lines[to] === lines[to - 1]! + 1) to++;
    const range = `${keys[from]}${RANGE}${keys[to - 1]}`;
    const each = keys.slice(from, to);
    if (to - from >= SHORTEST_RANGE && editsOf(range) === each.map(editsOf).join()) result.push(range);
    else result.push(...each);
    from = to;
  }
  return result;
  function editsOf(key: string): string {
    const edits = readChange(view, index, key + rest);
    return typeof edits === "string" ? edits : edits.map(edit => JSON.stringify(edit)).join();
  }
}

/** Where a bare key without a comma ends; -1 for other changes. */
function keyEnd(text: string): number {
  const end = text.indexOf(": ");
  const key = text.slice(0, Math.max(end, 0));
  return key === "" || key.includes(" → ") || key.includes('"') || key.includes(",") ? -1 : end;
}
