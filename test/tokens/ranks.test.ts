import { afterEach, describe, expect, it, vi } from "vitest";
import { loadRanks } from "../../src/adapters/ranks/index.ts";

afterEach(() => {
  vi.resetModules();
});

describe("where the ranks come from", () => {
  it("[K10] loads them at the first count, once, where a program has said how", async () => {
    vi.resetModules();
    const { provideRanks } = await import("../../src/tokens/ranks.ts");
    const load = vi.fn<typeof loadRanks>(loadRanks);
    provideRanks(load);
    const { countTokens, countCapped, inFamily } = await import("../../src/tokens/index.ts");
    expect(inFamily(100, 0, "claude").tokens).toBe(109);
    expect(load).not.toHaveBeenCalled();
    expect(countTokens("READY:T1\n")).toBe(4);
    expect(countCapped("다음 작업을 시작합니다", 100)).toBe(6);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("[K10] brings them with the import where nobody has said anything", async () => {
    vi.resetModules();
    const { providedRanks } = await import("../../src/tokens/ranks.ts");
    expect(providedRanks()).toBeUndefined();
    const { countTokens } = await import("../../src/tokens/index.ts");
    expect(countTokens("READY:T1\n")).toBe(4);
  });

  it("[K10] has the same ranks either way", async () => {
    const { default: tokens } = await import("gpt-tokenizer/bpeRanks/o200k_base");
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
});
