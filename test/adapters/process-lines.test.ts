import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter, LINE_LIMIT } from "../../src/adapters/process/index.ts";

interface Split {
  readonly lines: string[];
  readonly skipped: number[];
}

/** Splits chunks; `open` says before each line whether the sink takes it. */
function split(chunks: readonly Uint8Array[], open: (taken: number) => boolean = () => true): Split {
  const lines: string[] = [];
  const skipped: number[] = [];
  const splitter = createLineSplitter({
    open: () => open(lines.length),
    line: text => void lines.push(text),
    skipped: bytes => void skipped.push(bytes),
  });
  for (const chunk of chunks) {
    // The buffer is overwritten afterwards, as a reader's is.
    const reused = Uint8Array.from(chunk);
    splitter.write(reused);
    reused.fill(0x21);
  }
  splitter.end();
  return { lines, skipped };
}

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const points = [0, ...at.map(each => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return points.slice(1).map((end, index) => bytes.subarray(points[index], end));
}

const text = (value: string): Uint8Array => Buffer.from(value);

describe("cutting output into lines", () => {
  it.each([
    ["", []],
    ["\n", [""]],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\r", ["a"]],
    ["a\rb\n", ["a\rb"]],
    ["\r\n\n", ["", ""]],
    ["\ufeffa\n", ["a"]],
  ])("%j gives %j", (given, lines) => {
    expect(split([text(given)])).toEqual({ lines, skipped: [] });
  });

  it("gives the same lines however the bytes arrive", () => {
    const content = fc.string({ unit: fc.constantFrom("a", "é", "한", "🌱", "\n", "\r\n", "\r", "\0", " ") });
    fc.assert(
      fc.property(content, fc.array(fc.nat()), (given, at) => {
        expect(split(cut(text(given), at))).toEqual(split([text(given)]));
      }),
    );
  });

  it("is what a plain split gives for lines of ordinary length", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zé한🌱]*$/u)), lines => {
        expect(split([text(lines.map(line => `${line}\n`).join(""))]).lines).toEqual(lines);
      }),
    );
  });

  it("never gives a line beyond the limit nor loses a character of a long one", () => {
    const unit = fc.constantFrom("x", "é", "🌱");
    fc.assert(
      fc.property(
        unit,
        fc.integer({ min: 0, max: 4 * LINE_LIMIT }),
        fc.array(fc.nat()),
        (letter, count, at) => {
          const long = letter.repeat(count);
          const { lines } = split(cut(text(long), at));
          expect(lines.join("")).toBe(long);
          for (const line of lines) {
            expect(line.length).toBeLessThanOrEqual(LINE_LIMIT);
            expect(line.isWellFormed()).toBe(true);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("breaks a line only when it must", () => {
    const whole = "x".repeat(LINE_LIMIT);
    expect(split([text(`${whole}\n`)]).lines).toEqual([whole]);
    expect(split([text(`${whole}y\n`)]).lines).toEqual([whole, "y"]);
    expect(split([text(whole), text("\n")]).lines).toEqual([whole]);
  });

  it("takes any bytes: bad ones become U+FFFD, one cut off at the end too", () => {
    expect(split([Uint8Array.of(0xff, 0x41, 0x0a, 0xc3)]).lines).toEqual(["\ufffdA", "\ufffd"]);
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), chunks => {
        const { lines } = split(chunks);
        const decoded = new TextDecoder().decode(Buffer.concat(chunks));
        expect(lines.length).toBe(
          decoded.split("\n").length - (decoded.endsWith("\n") || decoded === "" ? 1 : 0),
        );
      }),
    );
  });

  it("skips while the sink is closed, counts, and goes on at the next newline", () => {
    const { lines, skipped } = split(
      [text("one\ntwo\n"), text("three\n"), text("rest of it\nfour\nfive")],
      (() => {
        let asked = 0;
        return () => {
          asked += 1;
          // Open for "one", closed for "two" and the whole second chunk, open again from the third on.
          return asked === 1 || asked > 3;
        };
      })(),
    );
    expect(lines).toEqual(["one", "four", "five"]);
    expect(skipped).toEqual(["one\ntwo\n".length + "three\n".length + "rest of it\n".length]);
  });

  it("says at the end what it has not shown", () => {
    expect(split([text("one\ntwo\n"), text("three\n")], taken => taken < 1)).toEqual({
      lines: ["one"],
      skipped: [14],
    });
    expect(split([text("no end")], () => false)).toEqual({ lines: ["no end"], skipped: [] });
    expect(split([text("x".repeat(5_000))], () => false).skipped).toEqual([5_000]);
  });

  it("never gives half a character after a gap", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("é\n", "한한\n", "🌱 x\n", "a")),
        fc.array(fc.nat()),
        fc.nat(5),
        (parts, at, period) => {
          let asked = 0;
          const { lines } = split(cut(text(parts.join("")), at), () => {
            asked += 1;
            return asked % (period + 2) !== 0;
          });
          for (const line of lines) expect(line).not.toContain("\ufffd");
        },
      ),
    );
  });

  it("does little with what is not wanted: it is not read line by line", () => {
    const chunk = Buffer.alloc(1 << 16, "y\n");
    const told = { asked: 0, lines: 0 };
    const splitter = createLineSplitter({
      open: () => {
        told.asked += 1;
        return false;
      },
      line: () => {
        told.lines += 1;
      },
      skipped: () => {},
    });
    for (let round = 0; round < 100; round += 1) splitter.write(chunk);
    // Once a chunk, not once a line.
    expect(told).toEqual({ asked: 100, lines: 0 });
  });
});
