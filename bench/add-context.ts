/**
 * The ADD_CONTEXT scanner beside the regular expression that first comes to mind: `node bench/add-context.ts`. Both read
 * 50 MB of a message with 50,000 blocks; the scanner alone also what makes the expression quadratic.
 */
import { SCAN_LIMITS, scanOutput } from "../src/tree/index.ts";

const LIMITS = { ...SCAN_LIMITS, blocks: 100_000, totalLength: 1e9, blockLength: 1e6 };
const ROUNDS = 5;

function best(run: () => number): { ms: number; found: number } {
  let ms = Infinity;
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    found = run();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, found };
}

function obvious(text: string): number {
  let found = 0;
  for (const match of text.matchAll(/\[ADD_CONTEXT:([^\]]+)\]([\s\S]*?)\[\/ADD_CONTEXT\]/g)) {
    if (match[2]!.trim() !== "") found++;
  }
  return found;
}

const scanned = (text: string): number => scanOutput(text, LIMITS).additions.length;

const filler = "The gate opens when every branch has grown as far as the wire, and not before.\n".repeat(12);
const blocks = Array.from(
  { length: 50_000 },
  (_, at) => `${filler}[ADD_CONTEXT:ctx-n${at % 100}]\n- fact ${at}\n[/ADD_CONTEXT]\n`,
).join("");
const openers = "[ADD_CONTEXT:ctx-a]\n".repeat(52_429);

/** With the milliseconds that reading it may take. */
const cases = [
  [`${(blocks.length / 1e6).toFixed(0)} MB, 50,000 blocks`, blocks, 200],
  [`${(openers.length / 1e6).toFixed(0)} MB of openers`, openers, 100],
] as const;

process.stdout.write(`${"message".padEnd(28)}${"ours".padStart(16)}${"the obvious regex".padStart(22)}\n`);
for (const [name, text, limit] of cases) {
  const ours = best(() => scanned(text));
  if (ours.ms > limit) process.exitCode = 1;
  const theirs = best(() => obvious(text));
  const cell = ({ ms, found }: { ms: number; found: number }) => `${ms.toFixed(0)} ms, ${found}`;
  process.stdout.write(`${name.padEnd(28)}${cell(ours).padStart(16)}${cell(theirs).padStart(22)}\n`);
}
