import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { countTokens as gptTokenizer } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens } from "../src/tokens/index.ts";
import { random } from "./budget/random.ts";

/**
 * Speed of exact o200k counting beside tiktoken (wasm), js-tiktoken and gpt-tokenizer, on English, Korean and code, and on
 * unbroken runs. `npx node bench/tokens-speed.ts [FOLDER with more .md and .txt]`; peers: `npm ci --prefix bench/peers/tokens`
 */
const RUNS = 5;
/** Who takes longer than this for one text is not asked again. */
const PATIENCE = 1500;
/** Longer unbroken runs are given to ours alone: the others are quadratic in them, js-tiktoken takes minutes for these. */
const FAIR_RUN = 20_000;
const PEERS = join(import.meta.dirname, "peers", "tokens");

type Count = (text: string) => number;
interface Encoder {
  encode(text: string, allowed?: string[], disallowed?: string[]): ArrayLike<number>;
}

function peers(): (readonly [string, Count | undefined])[] {
  const found = existsSync(join(PEERS, "node_modules"));
  const load = createRequire(join(PEERS, "package.json"));
  const encoder = (name: string, make: string): Count | undefined => {
    if (!found) return undefined;
    const made = (load(name) as Record<string, (encoding: string) => Encoder>)[make]!("o200k_base");
    return text => made.encode(text, [], []).length;
  };
  const options = { disallowedSpecial: new Set<string>() };
  return [
    ["gpt-tokenizer", text => gptTokenizer(text, options)],
    ["tiktoken wasm", encoder("tiktoken", "get_encoding")],
    ["js-tiktoken", encoder("js-tiktoken", "getEncoding")],
  ];
}

const root = join(import.meta.dirname, "..");
const read = (pattern: string): string =>
  globSync(join(root, pattern))
    .sort()
    .map(file => readFileSync(file, "utf8"))
    .join("\n");

/** Korean prose of ordinary words with particles and endings. */
function korean(length: number): string {
  const next = random(11);
  const nouns = "예산 요약 에이전트 문서 결정 근거 작업 맥락 토큰 계획 검증 결과 단계 기록 합의".split(" ");
  const ends = ["은", "는", "을", "를", "에서", "으로", "에게", "까지", "처럼", "보다"];
  const verbs = "줄인다. 넘긴다. 지킨다. 확인하고 기다린다, 다시 읽는다. 남긴다. 합친다. 나눈다.".split(" ");
  const pick = (from: readonly string[]): string => from[Math.floor(next() * from.length)]!;
  let text = "";
  while (text.length < length)
    text += `${pick(nouns)}${pick(ends)} ${pick(nouns)}${pick(ends)} ${pick(nouns)}${pick(ends)} ${pick(verbs)}\n`;
  return text;
}

/** Hangul without a blank, of all syllables. */
function unbroken(length: number): string {
  const next = random(5);
  return Array.from({ length }, () => String.fromCharCode(0xac00 + Math.floor(next() * 11_172))).join("");
}

function sample(): (readonly [string, string])[] {
  const flat = (text: string): string => Buffer.from(text).toString();
  const [folder] = process.argv.slice(2);
  const given =
    folder === undefined
      ? []
      : globSync(join(folder, "**/*.{md,txt}"))
          .sort()
          .slice(0, 400)
          .map(file => readFileSync(file, "utf8"));
  return [
    ["English", flat(read("docs/**/*.md").repeat(3))],
    ["Korean", flat(korean(400_000))],
    ["code", flat(read("src/**/*.ts"))],
    ...(given.length > 0 ? ([["given files", flat(given.join("\n"))]] as const) : []),
    ["20,000 × 가", "가".repeat(20_000)],
    ["20,000 any Hangul", unbroken(20_000)],
    ["1 MB of a", "a".repeat(1_000_000)],
    ["1 MB of blanks", " ".repeat(1_000_000)],
  ];
}

/** `fresh`: a text that differs a little each time, so that nobody answers from memory. */
function best(count: Count, text: string, fresh: boolean): { readonly ms: number; readonly tokens: number } {
  let ms = Infinity;
  let tokens = 0;
  for (let run = 0; run < RUNS; run++) {
    const asked = fresh ? text.slice(run) : text;
    const start = performance.now();
    const counted = count(asked);
    const took = performance.now() - start;
    ms = Math.min(ms, took);
    if (run === 0) tokens = counted;
    if (took > PATIENCE) break;
  }
  return { ms, tokens };
}

const others = peers();
console.log(`| text | MB | tokens | ours | ${others.map(([name]) => name).join(" | ")} |`);
console.log(`|---|---:|---:|---:|${others.map(() => "---:").join("|")}|`);
for (const [name, text] of sample()) {
  const bytes = Buffer.byteLength(text);
  const isRun = name.startsWith("20,000") || name.startsWith("1 MB");
  const ours = best(countTokens, text, isRun);
  const speed = (ms: number): string =>
    isRun ? `${ms.toFixed(1)} ms` : `${(bytes / 1e3 / ms).toFixed(1)} MB/s`;
  const cells = others.map(([peer, count]) => {
    if (count === undefined) return "not installed";
    if (isRun && (text.length > FAIR_RUN || peer === "js-tiktoken")) return "–";
    const theirs = best(count, text, isRun);
    return `${speed(theirs.ms)}${theirs.tokens === ours.tokens ? "" : ` (counts ${theirs.tokens})`}`;
  });
  console.log(
    `| ${name} | ${(bytes / 1e6).toFixed(2)} | ${ours.tokens} | ${speed(ours.ms)} | ${cells.join(" | ")} |`,
  );
}
