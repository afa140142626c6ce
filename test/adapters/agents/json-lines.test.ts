import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { Fields } from "../../../src/adapters/agent/fields.ts";
import { createJsonLines } from "../../../src/adapters/agent/json-lines.ts";
import { hasAtMost } from "../../../src/adapters/agent/json-parts.ts";

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

  it.each([
    ["deep", (count: number) => `{"a":${"[".repeat(count)}${"]".repeat(count)}}`],
    ["many", (count: number) => `{"a":[${"{},".repeat(count)}0]}`],
    ["wide", (count: number) => `{"a":{${'"k":0,'.repeat(count)}"z":0}}`],
    ["never ended", (count: number) => `{"a":${"[".repeat(count)}`],
  ])("[AC19] of too many parts are told and left out without being read: %s", (_, of) => {
    using parse = vi.spyOn(JSON, "parse");
    const told: string[] = [];
    const sink = { event() {}, noise() {}, oversized: (what: string) => void told.push(what) };
    const lines = createJsonLines(sink);
    lines.write(Buffer.from(`${of(500_001)}\n`));
    expect(told).toEqual(["of more than 500000 objects and fields was too long to be read"]);
    expect(parse).not.toHaveBeenCalled();
    lines.write(Buffer.from(`${of(499_000)}\n`));
    expect(parse).toHaveBeenCalledOnce();
    expect(told).toHaveLength(1);
  });

  it("[AC19] have as many parts as they have objects, lists and members, whatever stands in their strings", () => {
    const count = (value: unknown): number => {
      if (typeof value !== "object" || value === null) return 0;
      const inner = Object.values(value);
      return inner.reduce<number>(
        (sum, one) => sum + count(one),
        1 + (Array.isArray(value) ? 0 : inner.length),
      );
    };
    const odd = fc.string({ unit: fc.constantFrom('"', "\\", "[", "{", ":", "a") });
    fc.assert(
      fc.property(fc.jsonValue(), odd, odd, (value, key, said) => {
        const whole = [{ [key]: said, value }];
        const parts = count(JSON.parse(JSON.stringify(whole)));
        const json = JSON.stringify(whole).padEnd(5_000);
        expect(hasAtMost(parts, json)).toBe(true);
        expect(hasAtMost(parts - 1, json)).toBe(false);
      }),
    );
  });

  it("with `__proto__` change nothing but themselves", () => {
    const { events } = read(['{"__proto__":{"polluted":true}}\n']);
    expect(events).toHaveLength(1);
    expect(({} as Fields)["polluted"]).toBeUndefined();
  });
});
