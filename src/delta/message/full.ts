import { fail, ok, type Result } from "../../ports/index.ts";
import { shortHash } from "../hash.ts";
import { DECODE_LIMITS, decode } from "./decode.ts";
import type { Encoded, EncodeFailure, EncodeOptions } from "./encoded.ts";
import { isLabel, SHOWN_RESULT, writeHeader } from "./header.ts";
import { isListable, writeImpact } from "./impact.ts";
import { textOf, type View, viewOf } from "./view.ts";

/** What a message with a whole document says beside it: it starts from no version. */
export type FullOptions = Omit<EncodeOptions, "from" | "majorRestructure">;

/** Writes a document as a whole, for anyone, whatever they hold: `[CONTEXT-UPDATE] GC-v4 cd5f01`. */
export function encodeFull(text: string, options: FullOptions): Result<Encoded, EncodeFailure> {
  const { label, to, countTokens } = options;
  const refused = refusal({ ...options, from: to }, [text]);
  if (refused !== undefined) return fail(refused);
  const view = viewOf(text);
  const result = shortHash(text).slice(0, SHOWN_RESULT);
  const newline = view.newline === "\r\n" ? view.newline : undefined;
  const header = writeHeader({ label, from: undefined, to, base: undefined, result, newline });
  const message = wholeMessage(header, options, view);
  const read = decode(message, undefined);
  if (!read.ok || read.value.text !== text) return fail(NOT_UNICODE);
  const full = countTokens(message);
  const tokens = { sent: full, delta: full, sections: full, full };
  return ok({ text: message, form: "full", items: 0, tokens });
}

export const NOT_UNICODE: EncodeFailure = {
  kind: "inexact",
  message: "A document is not valid Unicode: no message can carry it",
};

/** The whole document, as it is, behind everything else. Line ends that are not `\n` are named in the header. */
export function wholeMessage(
  header: string,
  { affected, actions }: Pick<EncodeOptions, "affected" | "actions">,
  view: View,
): string {
  const impact = writeImpact(affected, actions);
  const lines = [header, "", ...impact, ...(impact.length > 0 ? [""] : []), "## Full"];
  return `${lines.join("\n")}\n${textOf(view.lines, "\n")}`;
}

/** Why nothing can be written under these options, told before any work is done. */
export function refusal(
  { label, from, to, affected = [], actions = [] }: Omit<EncodeOptions, "countTokens">,
  documents: readonly string[],
): EncodeFailure | undefined {
  if (!isLabel(label)) return refuse("label", "Not a label", JSON.stringify(label.slice(0, 80)));
  const version = [from, to].find(number => !Number.isInteger(number) || number < 0 || number > 999_999_999);
  if (version !== undefined) return refuse("version", "Not a version", String(version));
  const name = [...affected, ...actions].find(text => !isListable(text));
  if (name !== undefined) return refuse("name", "Cannot stand in a list", JSON.stringify(name.slice(0, 80)));
  const most = DECODE_LIMITS.document;
  const large = documents.find(text => text.length > most);
  if (large === undefined) return documents.every(text => text.isWellFormed()) ? undefined : NOT_UNICODE;
  const message = `A document has ${large.length} characters, a message carries ${most} at most`;
  return { kind: "limit", message, found: String(large.length) };
}

function refuse(kind: EncodeFailure["kind"], what: string, found: string): EncodeFailure {
  return { kind, message: `${what}: ${found}`, found };
}
