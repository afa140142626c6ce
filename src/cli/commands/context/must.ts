import type { ContextFailure } from "../../../context/shared/index.ts";
import { storeError } from "../../../host/project/errors.ts";
import { type EspalierError, EXIT, type Result } from "../../../ports/index.ts";
import { nearest, visible } from "../../../text/index.ts";
import type { ContextWords } from "../../views/words/context-words.ts";
import { failure } from "./ask.ts";

/** A label that no document has, beside those there are. */
export function noSuchLabel(words: ContextWords, known: readonly string[], label: string): EspalierError {
  const told = words.unknownLabel(visible(label, 80), known.slice(0, 20).join(", "), nearest(label, known));
  return failure("NO_SUCH_LABEL", told);
}

/** What the shared context answers to somebody who only looks. Throws EspalierError. */
export function must<T>(result: Result<T, ContextFailure>, words: ContextWords): T {
  if (result.ok) return result.value;
  const problem = result.failure;
  switch (problem.kind) {
    case "store":
      throw storeError(problem.failure);
    case "label":
      throw failure("BAD_LABEL", words.badLabel(visible(problem.message)));
    case "unknown":
      throw failure("NO_SUCH_LABEL", words.unknownLabel(visible(problem.label, 80), "", undefined));
    case "closed":
      throw failure("NO_ANSWER", words.noAnswer(""), EXIT.locked);
    default:
      throw new Error(`unknown failure ${JSON.stringify(problem satisfies never)}`);
  }
}
