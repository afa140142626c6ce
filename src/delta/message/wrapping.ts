import { lineShape } from "../../markdown/index.ts";

/** A wrapped paragraph or item as one line: what stands before its first and its other lines, and its words. */
export interface Joined {
  readonly first: string;
  readonly other: string;
  readonly text: string;
}

/** Joins the lines of a paragraph; blanks at their ends are none of its words. */
export function joined(lines: readonly string[]): Joined {
  const head = lines[0]!;
  const first = head.slice(0, lineShape(head).content);
  const second = lines[1];
  const other =
    second === undefined
      ? " ".repeat(first.length)
      : second.slice(0, second.length - second.trimStart().length);
  const words = [head.slice(first.length), ...lines.slice(1)].map(line => line.trim());
  return { first, other, text: words.join(" ") };
}

/** Breaks a text into lines of at most `width` characters, wherever a word would reach beyond. */
export function wrapped({ first, other, text }: Joined, width: number): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(" ")) {
    if (line !== undefined && line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      if (line !== undefined) lines.push(line);
      line = (line === undefined ? first : other) + word;
    }
  }
  lines.push(line!);
  return lines;
}

/** The width at which a paragraph's text breaks into exactly these lines; Infinity for one line, undefined where there is none. */
export function widthOf(lines: readonly string[]): number | undefined {
  if (lines.length === 1) return Infinity;
  // A word that is longer than the width has a line to itself.
  const widest = Math.max(1, ...lines.map(line => (line.trim().includes(" ") ? line.length : 0)));
  const isFull = lines.slice(1).every((line, at) => {
    const [word] = line.trimStart().split(" ", 1);
    return lines[at]!.length + 1 + word!.length > widest;
  });
  return isFull ? widest : undefined;
}
