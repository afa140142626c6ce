import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fields } from "../../../src/adapters/agent/fields.ts";
import { createJsonLines } from "../../../src/adapters/agent/json-lines.ts";

function read(chunks: readonly (string | Uint8Array)[], most?: number) {
  const events: Fields[] = [];
  const noise: string[] = [];
  let oversized = 0;
  const lines = createJsonLines(
    {
      event: event => events.push(event),
      noise: line => noise.push(line),
      oversized: () => {
        oversized += 1;
      },
    },
    most,
  );
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk);
    lines.write(bytes);
    // The source uses its buffer again.
    bytes.fill(33);
  }
  lines.end();
  return { events, noise, oversized };
}

describe("lines of JSON", () => {
  it("are the same however they are cut into chunks", () => {
    const value = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.constant(null)));
    fc.assert(
      fc.property(fc.array(value), fc.array(fc.nat(200)), (values, cuts) => {
        const bytes = Buffer.from(values.map(each => `${JSON.stringify(each)}\r\n`).join(""));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(bytes.subarray(at));
        const { events, noise, oversized } = read(chunks);
        expect(events).toEqual(values.map(each => JSON.parse(JSON.stringify(each))));
        expect([noise, oversized]).toEqual([[], 0]);
      }),
    );
  });

  it("that are none are noise, blank ones are nothing, the last one needs no end", () => {
    const { events, noise } = read(['warning: old\n\n   \n{"a":1}\n[1]\nnull\n"x"\n{"half":\n{"b":2}']);
    expect(events).toEqual([{ a: 1 }, { b: 2 }]);
    expect(noise).toEqual(["warning: old", "[1]", "null", '"x"', '{"half":']);
  });

  it("that are too long are told once and left out, in one chunk or in many", () => {
    const long = `{"a":"${"x".repeat(100)}"}`;
    const { events, oversized } = read([`${long}\n{"b":2}\n`], 50);
    expect([events, oversized]).toEqual([[{ b: 2 }], 1]);
    const many = read(`${long}\n{"b":2}\n`.split(""), 50);
    expect([many.events, many.oversized]).toEqual([[{ b: 2 }], 1]);
  });

  it("that are too long are told before they end", () => {
    const told: string[] = [];
    const sink = { event() {}, noise() {}, oversized: () => void told.push("too long") };
    const lines = createJsonLines(sink, 50);
    lines.write(Buffer.from("x".repeat(50)));
    expect(told).toEqual([]);
    lines.write(Buffer.from("x"));
    expect(told).toEqual(["too long"]);
  });

  it("hold no memory for what is too long", () => {
    const chunk = "x".repeat(1 << 20);
    const before = process.memoryUsage().arrayBuffers;
    const { oversized } = read(
      Array.from({ length: 100 }, () => chunk),
      1 << 20,
    );
    expect(oversized).toBe(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 << 20);
  });

  it("with `__proto__` change nothing but themselves", () => {
    const { events } = read(['{"__proto__":{"polluted":true}}\n']);
    expect(events).toHaveLength(1);
    expect(({} as Fields)["polluted"]).toBeUndefined();
  });
});
