import { existsSync, writeFileSync } from "node:fs";
import { because, EspalierError, EXIT } from "../ports/index.ts";
import type { DraftWords } from "../text/index.ts";
import { errorFor } from "../text/index.ts";

/** Throws where something stands at the path of a file that is to be made (exit 2). */
export function requireFree(
  path: string,
  name: string,
  words: Pick<DraftWords, "exists" | "existsHint">,
): void {
  if (!existsSync(path)) return;
  throw new EspalierError("FILE_EXISTS", words.exists(name), {
    hint: words.existsHint,
    exitCode: EXIT.usage,
  });
}

/** Writes a file that is not there yet, whoever else may be about to. */
export function saveNew(path: string, text: string, name: string): void {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    throw notWritten(name, (error as Error).message);
  }
}

/** A file that could not be written, and why (exit 6). */
export function notWritten(name: string, why: string): EspalierError {
  return errorFor("NOT_WRITTEN", because("not-written", { name, said: why }), {
    exitCode: EXIT.environment,
  });
}
