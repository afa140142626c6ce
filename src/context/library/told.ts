import type { ReceiptPart, SourceLevels } from "../../assembly/index.ts";
import { textHash } from "../../text/index.ts";
import type { Library } from "./library.ts";

/** Digits of the hash that names a shortened text. */
const TOLD_DIGITS = 24;

/** Names each shortened form by its own text, and remembers which text that is. */
export function named(levels: SourceLevels, told: Map<string, string>): SourceLevels {
  const forms = levels.forms.map(form => {
    if (form.level === 0) return form;
    const kept = textHash(form.text).slice(0, TOLD_DIGITS);
    told.set(kept, form.text);
    return { ...form, kept };
  });
  return { ...levels, forms };
}

/** Keeps the shortened texts that went in, each once: whoever asks later why something was not known need not guess. */
export function keepTold(
  { archive, toldBefore }: Library,
  parts: readonly ReceiptPart[],
  told: ReadonlyMap<string, string>,
): void {
  for (const { kept } of parts) {
    const text = kept === undefined ? undefined : told.get(kept);
    if (kept === undefined || text === undefined || toldBefore.has(kept)) continue;
    archive?.put("told", kept, text);
    toldBefore.add(kept);
  }
}
