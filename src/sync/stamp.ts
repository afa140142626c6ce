import { scanBlocks } from "../markdown/index.ts";

const KEY = "version:";

/**
 * A document whose front matter says `version: <number>`: where such a line stands it is replaced, else it is put last.
 * A document without front matter stays as it is.
 */
export function stampVersion(text: string, number: number): string {
  const lines = text.split("\n");
  const blocks = scanBlocks(lines);
  const end = blocks.findIndex(block => block.kind !== "front-matter");
  const closing = (end < 0 ? blocks.length : end) - 1;
  if (closing < 1) return text;
  const stamped = `${KEY} ${number}${lines[0]!.endsWith("\r") ? "\r" : ""}`;
  const at = lines.findIndex((line, index) => index > 0 && index < closing && line.startsWith(KEY));
  if (at < 0) lines.splice(closing, 0, stamped);
  else lines[at] = stamped;
  return lines.join("\n");
}
