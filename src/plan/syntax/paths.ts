import { trimMarks } from "./chars.ts";

/** The code spans of a value. */
export function spans(value: string): string[] {
  return value.split("`").filter((_, index) => index % 2 === 1);
}

/** Endings that make a word without a slash a file's name: `e.g`, `Socket.io` and `v1.x` are none. */
const ENDINGS = new Set(
  (
    "ts tsx mts cts js jsx mjs cjs json jsonc md mdx txt rst yml yaml toml ini cfg conf env lock xml html htm css scss " +
    "sass less svg png vue svelte astro py pyi ipynb rs go java kt kts scala swift m mm rb php pl lua r jl dart ex exs erl " +
    "hs clj c h cc cpp hpp cs fs sql prisma graphql gql proto sh bash zsh ps1 bat tf gradle csv tsv log am mk plist"
  ).split(" "),
);

/** `package.json`, but not `Node.js`. */
function isFileName(word: string): boolean {
  const dot = word.lastIndexOf(".");
  const ending = word.slice(dot + 1);
  if (dot < 0 || !ENDINGS.has(ending.toLowerCase())) return false;
  return ending !== "js" || !/^[A-Z][A-Za-z0-9]*$/.test(word.slice(0, dot));
}

/** Words that only a slash joins: abbreviations in capitals (`I/O`, `CI/CD`, `TCP/IP`) and what people set against each other. */
const JOINED = /^[A-Z][A-Z0-9]{0,3}(?:\/[A-Z0-9]{1,4})+$/;
const PAIRS = new Set(
  "and/or he/she n/a w/o on/off yes/no true/false pass/fail read/write input/output i/o".split(" "),
);

/** Whether a word looks like a path of the repository. */
export function isPath(word: string): boolean {
  if (word.length < 3 || word.length > 300) return false;
  if (word.includes("://") || word.startsWith("/api/") || /[\s<>"|;$(),]/.test(word)) return false;
  if (/^[-@#]/.test(word) || /^[.\d/]+$/.test(word)) return false;
  if (!word.includes("/")) return isFileName(word);
  if (JOINED.test(word) || PAIRS.has(word.toLowerCase())) return false;
  return endsLikePath(word) || /^[\w.-]+(?:\/[\w.[\]-]+)+$/.test(word);
}

/** Whether a word with a slash has a file's ending, is shown to be a folder (`docs/`), or is a pattern. */
function endsLikePath(word: string): boolean {
  const name = word.slice(word.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const hasEnding = dot >= 0 && name.length - dot <= 12 && /^\.[A-Za-z][A-Za-z0-9]*$/.test(name.slice(dot));
  return hasEnding || word.endsWith("/") || word.includes("*");
}

/** Folders that tell `backend/src` from words that a slash joins (`claim/retry`). */
const FOLDERS = /(?:^|\/)(?:\.{1,2}|\.github|src|lib|apps|packages|docs|tests)(?:\/|$)/;

/** Whether a bare word among others is a path. `/users` is an address there. */
function isBarePath(word: string): boolean {
  if (!isPath(word) || word.startsWith("/")) return false;
  return !word.includes("/") || endsLikePath(word) || FOLDERS.test(word);
}

/** A path without `./` in front and `/` behind, so that one place has one name. */
export function normalPath(path: string): string {
  let start = 0;
  while (path.startsWith("./", start) && path.length > start + 2) start += 2;
  let end = path.length;
  while (end > start + 1 && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

/** Paths in a text: code spans, and with `loose` also bare words. */
export function pathsIn(text: string, loose: boolean): string[] {
  if (!text.includes("/") && !text.includes(".")) return [];
  const found = spans(text)
    .map(span => span.trim())
    .filter(isPath);
  if (found.length > 0 || !loose) return found;
  return text
    .split(/[\s,;→]+/)
    .map(word => trimMarks(word, "(\"'[*", ")\"'],.:*"))
    .filter(isBarePath);
}
