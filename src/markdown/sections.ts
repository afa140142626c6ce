import type { Block } from "./blocks.ts";

/** A heading with the lines up to the next heading of any level; the first one is what precedes all headings. */
export interface Section {
  /** 1–6; 0 for what precedes the first heading, whose title is empty. */
  readonly level: number;
  readonly title: string;
  /** 1-based among the sections of the same title. */
  readonly ordinal: number;
  /** Line of the heading, first line below it, and the line after the section's own last one; 0-based. */
  readonly line: number;
  readonly bodyLine: number;
  readonly endLine: number;
  /** The line after the last subsection. */
  readonly treeEnd: number;
  /** Index of the enclosing section; -1 at the top. */
  readonly parent: number;
}

/** Groups blocks under their headings. There is always at least one section, and sections tile the lines. */
export function scanSections(blocks: readonly Block[], lineCount: number): Section[] {
  const headings = blocks.filter(block => block.kind === "heading");
  const seen = new Map<string, number>();
  const open: number[] = [];
  const made: { -readonly [K in keyof Section]: Section[K] }[] = [];
  const first = headings[0]?.line ?? lineCount;
  if (first > 0 || headings.length === 0) {
    made.push({
      level: 0,
      title: "",
      ordinal: 1,
      line: 0,
      bodyLine: 0,
      endLine: first,
      treeEnd: first,
      parent: -1,
    });
  }
  for (const [index, heading] of headings.entries()) {
    const ordinal = (seen.get(heading.title) ?? 0) + 1;
    seen.set(heading.title, ordinal);
    const endLine = headings[index + 1]?.line ?? lineCount;
    while (open.length > 0 && made[open.at(-1)!]!.level >= heading.level) {
      made[open.pop()!]!.treeEnd = heading.line;
    }
    const { level, title, line } = heading;
    const parent = open.at(-1) ?? -1;
    made.push({
      level,
      title,
      ordinal,
      line,
      bodyLine: heading.endLine,
      endLine,
      treeEnd: lineCount,
      parent,
    });
    open.push(made.length - 1);
  }
  return made;
}
