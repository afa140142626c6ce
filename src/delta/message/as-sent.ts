import { shortHash } from "../hash.ts";
import type { Header } from "./header.ts";

/** Hashes are written to different lengths; as far as both go they must be equal. */
export function agree(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** Line ends that a document's end may have had before a message was trimmed. */
const LAST_LINE_ENDS = ["\n", "", "\n\n", "\n\n\n"];

/** The document as its hash says it was: line ends are what gets lost, added or converted on the way. */
export function asSent(written: string, { newline, result }: Header): string {
  const arrived = newline === "\r\n" ? withLineEnds(written, newline) : written;
  if (result === undefined || agree(shortHash(arrived), result)) return arrived;
  let end = written.length;
  while (written[end - 1] === "\n" || written[end - 1] === "\r") end--;
  const body = written.slice(0, end);
  const ended = LAST_LINE_ENDS.flatMap(last => [
    body + last,
    body + last.replaceAll("\n", "\r\n"),
    withLineEnds(body + last, newline ?? "\n"),
  ]);
  return ended.find(text => agree(shortHash(text), result)) ?? arrived;
}

function withLineEnds(text: string, newline: "\n" | "\r\n"): string {
  const plain = text.replaceAll("\r\n", "\n");
  return newline === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}
