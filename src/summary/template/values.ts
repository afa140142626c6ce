import type { Contract, Option } from "../contract/index.ts";
import { cutText } from "../cut-text.ts";

/** Placeholders that stand for one value; numbered ones and lists are worked out from these. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "id",
  "decision",
  "t_score",
  "confidence",
  "summary",
  "strength",
  "weakness",
  "improvement",
  "key_reasons",
  "alternatives",
  "next_agents",
  "next_agent",
  "reason",
]);

/** Placeholders with a number: `{reason_1}`, `{alternative_2}`, `{t2}`. */
export const NUMBERED: RegExp = /^(reason_|alternative_|t)([1-9]\d?)$/;

/** The value of a placeholder; undefined when the output does not state it. */
export type Values = (name: string) => string | undefined;

/** The values of a contract, each at most `longest` characters. */
export function valuesOf(id: string, contract: Contract, longest: number): Values {
  const others = contract.options.filter(({ option }) => option !== contract.decision);
  const cut = (text: string | undefined) =>
    text === undefined || text === "" ? undefined : cutText(text, longest);
  const joined = (list: readonly string[]) => cut(list.join("; "));
  const named = new Map<string, string | undefined>([
    ["id", cut(id)],
    ["decision", cut(contract.decision)],
    ["t_score", score(contract.tScore)],
    [
      "confidence",
      contract.confidence === undefined ? undefined : String(Math.round(100 * contract.confidence)),
    ],
    ["summary", cut(contract.summary)],
    ["strength", joined(contract.strengths)],
    ["weakness", joined(contract.weaknesses)],
    ["improvement", joined(contract.improvements)],
    ["key_reasons", joined(contract.reasons.slice(0, 3))],
    ["alternatives", joined(others.map(described))],
    ["next_agents", joined(contract.nextAgents.map(next => next.agent))],
  ]);
  return name => {
    const [, kind, number] = NUMBERED.exec(name) ?? [];
    const at = Number(number) - 1;
    if (kind === "reason_") return cut(contract.reasons[at]);
    if (kind === "alternative_") return cut(others[at]?.option);
    return kind === "t" ? score(others[at]?.tScore) : named.get(name);
  };
}

function score(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(Math.round(1000 * value) / 1000);
}

function described({ option, tScore }: Option): string {
  return tScore === undefined ? option : `${option} (T=${score(tScore)})`;
}
