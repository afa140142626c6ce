import { isBlank } from "../../markdown/index.ts";
import { shortened } from "./lines.ts";
import { foldBlanks } from "./plain.ts";

/** `- truth: nobody gets in` is false where `status: failed` goes on. */
const JUDGES = /^["']?(?:status|state|result|verdict|outcome|상태|결과|판정)["']? ?:/iu;

/** Keys of front matter that are open, outermost first. */
export interface OpenKeys {
  /**
   * A line as it is told, and the piece of the key above it, -1 without one; `judges`: it says what became of the entry that it stands
   * in, which may not be told without. Undefined for a mark, a comment or a key of nothing.
   */
  take(text: string): { readonly line: string; readonly under: number; readonly judges: boolean } | undefined;
  /** The piece that the line taken last became. */
  became(piece: number): void;
}

/** Front matter that has not begun; lines are indented by `deepest` blanks at most. */
export function openKeys(deepest: number): OpenKeys {
  const keys: { readonly indent: number; readonly isEntry: boolean; piece: number }[] = [];
  return {
    take(text) {
      const words = text.trimStart();
      if (text.startsWith("---") || words.startsWith("#") || isBlank(text) || isEmpty(words.trimEnd()))
        return undefined;
      const indent = text.length - words.length;
      const isEntry = words.startsWith("- ") || words.trimEnd() === "{";
      // Entries of a list may stand as far left as its key.
      const isAbove = (above: (typeof keys)[number]) =>
        above.indent < indent || (above.indent === indent && isEntry && !above.isEntry);
      while (keys.length > 0 && !isAbove(keys.at(-1)!)) keys.pop();
      const above = keys.at(-1);
      const under = above?.piece ?? -1;
      keys.push({ indent, isEntry, piece: -1 });
      const judges = under >= 0 && above?.isEntry === true && JUDGES.test(words);
      return {
        line: `${" ".repeat(Math.min(indent, deepest))}${shortened(foldBlanks(text))}`,
        under,
        judges,
      };
    },
    became(piece) {
      keys.at(-1)!.piece = piece;
    },
  };
}

/** `tags: []` */
function isEmpty(line: string): boolean {
  return [": []", ": {}", ": null", ": ~", ': ""', ": ''"].some(end => line.endsWith(end));
}
