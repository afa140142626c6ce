import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { packRanks, type Ranks } from "../../tokens/ranks.ts";

/** Loads the ranks of o200k now, without waiting. */
export function loadRanks(): Ranks {
  return import.meta.url.endsWith(".ts")
    ? ranksOfPackage()
    : ranksInFile(new URL("../tokens/o200k.bin", import.meta.url));
}

function ranksOfPackage(): Ranks {
  const require = createRequire(import.meta.url);
  const { default: tokens } = require("gpt-tokenizer/bpeRanks/o200k_base") as {
    readonly default: Parameters<typeof packRanks>[0];
  };
  return packRanks(tokens);
}

/** Ranks as the bundle has them: the number of tokens in four bytes, their lengths, their bytes. */
export function ranksInFile(url: URL): Ranks {
  const file = readFileSync(url);
  const count = file.readUInt32LE(0);
  return { lengths: file.subarray(4, 4 + count), bytes: file.subarray(4 + count) };
}
