import type { Kept } from "../../adapters/checkpoints/index.ts";
import {
  applyDelta,
  checkCheckpoint,
  checkDelta,
  deltaName,
  rebuild,
  standingOf,
} from "../../checkpoint/index.ts";
import { fail, type Result } from "../../ports/index.ts";
import { type Locale, messageIn, told, toldText } from "../../text/index.ts";
import type { CheckpointShape, CheckpointsShape, CheckpointText, CompareShape } from "../shapes/context.ts";
import { BLOCK, shown, shownBlock } from "../shown.ts";
import { COMPARABLE, compare } from "./compare.ts";

/** Checkpoints and findings that reach the page. */
const SHOWN = 500;
const PROBLEMS = 50;

/** The folder as a line of checkpoints. */
export function checkpointsShape({ history }: Kept, locale: Locale): CheckpointsShape {
  const { order, states, parents, links, current, problems } = history;
  const newest = order.slice(-SHOWN);
  return {
    older: order.length - newest.length,
    ...(current === undefined ? {} : { current }),
    problems: problems
      .slice(0, PROBLEMS)
      .map(({ weight, said }) => ({ weight, text: shown(toldText(said, locale)) })),
    checkpoints: newest.map((id): CheckpointShape => {
      const state = states.get(id);
      const parent = parents.get(id);
      const link = parent === undefined ? undefined : links.get(deltaName(parent, id));
      const created = state?.created ?? link?.created;
      return {
        id,
        ...(created === undefined ? {} : { created: shown(created, 60) }),
        ...(parent === undefined ? {} : { parent }),
        standing: shown(standingOf(history, id), 60),
        bytes: state?.bytes ?? 0,
        ...(link === undefined
          ? {}
          : {
              delta: {
                name: deltaName(link.from, link.to),
                summary: shown(link.summary),
                appliable: link.appliable,
                bytes: link.bytes,
              },
            }),
      };
    }),
  };
}

function textOf(kept: Kept, id: string, locale: Locale): Result<string, string> {
  const built = rebuild(kept.history, id, kept.texts);
  return built.ok ? { ok: true, value: built.value.text } : fail(messageIn(locale, built.failure));
}

/** One checkpoint, rebuilt from deltas where its full state is gone. */
export function checkpointText(kept: Kept, id: string, locale: Locale): Result<CheckpointText, string> {
  const text = textOf(kept, id, locale);
  if (!text.ok) return text;
  const departures = checkCheckpoint(text.value)
    .slice(0, PROBLEMS)
    .map(found => ({ severity: found.severity, line: found.line, text: shown(messageIn(locale, found)) }));
  return { ok: true, value: { text: shownBlock(text.value, BLOCK * 4), departures } };
}

/** Whether the delta between two neighbours leads exactly from one to the other; undefined where they are no neighbours. */
function verdict(
  kept: Kept,
  from: string,
  to: string,
  texts: readonly [string, string],
  locale: Locale,
): CompareShape["verdict"] {
  const delta = kept.texts.delta(from, to);
  if (delta === undefined) return undefined;
  const applied = applyDelta(delta, texts[0]);
  const name = deltaName(from, to);
  const amiss = (text: string) => ({ ok: false, text: shown(text) });
  if (!applied.ok) return amiss(`${name}: ${messageIn(locale, applied.failure)}`);
  if (applied.value.text !== texts[1]) return amiss(toldText(told`${name} leads elsewhere`, locale));
  const error = checkDelta(delta).find(departure => departure.severity === "error");
  return error === undefined
    ? { ok: true, text: toldText(told`${name}: ${to} byte for byte`, locale) }
    : amiss(`${name}:${error.line}: ${messageIn(locale, error)}`);
}

/** Any two checkpoints side by side, and their delta validated where they are neighbours. */
export function compareCheckpoints(
  kept: Kept,
  from: string,
  to: string,
  countTokens: (text: string) => number,
  tooLarge: (most: number, found: number) => string,
  locale: Locale,
): Result<CompareShape, string> {
  const [old, next] = [textOf(kept, from, locale), textOf(kept, to, locale)];
  if (!old.ok) return old;
  if (!next.ok) return next;
  const together = old.value.length + next.value.length;
  if (together > COMPARABLE) return fail(tooLarge(COMPARABLE, together));
  const judged = verdict(kept, from, to, [old.value, next.value], locale);
  const compared = compare(old.value, next.value, { label: "checkpoint", from: 1, to: 2 }, countTokens);
  return { ok: true, value: { ...compared, ...(judged === undefined ? {} : { verdict: judged }) } };
}
