import type { Mutant, NamedBug } from "./bug.ts";
import { namedIn, parse } from "./syntax.ts";

/** A pattern that finds code whatever white space stands between its words and signs. */
function loosely(code: string): RegExp {
  const parts = code.match(/[\w$]+|[^\s\w$]/g) ?? [];
  return new RegExp(parts.map(part => part.replaceAll(/[^\w]/g, "\\$&")).join("\\s*"), "g");
}

/** Where a named bug goes in its file; throws where it no longer applies. */
export function placeBug({ name, file, symbol, swap: [from, to] }: NamedBug, text: string): Mutant {
  const complain = (why: string): never => {
    throw new Error(`"${name}" no longer applies: ${why} (${file})`);
  };
  const found = namedIn(parse(text, file)).find(named => named.symbol === symbol);
  if (found === undefined) return complain(`there is no ${symbol}`);
  const { start, end } = found.node;
  const places = [...text.slice(start, end).matchAll(loosely(from))];
  if (places.length !== 1) complain(`${symbol} holds \`${from}\` ${places.length} times`);
  const [place] = places;
  const at = start + (place?.index ?? 0);
  const mutant = { name, file, symbol, start: at, end: at + (place?.[0].length ?? 0), replacement: to };
  parse(planted(text, mutant), file);
  return mutant;
}

/** A source with a bug in it. */
export function planted(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
