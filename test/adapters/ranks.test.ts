import { expect, it } from "vitest";
import { loadRanks, ranksInFile } from "../../src/adapters/ranks/index.ts";

it("[K11] the bundle has the same ranks, in a file", () => {
  const file = ranksInFile(new URL("../../dist/tokens/o200k.bin", import.meta.url));
  const { bytes, lengths } = loadRanks();
  expect(Buffer.compare(file.lengths, lengths)).toBe(0);
  expect(Buffer.compare(file.bytes, bytes)).toBe(0);
});
