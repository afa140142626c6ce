import { type Item, lineShape, scanMarkdown } from "../markdown/index.ts";

/** Lines of a section with what is new put behind an item, or behind everything. */
export function append(old: string, after: Item | undefined, lines: readonly string[]): string {
  if (lines.length === 0) return old;
  const all = old.split("\n");
  let at = after === undefined ? all.length : after.line + after.text.trimEnd().split("\n").length;
  if (after === undefined) while (at > 1 && all[at - 1]!.trim() === "") at--;
  const gap = after === undefined ? [""] : [];
  return [...all.slice(0, at), ...gap, ...lines, ...all.slice(at)].join("\n");
}

/** The list items or table rows of a section. */
export function itemsOf(text: string, kind: "list" | "row"): Item[] {
  return scanMarkdown(text).items.filter(item =>
    kind === "row"
      ? item.kind === "table-row"
      : (item.kind === "list-item" || item.kind === "key-value") && lineShape(item.text).marker !== "",
  );
}
