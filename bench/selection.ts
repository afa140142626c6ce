import { assemble, createLayouts } from "../src/assembly/index.ts";
import { selectLevels } from "../src/budget/index.ts";
import { createTokenCache } from "../src/tokens/index.ts";
import { adversarial, overBy } from "../test/assembly/adversarial.ts";
import { documentsOwn, optimum, outputs } from "./budget/items.ts";
import { random } from "./budget/random.ts";

/**
 * Choosing a level for every agent's output under a budget: share of the exact optimum, time, and never a token over; beside
 * the document's own algorithm, as written and made to fit. Then whole packages of documents, results and attempts of any shape, whose
 * texts are counted. `npx node bench/selection.ts [CASES for the last two checks]`
 */
const SIZES: readonly (readonly [number, number, number])[] = [
  [20, 8000, 100],
  [20, 20_000, 100],
  [20, 50_000, 100],
  [200, 150_000, 10],
  [1000, 150_000, 3],
];
const CASES = Number(process.argv[2] ?? 100_000);

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

console.log(
  "| items, budget | ours, mean | ours, worst | ms, median | document's own, made to fit | as written, over budget by |",
);
console.log("|---|---:|---:|---:|---:|---:|");
for (const [count, budget, rounds] of SIZES) {
  const next = random(count + budget);
  const shares: number[] = [];
  const times: number[] = [];
  let fitted = 0;
  let over = 0;
  for (let round = 0; round < rounds; round++) {
    const items = outputs(count, next);
    const best = optimum(items, budget);
    for (let warm = 0; warm < 30; warm++) selectLevels(items, budget);
    const start = performance.now();
    const selection = selectLevels(items, budget);
    times.push(performance.now() - start);
    if (selection.tokens > budget) throw new Error("over budget");
    shares.push(selection.value / best);
    fitted += documentsOwn(items, budget, "to-fit").value / best / rounds;
    over += documentsOwn(items, budget, "as-written").tokens / budget / rounds - 1 / rounds;
  }
  times.sort((a, b) => a - b);
  const mean = shares.reduce((sum, share) => sum + share, 0) / rounds;
  const cells = [
    `${count}, ${budget}`,
    percent(mean),
    percent(Math.min(...shares)),
    times[rounds >> 1]!.toFixed(2),
    percent(fitted),
    percent(over),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

const next = random(99);
let worst = 0;
let overs = 0;
for (let round = 0; round < CASES; round++) {
  const items = outputs(1 + Math.floor(next() * 30), next);
  const budget = Math.floor(next() ** 2 * 120_000);
  const pinned = items.map((item, at) =>
    at % 7 === 0 ? { ...item, pinned: next() < 0.5, critical: next() < 0.5 } : item,
  );
  const selection = selectLevels(pinned, budget);
  const told = selection.choices.reduce((sum, { tokens }) => sum + tokens, 0);
  if (selection.tokens > budget || told !== selection.tokens) overs++;
  worst = Math.max(worst, selection.tokens / Math.max(1, budget));
}
console.log(
  `${CASES} random cases with pinned and critical items: ${overs} over budget, fullest ${percent(worst)}`,
);

const { count } = createTokenCache(200_000);
let over = 0;
let shortened = 0;
let full = 0;
for (let seed = 1; seed <= CASES; seed++) {
  const given = adversarial(seed);
  const made = assemble(given, createLayouts(), count);
  if (overBy(given, made) > 0) over++;
  if (!made.receipt.parts.some(({ why }) => why === "no-room")) continue;
  shortened++;
  full += Math.min(1, made.receipt.tokens / Math.max(1, given.limits.tokens));
}
console.log(
  `${CASES} adversarial packages, ${shortened} of which everything had no room in: ${over} over the limit; those are ${percent(full / Math.max(1, shortened))} full`,
);
