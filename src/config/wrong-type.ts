import { visible, withParticle } from "../text/index.ts";

/** What a value of the wrong type is told as, in both languages. */
interface WrongType {
  readonly message: string;
  readonly korean: string;
}

/** Characters of a value that are shown. */
const SHOWN = 60;

/** How YAML writes a value of each type, by zod's name for it; made of the value that stands there, where that can be. */
const WANTED: Readonly<
  Record<string, readonly [english: string, korean: string, example: (found: string) => string]>
> = {
  array: ["a list", "목록", found => `[${itemOf(found)}]`],
  object: ["a mapping", "매핑", () => "{ key: value }"],
  record: ["a mapping", "매핑", () => "{ key: value }"],
  string: ["text", "글", found => `"${found}"`],
  number: ["a number", "수", () => "3"],
  int: ["a whole number", "정수", () => "3"],
  boolean: ["true", "true", () => "false"],
};

/** What was expected, as an example, and what stands there; undefined for types that no configuration has. */
export function wrongType(expected: string, found: unknown): WrongType | undefined {
  const wanted = WANTED[expected];
  if (wanted === undefined) return undefined;
  const [english, korean, example] = wanted;
  const [foundEnglish, foundKorean, scalar] = foundAs(found);
  const shown = example(scalar ?? "a");
  const joint =
    expected === "boolean" ? { english: "or", korean: "또는" } : { english: "such as", korean: "같은" };
  return {
    message: `expected ${english} ${joint.english} ${shown}, found ${foundEnglish}`,
    korean: `${shown} ${joint.korean} ${withParticle(korean, "을/를")} 적으세요. 적힌 값: ${foundKorean}`,
  };
}

/** Text that is the same in a list in brackets. */
const PLAIN = /^[\p{L}./~][\p{L}\p{N} ./~=&;|+_-]*$/u;

/** A text as an item of a list in brackets: quoted where a comma or the like would make something else of it. */
function itemOf(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

function foundAs(found: unknown): readonly [english: string, korean: string, scalar?: string] {
  if (found === null || found === undefined) return ["nothing", "없음"];
  if (Array.isArray(found)) return ["a list", "목록"];
  if (typeof found === "object") return ["a mapping", "매핑"];
  const written = typeof found === "string" ? found : `${found as number | boolean | bigint}`;
  const text = visible(written, SHOWN);
  const quoted = typeof found === "string" ? `"${text}"` : text;
  // What is cut is no example.
  return written.length > SHOWN ? [quoted, quoted] : [quoted, quoted, text];
}
