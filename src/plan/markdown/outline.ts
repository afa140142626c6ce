import type { Draft, Section } from "./document.ts";

interface HeadingFrame {
  readonly level: number;
  readonly section: Section;
  readonly draft: Draft | undefined;
  /** The frame belongs to its draft, and is not just inside of it. */
  readonly own: boolean;
}

interface ItemFrame {
  readonly indent: number;
  readonly draft: Draft | undefined;
  readonly own: boolean;
  /** The task item of the same list this bullet follows. */
  readonly follows?: Draft | undefined;
}

/** The headings and list items a line stands under. */
export interface Outline {
  section(): Section | undefined;
  headingOwner(): Draft | undefined;
  /** The draft in whose block the next line stands. */
  owner(): Draft | undefined;
  /** How many bullets stand between a draft and the next line. */
  depthIn(draft: Draft): number;
  openHeading(frame: HeadingFrame): void;
  openItem(frame: ItemFrame): void;
  /** Ends items at this indent and deeper; returns the task item of the list that goes on, if there is one. */
  closeItems(indent: number, end: number): Draft | undefined;
  /** Ends headings of this level and deeper, and all items. */
  closeHeadings(level: number, end: number): void;
}

/** Creates an empty outline. */
export function createOutline(): Outline {
  const headings: HeadingFrame[] = [];
  const items: ItemFrame[] = [];

  function closeItems(indent: number, end: number): Draft | undefined {
    let sibling: Draft | undefined;
    for (let top = items.at(-1); top !== undefined && top.indent >= indent; top = items.at(-1)) {
      if (top.own && top.draft !== undefined) top.draft.end = end;
      if (top.indent === indent) sibling = top.own ? top.draft : top.follows;
      items.pop();
    }
    return sibling;
  }

  return {
    section: () => headings.at(-1)?.section,
    headingOwner: () => headings.at(-1)?.draft,
    owner: () => items.at(-1)?.draft ?? headings.at(-1)?.draft,
    depthIn(draft) {
      let depth = 0;
      for (let i = items.length - 1; i >= 0 && items[i]!.draft === draft && !items[i]!.own; i--) depth++;
      return depth;
    },
    openHeading: frame => headings.push(frame),
    openItem: frame => items.push(frame),
    closeItems,
    closeHeadings(level, end) {
      closeItems(0, end);
      for (let top = headings.at(-1); top !== undefined && top.level >= level; top = headings.at(-1)) {
        if (top.own && top.draft !== undefined) top.draft.end = end;
        headings.pop();
      }
    },
  };
}
