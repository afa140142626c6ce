import { contentStart } from "../markdown/index.ts";
import { itemsOfPart, parseCheckpoint } from "./document.ts";
import { oneLine } from "./table.ts";
import type { WorkDecision } from "./work.ts";

const LONGEST = 2_000;

/** The id that a decision begins with (`D-4: …`). */
const ID = /^([A-Z]{1,4}-?\d{1,4})(?![\p{L}\p{N}_-])/u;

/**
 * Decisions of agents as a checkpoint can take them in: each agent counts its own from one. One whose id stands for another decision
 * already, in the checkpoint before or among these, keeps its words with the id in brackets; one that stands there is left out.
 */
export function withOwnIds(decisions: readonly WorkDecision[], before: string): readonly WorkDecision[] {
  if (!decisions.some(({ text }) => ID.test(text.slice(contentStart(text))))) return decisions;
  const known = itemsOfPart(parseCheckpoint(before), "decisions").map(text =>
    oneLine(text.slice(contentStart(text)), LONGEST),
  );
  const ids = new Map<string, string>();
  const take = (text: string): void => {
    const id = ID.exec(text)?.[1];
    if (id !== undefined && !ids.has(id)) ids.set(id, text);
  };
  for (const text of known) take(text);
  return decisions.flatMap(({ text: said, by }) => {
    const text = said.slice(contentStart(said));
    const id = ID.exec(text)?.[1];
    const first = id === undefined ? undefined : ids.get(id);
    if (first === undefined) {
      take(oneLine(text, LONGEST));
      return [{ text: said, by }];
    }
    if (isSaid(first, text)) return [];
    const apart = text.replace(id!, `(${id})`);
    if (known.some(one => isSaid(one, apart))) return [];
    known.push(apart);
    return [{ text: said.replace(id!, `(${id})`), by }];
  });
}

/** Whether an item says just this, whoever said it: `D-4: cents (T1.1, codex)`. */
function isSaid(item: string, text: string): boolean {
  const words = oneLine(text, LONGEST);
  return item === words || (item.startsWith(`${words} (`) && item.endsWith(")"));
}
