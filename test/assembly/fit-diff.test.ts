import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitDiff, pathsInDiff } from "../../src/assembly/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

/** A new file of so many lines, as git shows one. */
function added(path: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, n) => `+line ${n} of ${path}\n`).join("");
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines} @@\n${body}`;
}

const gone =
  "diff --git a/old.ts b/old.ts\ndeleted file mode 100644\n--- a/old.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
const moved = "diff --git a/a.ts b/b.ts\nsimilarity index 100%\nrename from a.ts\nrename to b.ts\n";
const binary =
  "diff --git a/한 글.png b/한 글.png\nnew file mode 100644\nBinary files /dev/null and b/한 글.png differ\n";
const mode = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
const spaced = "diff --git a/my file b/my file\n--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-a\n+b\n";

describe("a diff that is read", () => {
  it("[B15] names its files", () => {
    const diff = [added("한글.md", 1), gone, moved, binary, mode, spaced].join("");
    expect(pathsInDiff(diff)).toEqual(["한글.md", "old.ts", "b.ts", "한 글.png", "run.sh", "my file"]);
  });

  it("[B15] takes no line of a file for the beginning of another", () => {
    const diff = `${added("a.md", 1)}+diff --git a/x b/x\n-diff --git a/y b/y\n+++ b/z\n`;
    expect(pathsInDiff(diff)).toEqual(["a.md"]);
  });

  it("[B15] is whole where it fits", () => {
    const diff = added("a.ts", 20) + binary;
    expect(fitDiff(diff, 1000, countTokens)).toEqual({ text: diff, left: [] });
    expect(fitDiff("", 10, countTokens)).toEqual({ text: "", left: [] });
  });

  it("[B15] keeps small files whole, cuts large ones alike, and says what it left out", () => {
    const [small, large, huge] = [added("small.ts", 5), added("large.ts", 3000), added("huge.ts", 10_000)];
    const { text, left } = fitDiff(large + small + huge, 4000, countTokens);
    expect(text).toContain(small);
    expect(left.map(({ path }) => path)).toEqual(["large.ts", "huge.ts"]);
    expect(countTokens(text)).toBeLessThan(4100);
    const shown = (path: string) =>
      text.split("\n").filter(line => line.startsWith("+line") && line.endsWith(path));
    const [first, second] = [shown("large.ts").length, shown("huge.ts").length];
    expect(first).toBeGreaterThan(100);
    expect(Math.abs(first - second)).toBeLessThan(20);
    for (const { path, lines } of left) expect(text).toContain(`[${lines} lines of ${path} left out]`);
    expect(left[1]?.lines).toBe(huge.split("\n").length - second - 5);
  });

  it("[B15] counts the files that it does not name", () => {
    const diff = Array.from({ length: 500 }, (_, n) => added(`f${n}.ts`, 50)).join("");
    const { text, left } = fitDiff(diff, 300, countTokens);
    expect(left).toHaveLength(500);
    const [, more] = /\[(\d+) more files left out\]\n$/.exec(text) ?? [];
    expect(text.split(" lines of ")).toHaveLength(501 - Number(more));
  });

  it("[B15] never shows a line that is not in the diff, and every file is shown or told", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 3000 }),
        (sizes, room) => {
          const files = sizes.map((size, n) => added(`f${n}.ts`, size));
          const { text, left } = fitDiff(files.join(""), room, countTokens);
          const lines = new Set(files.join("").split("\n"));
          for (const line of text.split("\n"))
            expect(lines.has(line) || /^\[\d+ lines of .* left out\]$/.test(line)).toBe(true);
          for (const [n, file] of files.entries())
            expect(text.includes(file) || left.some(({ path }) => path === `f${n}.ts`)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});
