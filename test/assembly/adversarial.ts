import { random } from "../../bench/budget/random.ts";
import type { ContextPackage, PackageRequest, SourceLevels } from "../../src/assembly/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { doc, node, request, result } from "./parts.ts";

const UNITS = [
  "가나다라 마바사 ",
  "x".repeat(50),
  "word ",
  "🌱",
  "\u0301",
  "日本語。",
  "- a: 1\n",
  "\n\n",
  "</document 0>\n",
  "{}[]()",
];

/** A package of any shape: no, few or hundreds of documents on a long or short path, results, attempts, and a limit that may be far too small. */
export function adversarial(seed: number): PackageRequest {
  const next = random(seed);
  const upTo = (most: number) => Math.floor(next() ** 3 * (most + 1));
  const text = () => UNITS[Math.floor(next() * UNITS.length)]!.repeat(upTo(50));
  const levels = (own: string): SourceLevels => {
    const forms = ([0, 1, 2, 3] as const)
      .filter(level => level === 0 || next() < 0.7)
      .map(level => ({ level, text: level === 0 ? own : text(), retention: next() }));
    return { forms: next() < 0.1 ? forms.slice(-1) : forms, priority: next(), critical: next() < 0.1 };
  };
  let labels = 0;
  const path = Array.from({ length: 1 + upTo(12) }, (_, at) =>
    node(
      at === 0 ? "ctx-root" : `ctx-${"n".repeat(1 + upTo(40))}${at}`,
      ...Array.from({ length: upTo(next() < 0.1 ? 300 : 6) }, () => doc(`d/${labels++}`, text())),
    ),
  );
  const some = <T>(value: T): T | undefined => (next() < 0.2 ? value : undefined);
  return request(path, {
    role: next() < 0.2 ? "" : `# Role\n\n${"be careful ".repeat(upTo(60))}`,
    results: Array.from({ length: upTo(next() < 0.1 ? 200 : 8) }, (_, at) => result(`T0.${at}`, text())),
    attempts: Array.from({ length: upTo(20) }, (_, at) => ({ number: at + 1, how: "failed", told: text() })),
    assignment: `Task ID: T1\n${"do it well\n".repeat(upTo(40))}`,
    resultLevels: ({ text: own }) => levels(own),
    documentLevels: ({ text: own }) => levels(own),
    limits: {
      tokens: upTo(6000),
      document: some(upTo(1000)),
      result: some(upTo(1000)),
      results: some(upTo(1000)),
    },
  });
}

/** Tokens beyond the limit, where that is not for role and task alone. */
export function overBy({ limits, role, assignment }: PackageRequest, { text }: ContextPackage): number {
  const alone = [...(role === "" ? [] : [role]), "# Task", assignment].map(part => `${part.trimEnd()}\n\n`);
  return countTokens(text) - Math.max(limits.tokens, countTokens(alone.join("")));
}
