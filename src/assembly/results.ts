import { type BudgetItem, type Choice, selectLevels } from "../budget/index.ts";
import { left, piece, resultText, shown } from "./render.ts";
import type {
  CountTokens,
  Fitted,
  PackageRequest,
  PackageResult,
  PartReason,
  Piece,
  ResultLevels,
} from "./types.ts";

interface Told {
  readonly result: PackageResult;
  readonly levels: ResultLevels;
  /** Stands where nothing of the result does. */
  readonly pointer: Piece;
  /** By form: what it would be in the package. */
  readonly forms: readonly Piece[];
}

type Request = Pick<PackageRequest, "results" | "words">;

const partOf = ({ task, attempt, hash }: PackageResult) =>
  ({ kind: "result", source: `${task}#${attempt}`, hash: shown(hash) }) as const;

function told(result: PackageResult, levels: ResultLevels, { words }: Request, count: CountTokens): Told {
  const text = result.text.trim() === "" ? words.withoutResult : result.text;
  const instead = resultText(result, words.leftOut(count(text), result.where));
  return {
    result,
    levels,
    pointer: piece(count, instead, { ...partOf(result), level: "pointer", in: false, why: "no-room" }),
    forms: levels.forms.map(form =>
      piece(count, resultText(result, form.level === 0 ? text : form.text), {
        ...partOf(result),
        level: form.level,
        why: form.level === 0 ? "given" : levels.why,
        ...(form.kept === undefined ? {} : { kept: form.kept }),
      }),
    ),
  };
}

/** What a form costs beyond the pointer that stands in the package without it. */
function itemOf({ result, levels, pointer, forms }: Told): BudgetItem {
  return {
    id: `${result.task}#${result.attempt}`,
    priority: levels.priority,
    content: result.hash,
    ...(levels.critical === true ? { critical: true } : {}),
    offers: levels.forms.map(({ level, retention }, at) => ({
      level,
      retention,
      tokens: Math.max(0, forms[at]!.part.tokens - pointer.part.tokens),
    })),
  };
}

function placed(one: Told, choice: Choice): Piece {
  const form = one.levels.forms.findIndex(({ level }) => level === choice.level);
  const chosen = one.forms[form];
  if (chosen !== undefined) return chosen;
  if (choice.standsIn === undefined) return one.pointer;
  const why: PartReason = "same-text";
  return { ...one.pointer, part: { ...one.pointer.part, why, of: choice.standsIn } };
}

/**
 * Results of dependencies at the levels at which they are worth the most together within their room, in their order. Where not
 * even pointers to all of them have room, the first ones are pointed at.
 */
export function fitByLevels(
  request: Request & { readonly levels: NonNullable<PackageRequest["levels"]> },
  room: number,
  count: CountTokens,
): Fitted {
  const all = request.results.map((result, at) => told(result, request.levels(result, at), request, count));
  const out: Fitted["left"][number][] = [];
  let rest = Math.max(0, room);
  const pointed = all.filter(({ pointer, result }) => {
    if (pointer.part.tokens > rest) {
      out.push(left({ ...partOf(result), level: "pointer", why: "no-room" }));
      return false;
    }
    rest -= pointer.part.tokens;
    return true;
  });
  const { choices } = selectLevels(pointed.map(itemOf), rest);
  return { pieces: pointed.map((one, at) => placed(one, choices[at]!)), left: out };
}
