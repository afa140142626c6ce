import { accessSync, constants, lstatSync, writeFileSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { because, EspalierError, EXIT } from "../ports/index.ts";
import type { DraftWords } from "../text/index.ts";
import { errorFor, shellWord, visible } from "../text/index.ts";

/** Names that are tried for one that is free. */
const MOST_NAMES = 100;

/** Whether anything stands at a path, be it a link that leads nowhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A name beside a taken one under which nothing stands yet. */
function freeName(cwd: string, taken: string): string {
  const { dir, name, ext } = parse(taken);
  for (let number = 1; number < MOST_NAMES; number++) {
    const free = join(dir, `${name}.draft${number === 1 ? "" : `-${number}`}${ext}`);
    if (!isTaken(resolve(cwd, free))) return free;
  }
  return join(dir, `${name}.draft-${MOST_NAMES}${ext}`);
}

/**
 * Throws where something stands at the path of a file that is to be made (exit 2), and where its folder takes none (exit 6): what it
 * is to hold may be the work of an agent.
 */
export function requireFree(
  cwd: string,
  name: string,
  words: Pick<DraftWords, "exists" | "existsHint">,
): void {
  const path = resolve(cwd, name);
  try {
    if (!isTaken(path)) {
      accessSync(dirname(path), constants.W_OK | constants.X_OK);
      return;
    }
  } catch (error) {
    throw notWritten(name, (error as Error).message);
  }
  throw new EspalierError("FILE_EXISTS", words.exists(visible(name, 200)), {
    hint: words.existsHint(shellWord(freeName(cwd, name))),
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
