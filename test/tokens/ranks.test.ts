import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import tokens from "gpt-tokenizer/bpeRanks/o200k_base";
import { expect, it } from "vitest";
import { loadRanks } from "../../src/tokens/packaged-ranks.ts";
import { readTable } from "../../src/tokens/ranks.ts";

const BUILT = new URL("../../dist/tokens/", import.meta.url);

it("[TK10] reads the file of a build at the first count, once, and nothing else", () => {
  const script = `const fs = process.getBuiltinModule("node:fs");
const { readFileSync } = fs;
const read = [];
const told = file => String(file).endsWith(".js") || read.push(String(file).split("/").pop());
fs.readFileSync = (...given) => { told(given[0]); return readFileSync(...given); };
const { countTokens, inFamily } = await import(${JSON.stringify(new URL("index.js", BUILT).href)});
const family = inFamily(100, 0, "claude").tokens;
const before = [...read];
const counts = [countTokens("READY:T1\\n"), countTokens("다음 작업을 시작합니다")];
console.log(JSON.stringify({ family, before, counts, read }));`;
  const told = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(JSON.parse(told)).toEqual({ family: 109, before: [], counts: [4, 6], read: ["o200k.bin"] });
});

it("[TK11] packs the tokens in the order of their ranks", () => {
  const { bytes, lengths } = loadRanks();
  expect(lengths).toHaveLength(199_998);
  let at = 0;
  const unpacked = Array.from(lengths, length => {
    const from = at;
    at += length;
    return Buffer.from(bytes.subarray(from, at));
  });
  expect(at).toBe(bytes.length);
  const expected = tokens.map(token => Buffer.from(token as string));
  expect(unpacked.findIndex((one, rank) => !one.equals(expected[rank]!))).toBe(-1);
});

it("[TK11] has the same ranks in the file of a build, wherever in memory that is read to", () => {
  const file = readFileSync(new URL("o200k.bin", BUILT));
  const uneven = Buffer.concat([Buffer.alloc(1), file]).subarray(1);
  const { bytes, lengths, slots } = loadRanks();
  for (const found of [readTable(file), readTable(uneven)]) {
    expect(Buffer.compare(found.lengths, lengths)).toBe(0);
    expect(Buffer.compare(found.bytes, bytes)).toBe(0);
    expect(Buffer.from(found.slots.buffer, found.slots.byteOffset, found.slots.byteLength)).toEqual(
      Buffer.from(slots.buffer, slots.byteOffset, slots.byteLength),
    );
  }
});
