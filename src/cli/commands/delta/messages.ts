import {
  type Delta,
  diff as difference,
  type EncodeOptions,
  encode,
  invert as inverse,
  squash as join,
  shortHash,
  stats,
  type Update,
} from "../../../delta/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { countTokens } from "../../../tokens/index.ts";
import { type Io, say, warn } from "../../io.ts";
import { firstDifference } from "./difference.ts";
import { carryOut, readTexts, wordsOf } from "./inputs.ts";

type Naming = Omit<EncodeOptions, "countTokens" | "majorRestructure">;

/** Prints a delta as a message that was read back and found exact. */
function print(io: Io, delta: Delta, old: string, next: string, naming: Naming): number {
  const encoded = encode(delta, old, next, { ...naming, countTokens });
  if (!encoded.ok) {
    const exitCode = encoded.failure.kind === "inexact" ? EXIT.failedTasks : EXIT.usage;
    throw new EspalierError("DELTA_NOT_MADE", wordsOf(io).notMade(encoded.failure), { exitCode });
  }
  say(io, encoded.value.text);
  return EXIT.done;
}

/** `espalier delta diff OLD NEW`. */
export async function diff(
  io: Io,
  oldPath: string,
  newPath: string,
  options: { label: string; from?: number; to?: number },
): Promise<number> {
  const [old = "", next = ""] = await readTexts(io, oldPath, newPath);
  const from = options.from ?? Math.max(0, (options.to ?? 2) - 1);
  const naming = { label: options.label, from, to: options.to ?? from + 1 };
  return print(io, difference(old, next), old, next, naming);
}

/** `espalier delta apply OLD DELTA`: the new document alone goes to standard output. */
export async function apply(io: Io, oldPath: string, deltaPath: string): Promise<number> {
  const [old = "", message = ""] = await readTexts(io, oldPath, deltaPath);
  const update = carryOut(io, message, old, deltaPath);
  if (!update.proven) warn(io, wordsOf(io).unproven(deltaPath));
  io.stdout.write(update.text);
  return EXIT.done;
}

/** `espalier delta verify OLD DELTA NEW`. Exit 1 when the message leads anywhere else. */
export async function verify(io: Io, oldPath: string, deltaPath: string, newPath: string): Promise<number> {
  const [old = "", message = "", next = ""] = await readTexts(io, oldPath, deltaPath, newPath);
  const update = carryOut(io, message, old, deltaPath);
  const words = wordsOf(io);
  if (update.text !== next) {
    const message = words.notExact(deltaPath, shortHash(update.text), newPath, shortHash(next));
    const hint = firstDifference(next, update.text);
    throw new EspalierError("DELTA_NOT_EXACT", message, { hint, exitCode: EXIT.failedTasks });
  }
  const { hunks, addedLines, removedLines } = stats(difference(old, next));
  const tokens = words.tokensFor(countTokens(message.trimEnd()), countTokens(next));
  const lines = `${words.places(hunks)}, ${words.lines(addedLines, removedLines)}`;
  say(io, `${words.exact(oldPath, newPath, shortHash(next))}; ${lines}; ${tokens}`);
  return EXIT.done;
}

/** `espalier delta invert OLD DELTA`. */
export async function invert(io: Io, oldPath: string, deltaPath: string): Promise<number> {
  const [old = "", message = ""] = await readTexts(io, oldPath, deltaPath);
  const { label, from, to, text } = carryOut(io, message, old, deltaPath);
  const naming = { label, from: to, to: from ?? Math.max(0, to - 1) };
  return print(io, inverse(difference(old, text)), text, old, naming);
}

/** `espalier delta squash OLD A B …`: each is carried out on what the one before it led to. */
export async function squash(io: Io, oldPath: string, deltaPaths: readonly string[]): Promise<number> {
  const [old = "", ...messages] = await readTexts(io, oldPath, ...deltaPaths);
  const updates: Update[] = [];
  let [delta, text] = [difference(old, old), old];
  for (const [at, message] of messages.entries()) {
    const name = deltaPaths[at] ?? "";
    const update = carryOut(io, message, text, name);
    requireChain(io, updates.at(-1), update, name);
    const both = join(delta, difference(text, update.text));
    if (!both.ok) throw new Error(both.failure.message);
    [delta, text] = [both.value, update.text];
    updates.push(update);
  }
  const [first, last] = [updates[0], updates.at(-1)];
  if (first === undefined || last === undefined) throw new Error("commander asks for one delta at least");
  const affected = [...new Set(updates.flatMap(update => update.affected))];
  const actions = [...new Set(updates.flatMap(update => update.actions))];
  const impact = affected.length + actions.length > 0 ? { affected, actions } : {};
  const from = first.from ?? Math.max(0, first.to - 1);
  return print(io, delta, old, text, { label: first.label, from, to: last.to, ...impact });
}

function requireChain(io: Io, before: Update | undefined, update: Update, name: string): void {
  if (before === undefined) return;
  const expected = `${before.label}-v${before.to}`;
  const found = `${update.label}-v${update.from ?? before.to}`;
  if (found === expected) return;
  const told = wordsOf(io).chain(name, expected, found);
  throw new EspalierError("DELTA_CHAIN", told.message, { hint: told.hint ?? "", exitCode: EXIT.failedTasks });
}
