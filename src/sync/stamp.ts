import { scanBlocks } from "../markdown/index.ts";

const KEY = "version:";

/**
 * A document whose front matter says `version: <number>`: where such a line stands it is replaced, as it is written there
 * (`3`, `v3`, `GC-v3`), else it is put last.
 * A document without front matter stays as it is.
 */
export function stampVersion(text: string, number: number): string {
  const lines = text.split("\n");
  const blocks = scanBlocks(lines);
  const end = blocks.findIndex(block => block.kind !== "front-matter");
  const closing = (end < 0 ? blocks.length : end) - 1;
  if (closing < 1) return text;
  const ending = lines[0]!.endsWith("\r") ? "\r" : "";
  const at = lines.findIndex((line, index) => index < closing && line.startsWith(KEY));
  if (at < 0) lines.splice(closing, 0, `${KEY} ${number}${ending}`);
  else lines[at] = `${KEY} ${styleOf(lines[at]!.slice(KEY.length).trim())}${number}${ending}`;
  return lines.join("\n");
}

/** What stands before the number: nothing, `v`, or a name as in `GC-v3`. */
function styleOf(value: string): string {
  let digits = value.length;
  while (value[digits - 1]! >= "0" && value[digits - 1]! <= "9") digits--;
  const style = value.slice(0, digits);
  return digits < value.length && (style === "v" || style.endsWith("-v")) ? style : "";
}
