import { type Impact, readImpact } from "./impact.ts";
import { isReserved } from "./quote.ts";

/** A part of a message. */
export interface Part {
  readonly heading: number;
  readonly start: number;
}

/** Where a part of the message begins: its heading, and the line below it. */
export function partAt(text: string, heading: string): Part | undefined {
  for (let at = text.indexOf(heading); at >= 0; at = text.indexOf(heading, at + 1)) {
    if (at > 0 && text[at - 1] !== "\n") continue;
    const end = text.indexOf("\n", at);
    if (text.slice(at, end < 0 ? text.length : end).trimEnd() !== heading) continue;
    return { heading: at, start: end < 0 ? text.length : end + 1 };
  }
  return undefined;
}

/** Where the operations begin behind a message's first line: below their heading, or at once where they stand alone. */
export function operationsAt(text: string): Part | undefined {
  const start = Math.max(text.search(/\S/), 0);
  return text.startsWith("- ", start) && isReserved(text.slice(start, start + 16))
    ? { heading: start, start }
    : partAt(text, "## Delta");
}

/** Operations without the blank line before the impact part, and that part. */
export function splitBody(body: string): { operations: readonly string[]; impact: Impact } {
  const lines = body.split("\n").map(line => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const heading = lines.indexOf("## Impact Assessment");
  const impact = readImpact(heading < 0 ? [] : lines.slice(heading + 1));
  const operations = heading < 0 ? lines : lines.slice(0, heading);
  if (heading > 0 && operations.at(-1) === "") operations.pop();
  if (heading < 0) while (operations.length > 0 && operations.at(-1)!.trim() === "") operations.pop();
  return { operations, impact };
}
