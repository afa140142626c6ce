import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { roomOf } from "./bug.ts";
import { ROOT } from "./checkout.ts";

/** Test folders beside the one that is called like the room. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  adapters: ["vcs"],
  testing: ["adapters", "vcs"],
  engine: ["run"],
  mcp: ["cli"],
  host: ["cli"],
};

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const names = [...text.matchAll(/(?:from\s+|import\(\s*|import\s+|new URL\(\s*)"(\.[^"]+)"/g)];
  return names
    .map(([, name = ""]) => relative(ROOT, join(ROOT, dirname(file), name)))
    .filter(path => /\.tsx?$/.test(path) && existsSync(join(ROOT, path)));
}

const known = new Map<string, readonly string[]>();

function importsOnce(file: string): readonly string[] {
  const found = known.get(file) ?? importsOf(file);
  known.set(file, found);
  return found;
}

/** How many imports lead from a test to a source; Infinity where none do. */
function distance(test: string, source: string): number {
  let [front, far]: [Set<string>, number] = [new Set([test]), 0];
  const seen = new Set(front);
  for (; front.size > 0; far++) {
    if (front.has(source)) return far;
    const next = new Set([...front].flatMap(importsOnce).filter(file => !seen.has(file)));
    for (const file of next) seen.add(file);
    front = next;
  }
  return Infinity;
}

/** The tests that can notice a change of a source, the nearest first: those of its own room, then all others. */
export function testsOf(source: string): {
  readonly near: readonly string[];
  readonly far: readonly string[];
} {
  const room = roomOf(source);
  const folders = [room, ...(ALSO[room] ?? [])];
  const reaching = globSync("test/**/*.test.{ts,tsx}", {
    cwd: ROOT,
    exclude: ["test/agents/**", "test/house/**"],
  })
    .map(test => ({ test, far: distance(test, source) }))
    .filter(({ far }) => far < Infinity)
    .sort((a, b) => a.far - b.far || (a.test < b.test ? -1 : 1))
    .map(({ test }) => test);
  const isNear = (test: string) => folders.includes(test.split("/")[1] ?? "");
  return { near: reaching.filter(isNear), far: reaching.filter(test => !isNear(test)) };
}
