import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { loadRanks } from "../../src/adapters/ranks/index.ts";

it("[K11] the bundle has the ranks as one file: their number, their lengths, their bytes", () => {
  const { bytes, lengths } = loadRanks();
  const file = readFileSync("dist/tokens/o200k.bin");
  expect(file.readUInt32LE(0)).toBe(lengths.length);
  expect(file.subarray(4).equals(Buffer.concat([lengths, bytes]))).toBe(true);
});
