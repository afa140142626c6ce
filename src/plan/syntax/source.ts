import { told } from "../../text/index.ts";
import type { Limits } from "../limits.ts";
import { NOWHERE, type Report } from "../report.ts";

/** The length in bytes of the well-formed UTF-8 sequence that starts at `at`, or 0. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i];
    if (next === undefined || (next & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[at + 1]!;
  if (lead === 0xe0 && second < 0xa0) return 0;
  if (lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90) return 0;
  if (lead === 0xf4 && second > 0x8f) return 0;
  return length;
}

/** Offset and line of the first byte that is not UTF-8. */
function firstInvalid(bytes: Uint8Array): { offset: number; line: number } {
  let line = 1;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return { offset: at, line };
    if (bytes[at] === 0x0a) line++;
    at += length;
  }
  return { offset: bytes.length, line };
}

/** UTF-16 by its mark, or by every other of the first bytes being zero. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return true;
  const head = bytes.subarray(0, 64);
  if (head.length < 4) return false;
  let even = 0;
  let odd = 0;
  for (let i = 0; i + 1 < head.length; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  const pairs = Math.floor(head.length / 2);
  return (even === 0 && odd * 2 > pairs) || (odd === 0 && even * 2 > pairs);
}

/** Decodes without losing anything: a byte-order mark stays the first character. Undefined when not UTF-8. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of a task file, its byte-order mark (if any) kept, or undefined with the reason reported. */
export function decodeSource(bytes: Uint8Array, limits: Limits, report: Report): string | undefined {
  if (bytes.length > limits.bytes) {
    report.add(
      "error",
      "TOO_LARGE",
      NOWHERE,
      told`the file has ${bytes.length} bytes; at most ${limits.bytes} are read`,
      told`split the plan into several task files`,
    );
    return undefined;
  }
  if (looksLikeUtf16(bytes)) {
    report.add("error", "UTF16", NOWHERE, told`the file looks like UTF-16`, told`save it as UTF-8`);
    return undefined;
  }
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    report.add(
      "error",
      "NOT_TEXT",
      NOWHERE,
      told`byte ${zero} is NUL: this is not a text file`,
      told`name a Markdown or JSON task file`,
    );
    return undefined;
  }
  const text = decodeExactly(bytes);
  if (text === undefined) {
    const { offset, line } = firstInvalid(bytes);
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, "0");
    report.add(
      "error",
      "INVALID_UTF8",
      { line, column: 1 },
      told`byte ${offset} (0x${byte}) is not UTF-8`,
      told`save the file as UTF-8; it is never rewritten as it is`,
    );
  }
  return text;
}
