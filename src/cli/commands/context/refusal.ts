import { type EspalierError, EXIT } from "../../../ports/index.ts";
import type { SyncEvent } from "../../../sync/index.ts";
import { visible, visibleLines } from "../../../text/index.ts";
import type { ContextWords } from "../../views/words/context-words.ts";
import { failure } from "./ask.ts";

/** Why nothing was published, as a person meets it; two changes of one section are both shown. */
export function refusal(
  words: ContextWords,
  label: string,
  refused: Extract<SyncEvent, { type: "refused" }>,
): EspalierError {
  const { reason, base = 0, current = 0, clashes, message } = refused;
  switch (reason) {
    case "same-section": {
      const told = words.clash(label, base, current);
      const sides = clashes
        .slice(0, 5)
        .flatMap(clash => [
          `§${visible(clash.section, 80)}`,
          ...side(words.theirs(`${label}-v${current}`), clash.current, words.removed),
          ...side(words.yours, clash.published, words.removed),
        ]);
      return failure(
        "CONTEXT_CLASH",
        { message: told.message, hint: [...sides, told.hint ?? ""].join("\n") },
        EXIT.failedTasks,
      );
    }
    case "unknown-base":
      return failure(
        "UNKNOWN_BASE",
        base > current ? words.noVersion(label, base, current) : words.unknownBase(label, base),
        EXIT.failedTasks,
      );
    case "not-unicode":
      return failure("INPUT_NOT_UNICODE", words.notUnicode);
    case "too-large":
      return failure("INPUT_TOO_LARGE", words.tooLarge);
    case "name":
      return failure("BAD_NAME", words.badName(visible(message)));
    default:
      throw new Error(reason satisfies never);
  }
}

/** Lines shown of each side of a clash. */
const SHOWN = 12;

function side(heading: string, text: string, removed: string): string[] {
  const lines = text === "" ? [removed] : visibleLines(text.trimEnd()).split("\n");
  const shown = lines.slice(0, SHOWN).map(line => `    ${line}`);
  return [`  ${heading}:`, ...shown, ...(lines.length > SHOWN ? [`    … +${lines.length - SHOWN}`] : [])];
}
