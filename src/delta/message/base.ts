import { type KeyIndex, keyIndex } from "./keys.ts";
import { type SectionNames, sectionNames } from "./refs.ts";
import { type View, viewOf } from "./view.ts";

/** The base of a message, with its indexes made when first asked for. */
export interface Base {
  readonly view: View;
  readonly names: SectionNames;
  readonly keys: (section: number) => KeyIndex;
}

/** Prepares a document for addressing. */
export function baseOf(text: string): Base {
  const view = viewOf(text);
  const made = new Map<number, KeyIndex>();
  const keys = (section: number): KeyIndex => {
    const index = made.get(section) ?? keyIndex(view, section);
    made.set(section, index);
    return index;
  };
  return { view, names: sectionNames(view), keys };
}
