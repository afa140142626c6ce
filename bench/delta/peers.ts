import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The peers live in a package of their own, so that nobody who only wants Espalier installs them. */
const load = createRequire(new URL("../peers/package.json", import.meta.url));

function peer<T>(name: string): T {
  try {
    return load(name) as T;
  } catch (cause) {
    throw new Error(`${name} is not installed: npm ci --prefix bench/peers`, { cause });
  }
}

/** What a peer would send for a step, as text; undefined when it cannot say in reasonable time, or throws. */
export interface Peer {
  readonly name: string;
  readonly write: (old: string, next: string) => string | undefined;
}

/** Lines beyond which peers that compare every line with every other are not asked. */
const QUADRATIC = 700;

interface JsDiff {
  structuredPatch: (
    a: string,
    b: string,
    old: string,
    next: string,
    c: undefined,
    d: undefined,
    options: { context: number },
  ) => {
    hunks: { oldStart: number; oldLines: number; newStart: number; newLines: number; lines: string[] }[];
  };
}

function jsdiff(): Peer {
  const { structuredPatch } = peer<JsDiff>("diff");
  const write = (old: string, next: string): string =>
    structuredPatch("a", "b", old, next, undefined, undefined, { context: 0 })
      .hunks.map(hunk => {
        const head = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
        return [head, ...hunk.lines].join("\n");
      })
      .join("\n");
  return { name: "jsdiff 9 patch, no context", write };
}

function diffMatchPatch(): Peer {
  const dmp = peer<{
    patchMake: (a: string, b: string) => unknown[];
    patchToText: (patches: unknown[]) => string;
  }>("diff-match-patch-es");
  const write = (old: string, next: string): string | undefined => {
    try {
      return dmp.patchToText(dmp.patchMake(old, next));
    } catch {
      return undefined;
    }
  };
  return { name: "diff-match-patch-es 2", write };
}

function jsonDiffPatch(): Peer {
  const { diff } = peer<{ diff: (a: unknown, b: unknown) => unknown }>("jsondiffpatch");
  const write = (old: string, next: string): string | undefined => {
    const lines = [old.split("\n"), next.split("\n")] as const;
    return Math.max(lines[0].length, lines[1].length) > QUADRATIC
      ? undefined
      : JSON.stringify(diff(...lines) ?? {});
  };
  return { name: "jsondiffpatch on lines", write };
}

function jsonPatch(): Peer {
  const { createPatch } = peer<{ createPatch: (a: unknown, b: unknown) => unknown[] }>("rfc6902");
  const write = (old: string, next: string): string | undefined => {
    const lines = [old.split("\n"), next.split("\n")] as const;
    return Math.max(lines[0].length, lines[1].length) > QUADRATIC
      ? undefined
      : JSON.stringify(createPatch(...lines));
  };
  return { name: "JSON Patch (rfc6902) on lines", write };
}

function onFiles(run: (old: string, next: string, out: string) => string | undefined): Peer["write"] {
  const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  const [a, b, out] = [join(folder, "a"), join(folder, "b"), join(folder, "out")] as const;
  return (old, next) => {
    writeFileSync(a, old);
    writeFileSync(b, next);
    return run(a, b, out);
  };
}

function gitDiff(): Peer {
  const write = onFiles((a, b) => {
    const { stdout } = spawnSync(
      "git",
      ["diff", "--no-index", "--no-color", "--no-ext-diff", "-U0", "--", a, b],
      {
        encoding: "utf8",
        maxBuffer: 1e9,
      },
    );
    // Without the four lines that name the files.
    return stdout.split("\n").slice(4).join("\n");
  });
  return { name: "git diff -U0", write };
}

function zstd(): Peer | undefined {
  if (spawnSync("zstd", ["--version"]).status !== 0) return undefined;
  const write = onFiles((a, b, out) => {
    const { status } = spawnSync("zstd", ["-19", "-f", "-q", `--patch-from=${a}`, b, "-o", out]);
    return status === 0 ? readFileSync(out).toString("base64") : undefined;
  });
  return { name: "zstd --patch-from, base64", write };
}

/** All peers that can be run here. */
export function peers(): Peer[] {
  return [gitDiff(), jsdiff(), diffMatchPatch(), jsonPatch(), jsonDiffPatch(), zstd()].filter(
    one => one !== undefined,
  );
}
