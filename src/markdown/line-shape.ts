/** What stands before a line's own words: indentation, list marker, box, table bar. Columns are UTF-16 units. */
export interface LineShape {
  /** Columns of indentation, a tab counting to the next multiple of four. */
  readonly indent: number;
  /** `-`, `*`, `+`, `12.` or `3)`; empty when the line is no list item. */
  readonly marker: string;
  /** `x`, `X`, ` ` … of a task box; undefined without one. */
  readonly box: string | undefined;
  /** Where the content begins: after indentation, marker and box. */
  readonly content: number;
}

const TAB = 4;

/** Reads the shape of one line; looks only at its beginning. */
export function lineShape(line: string): LineShape {
  let at = 0;
  let indent = 0;
  for (; at < line.length; at++) {
    if (line[at] === " ") indent += 1;
    else if (line[at] === "\t") indent += TAB - (indent % TAB);
    else break;
  }
  const end = markerEnd(line, at);
  if (end === at) return { indent, marker: "", box: undefined, content: at };
  const marker = line.slice(at, end);
  let content = skipBlanks(line, end);
  let box: string | undefined;
  if (line[content] === "[" && line[content + 2] === "]" && endsWord(line, content + 3)) {
    box = line[content + 1];
    content = skipBlanks(line, content + 3);
  }
  return { indent, marker, box, content };
}

/** End of a list marker at `at`, or `at` itself; a marker is followed by a blank or the line's end. */
function markerEnd(line: string, at: number): number {
  const first = line[at] ?? "";
  if ("-*+".includes(first) && first !== "") return endsWord(line, at + 1) ? at + 1 : at;
  let digits = at;
  while (digits - at < 9 && isDigit(line.charCodeAt(digits))) digits++;
  if (digits === at || (line[digits] !== "." && line[digits] !== ")")) return at;
  return endsWord(line, digits + 1) ? digits + 1 : at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function endsWord(line: string, at: number): boolean {
  return at >= line.length || line[at] === " " || line[at] === "\t" || line[at] === "\r";
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === " " || line[at] === "\t") at++;
  return at;
}

/** Nothing but blanks: the line ends a paragraph. */
export function isBlank(line: string): boolean {
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}
