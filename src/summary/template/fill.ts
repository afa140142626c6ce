import type { Contract } from "../contract/index.ts";
import { NUMBERED, PLACEHOLDERS, type Values, valuesOf } from "./values.ts";

const PLACEHOLDER = /\{([a-z][a-z0-9_]{0,30})\}/g;

/** Placeholders of a template that nothing can fill; empty for a good one. */
export function templateProblems(format: string): string[] {
  return namesIn(format).filter(name => !PLACEHOLDERS.has(name) && !NUMBERED.test(name));
}

/**
 * Fills a template. A line whose placeholders all lack a value is left out, and so are a bracket and a part between
 * ` | ` without theirs; a heading with nothing below it goes too. A line with `{next_agent}` stands once per agent.
 */
export function fillTemplate(format: string, id: string, contract: Contract, longest: number): string {
  const values = valuesOf(id, contract, longest);
  const lines = format.split("\n").flatMap(line => {
    if (!line.includes("{next_agent}")) return filled(line, values) ?? [];
    return contract.nextAgents.flatMap(next => {
      const own = new Map([
        ["next_agent", next.agent],
        ["reason", next.reason],
      ]);
      return filled(line, name => (own.has(name) ? own.get(name) : values(name))) ?? [];
    });
  });
  return tidy(lines);
}

function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(match => match[1]!);
}

/** One line, or undefined when none of its placeholders has a value. */
function filled(template: string, values: Values): string | undefined {
  const isNameless = values("id") === undefined && namesIn(template).length > 1;
  const line = isNameless ? template.replace("[{id}] ", "").replace(" {id}", "") : template;
  const names = namesIn(line);
  if (names.length === 0) return line;
  const has = (part: string) => namesIn(part).every(name => values(name) !== undefined);
  // An id alone names whom a heading or line is about and says nothing else.
  const telling = names.filter(name => name !== "id");
  if ((telling.length > 0 ? telling : names).every(name => values(name) === undefined)) return undefined;
  const parts = line.startsWith("|") ? [line] : withoutEmptyGroups(line, has).split(" | ");
  const kept = parts.filter(part => parts.length === 1 || has(part));
  return kept.join(" | ").replace(PLACEHOLDER, (_, name: string) => values(name) ?? "–");
}

/** ` (T={t1}, confidence={c})` keeps the parts that have their values, or goes with the blank before it. */
function withoutEmptyGroups(line: string, has: (part: string) => boolean): string {
  let out = "";
  let from = 0;
  for (let open = line.indexOf("("); open >= 0; open = line.indexOf("(", from)) {
    const close = line.indexOf(")", open);
    if (close < 0) break;
    const group = line.slice(open + 1, close);
    const kept = group.split(", ").filter(has);
    out +=
      kept.length > 0 ? `${line.slice(from, open)}(${kept.join(", ")})` : line.slice(from, open).trimEnd();
    from = close + 1;
  }
  return out + line.slice(from);
}

/** Removes headings with nothing below them and blank lines in a row. */
function tidy(lines: readonly string[]): string {
  const kept: string[] = [];
  for (const line of lines.toReversed()) {
    const below = kept.at(-1);
    if (line.trim() === "") {
      if (below !== undefined && below !== "") kept.push("");
    } else if (/^#{1,3} /.test(line)) {
      const next = kept.findLast(one => one !== "");
      if (next !== undefined && !isHeadingUpTo(next, line.indexOf(" "))) kept.push(line);
    } else kept.push(line);
  }
  return kept.reverse().join("\n").trim();
}

/** Whether a line is a heading of this level or one above. */
function isHeadingUpTo(line: string, level: number): boolean {
  return /^#{1,6} /.test(line) && line.indexOf(" ") <= level;
}
