import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../torture/random.ts";

/** Lines of a stretch: most mistakes that are planted change less. */
const LENGTH = 8;

/** A share (percent) of what a pattern covers, as stretches of lines drawn by a seed: `file:first-last` each. */
export function stretchesOf(pattern: string, root: string, share: number, seed: number): string[] {
  const random = new Random(seed);
  return globSync(pattern, { cwd: root })
    .toSorted()
    .flatMap(file => {
      const lines = readFileSync(join(root, file), "utf8").split("\n").length;
      const starts = Array.from({ length: Math.ceil(lines / LENGTH) }, (_, at) => 1 + at * LENGTH);
      return starts
        .filter(() => random.below(100) < share)
        .map(first => `${file}:${first}-${Math.min(first + LENGTH - 1, lines)}`);
    });
}
