import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../src/tokens/index.ts";

describe("countTokens", () => {
  it.each([
    ["", 0],
    ["DONE", 1],
    ["T1.3 1 in_progress", 8],
  ])("[K1] counts %j exactly", (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
    expect(countTokens(text)).toBe(encode(text).length);
  });

  it("[K1] counts Korean and code as the encoding does", () => {
    const text = "태스크 상태 머신: `pending → ready → in_progress`\nconst a = [1, 2, 3].map(n => n ** 2);\n";
    expect(countTokens(text)).toBe(encode(text).length);
  });

  it("[K2] stays within one token a piece on long texts", () => {
    const text = "The quick brown fox jumps over the lazy dog, again and again. ".repeat(1000);
    const exact = encode(text).length;
    const counted = countTokens(text);
    expect(counted).toBeGreaterThanOrEqual(exact);
    expect(counted).toBeLessThanOrEqual(exact + Math.ceil(text.length / 10_000));
  });

  it("[K3] does not stall on an unbroken run", () => {
    expect(countTokens("가".repeat(60_000))).toBeGreaterThan(10_000);
  });
});
