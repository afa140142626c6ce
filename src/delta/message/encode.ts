import { fail, ok, type Result } from "../../ports/index.ts";
import { diffLines } from "../diff.ts";
import { shortHash } from "../hash.ts";
import type { Delta } from "../types.ts";
import { baseOf } from "./base.ts";
import { composeForms } from "./compose.ts";
import { decode } from "./decode.ts";
import { isLabel, SHOWN_BASE, SHOWN_RESULT, writeHeader } from "./header.ts";
import { isListable, writeImpact } from "./impact.ts";
import { quoted, readBodyLine } from "./quote.ts";
import { raised } from "./raised.ts";
import { type View, viewOf } from "./view.ts";
import type { CountTokens } from "./write-change.ts";

/** What an update message says beside the difference itself. */
export interface EncodeOptions {
  /** Short name of the document, e.g. `GC`: letters, digits, `_`, `.`, `-`; at most 64. */
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Names in the impact part, which is left out when neither list is given. */
  readonly affected?: readonly string[];
  readonly actions?: readonly string[];
  /** Counts tokens for the model that reads the message. */
  readonly countTokens: CountTokens;
  /** Send the whole document when the best form costs more than this share of it; the documents' rule is 0.5. */
  readonly majorRestructure?: number;
}

export type Form = "delta" | "sections" | "full";

/** A message that has been read back and found exact. */
export interface Encoded {
  readonly text: string;
  readonly form: Form;
  /** Items an acknowledgement of it counts; 0 for a full one. */
  readonly items: number;
  /** Tokens of the whole message in each form; the cheapest exact one was taken. */
  readonly tokens: {
    readonly sent: number;
    readonly delta: number;
    readonly sections: number;
    readonly full: number;
  };
}

/** Why no message was made. */
export interface EncodeFailure {
  readonly kind: "label" | "name" | "version" | "delta" | "inexact";
  readonly message: string;
}

/** Writes a delta as an update message: the cheapest form that a decoder turns into exactly the new document. */
export function encode(
  delta: Delta,
  old: string,
  next: string,
  options: EncodeOptions,
): Result<Encoded, EncodeFailure> {
  const refused = refusal(delta, old, next, options);
  if (refused !== undefined) return fail(refused);
  const { countTokens } = options;
  const start = raised(old, options.label, options.from, options.to);
  const base = baseOf(start);
  const after = viewOf(next);
  const newline = after.newline !== base.view.newline && next.includes("\n") ? after.newline : undefined;
  const plain = start === old && base.view.newline === "\n" && after.newline === "\n";
  const hunks = plain ? delta.hunks : diffLines(base.view.lines, after.lines, 0);
  const forms = composeForms(base, after, hunks, countTokens);
  const make = (operations: readonly string[]): { text: string; cost: number } => {
    const text = deltaMessage(delta, options, newline, operations);
    return { text, cost: countTokens(text) };
  };
  const [byHunk, mixed, bySection] = [make(forms.delta), make(forms.mixed), make(forms.sections)];
  const fullText = fullMessage(delta, options, after, next);
  const full = { text: fullText, cost: countTokens(fullText) };
  const tokens = { delta: Math.min(byHunk.cost, mixed.cost), sections: bySection.cost, full: full.cost };
  const candidates = [byHunk, mixed, bySection]
    .sort((a, b) => a.cost - b.cost)
    .filter(({ cost }) => cost < full.cost);
  const most = (options.majorRestructure ?? Infinity) * full.cost;
  for (const { text, cost } of [...candidates.filter(candidate => candidate.cost <= most), full]) {
    const read = decode(text, old);
    if (!read.ok || read.value.text !== next) continue;
    const form = text === fullText ? "full" : text === bySection.text ? "sections" : "delta";
    return ok({ text, form, items: read.value.items, tokens: { sent: cost, ...tokens } });
  }
  return fail({ kind: "inexact", message: "The new document is not valid Unicode: no message can carry it" });
}

function refusal(delta: Delta, old: string, next: string, options: EncodeOptions): EncodeFailure | undefined {
  const { label, from, to, affected = [], actions = [] } = options;
  if (!isLabel(label))
    return { kind: "label", message: `Not a label: ${JSON.stringify(label.slice(0, 80))}` };
  const version = [from, to].find(number => !Number.isInteger(number) || number < 0 || number > 999_999_999);
  if (version !== undefined) return { kind: "version", message: `Not a version: ${version}` };
  const name = [...affected, ...actions].find(text => !isListable(text));
  if (name !== undefined)
    return { kind: "name", message: `Cannot stand in a list: ${JSON.stringify(name.slice(0, 80))}` };
  if (delta.base === shortHash(old) && delta.result === shortHash(next)) return undefined;
  return { kind: "delta", message: `The delta ${delta.base}→${delta.result} is not between these documents` };
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
  const lines = [headerOf(delta, options, newline), "", "## Delta", ...operations];
  if (impact.length > 0) return [...lines, "", ...impact].join("\n");
  if (operations.length > 0) lines.push(withFirmEnd(lines.pop()!));
  return lines.join("\n");
}

/** Blanks at a message's end would be lost wherever messages are trimmed. */
function withFirmEnd(line: string): string {
  if (line === "") return "\\";
  return line.trimEnd() === line ? line : `\\${quoted(readBodyLine(line)!)}`;
}

/** The whole document, as it is, behind everything else. */
function fullMessage(delta: Delta, options: EncodeOptions, after: View, next: string): string {
  const impact = writeImpact(options.affected, options.actions);
  const crlf = after.newline === "\r\n";
  const header = headerOf(delta, options, crlf ? "\r\n" : undefined);
  const lines = [header, "", ...impact, ...(impact.length > 0 ? [""] : []), "## Full"];
  return `${lines.join("\n")}\n${crlf ? after.lines.join("\n") : next}`;
}
