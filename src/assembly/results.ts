import { HANDED_OVER } from "../budget/index.ts";
import { piece, resultText, shown } from "./render.ts";
import type { CountTokens, PackageRequest, PackageResult, Piece, SourceLevels } from "./types.ts";
import { type Wanted, type WantedForm, whyOf, within } from "./wanted.ts";

type Request = Pick<PackageRequest, "results" | "words" | "limits" | "resultLevels">;

const partOf = ({ task, attempt, hash }: PackageResult) =>
  ({ kind: "result", source: `${task}#${attempt}`, hash: shown(hash) }) as const;

/** One that has the text of another one says so in a line. */
function repeated(result: PackageResult, of: PackageResult, { words }: Request, count: CountTokens): Piece {
  const text = resultText(result, words.sameAs(of.task));
  const why = { level: "pointer", why: "same-text", of: `${of.task}#${of.attempt}` } as const;
  return piece(count, text, { ...partOf(result), ...why });
}

function wantedOf(
  result: PackageResult,
  levels: SourceLevels,
  { words, limits }: Request,
  all: boolean,
  count: CountTokens,
): Wanted {
  const part = partOf(result);
  const text = result.text.trim() === "" ? words.withoutResult : result.text;
  const whole = count(text);
  const made = levels.forms.map((form, at): WantedForm => {
    const isWhole = form.level === 0;
    // Of an earlier run nobody has more than this.
    const of = result.level === undefined ? { of: { whole, name: result.task } } : {};
    const short = isWhole ? undefined : { level: form.level, ...of };
    const told = piece(count, resultText(result, isWhole ? text : form.text, short), {
      ...part,
      level: form.level,
      ...whyOf(levels, form.level, at, limits.tokens),
      ...(isWhole || result.level !== undefined ? {} : { whole }),
      ...(form.kept === undefined ? {} : { kept: form.kept }),
    });
    return { piece: told, retention: form.retention };
  });
  return {
    section: "results",
    part,
    name: result.task,
    whole,
    // The files a dependency names are of no use without it: its shortest form comes before anybody's better one.
    item: {
      priority: levels.priority,
      ...(result.handover === undefined ? { floor: 0 } : {}),
      ...(levels.critical === true ? { critical: true } : {}),
    },
    forms: all ? within(made, limits.result, "context.package.result") : made,
  };
}

function wholly(text: string): Pick<SourceLevels, "forms"> {
  return { forms: [{ level: 0, text, retention: 1 }] };
}

/** How a task is told that is no direct dependency: by what it handed over, and no more. */
export function furtherBack(handover: string): Pick<SourceLevels, "forms" | "why"> {
  return { forms: [{ level: 3, text: handover, retention: HANDED_OVER[3] }], why: "further-back" };
}

interface Told {
  readonly result: PackageResult;
  readonly levels: SourceLevels;
}

/** Whether of two results with one text the other one is told finer: critical, a dependency's, or at a finer level. */
function isFiner(one: Told, than: Told): boolean {
  const rank = ({ result, levels: { critical, forms } }: Told) =>
    (critical === true ? 0 : 8) + (result.handover === undefined ? 0 : 4) + (forms[0]?.level ?? 3);
  return rank(one) < rank(than);
}

/** What is wanted of the results of dependencies; `all`: at every level, because not everything fits. */
export function wantedResults(request: Request, all: boolean, count: CountTokens): Wanted[] {
  const told = request.results.map((result, at): Told => {
    const levels = request.resultLevels?.(result, at, all) ?? {
      ...(result.handover === undefined ? wholly(result.text) : furtherBack(result.handover)),
      priority: 0.5,
    };
    return { result, levels };
  });
  const finest = new Map<string, Told>();
  for (const one of told) {
    const { hash } = one.result;
    const before = finest.get(hash);
    if (before === undefined || isFiner(one, before)) finest.set(hash, one);
  }
  return told.map((one): Wanted => {
    const { result, levels } = one;
    const same = finest.get(result.hash)!;
    if (same === one) return wantedOf(result, levels, request, all, count);
    const line = { piece: repeated(result, same.result, request, count), retention: 1 };
    const item = { priority: 1, floor: 0 };
    return { section: "results", part: partOf(result), name: "", whole: 0, item, forms: [line] };
  });
}
