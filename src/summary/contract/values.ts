import { cutText } from "../cut-text.ts";
import type { NextAgent, Option, VsLevel } from "./types.ts";

/** Characters of a value that are kept. */
export const LONGEST_VALUE = 600;

const NUMBER = /-?\d{1,9}(?:[.,]\d{1,9})?(?:e[+-]?\d{1,3})?/i;

/** A foreign value as one line without the marks around it; over-long ones are cut. */
export function lineOf(text: string): string {
  const words = text
    .slice(0, 8 * LONGEST_VALUE)
    .split(/\s/)
    .filter(Boolean)
    .join(" ");
  return cutText(withoutMarks(words), LONGEST_VALUE);
}

/** `**bold**` → `bold`; marks inside stay. */
function withoutMarks(text: string): string {
  for (const mark of ["**", "__", "`", '"', "'"]) {
    if (text.length > 2 * mark.length && text.startsWith(mark) && text.endsWith(mark)) {
      const inner = text.slice(mark.length, -mark.length);
      if (!inner.includes(mark)) return inner.trim();
    }
  }
  return text;
}

/**
 * A share from 0 to 1 out of `0.85`, `85/100`, `85 %`, `T=0.65` or, where `percent` says so, `85`.
 * The name of what is wrong with it otherwise.
 */
export function readShare(text: string, percent: boolean): number | "not-a-number" | "out-of-range" {
  const found = NUMBER.exec(text);
  if (found === null) return "not-a-number";
  const value = numberOf(found[0]);
  const rest = text.slice(found.index + found[0].length).trimStart();
  const whole = rest.startsWith("/") ? numberOf(NUMBER.exec(rest)?.[0] ?? "") : undefined;
  const share =
    whole !== undefined
      ? value / whole
      : rest.startsWith("%") || rest.startsWith("퍼센트") || (percent && value > 1 && isWholePercent(value))
        ? value / 100
        : value;
  if (Number.isNaN(share)) return "not-a-number";
  return share >= 0 && share <= 1 ? share : "out-of-range";
}

/** `0,85` is `0.85`; nothing is no number. */
function numberOf(text: string): number {
  return text === "" ? Number.NaN : Number(text.replace(",", "."));
}

/** `1.5` is no percentage that anyone would write without its sign. */
function isWholePercent(value: number): boolean {
  return value >= 10 || Number.isInteger(value);
}

/** `Full`, `full_vs`, `Full VS` → `full`. */
export function readLevel(text: string): VsLevel | undefined {
  const name = text.trim().toLowerCase().replaceAll("_", " ").replaceAll("-", " ").split(" ")[0];
  return name === "full" || name === "enhanced" || name === "light" ? name : undefined;
}

/** `Hedges' g (T=0.40): small samples` → option, score and why. */
export function readOption(text: string): Option {
  const { bare, parts } = withoutGroup(text);
  const score = parts.map(part => scoreIn(part)).find(value => value !== undefined);
  const colon = bare.indexOf(": ");
  const option = lineOf(colon > 0 ? bare.slice(0, colon) : bare);
  const why = colon > 0 ? lineOf(bare.slice(colon + 2)) : "";
  const inline = score ?? scoreIn(bare);
  return { option, ...(inline === undefined ? {} : { tScore: inline }), ...(why === "" ? {} : { why }) };
}

/** `05-literature: search again` → agent and reason. */
export function readNextAgent(text: string): NextAgent {
  const line = lineOf(text);
  const at = [": ", " - ", " — ", " – "]
    .map(mark => ({ at: line.indexOf(mark), mark }))
    .filter(({ at }) => at > 0)
    .sort((a, b) => a.at - b.at)[0];
  if (at === undefined) return { agent: line };
  return { agent: lineOf(line.slice(0, at.at)), reason: lineOf(line.slice(at.at + at.mark.length)) };
}

/** The score that a text names as such: `T=0.65`, `T-Score: 0.65`. */
export function scoreIn(text: string): number | undefined {
  const named = /(?:^|[^\p{L}\p{N}])T(?:[- ]?Score)? ?[=:] ?(\d(?:\.\d{1,6})?)/iu.exec(text)?.[1];
  const value = named === undefined ? Number.NaN : Number(named);
  return value >= 0 && value <= 1 ? value : undefined;
}

/** What a value says in a bracket at its end: `X (T=0.65, confidence 85)` → `X` and the two parts. */
export function withoutGroup(text: string): { readonly bare: string; readonly parts: readonly string[] } {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf("(");
  const close = open < 0 ? -1 : trimmed.indexOf(")", open);
  if (close < 0) return { bare: trimmed, parts: [] };
  const parts = trimmed.slice(open + 1, close).split(", ");
  if (!parts.some(part => scoreIn(part) !== undefined)) return { bare: trimmed, parts: [] };
  return { bare: (trimmed.slice(0, open).trimEnd() + trimmed.slice(close + 1)).trim(), parts };
}
