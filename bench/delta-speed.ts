import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { apply, diff } from "../src/delta/index.ts";

/**
 * Time and memory of a diff of a 10 MB document, beside jsdiff. Each measurement is a process of its own; the second row
 * makes jsdiff work for minutes. `npx node bench/delta-speed.ts [--ours]`
 */
const LINES = 202_000;
const RUNS = 5;
/** Milliseconds after which a measurement is given up. */
const CAP = 180_000;

/** A deterministic stream of numbers below one. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function documentOf(lines: number, next: () => number): string[] {
  const words = "gate phase delta review merge branch token window agent plan result update section".split(
    " ",
  );
  const word = (): string => words[Math.floor(next() * words.length)]!;
  return Array.from({ length: lines }, (_, at) => {
    if (at % 40 === 0) return `## Section ${at / 40}`;
    if (at % 10 === 9) return "";
    return `- **T${at}:** ${word()} ${word()} ${word()} of ${word()} ${Math.floor(next() * 1e6)} ${word()}`;
  });
}

function edited(lines: readonly string[], share: number, next: () => number): string[] {
  return lines.flatMap(line => {
    if (next() >= share) return [line];
    const kind = next();
    if (kind < 0.6) return [`${line} changed`];
    return kind < 0.8 ? [] : [line, "- one more line"];
  });
}

function texts(share: number): [string, string] {
  const next = random(7);
  const lines = documentOf(LINES, next);
  // Through bytes and back: flat strings, as if read from files.
  const flat = (text: string): string => Buffer.from(text).toString();
  return [flat(lines.join("\n")), flat(edited(lines, share, next).join("\n"))];
}

/** Runs in a child: the best time of some runs and how far the first one raised the peak of memory. */
function measure(who: string, share: number): void {
  const [old, next] = texts(share);
  const peer = createRequire(new URL("./peers/package.json", import.meta.url));
  const run =
    who === "ours"
      ? (): unknown => diff(old, next)
      : ((peer("diff") as { diffLines: (a: string, b: string) => unknown }).diffLines.bind(
          null,
          old,
          next,
        ) as () => unknown);
  const before = process.memoryUsage().rss;
  let best = Infinity;
  let peak = 0;
  for (let time = 0; time < (who === "ours" || share < 0.05 ? RUNS : 1); time++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
    if (time === 0) peak = process.resourceUsage().maxRSS * 1024 - before;
  }
  const result = who === "ours" ? apply(diff(old, next), old) : undefined;
  const exact = result === undefined ? undefined : result.ok && result.value === next;
  process.stdout.write(
    JSON.stringify({
      ms: best,
      times: Math.max(peak, 0) / Buffer.byteLength(old),
      bytes: Buffer.byteLength(old),
      exact,
    }),
  );
}

interface Measured {
  readonly ms: number;
  readonly times: number;
  readonly bytes: number;
  readonly exact?: boolean;
}

/** Undefined when it was not done in time. */
function child(who: string, share: number): Measured | undefined {
  const args = [fileURLToPath(import.meta.url), "--measure", who, String(share)];
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: CAP });
  if (signal !== null) return undefined;
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

function beside(ours: number, theirs: Measured | undefined): string {
  const ms = theirs?.ms ?? CAP;
  return `jsdiff ${theirs === undefined ? "over " : ""}${ms.toFixed(0)} ms (${(ms / ours).toFixed(1)} ×)`;
}

const [mode, who = "", share = ""] = process.argv.slice(2);
if (mode === "--measure") {
  measure(who, Number(share));
} else {
  for (const part of [0.01, 0.1]) {
    const ours = child("ours", part);
    if (ours === undefined) throw new Error(`Ours took more than ${CAP} ms`);
    const peer = mode === "--ours" ? "" : `, ${beside(ours.ms, child("jsdiff", part))}`;
    process.stdout.write(
      `${(ours.bytes / 1e6).toFixed(1)} MB, ${part * 100} % of lines changed: ${ours.ms.toFixed(0)} ms${peer}; ` +
        `peak memory + ${ours.times.toFixed(1)} × the document; exact: ${ours.exact}\n`,
    );
  }
}
