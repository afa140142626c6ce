import type { Reason } from "../ports/index.ts";

/** What words are told apart by; the rest stands between them. */
const BETWEEN = /([^\p{L}\p{N}_./\\~@%:+-]+)/u;
/** Codes of errors such as TS2322 and ORA-00942 say what went wrong. */
const CODE = /^[A-Z]{1,8}-?\d{1,6}$/;
const HEX = /^(?:0x[0-9a-f]+|[0-9a-f]{7,128}|[0-9a-f]{8}(?:-[0-9a-f]{4,12}){2,4})$/;
const NETWORK = /^[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}$/;
/** Amounts, with or without a unit: `12`, `500ms`, `2h5m`, `3초`. */
const AMOUNT = /^[+-]?(?:#\p{L}{0,12}%?)+$/u;
/** Units that stand apart from their amount. */
const UNITS: ReadonlySet<string> = new Set(
  [
    "ns us µs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days week weeks",
    "millisecond milliseconds microsecond microseconds nanosecond nanoseconds b kb mb gb kib mib gib byte bytes",
    "나노초 마이크로초 밀리초 초 분 시간 일 주 바이트",
  ].flatMap(line => line.split(" ")),
);

/** Characters of a text that are compared. */
const MOST = 500;
/** Characters that two cut texts must have in common at least. */
const ENOUGH = 16;

/** A word without what differs from one time to the next: paths, numbers, times, hashes, addresses. */
function steady(word: string): string {
  let end = word.length;
  while (word[end - 1] === "." || word[end - 1] === ":") end--;
  const bare = word.slice(0, end).replace(/^[.:-]+/, "");
  if (bare.includes("/") || bare.includes("\\")) return "/";
  if (CODE.test(bare)) return bare;
  const lower = bare.toLowerCase();
  if (!/\d/.test(lower)) return lower;
  if (HEX.test(lower) || NETWORK.test(lower)) return "#";
  const counted = lower.replace(/\d+(?:[.:_+-]+\d+)*/g, "#");
  return AMOUNT.test(counted) ? "#" : counted;
}

/** Words of others as they are compared. */
function gist(words: string): string {
  const kept: string[] = [];
  for (const part of words.slice(0, MOST).normalize("NFC").split(BETWEEN)) {
    const piece = BETWEEN.test(part) ? part.replace(/\s+/g, " ") : steady(part);
    const isMore = piece === "#" || UNITS.has(piece);
    if (isMore && kept.at(-1) === " " && kept.at(-2) === "#") kept.pop();
    else if (piece !== "") kept.push(piece);
  }
  return kept.join("").trim();
}

/** Words that were cut are cut within a word, and elsewhere when what stands before is of another length. */
function alikeWords(one: string, other: string): boolean {
  const isCut = one.endsWith("…") || other.endsWith("…");
  const [short = "", long = ""] = [one, other]
    .map(words => gist(words.endsWith("…") ? words.slice(0, words.lastIndexOf(" ") + 1) : words))
    .sort((a, b) => a.length - b.length);
  return short === long || (isCut && short.length >= ENOUGH && long.startsWith(short));
}

/** A reason as data, and the words of others in it apart. */
function dissect(reason: Reason | undefined): {
  readonly facts: string | undefined;
  readonly words: readonly string[];
} {
  const words: string[] = [];
  const facts = JSON.stringify(reason, (key, value: unknown) => {
    if (typeof value !== "string" || (key !== "said" && key !== "text")) return value;
    words.push(value);
    return "";
  });
  return { facts, words };
}

/**
 * Whether two failures are the same error: of one code, with the same facts, and in words of others that differ by no more
 * than numbers, times, paths, hashes and addresses.
 */
export function alike(one: Reason | undefined, other: Reason | undefined): boolean {
  const a = dissect(one);
  const b = dissect(other);
  return a.facts === b.facts && a.words.every((words, at) => alikeWords(words, b.words[at] ?? ""));
}
