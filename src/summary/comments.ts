import { type MarkdownDocument, scanMarkdown } from "../markdown/index.ts";
import { isTag } from "./extract/lines.ts";

/**
 * Scans a document as its reader sees it: without comments of HTML, but those in code, and with what a tag alone on its line
 * holds as Markdown of its own. Linear.
 */
export function scanVisible(source: string): MarkdownDocument {
  const document = scanMarkdown(source);
  if (!source.includes("<")) return document;
  const isRaw = (kind: string) => kind === "fence" || kind === "front-matter";
  const visible = document.items.map(({ kind, text }) =>
    isRaw(kind) ? text : withTagsApart(withoutComments(text)),
  );
  return scanMarkdown(visible.join(""));
}

/** Lines that are nothing but a tag, with a blank line on either side. */
function withTagsApart(text: string): string {
  if (!text.includes("<")) return text;
  const lines = text.split("\n");
  const isApart = lines.map(line => line.length < 48 && isTag(line.trim()));
  if (!isApart.includes(true)) return text;
  return lines
    .map((line, at) => `${at > 0 && (isApart[at] || isApart[at - 1]) && line !== "" ? "\n" : ""}${line}`)
    .join("\n");
}

/** A block without its comments; one that is never closed goes to the next blank line. */
function withoutComments(text: string): string {
  let out = "";
  let from = 0;
  for (let at = nextMark(text, 0); at >= 0; at = nextMark(text, at)) {
    if (text[at] === "`") {
      at = behindCode(text, at);
      continue;
    }
    out += text.slice(from, at);
    from = at = commentEnd(text, at);
  }
  return out + text.slice(from);
}

/** Where the next code mark or comment begins; -1 without one. */
function nextMark(text: string, from: number): number {
  for (let at = from; at < text.length; at++)
    if (text[at] === "`" || (text[at] === "<" && text.startsWith("<!--", at))) return at;
  return -1;
}

/** Behind a code span, or behind its opening marks where nothing closes it. */
function behindCode(text: string, open: number): number {
  let end = open;
  while (text[end] === "`") end++;
  const close = text.indexOf(text.slice(open, end), end);
  return close < 0 ? end : close + end - open;
}

/** Behind `-->`, or before a blank line; `<!-->` and `<!--->` are whole comments. */
function commentEnd(text: string, open: number): number {
  for (const whole of ["<!-->", "<!--->"]) if (text.startsWith(whole, open)) return open + whole.length;
  const close = text.indexOf("-->", open + 4);
  if (close >= 0) return close + 3;
  const blank = text.indexOf("\n\n", open);
  return blank < 0 ? text.length : blank;
}
