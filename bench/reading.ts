/**
 * How long reading a task file takes, beside the regular expressions of the documents that we started from: `node
 * bench/reading.ts`. Both read a dense file of 10 MB and one of a quarter of it; what ours needs for the large one must
 * stay below its goal.
 */
import { readPlan } from "../src/plan/index.ts";
import { findByRegexes } from "./recognition/regexes.ts";

/** Milliseconds for 10 MB. */
const GOAL = 1000;
const ROUNDS = 5;

function task(n: number): string {
  if (n % 50 === 0) return `## Phase ${n / 50}: Part\n\n`;
  const phase = Math.floor(n / 50);
  return `### [ ] T${phase}.${n}: Task number ${n} of many
- **담당**: backend-specialist
- **의존**: ${n % 50 === 1 ? "없음" : `T${phase}.${n - 1}`}
- **파일**: \`src/module-${n}.ts\`
- [ ] first criterion
- [ ] second criterion

`;
}

/** A file of so many bytes, or a little more. */
function fileOf(bytes: number): Uint8Array {
  const parts: string[] = [];
  for (let n = 0, written = 0; written < bytes; n++) {
    const part = task(n);
    parts.push(part);
    written += Buffer.byteLength(part);
  }
  return Buffer.from(parts.join(""));
}

function best(read: () => number): { readonly ms: number; readonly found: number } {
  let ms = Infinity;
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    found = read();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, found };
}

const ours = (file: Uint8Array): number => readPlan(file, { path: "TASKS.md" }).plan.tasks.length;
const theirs = (file: Uint8Array): number => findByRegexes(new TextDecoder().decode(file)).length;

process.stdout.write(
  `${"task file".padEnd(16)}${"ours".padStart(28)}${"the documents' regexes".padStart(28)}\n`,
);
for (const megabytes of [2.5, 10]) {
  const file = fileOf(megabytes * 1e6);
  const row = [ours, theirs].map(read => best(() => read(file)));
  const cells = row.map(({ ms, found }) => `${ms.toFixed(0)} ms, ${found} tasks`.padStart(28));
  process.stdout.write(`${`${(file.length / 1e6).toFixed(1)} MB`.padEnd(16)}${cells.join("")}\n`);
  if (megabytes === 10 && row[0]!.ms > GOAL) process.exitCode = 1;
}
