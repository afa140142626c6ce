import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { restOf, wholeLines } from "../../src/adapters/process/whole-lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("lines of two streams", () => {
  it("[E96] never stand within one another, and none is lost", () => {
    const piece = fc.record({
      which: fc.constantFrom("a", "b"),
      text: fc.string({ unit: fc.constantFrom("x", "y", "\n") }),
    });
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const out: string[] = [];
        const pass = (chunk: Uint8Array) => void out.push(new TextDecoder().decode(chunk));
        const streams = { a: wholeLines(pass), b: wholeLines(pass) };
        for (const { which, text } of pieces)
          streams[which as "a" | "b"].push(bytes(text.replaceAll(/[xy]/g, which)));
        pass(restOf(streams.a, streams.b));
        const mixed = out
          .join("")
          .split("\n")
          .filter(line => line.includes("a") && line.includes("b"));
        expect(mixed).toEqual([]);
        const sent = pieces.map(({ which, text }) => text.replaceAll(/[xy]/g, which)).join("");
        const count = (text: string, letter: string) => text.split(letter).length;
        for (const letter of ["a", "b"]) expect(count(out.join(""), letter)).toBe(count(sent, letter));
      }),
    );
  });

  it("[E96] a line that is longer than what is kept passes in pieces", () => {
    const out: number[] = [];
    const stream = wholeLines(chunk => out.push(chunk.length));
    for (let at = 0; at < 100; at++) stream.push(bytes("x".repeat(1000)));
    out.push(stream.rest().length);
    expect(out.length).toBeGreaterThan(10);
    expect(out.reduce((sum, length) => sum + length, 0)).toBe(100_000);
  });
});
