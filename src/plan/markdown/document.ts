import type { FieldKey } from "../syntax/fields.ts";
import type { Head } from "../syntax/head.ts";
import type { State } from "../syntax/marks.ts";
import type { Phase } from "../types.ts";
import type { Hidden } from "./hidden.ts";
import type { LineRuns } from "./line-runs.ts";

/** A heading and what stands under it. */
export interface Section {
  readonly level: number;
  readonly title: string;
  /** The phase the heading opens. */
  readonly phase?: Phase;
  /** The phase gives way to what ids say (`M1`, `Sprint 2`). */
  readonly weak: boolean;
  /** `M1`: dependencies may name it. */
  readonly milestone?: string;
  /** The heading's own box or mark. */
  readonly mark?: State;
  readonly parent?: Section;
}

/** A piece of text with its place. */
export interface Piece {
  readonly text: string;
  readonly line: number;
  /** 1-based column of its first character. */
  readonly column: number;
}

/** A field of a task, with the lines below that belong to its value. */
export interface Field extends Piece {
  readonly key: FieldKey;
  readonly plain: boolean;
  /** How many list levels below the task it stands; of one key the shallowest count. */
  readonly depth: number;
  readonly below: Piece[];
  /** Content of a code fence below it, indentation removed. */
  code?: string;
}

/** Something that may turn out to be a task: a heading, list item or table row with an id or a box. */
export interface Draft {
  readonly origin: "heading" | "item" | "row";
  /** Its id may be made unambiguous once the whole file is known. */
  head: Head;
  readonly line: number;
  readonly column: number;
  /** Of a heading; 0 otherwise. */
  readonly level: number;
  readonly indent: number;
  readonly start: number;
  /** Offset after the last line of its block. */
  end: number;
  readonly section: Section | undefined;
  /** The draft in whose block it stands. */
  readonly parent: Draft | undefined;
  readonly fields: Field[];
  /** Words of its lines that only sound like dependencies. */
  readonly mentions: Piece[];
  /** Boxes in its block that are no tasks. */
  criteria: number;
  criteriaDone: number;
  /** Where a box could be inserted. */
  readonly bodyAt: number;
  /** Of a row: the state mark of its status column, to be replaced when the task completes. */
  readonly stateCell: { readonly at: number; readonly length: number; readonly state: State } | undefined;
}

/** A line that names tasks, and may define none. */
export interface Named {
  readonly head: Head;
  readonly line: number;
  readonly column: number;
}

/** Lines of a Mermaid diagram. */
export interface Diagram {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** A Markdown task file, taken apart but not yet judged. */
export interface MarkdownDocument {
  readonly text: string;
  readonly drafts: readonly Draft[];
  readonly sections: readonly Section[];
  readonly diagrams: readonly Diagram[];
  readonly innerRows: readonly Named[];
  /** Headings without a box that begin with several ids, or with a range of them. */
  readonly several: readonly Named[];
  readonly hidden: readonly Hidden[];
  /** Lines of fences, comments and commands: what is written there is not meant for a reader of tasks. */
  readonly passed: LineRuns;
  /** Lines of the front matter; 0 without one. */
  readonly frontLines: number;
  /** First `# ` heading. */
  readonly heading: string;
  readonly front: ReadonlyMap<string, string>;
  /** Fields before the first section: `**Feature**: x`. */
  readonly fields: readonly Field[];
}

/** The nearest section upwards that satisfies a test. */
export function findSection(
  from: Section | undefined,
  test: (section: Section) => boolean,
): Section | undefined {
  for (let section = from; section !== undefined; section = section.parent) if (test(section)) return section;
  return undefined;
}
