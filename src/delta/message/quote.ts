/** Characters that no message shows bare: they could be lost or rewritten on the way. */
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f-\x9f\ufeff\u2028\u2029]/;

function hasControl(text: string): boolean {
  return CONTROL.test(text);
}

/** JSON with every invisible character spelled out. */
export function quoted(text: string): string {
  let result = "";
  for (const char of JSON.stringify(text)) {
    result += hasControl(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}` : char;
  }
  return result;
}

/** Whether a text is free of edges and characters that need quoting anywhere. */
function isPlain(text: string): boolean {
  return text !== "" && text === text.trim() && text[0] !== '"' && !hasControl(text);
}

/** Writes what a change puts in: bare, or quoted where it would be read as something else. */
export function newSide(text: string): string {
  return isPlain(text) && !text.includes(" → ") && !text.includes(" | ") && !text.endsWith(" →")
    ? text
    : quoted(text);
}

/** Writes a piece of a base line: a key, or old text. */
export function oldSide(text: string): string {
  const bare =
    isPlain(text) &&
    text[0] !== "§" &&
    !text.includes("…") &&
    !text.includes(" →") &&
    !text.includes(" |") &&
    !`${text} `.includes(" + ") &&
    !text.startsWith("+ ") &&
    !text.startsWith("→ ") &&
    !text.includes(": ") &&
    !text.endsWith(":") &&
    !text.endsWith(" lines)") &&
    !isLineNumber(text);
  return bare ? text : quoted(text);
}

/** `L12`: a line by its number. */
export function isLineNumber(text: string): boolean {
  return /^L\d{1,9}$/.test(text);
}

/** Whether a whole line can stand bare behind the colon of an operation. */
export function isInline(text: string): boolean {
  return text !== "" && text === text.trim() && !hasControl(text);
}

/** Whether a section's title can stand bare behind `§`. */
export function isBareTitle(title: string): boolean {
  if (!isPlain(title) || title === "^" || title.includes("#") || title.includes(":") || title.includes("\t"))
    return false;
  if (title.endsWith(")")) return !title.endsWith(" lines)");
  return ![" after ", " before ", " from ", " → "].some(word => `${title} `.includes(word));
}

/** Whether a section's new title can stand bare behind the arrow. */
export function isNewTitle(title: string): boolean {
  return isPlain(title) && !title.includes(": ") && !title.endsWith(":") && !title.includes(" → ");
}

/** A JSON string at a position, with the position behind it; undefined when there is none. */
export function readQuoted(
  text: string,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  if (text[at] !== '"') return undefined;
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(at, end + 1));
    return typeof value === "string" ? { value, end: end + 1 } : undefined;
  } catch {
    return undefined;
  }
}

const OPERATION = /^\\*- (?:ADDED|CHANGED|REMOVED|REPLACED|MOVED|REWRAPPED)(?![A-Za-z])/;

/** Whether a line of a message begins an operation or the next part of the message. */
export function isReserved(line: string): boolean {
  return OPERATION.test(line) || line.startsWith("## Impact Assessment");
}

/** Writes a line of a document as a line of a message's body. */
export function bodyLine(line: string): string {
  if (hasControl(line)) return `\\${quoted(line)}`;
  return line.startsWith("\\") || isReserved(line) ? `\\${line}` : line;
}

/** Reads a line of a message's body; undefined when it is quoted badly. */
export function readBodyLine(line: string): string | undefined {
  if (!line.startsWith("\\")) return line;
  if (line[1] !== '"') return line.slice(1);
  const read = readQuoted(line, 1);
  return read !== undefined && read.end === line.length && !read.value.includes("\n")
    ? read.value
    : undefined;
}
