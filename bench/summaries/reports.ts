import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the next reader must know of a report, or (a trap) what would be false of it. */
export interface ReportFact {
  readonly kind: string;
  readonly isTrap: boolean;
  readonly any: readonly RegExp[];
  readonly not: readonly RegExp[];
}

export interface Report {
  readonly id: string;
  readonly language: string;
  readonly text: string;
  readonly facts: readonly ReportFact[];
}

interface Stored {
  readonly docs: readonly {
    readonly id: string;
    readonly lang: string;
    readonly file?: string;
    readonly facts: readonly {
      readonly kind?: string;
      readonly trap?: boolean;
      readonly any: readonly string[];
      readonly not?: readonly string[];
    }[];
  }[];
}

/** The reports of a folder: `facts.json` with expressions for every fact, and the documents it names. */
export function reportsOf(folder: string): Report[] {
  const { docs } = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")) as Stored;
  const read = (sources: readonly string[] = []) => sources.map(source => new RegExp(source, "is"));
  return docs.map(({ id, lang, file = `documents/${id}.md`, facts }) => ({
    id,
    language: lang,
    text: readFileSync(join(folder, file), "utf8"),
    facts: facts.map(({ kind = "", trap = false, any, not }) => ({
      kind,
      isTrap: trap,
      any: read(any),
      not: read(not),
    })),
  }));
}

/** Which facts a text tells: an expression finds it in one section, and nothing that says otherwise. */
export function toldIn(text: string, facts: readonly ReportFact[]): boolean[] {
  const plain = text
    .replace(/^ {0,3}#{1,6} /gm, "\u0001$&")
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, "$1")
    .replace(/[*`]/g, "")
    .replaceAll("\u00a0", " ")
    .replace(/\s+/g, " ");
  return facts.map(({ any, not }) => any.some(one => one.test(plain)) && !not.some(one => one.test(plain)));
}
