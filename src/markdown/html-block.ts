import { isBlankCode, isDigit, isLetter, skipBlanks } from "./chars.ts";

/**
 * How an HTML block ends, by CommonMark's numbers: 1 at `</pre>` and the like, 2 (a comment) at `-->`, 3 at `?>`, 4 at `>`,
 * 5 at `]]>`, 6 and 7 before a blank line.
 */
export type HtmlKind = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const RAW = new Set(["script", "pre", "style", "textarea"]);
const RAW_ENDS = ["</script>", "</pre>", "</style>", "</textarea>"];
const ENDS = ["", "", "-->", "?>", ">", "]]>"];
const BLOCKS = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);

/** The HTML block that begins at `at`, if one does. */
export function opensHtml(text: string, at: number, end: number): HtmlKind | undefined {
  if (text.charCodeAt(at) !== 60) return undefined;
  const next = text[at + 1];
  if (next === "!") {
    if (text.startsWith("--", at + 2)) return 2;
    if (text.startsWith("[CDATA[", at + 2)) return 5;
    return isLetter(text.charCodeAt(at + 2)) ? 4 : undefined;
  }
  if (next === "?") return 3;
  const closing = next === "/";
  const from = at + (closing ? 2 : 1);
  const to = nameEnd(text, from, end);
  if (to === from) return undefined;
  const name = text.slice(from, to).toLowerCase();
  const isOver = to >= end || isBlankCode(text.charCodeAt(to)) || text[to] === ">";
  if (RAW.has(name) && isOver && !closing) return 1;
  if (BLOCKS.has(name) && (isOver || text.startsWith("/>", to))) return 6;
  if (RAW.has(name) && !closing) return undefined;
  const behind = closing ? closingEnd(text, to, end) : tagEnd(text, to, end);
  return behind > 0 && skipBlanks(text, behind, end) === end ? 7 : undefined;
}

/** Whether a line of an HTML block of kinds 1 to 5 ends it. */
export function endsHtml(text: string, at: number, end: number, kind: HtmlKind): boolean {
  if (kind >= 6) return false;
  const line = text.slice(at, end);
  if (kind > 1) return line.includes(ENDS[kind]!);
  const lower = line.toLowerCase();
  return RAW_ENDS.some(mark => lower.includes(mark));
}

/** Letters, digits and dashes, a letter first. */
function nameEnd(text: string, at: number, end: number): number {
  if (!isLetter(text.charCodeAt(at))) return at;
  while (at < end && isNameCode(text.charCodeAt(at))) at++;
  return at;
}

function isNameCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === 45;
}

function closingEnd(text: string, at: number, end: number): number {
  const mark = skipBlanks(text, at, end);
  return text[mark] === ">" && mark < end ? mark + 1 : -1;
}

/** Where the open tag ends whose name ends at `at`, or -1: attributes with their values, `/`, `>`. */
function tagEnd(text: string, at: number, end: number): number {
  for (;;) {
    const next = skipBlanks(text, at, end);
    if (next >= end) return -1;
    if (text[next] === ">") return next + 1;
    if (text[next] === "/") return text[next + 1] === ">" && next + 1 < end ? next + 2 : -1;
    if (next === at) return -1;
    at = attributeEnd(text, next, end);
    if (at < 0) return -1;
  }
}

function attributeEnd(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  if (!isLetter(first) && first !== 95 && first !== 58) return -1;
  let stop = at + 1;
  while (stop < end && (isNameCode(text.charCodeAt(stop)) || "_:.".includes(text[stop]!))) stop++;
  const equals = skipBlanks(text, stop, end);
  if (text[equals] !== "=" || equals >= end) return stop;
  const value = skipBlanks(text, equals + 1, end);
  const quote = text[value];
  if (value >= end) return -1;
  if (quote === '"' || quote === "'") {
    let close = value + 1;
    while (close < end && text[close] !== quote) close++;
    return close < end ? close + 1 : -1;
  }
  let to = value;
  while (to < end && !isBlankCode(text.charCodeAt(to)) && !"\"'=<>`".includes(text[to]!)) to++;
  return to === value ? -1 : to;
}
