// Speed and memory of the diff beside jsdiff on a 10 MB document: npx node bench/delta-speed.ts

import { apply, diff } from "../src/delta/index.ts";
import { diffLines } from "./peers/node_modules/diff/libesm/index.js";

const LINES = 160_000;

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

function best(times: number, run: () => void): number {
  let least = Infinity;
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

for (const share of [0.01, 0.1]) {
  const next = random(7);
  const lines = documentOf(LINES, next);
  const old = lines.join("\n");
  const result = edited(lines, share, next).join("\n");
  const delta = diff(old, result);
  const applied = apply(delta, old);
  const ours = best(5, () => diff(old, result));
  const theirs = best(share < 0.05 ? 3 : 0, () => diffLines(old, result));
  globalThis.gc?.();
  const before = process.memoryUsage();
  diff(old, result);
  const after = process.memoryUsage();
  const used = after.heapUsed + after.external - before.heapUsed - before.external;
  process.stdout.write(
    `${(old.length / 1e6).toFixed(1)} MB, ${share * 100} % of lines: diff ${ours.toFixed(0)} ms, ` +
      `jsdiff ${theirs.toFixed(0)} ms (${(theirs / ours).toFixed(1)}×), ${delta.hunks.length} hunks, ` +
      `exact: ${applied.ok && applied.value === result}, allocated ≤ ${(used / old.length).toFixed(1)} × the document\n`,
  );
}
