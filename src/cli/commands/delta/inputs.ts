import { DECODE_LIMITS, type DecodeFailure, decode, decodeUtf8, type Update } from "../../../delta/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { readInput } from "../../input-file.ts";
import type { Io } from "../../io.ts";
import { localeOf } from "../../project.ts";
import type { DeltaWords } from "../../views/words/delta-words.ts";
import { deltaWords } from "../../views/words/delta-words-for.ts";

/** Bytes of a document or message that are read: no text of so many bytes is beyond what `decode` takes. */
export const MAX_BYTES: number = Math.min(DECODE_LIMITS.document, DECODE_LIMITS.message);

/** The words of the project's language. */
export function wordsOf(io: Io): DeltaWords {
  return deltaWords(localeOf(io));
}

function unreadable(code: string, message: string): EspalierError {
  return new EspalierError(code, message, { exitCode: EXIT.usage });
}

/** Reads a document without losing a byte. Throws EspalierError (exit 2). */
export async function readText(io: Io, path: string): Promise<string> {
  const text = decodeUtf8(await readInput(io, path, MAX_BYTES, localeOf(io)));
  if (text.ok) return text.value;
  const words = wordsOf(io);
  const told = words.notUtf8(path === "-" ? words.standardInput : path, text.failure.offset);
  throw new EspalierError("INPUT_NOT_UTF8", told.message, { hint: told.hint ?? "", exitCode: EXIT.usage });
}

/** Reads several inputs in order; only one of them may be standard input. Throws EspalierError (exit 2). */
export async function readTexts(io: Io, ...paths: readonly string[]): Promise<string[]> {
  if (paths.filter(path => path === "-").length > 1) throw unreadable("INPUT_TWICE", wordsOf(io).twice);
  const texts: string[] = [];
  for (const path of paths) texts.push(await readText(io, path));
  return texts;
}

/** Carries a message out on its base. Throws EspalierError (exit 1) that says what was expected and found. */
export function carryOut(io: Io, message: string, base: string, name: string): Update {
  const update = decode(message, base);
  if (update.ok) return update.value;
  throw doesNotApply(wordsOf(io), update.failure, name);
}

function doesNotApply(words: DeltaWords, failure: DecodeFailure, name: string): EspalierError {
  const { kind, expected, found, header } = failure;
  const lines: string[] = [];
  if (expected !== undefined && found !== undefined) lines.push(words.expectedFound(expected, found));
  if (header !== undefined) {
    const from = header.from === undefined ? "" : `${header.label}-v${header.from} → `;
    lines.push(words.theMessage(`${from}${header.label}-v${header.to}`));
  }
  const advice = words.advice[kind];
  if (advice !== undefined) lines.push(advice);
  const code = `DELTA_${kind.toUpperCase().replaceAll("-", "_")}`;
  return new EspalierError(code, words.doesNotApply(name, words.why(failure)), {
    ...(lines.length === 0 ? {} : { hint: lines.join("\n") }),
    exitCode: EXIT.failedTasks,
  });
}
