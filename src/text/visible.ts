/** Letters and marks that show nothing: soft hyphen, joiners, vowel and Hangul fillers. */
const BLANK_LETTERS: ReadonlySet<number> = new Set([
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x3164, 0xffa0,
]);

/**
 * Code points that change how a terminal or a reader shows the text around them: C0, DEL, C1, line and paragraph
 * separators, bidirectional marks, zero-width characters, variation tags, the byte-order mark.
 */
function isDeceptive(code: number): boolean {
  if (code < 0x7f) return code < 0x20;
  if (code <= 0x9f) return true;
  if (code < 0x200b) return BLANK_LETTERS.has(code);
  if (code <= 0x200f) return true;
  if (code >= 0x2028 && code <= 0x202e) return true;
  if (code >= 0x2060 && code <= 0x206f) return true;
  if (BLANK_LETTERS.has(code)) return true;
  return code === 0xfeff || (code >= 0xfff9 && code <= 0xfffb) || (code >= 0xe0000 && code <= 0xe0fff);
}

const JOINER = 0x200d;
const PICTURE = /^\p{Extended_Pictographic}/u;
/** A picture may carry a variation selector or a skin tone. */
const PICTURE_BEFORE = /\p{Extended_Pictographic}(?:\ufe0f|[\u{1f3fb}-\u{1f3ff}])?$/u;

/** Whether a joiner makes one picture of those beside it, as people write them; anywhere else it shows nothing. */
function joinsPictures(text: string, at: number): boolean {
  return PICTURE.test(text.slice(at + 1, at + 3)) && PICTURE_BEFORE.test(text.slice(Math.max(0, at - 4), at));
}

function escaped(code: number): string {
  if (code === 0x0a) return "\\n";
  if (code === 0x0d) return "\\r";
  if (code === 0x09) return " ";
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

function cut(text: string, maxLength: number): string {
  if (maxLength < 1) return "";
  const kept = text.slice(0, maxLength - 1);
  const last = kept.charCodeAt(kept.length - 1);
  const whole = last >= 0xd800 && last <= 0xdbff ? kept.slice(0, -1) : kept;
  return `${whole.replace(/\u200d$/, "")}…`;
}

/**
 * Foreign text as one safe terminal line: every character that could move the cursor, hide or reorder text is shown
 * as an escape, lone surrogates as U+FFFD. Tabs become one space. Idempotent on its own output.
 */
export function visible(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  let out = "";
  let start = 0;
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i) ?? 0;
    const size = code > 0xffff ? 2 : 1;
    const lone = code >= 0xd800 && code <= 0xdfff;
    if (lone || (isDeceptive(code) && !(code === JOINER && joinsPictures(text, i)))) {
      out += text.slice(start, i) + (lone ? "\ufffd" : escaped(code));
      start = i + size;
    }
    i += size;
    if (out.length + (i - start) > maxLength) return cut(out + text.slice(start, i), maxLength);
  }
  return start === 0 ? text : out + text.slice(start);
}

/** Foreign text of several lines: each line made visible, line breaks kept as LF. */
export function visibleLines(text: string): string {
  return text
    .split("\n")
    .map(line => visible(line.endsWith("\r") ? line.slice(0, -1) : line))
    .join("\n");
}

/** Parameters of a color are digits with semicolons or colons between them. */
function isParameter(code: number): boolean {
  return code >= 0x30 && code <= 0x3b;
}

/** Foreign text without what programs color it with; every other control sequence stays. */
export function uncolored(text: string): string {
  let out = "";
  let start = 0;
  for (let at = text.indexOf("\u001b["); at >= 0; at = text.indexOf("\u001b[", at + 2)) {
    let end = at + 2;
    while (end - at < 32 && isParameter(text.charCodeAt(end))) end++;
    if (text[end] !== "m") continue;
    out += text.slice(start, at);
    start = end + 1;
  }
  return start === 0 ? text : out + text.slice(start);
}

/** The first line of foreign text that says anything, as one safe line of at most `maxLength` characters. */
export function firstLine(text: string, maxLength: number): string {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf("\n", from);
    const line = uncolored(text.slice(from, end < 0 ? text.length : end)).trim();
    if (line !== "") return visible(line, maxLength);
    if (end < 0) break;
    from = end + 1;
  }
  return "";
}
