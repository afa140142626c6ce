let segmenter: Intl.Segmenter | undefined;

/** What a person takes for one character. Made when it is first needed: the tables behind it take longer to load than most commands to run. */
export function clusters(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter;
}

/** Blocks whose characters take two columns (East Asian Width W and F), besides emoji. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2fb],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

/** Punctuation, arrows, operators, boxes and ticks between Latin and the East Asian blocks: one column, never a picture. */
const PLAIN: readonly (readonly [first: number, last: number])[] = [
  [0x2010, 0x2026],
  [0x2190, 0x22ff],
  [0x2500, 0x25fc],
  [0x2713, 0x2718],
];

const ZERO = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const TAKES_A_COLUMN = /^[\p{Mc}\uff9e\uff9f]$/u;
const PICTURE = /^\p{Emoji_Presentation}$/u;
/** Code points of one character that are shown; more are piled up to overwrite other lines. */
const MAX_CLUSTER = 12;

function isWide(code: number): boolean {
  if (code < 0x1100) return false;
  for (const [first, last] of WIDE) {
    if (code < first) break;
    if (code <= last) return true;
  }
  return PICTURE.test(String.fromCodePoint(code)) && !isFlagHalf(code);
}

function isFlagHalf(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

/**
 * Columns of a UTF-16 unit that stands for itself whatever follows it among its like; 0 when that takes a closer look.
 * Most texts consist of nothing else, and splitting a text into characters costs fifty times as much.
 */
function plainWidth(unit: number): number {
  if (unit < 0x300) return (unit >= 0x20 && unit <= 0x7e) || unit >= 0xae || unit === 0xa0 ? 1 : 0;
  if (unit >= 0xac00) return unit <= 0xd7a3 ? 2 : 0;
  if (unit >= 0x3400) return unit <= 0x4dbf || (unit >= 0x4e00 && unit <= 0x9fff) ? 2 : 0;
  if (unit >= 0x3041) return unit <= 0x3096 || isKatakana(unit) ? 2 : 0;
  return PLAIN.some(([first, last]) => unit >= first && unit <= last) ? 1 : 0;
}

function isKatakana(unit: number): boolean {
  return unit >= 0x30a1 && unit <= 0x30fa;
}

function clusterWidth(cluster: string): number {
  let width = 0;
  let flagHalves = 0;
  for (const char of cluster) {
    const code = char.codePointAt(0) ?? 0;
    if (isFlagHalf(code) && ++flagHalves === 2) return 2;
    if (width === 0) {
      if (!ZERO.test(char)) width = isWide(code) ? 2 : 1;
    } else if (code === 0xfe0f || code === 0x20e3) {
      // A variation selector or a key cap makes a picture of what stands before it.
      return 2;
    } else if (TAKES_A_COLUMN.test(char)) width++;
    // A second initial of Hangul begins a syllable of its own; vowels and finals melt into it.
    else if (code >= 0x1100 && code <= 0x115f) width += 2;
  }
  return width;
}

/** Columns a terminal needs for a text without control characters. */
export function textWidth(text: string): number {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = plainWidth(text.charCodeAt(i));
    if (unit === 0) return closeWidth(text);
    width += unit;
  }
  return width;
}

function closeWidth(text: string): number {
  let width = 0;
  for (const { segment } of clusters().segment(text)) width += clusterWidth(segment);
  return width;
}

/** The part of a text that can matter for so many columns; splitting a text costs as much as it is long. */
function beginning(text: string, width: number): string {
  const most = width * MAX_CLUSTER + MAX_CLUSTER;
  if (text.length <= most) return text;
  const splitsPair = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splitsPair ? most - 1 : most);
}

/** A text in at most `width` columns, ending in `…` when something was cut off. Reads no further than it needs. */
export function cut(text: string, width: number): string {
  if (width <= 0) return "";
  let used = 0;
  // How much still fits when the ellipsis has to follow.
  let short = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = plainWidth(text.charCodeAt(i));
    if (unit === 0) return closeCut(text, width);
    if (used + unit > width) return `${text.slice(0, short)}…`;
    used += unit;
    if (used < width) short = i + 1;
  }
  return text;
}

function closeCut(text: string, width: number): string {
  const head = beginning(text, width);
  let out = "";
  let used = 0;
  let short = "";
  for (const { segment } of clusters().segment(head)) {
    const wide = clusterWidth(segment);
    if (used + wide > width) return `${short}…`;
    used += wide;
    out += segment.length <= MAX_CLUSTER ? segment : Array.from(segment).slice(0, MAX_CLUSTER).join("");
    if (used < width) short = out;
  }
  return head === text ? out : `${short}…`;
}

/** A text in exactly `width` columns: cut, or filled with spaces on the right. */
export function filled(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + " ".repeat(Math.max(0, width - textWidth(shown)));
}

/** A text in at least `width` columns, filled with spaces on the left. */
export function alignRight(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - textWidth(text))) + text;
}

/** Columns the widest text of a table's column needs, at most `most`. */
export function columnWidth<T>(rows: Iterable<T>, text: (row: T) => string, most: number): number {
  let width = 0;
  for (const row of rows) {
    width = Math.max(width, textWidth(text(row)));
    if (width >= most) return most;
  }
  return width;
}
