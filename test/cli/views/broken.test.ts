import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { broken } from "../../../src/cli/views/broken.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";

describe("a line that is too long", () => {
  it.each([
    ["a short one", 20, ["a short one"]],
    ["CODE: the file stands in the way", 16, ["CODE: the file", "  stands in the", "  way"]],
    ["CODE: 파일이 이미 있습니다", 14, ["CODE: 파일이", "  이미", "  있습니다"]],
    ["see /a/very/long/path/to/it now", 12, ["see", "  /a/very/long/path/to/it", "  now"]],
  ] as const)("[CL22] %s in %i columns", (line, width, lines) => {
    expect(broken(line, width)).toEqual(lines);
  });

  it("[CL22] loses no word, and is only too wide where a word is", () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter(text => !/\s/.test(text));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 20, max: 80 }), (words, width) => {
        const lines = broken(words.join(" "), width);
        expect(lines.flatMap(line => line.trimStart().split(" "))).toEqual(words);
        for (const line of lines.filter(one => one.trim().includes(" ")))
          expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
