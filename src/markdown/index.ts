export { type Block, type BlockKind, scanBlocks } from "./blocks.ts";
export { type Item, type ItemKind, type MarkdownDocument, scanMarkdown } from "./document.ts";
export { contentStart, keyOf } from "./key-value.ts";
export { isBlank, type LineShape, lineShape } from "./line-shape.ts";
export { type Section, scanSections } from "./sections.ts";
