import { resolve } from "node:path";
import { readBounded } from "../../../adapters/file/index.ts";
import { DECODE_LIMITS, type DecodeFailure, decode, decodeUtf8, type Update } from "../../../delta/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import type { Io } from "../../io.ts";

/** Bytes of a document or message that are read: no text of so many bytes is beyond what `decode` takes. */
export const MAX_BYTES: number = Math.min(DECODE_LIMITS.document, DECODE_LIMITS.message);

function unreadable(code: string, message: string): EspalierError {
  return new EspalierError(code, message, { exitCode: EXIT.usage });
}

async function standardInput(io: Io): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > MAX_BYTES)
      throw unreadable(
        "INPUT_TOO_LARGE",
        `standard input has more than the ${MAX_BYTES} bytes that are read`,
      );
  }
  return Buffer.concat(chunks);
}

/** The bytes of a plain file, or of standard input for `-`. Throws EspalierError (exit 2). */
async function readBytes(io: Io, path: string): Promise<Uint8Array> {
  if (path === "-") return standardInput(io);
  const read = readBounded(resolve(io.cwd, path), { maxBytes: MAX_BYTES, follow: true });
  if (read.ok) return read.value;
  const code = {
    missing: "INPUT_NOT_FOUND",
    "not-regular": "INPUT_NOT_A_FILE",
    "too-large": "INPUT_TOO_LARGE",
    permission: "INPUT_UNREADABLE",
    io: "INPUT_UNREADABLE",
  }[read.failure.kind];
  throw unreadable(code, read.failure.message);
}

/** Reads a document without losing a byte. Throws EspalierError (exit 2). */
export async function readText(io: Io, path: string): Promise<string> {
  const text = decodeUtf8(await readBytes(io, path));
  if (text.ok) return text.value;
  const name = path === "-" ? "standard input" : path;
  throw new EspalierError("INPUT_NOT_UTF8", `${name}: ${text.failure.message}`, {
    hint: `expected UTF-8 text; the first byte that is none stands at offset ${text.failure.offset}`,
    exitCode: EXIT.usage,
  });
}

/** Reads several inputs in order; only one of them may be standard input. Throws EspalierError (exit 2). */
export async function readTexts(io: Io, ...paths: readonly string[]): Promise<string[]> {
  if (paths.filter(path => path === "-").length > 1)
    throw unreadable("INPUT_TWICE", "standard input (-) can be read only once");
  const texts: string[] = [];
  for (const path of paths) texts.push(await readText(io, path));
  return texts;
}

/** Carries a message out on its base. Throws EspalierError (exit 1) that says what was expected and found. */
export function carryOut(message: string, base: string, name: string): Update {
  const update = decode(message, base);
  if (update.ok) return update.value;
  throw doesNotApply(update.failure, name);
}

const ADVICE: Readonly<Partial<Record<DecodeFailure["kind"], string>>> = {
  base: "give the version of the document that the message names",
  result: "get the message again, or the whole document",
  prose: "this older form only describes changes; ask for the whole document",
  "needs-section": "ask for the section's text, or the whole document",
  "not-an-update": "a message begins with [CONTEXT-UPDATE] LABEL-v1 → LABEL-v2",
};

function doesNotApply(
  { kind, message, expected, found, header }: DecodeFailure,
  name: string,
): EspalierError {
  const lines: string[] = [];
  if (expected !== undefined && found !== undefined) lines.push(`expected ${expected}, found ${found}`);
  if (header !== undefined) {
    const from = header.from === undefined ? "" : `${header.label}-v${header.from} → `;
    lines.push(`the message: ${from}${header.label}-v${header.to}`);
  }
  const advice = ADVICE[kind];
  if (advice !== undefined) lines.push(advice);
  const code = `DELTA_${kind.toUpperCase().replaceAll("-", "_")}`;
  return new EspalierError(code, `${name} does not apply, nothing was changed: ${message}`, {
    ...(lines.length === 0 ? {} : { hint: lines.join("\n") }),
    exitCode: EXIT.failedTasks,
  });
}
