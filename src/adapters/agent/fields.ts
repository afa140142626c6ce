import { uncolored } from "../../text/index.ts";

/** A JSON object somebody else wrote: every field may be missing or of another type. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = Object.freeze({});

/** The value as an object; empty when it is none. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;
}

/** The value as a list; empty when it is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; empty when it is none. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value as an amount; undefined when it is no finite number from 0 up. */
export function amount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Tokens that one conversation cannot use up; a count beyond is refused. */
const MOST_TOKENS = 1e10;
/** US dollars that one conversation cannot cost. */
const MOST_USD = 1e6;

/** The value as a count of tokens; undefined for what is none, and for what cannot be true. */
export function tokens(value: unknown): number | undefined {
  return amount(value) === undefined || (value as number) > MOST_TOKENS
    ? undefined
    : Math.ceil(value as number);
}

/** The value as US dollars; undefined for what is no sum, and for what cannot be true. */
export function dollars(value: unknown): number | undefined {
  return amount(value) === undefined || (value as number) > MOST_USD ? undefined : (value as number);
}

/** The first line of a foreign text, `most` characters of it at most. */
export function oneLine(value: string, most = 200): string {
  const start = uncolored(value).trimStart();
  const end = start.search(/[\r\n]/);
  return clipped(end < 0 ? start : start.slice(0, end), most);
}

/** Characters of a line beside a protocol that are told. */
export const MOST_NOISE = 4_000;

/** At most `most` characters of a text. A cut is marked: before it the beginning of a secret may stand. */
export function clipped(value: string, most: number): string {
  return value.length <= most ? value : `${value.slice(0, most - 1)}…`;
}

/** The entries that have a value. */
export function defined<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<T>;
}
