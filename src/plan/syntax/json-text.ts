import { type Told, told } from "../../text/index.ts";
import { isDigit } from "./chars.ts";

/** A JSON value that knows where it stands. Objects keep their members in a Map, so no name is special. */
export type Json =
  | {
      readonly kind: "object";
      readonly at: number;
      readonly end: number;
      readonly members: ReadonlyMap<string, Json>;
    }
  | { readonly kind: "array"; readonly at: number; readonly end: number; readonly items: readonly Json[] }
  | { readonly kind: "string"; readonly at: number; readonly end: number; readonly value: string }
  | { readonly kind: "number"; readonly at: number; readonly end: number; readonly value: string }
  | { readonly kind: "literal"; readonly at: number; readonly end: number; readonly value: boolean | null };

/** Why a text is no JSON, and where. */
export interface JsonProblem {
  readonly at: number;
  readonly message: Told;
}

interface Frame {
  readonly at: number;
  readonly items: Json[] | undefined;
  readonly members: Map<string, Json> | undefined;
  /** Name of the member whose value comes next. */
  name: string | undefined;
  /** What may come next. */
  expects: "first" | "next" | "comma";
}

/** Deepest nesting read: far beyond any task file. */
const MAX_DEPTH = 10_000;
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Reads JSON without recursion: nesting of any depth is safe. */
export function parseJson(
  text: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: JsonProblem } {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const stack: Frame[] = [];
  let root: Json | undefined;

  const problem = (message: Told, where = at) => ({ ok: false as const, problem: { at: where, message } });
  const describe = () => (at >= text.length ? told`the end of the file` : `"${text[at]}"`);

  function skipBlank(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at++;
    }
  }

  /** Reads the string at `at`; returns undefined with `at` on the offending character. */
  function readString(): string | undefined {
    let out = "";
    let from = ++at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 34) {
        out += text.slice(from, at++);
        return out;
      }
      if (code < 32) return undefined;
      if (code !== 92) continue;
      out += text.slice(from, at);
      const mark = text[++at] ?? "";
      if (mark === "u") {
        const hex = text.slice(at + 1, at + 5);
        if (!/^[0-9a-fA-F]{4}$/.test(hex)) return undefined;
        out += String.fromCharCode(Number.parseInt(hex, 16));
        at += 4;
      } else if (ESCAPES[mark] === undefined) return undefined;
      else out += ESCAPES[mark];
      from = at + 1;
    }
    return undefined;
  }

  function readNumber(): string | undefined {
    const from = at;
    if (text[at] === "-") at++;
    const digits = () => {
      const start = at;
      while (isDigit(text.charCodeAt(at))) at++;
      return at > start;
    };
    const first = at;
    if (!digits() || (text[first] === "0" && at > first + 1)) return undefined;
    if (text[at] === ".") {
      at++;
      if (!digits()) return undefined;
    }
    if (text[at] === "e" || text[at] === "E") {
      at++;
      if (text[at] === "+" || text[at] === "-") at++;
      if (!digits()) return undefined;
    }
    return text.slice(from, at);
  }

  /** Hands a finished value to the frame around it. */
  function put(value: Json): void {
    const frame = stack.at(-1);
    if (frame === undefined) root = value;
    else {
      if (frame.items !== undefined) frame.items.push(value);
      else frame.members?.set(frame.name ?? "", value);
      frame.name = undefined;
      frame.expects = "comma";
    }
  }

  function close(frame: Frame): void {
    stack.pop();
    at++;
    const place = { at: frame.at, end: at };
    put(
      frame.items === undefined
        ? { kind: "object", ...place, members: frame.members ?? new Map() }
        : { kind: "array", ...place, items: frame.items },
    );
  }

  for (;;) {
    skipBlank();
    const frame = stack.at(-1);
    if (frame === undefined && root !== undefined) {
      return at < text.length
        ? problem(told`${describe()} stands behind the end of the JSON value`)
        : { ok: true, value: root };
    }
    const mark = text[at];
    if (frame !== undefined && (frame.expects !== "next" || frame.name !== undefined)) {
      const closer = frame.items === undefined ? "}" : "]";
      if (frame.expects === "comma") {
        if (mark === closer) close(frame);
        else if (mark === ",") {
          at++;
          frame.expects = "next";
        } else return problem(told`${describe()} where a comma or "${closer}" should stand`);
        continue;
      }
      if (frame.expects === "first" && frame.name === undefined && mark === closer) {
        close(frame);
        continue;
      }
    }
    if (frame?.members !== undefined && frame.name === undefined) {
      if (mark !== '"') return problem(told`${describe()} where the name of a member should stand`);
      const start = at;
      const name = readString();
      if (name === undefined)
        return problem(
          told`a string is never closed or holds an invalid character`,
          at >= text.length ? start : at,
        );
      skipBlank();
      if (text[at] !== ":") return problem(told`${describe()} where ":" should stand`);
      at++;
      frame.name = name;
      continue;
    }
    const start = at;
    if (mark === "{" || mark === "[") {
      if (stack.length >= MAX_DEPTH) return problem(told`nested deeper than ${MAX_DEPTH}`);
      at++;
      stack.push({
        at: start,
        items: mark === "[" ? [] : undefined,
        members: mark === "{" ? new Map() : undefined,
        name: undefined,
        expects: "first",
      });
    } else if (mark === '"') {
      const value = readString();
      if (value === undefined)
        return problem(
          told`a string is never closed or holds an invalid character`,
          at >= text.length ? start : at,
        );
      put({ kind: "string", at: start, end: at, value });
    } else if (text.startsWith("true", at) || text.startsWith("null", at)) {
      at += 4;
      put({ kind: "literal", at: start, end: at, value: mark === "t" ? true : null });
    } else if (text.startsWith("false", at)) {
      at += 5;
      put({ kind: "literal", at: start, end: at, value: false });
    } else {
      const value = readNumber();
      if (value === undefined) return problem(told`${describe()} where a value should stand`);
      put({ kind: "number", at: start, end: at, value });
    }
  }
}

/** A member of an object, if the value is one. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return value?.kind === "object" ? value.members.get(name) : undefined;
}

/** A string or number as text. */
export function textOf(value: Json | undefined): string | undefined {
  return value?.kind === "string" || value?.kind === "number" ? value.value : undefined;
}

/** The items of an array, if the value is one. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return value?.kind === "array" ? value.items : [];
}

/** The items of an array, or a string or number alone, as what may be one or several is often written. */
export function oneOrMore(value: Json | undefined): readonly Json[] {
  return value !== undefined && textOf(value) !== undefined ? [value] : itemsOf(value);
}

/** Turns offsets into lines and columns, in any order. */
export function createLocator(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return offset => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}
