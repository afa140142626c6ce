export { type Block, type BlockKind, scanBlocks } from "./blocks.ts";
export { type Item, type ItemKind, type MarkdownDocument, scanMarkdown } from "./document.ts";
export { underlineLevel } from "./heading.ts";
export type { HtmlKind } from "./html-block.ts";
export { contentStart, keyOf } from "./key-value.ts";
export { isBlank, type LineShape, lineShape } from "./line-shape.ts";
export { type Bounds, type WalkLine, walkLines } from "./line-walk.ts";
export { beginsMerge, MERGE_MARK } from "./merge-mark.ts";
export { type Section, scanSections } from "./sections.ts";
