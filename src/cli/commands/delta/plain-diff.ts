import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "../../../tokens/index.ts";
import type { Io } from "../../io.ts";
import { gitIn } from "./git.ts";

/** Two states of a document. */
export interface Pair {
  readonly old: string;
  readonly next: string;
}

const DIFF = [
  "diff",
  "--no-index",
  "-U0",
  "--text",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--no-prefix",
  "--inter-hunk-context=0",
];
const OWN = [
  "-c",
  "diff.algorithm=default",
  "-c",
  "core.attributesFile=/dev/null",
  "-c",
  "core.autocrlf=false",
];
const FILE = "diff --git ";

/**
 * Tokens of `git diff -U0` of each pair, without the four lines that name the files; all in one call.
 * Null where git is missing or has no answer.
 */
export async function plainDiffTokens(io: Io, pairs: readonly Pair[]): Promise<(number | null)[]> {
  const nothing = pairs.map(() => null);
  if (pairs.length === 0) return nothing;
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "espalier-delta-"));
    return await compareIn(io, folder, pairs);
  } catch (error) {
    // A temporary folder that is full or missing costs the comparison, never the report.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return nothing;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function compareIn(io: Io, folder: string, pairs: readonly Pair[]): Promise<(number | null)[]> {
  const nothing = pairs.map(() => null);
  const git = gitIn(io, folder);
  if (git === undefined) return nothing;
  for (const side of ["a", "b"]) mkdirSync(join(folder, side));
  let size = 0;
  for (const [at, { old, next }] of pairs.entries()) {
    writeFileSync(join(folder, "a", String(at)), old);
    writeFileSync(join(folder, "b", String(at)), next);
    size += old.length + next.length;
  }
  const args = [...OWN, ...DIFF, "--", "a", "b"];
  const output = await git(args, { differs: true, maxBytes: 2 ** 20 + 8 * size });
  if (!output.ok) return nothing;
  const diffs = splitByFile(output.value.toString());
  return pairs.map((_, at) => {
    const text = diffs.get(`a/${at} b/${at}`);
    return text === undefined ? null : countTokens(text);
  });
}

/** Lines of a document always have a mark before them, so the line that names a file is never one of theirs. */
function splitByFile(output: string): Map<string, string> {
  const diffs = new Map<string, string>();
  for (const piece of `\n${output}`.split(`\n${FILE}`).slice(1)) {
    const lines = piece.split("\n");
    const text = lines.slice(4).join("\n");
    diffs.set(lines[0] ?? "", text.endsWith("\n") ? text : `${text}\n`);
  }
  return diffs;
}
