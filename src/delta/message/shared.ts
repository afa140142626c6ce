import type { Base } from "./base.ts";
import { resolveKey } from "./keys.ts";

/** Between the keys of lines that change alike: `T1, T2: [ ] → [x]`. */
export const KEYS = ", ";

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
    const keys = byRest.get(text)!;
    const joined = keys.join(KEYS);
    const misread = keys.length > 1 && typeof resolveKey(base.view, base.keys(section), joined) !== "string";
    return misread ? keys.map(one => one + text) : [joined + text];
  });
}

/** Where a bare key without a comma ends; -1 for other changes. */
function keyEnd(text: string): number {
  const end = text.indexOf(": ");
  const key = text.slice(0, Math.max(end, 0));
  return key === "" || key.includes(" → ") || key.includes('"') || key.includes(",") ? -1 : end;
}
