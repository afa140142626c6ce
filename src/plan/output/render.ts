import type { Told } from "../../text/index.ts";
import type { Diagnostic, Severity } from "../types.ts";

/** What stands around a finding, in one language. */
interface Frame {
  readonly severity: Readonly<Record<Severity, string>>;
  readonly hint: string;
  /** How sentences are told in it; in English where that is left out. */
  readonly tell?: (sentence: Told) => string;
}

const ENGLISH: Frame = { severity: { error: "error", warning: "warning", info: "info" }, hint: "hint" };

/** Longest source line shown; of longer ones the part around the finding. */
const MAX_SHOWN = 120;

/** The text of one line, 1-based, without its ending; lines end as the reader counts them. */
function lineAt(text: string, line: number): string | undefined {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let cr = text.indexOf("\r");
  for (let number = 1; at <= text.length; number++) {
    if (cr >= 0 && cr < at) cr = text.indexOf("\r", at);
    const lf = text.indexOf("\n", at);
    const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf < 0 ? text.length : lf;
    if (number === line) return text.slice(at, end);
    at = end === cr && lf === cr + 1 ? end + 2 : end + 1;
  }
  return undefined;
}

/** Columns a character takes in a terminal. */
function widthOf(code: number): number {
  if (code === 0x200d || (code >= 0x300 && code <= 0x36f) || (code >= 0xfe00 && code <= 0xfe0f)) return 0;
  const isWide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0x303e) ||
    (code >= 0x3041 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return isWide ? 2 : 1;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character.codePointAt(0) ?? 0);
  return columns;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The part of a line around a finding, and where the finding stands in it. */
function windowOf(
  source: string,
  from: number,
  length: number,
): { text: string; from: number; length: number } {
  if (source.length <= MAX_SHOWN) return { text: source, from, length };
  let start = Math.max(0, Math.min(from - 20, source.length - MAX_SHOWN));
  if (isLowSurrogate(source, start)) start--;
  const text = source.slice(start, start + MAX_SHOWN);
  return { text, from: from - start, length: Math.min(length, text.length - (from - start)) };
}

/**
 * A finding as a compiler prints it: `path:line:col: error CODE: message`, the source line with the place underlined, a
 * hint. `safe` makes foreign text fit for a terminal; it must treat each part of a line as it treats the whole.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  path: string,
  source: string,
  safe: (text: string) => string,
  frame: Frame = ENGLISH,
): string {
  const { line, column, severity, code, said } = diagnostic;
  const tell = said === undefined ? undefined : frame.tell;
  const message = tell === undefined ? diagnostic.message : tell(said!.message);
  const hint = tell === undefined ? diagnostic.hint : tell(said!.hint);
  const where = line > 0 ? `${safe(path)}:${line}:${column}` : safe(path);
  const lines = [`${where}: ${frame.severity[severity]} ${code}: ${safe(message)}`];
  const found = line > 0 ? lineAt(source, line) : undefined;
  if (found !== undefined && found.trim() !== "") {
    const from = Math.min(Math.max(0, column - 1), found.length);
    const length = Math.max(1, Math.min(diagnostic.length ?? 1, found.length - from));
    const shown = windowOf(found.replaceAll("\t", " "), from, length);
    const [before, marked, after] = [
      shown.text.slice(0, shown.from),
      shown.text.slice(shown.from, shown.from + shown.length),
      shown.text.slice(shown.from + shown.length),
    ].map(safe) as [string, string, string];
    const number = String(line);
    lines.push(`  ${number} | ${before}${marked}${after}`);
    lines.push(
      `  ${" ".repeat(number.length)} | ${" ".repeat(columnsOf(before))}^${"~".repeat(Math.max(0, columnsOf(marked) - 1))}`,
    );
  }
  if (hint !== "") lines.push(`  ${frame.hint}: ${safe(hint)}`);
  return lines.join("\n");
}
