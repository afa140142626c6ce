import { resolve } from "node:path";
import { readBounded } from "../../../adapters/file/index.ts";
import { firstDifference } from "../../../budget/index.ts";
import { EXIT } from "../../../ports/index.ts";
import { type Locale, visible } from "../../../text/index.ts";
import { inputError } from "../../input-file.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { budgetWords } from "../../views/words/budget-words.ts";

/** Bytes of a package. */
const MAX_BYTES = 64 * 1024 ** 2;

function textOf(io: Io, path: string, locale: Locale): string {
  const read = readBounded(resolve(io.cwd, path), { maxBytes: MAX_BYTES, follow: true });
  if (read.ok) return Buffer.from(read.value).toString("utf8");
  throw inputError(path, read.failure, locale);
}

/** `espalier budget lint BEFORE AFTER`: exit 0 when all of the first is a beginning of the second, else 1. */
export function lintPackages(io: Io, before: string, after: string, options: { json?: boolean }): number {
  const { locale } = projectOf(io);
  const words = budgetWords(locale);
  const first = textOf(io, before, locale);
  const difference = firstDifference(first, textOf(io, after, locale));
  if (options.json === true) sayJson(io, difference ?? null);
  else if (difference === undefined) say(io, words.sameBeginning);
  else {
    const { line, column, byte } = difference;
    const share = `${((100 * byte) / Math.max(1, Buffer.byteLength(first))).toFixed(1)} %`;
    say(io, words.partAt(line, column, byte, share));
    say(io, `- ${visible(difference.before, 80)}`);
    say(io, `+ ${visible(difference.after, 80)}`);
  }
  return difference === undefined ? EXIT.done : EXIT.failedTasks;
}
