import { apply, type Conflict, type Delta, invert, shortHash, squash } from "../delta/index.ts";
import { ok, type Result } from "../ports/index.ts";
import { asSaid, type Told, told } from "../text/index.ts";
import { applyDelta } from "./delta-check.ts";
import { failed, type ToldFailure } from "./failure.ts";
import type { History } from "./history.ts";
import { deltaName } from "./names.ts";

/** Hands out texts of a history's documents; undefined for one that cannot be read. */
export interface Texts {
  state(id: string): string | undefined;
  delta(from: string, to: string): string | undefined;
}

/** The way between two checkpoints: back to what both come from, then forward. Each list begins where the other ends. */
export interface Route {
  readonly back: readonly string[];
  readonly forward: readonly string[];
}

/** Why a past state cannot be rebuilt. */
export type ReplayFailure = ToldFailure<
  "unknown" | "unrelated" | "no-base" | "missing" | "delta" | "mismatch"
>;

/** A rebuilt state and how it was come by. */
export interface Replayed {
  readonly text: string;
  readonly hash: string;
  /** Deltas applied, inverted ones included. */
  readonly steps: number;
}

function notKnown(id: string): Result<never, ReplayFailure> {
  return failed("unknown", told`There is no checkpoint ${id}`);
}

/** Finds the way from one checkpoint to another along their parents. */
export function findRoute(history: History, from: string, to: string): Result<Route, ReplayFailure> {
  const unknown = [from, to].find(id => !history.states.has(id) && !history.parents.has(id));
  if (unknown !== undefined) return notKnown(unknown);
  const back = lineage(history, from);
  const forward = lineage(history, to);
  const places = new Map(forward.map((id, at) => [id, at]));
  const meet = back.findIndex(id => places.has(id));
  if (meet < 0) return failed("unrelated", told`${from} and ${to} have no checkpoint in common`);
  return ok({
    back: back.slice(0, meet + 1),
    forward: forward.slice(0, places.get(back[meet]!)! + 1).reverse(),
  });
}

/** A checkpoint and what it was made from, as far as it is known, itself first. */
function lineage({ parents }: History, id: string): string[] {
  const path = [id];
  for (let next = parents.get(id); next !== undefined; next = parents.get(next)) path.push(next);
  return path;
}

/** Rebuilds the text of one checkpoint: its full state, or the nearest one before it and the deltas between. */
export function rebuild(history: History, id: string, texts: Texts): Result<Replayed, ReplayFailure> {
  if (!history.states.has(id) && !history.parents.has(id)) return notKnown(id);
  const path: string[] = [];
  for (const one of lineage(history, id)) {
    path.push(one);
    if (!history.states.has(one)) continue;
    const text = texts.state(one);
    if (text === undefined) return failed("missing", told`${one} cannot be read`);
    const walked = walk(path.reverse(), text, texts);
    return walked.ok ? ok(walked.value) : walked;
  }
  return failed("no-base", told`No full state before ${id} is kept: it cannot be rebuilt`);
}

/** Applies the deltas along a path; `each` hears what every one of them did. */
function walk(
  path: readonly string[],
  start: string,
  texts: Texts,
  each?: (delta: Delta) => void,
): Result<Replayed, ReplayFailure> {
  let now = { text: start, hash: shortHash(start) };
  for (let at = 1; at < path.length; at++) {
    const [from, to] = [path[at - 1]!, path[at]!];
    const document = texts.delta(from, to);
    if (document === undefined)
      return failed("missing", told`The link from ${from} to ${to} is missing: no ${deltaName(from, to)}`);
    const applied = applyDelta(document, now.text, now.hash);
    if (!applied.ok) {
      const { message, said } = applied.failure;
      const name = deltaName(from, to);
      return failed("delta", told`${name}: ${said}`, `${name}: ${message}`);
    }
    // Only who goes back needs the exact difference, which is worked out when it is asked for.
    if (each !== undefined && applied.value.delta !== undefined) each(applied.value.delta);
    now = { text: applied.value.text, hash: applied.value.hash };
  }
  return ok({ ...now, steps: path.length - 1 });
}

/**
 * Replays from one checkpoint to any other: back along inverted deltas, then forward. What comes out is compared with the
 * full state where there is one.
 */
export function replay(
  history: History,
  from: string,
  to: string,
  texts: Texts,
): Result<Replayed, ReplayFailure> {
  const route = findRoute(history, from, to);
  if (!route.ok) return route;
  const { back, forward } = route.value;
  const returned = goBack(history, back, texts);
  if (!returned.ok) return returned;
  const walked = walk(forward, returned.value, texts);
  if (!walked.ok) return walked;
  const { text, hash } = walked.value;
  const kept = history.states.get(to)?.hash;
  if (kept !== undefined && kept !== hash) return failed("mismatch", comesElsewhere(hash, to, kept));
  return ok({ text, hash, steps: back.length - 1 + walked.value.steps });
}

/** A delta can be inverted once it is known exactly: for that it is applied forward to what it was made for. */
function goBack(history: History, back: readonly string[], texts: Texts): Result<string, ReplayFailure> {
  const [from, meet] = [back[0]!, back.at(-1)!];
  const origin = rebuild(history, meet, texts);
  if (!origin.ok || from === meet) return origin.ok ? ok(origin.value.text) : origin;
  const deltas: Delta[] = [];
  const walked = walk(back.toReversed(), origin.value.text, texts, delta => deltas.push(delta));
  if (!walked.ok) return walked;
  const start = history.states.has(from) ? texts.state(from) : walked.value.text;
  if (start === undefined) return failed("missing", told`${from} cannot be read`);
  const undone = undo(deltas, start);
  if (undone.ok) return undone;
  const { kind, expected, found, message } = undone.failure;
  return failed("delta", kind === "base" ? comesElsewhere(expected, from, found) : asSaid(message));
}

function comesElsewhere(reached: string, id: string, kept: string): Told {
  return told`The replay comes to ${reached}; the full state of ${id} is ${kept}`;
}

/** Undoes deltas that follow one another, all at once: neighbours are squashed, and what they come to is inverted. */
function undo(deltas: readonly Delta[], text: string): Result<string, Conflict> {
  let round = deltas;
  while (round.length > 1) {
    const pairs: Delta[] = [];
    for (let at = 0; at < round.length; at += 2) {
      const [first, second] = [round[at]!, round[at + 1]];
      const both = second === undefined ? ok(first) : squash(first, second);
      if (!both.ok) return both;
      pairs.push(both.value);
    }
    round = pairs;
  }
  return apply(invert(round[0]!), text);
}
