import { fail, ok, type Result } from "../../ports/index.ts";
import { diffLines } from "../diff.ts";
import { shortHash } from "../hash.ts";
import type { Delta } from "../types.ts";
import { baseOf } from "./base.ts";
import { composeForms } from "./compose.ts";
import { decode } from "./decode.ts";
import type { Encoded, EncodeFailure, EncodeOptions } from "./encoded.ts";
import { NOT_UNICODE, refusal, wholeMessage } from "./full.ts";
import { SHOWN_BASE, SHOWN_RESULT, writeHeader } from "./header.ts";
import { writeImpact } from "./impact.ts";
import { quoted, readBodyLine } from "./quote.ts";
import { raised } from "./raised.ts";
import { recurring } from "./recurring.ts";
import type { Lines } from "./slides.ts";
import { changedThroughout, type Throughout, writeThroughout } from "./throughout.ts";
import { type View, viewOf } from "./view.ts";
import type { CountTokens } from "./write-change.ts";

/** Writes a delta as an update message: the cheapest form that a decoder turns into exactly the new document. */
export function encode(
  delta: Delta,
  old: string,
  next: string,
  options: EncodeOptions,
): Result<Encoded, EncodeFailure> {
  const refused = refusal(options, [old, next]) ?? misfit(delta, old, next);
  if (refused !== undefined) return fail(refused);
  const { countTokens } = options;
  const start = raised(old, options.label, options.from, options.to);
  const base = baseOf(start);
  const after = viewOf(next);
  const newline = after.newline !== base.view.newline && next.includes("\n") ? after.newline : undefined;
  const plain = start === old && base.view.newline === "\n" && after.newline === "\n";
  const hunks = plain ? delta.hunks : diffLines(base.view.lines, after.lines, 0);
  const make = (operations: readonly string[]): Written => {
    const text = deltaMessage(delta, options, newline, operations);
    return { text, cost: countTokens(text) };
  };
  const forms = composeForms(base, after, hunks, countTokens);
  const [byHunk, mixed, bySection] = [make(forms.delta), make(forms.mixed), make(forms.sections)];
  const byOperations = [...(forms.moved === undefined ? [] : [make(forms.moved)]), byHunk, mixed];
  byOperations.unshift(...throughout(start, next, hunks, after, countTokens, make, leastOf(byOperations)));
  const header = headerOf(delta, options, after.newline === "\r\n" ? "\r\n" : undefined);
  const fullText = wholeMessage(header, options, after);
  const full = { text: fullText, cost: countTokens(fullText) };
  const tokens = { delta: leastOf(byOperations), sections: bySection.cost, full: full.cost };
  const candidates = [...byOperations, bySection]
    .sort((a, b) => a.cost - b.cost)
    .filter(({ cost }) => cost < full.cost);
  const most = (options.majorRestructure ?? Infinity) * full.cost;
  for (const { text, cost } of [...candidates.filter(candidate => candidate.cost <= most), full]) {
    const read = decode(text, old);
    if (!read.ok || read.value.text !== next) continue;
    const form = text === fullText ? "full" : text === bySection.text ? "sections" : "delta";
    return ok({ text, form, items: read.value.items, tokens: { sent: cost, ...tokens } });
  }
  return fail(NOT_UNICODE);
}

interface Written {
  readonly text: string;
  readonly cost: number;
}

function leastOf(messages: readonly Written[]): number {
  return Math.min(...messages.map(({ cost }) => cost));
}

/** What a reader is told by each place where words change, in tokens: to be spared that has to save more. */
const PLACES = 8;

/** The messages that say first what changes wherever it stands, one change after the other, as long as each costs less. */
function throughout(
  start: string,
  next: string,
  hunks: readonly Lines[],
  after: View,
  countTokens: CountTokens,
  make: (operations: readonly string[]) => Written,
  least: number,
): Written[] {
  const found: Written[] = [];
  let changes: readonly Throughout[] = [];
  let cost = least - PLACES;
  for (const change of recurring(start, next, hunks)) {
    const all = [...changes, change];
    const made = changedThroughout(start, all);
    if (made === undefined || all.some(({ times }, at) => times !== made.times[at])) continue;
    const base = baseOf(made.text);
    const { delta, mixed } = composeForms(
      base,
      after,
      diffLines(base.view.lines, after.lines, 0),
      countTokens,
    );
    const messages = [delta, mixed].map(operations => make([...writeThroughout(all), ...operations]));
    if (leastOf(messages) >= cost) continue;
    cost = leastOf(messages);
    changes = all;
    found.unshift(...messages);
  }
  return found;
}

/** A delta that is not the difference of these documents. */
function misfit(delta: Delta, old: string, next: string): EncodeFailure | undefined {
  if (delta.base === shortHash(old) && delta.result === shortHash(next)) return undefined;
  const found = `${delta.base}→${delta.result}`;
  return { kind: "delta", message: `The delta ${found} is not between these documents`, found };
}

function headerOf(
  delta: Delta,
  { label, from, to }: EncodeOptions,
  newline: View["newline"] | undefined,
): string {
  const [base, result] = [delta.base.slice(0, SHOWN_BASE), delta.result.slice(0, SHOWN_RESULT)];
  return writeHeader({ label, from, to, base, result, newline });
}

function deltaMessage(
  delta: Delta,
  options: EncodeOptions,
  newline: View["newline"] | undefined,
  operations: readonly string[],
): string {
  const impact = writeImpact(options.affected, options.actions);
  const header = headerOf(delta, options, newline);
  // Among other parts the operations have a heading, as the documents show them; alone they need none.
  if (impact.length > 0) return [header, "", "## Delta", ...operations, "", ...impact].join("\n");
  if (operations.length === 0) return `${header}\n\n## Delta`;
  const lines = [header, "", ...operations];
  lines.push(withFirmEnd(lines.pop()!));
  return lines.join("\n");
}

/** Blanks at a message's end would be lost wherever messages are trimmed. */
function withFirmEnd(line: string): string {
  if (line === "") return "\\";
  return line.trimEnd() === line ? line : `\\${quoted(readBodyLine(line)!)}`;
}
