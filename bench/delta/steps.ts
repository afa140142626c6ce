import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One edit step of a document's history. */
export interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly old: string;
  readonly next: string;
}

/**
 * The edit steps of all documents in a folder: each subfolder holds one document's versions as `0001.md`, `0002.md`, …
 * Where its `index.tsv` has a column `linear`, only steps marked 1 count: the others join branches.
 */
export function stepsIn(folder: string): Step[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .flatMap(({ name }) => stepsOf(join(folder, name), name));
}

function stepsOf(folder: string, name: string): Step[] {
  const linear = linearVersions(folder);
  const versions = readdirSync(folder)
    .filter(file => /^\d+\.md$/.test(file))
    .sort();
  return versions.slice(1).flatMap((file, at) => {
    const [from, to] = [Number.parseInt(versions[at]!, 10), Number.parseInt(file, 10)];
    if (linear !== undefined && !linear.has(to)) return [];
    const read = (path: string): string => readFileSync(join(folder, path), "utf8");
    return [{ name, from, to, old: read(versions[at]!), next: read(file) }];
  });
}

function linearVersions(folder: string): Set<number> | undefined {
  const path = join(folder, "index.tsv");
  if (!existsSync(path)) return undefined;
  const [head = "", ...rows] = readFileSync(path, "utf8").trim().split("\n");
  const column = head.split("\t").indexOf("linear");
  if (column < 0) return undefined;
  const cells = rows.map(row => row.split("\t"));
  return new Set(cells.filter(row => row[column] === "1").map(row => Number(row[0])));
}
