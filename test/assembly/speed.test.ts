import { describe, expect, it } from "vitest";
import { assemble, createLayouts, PACKAGE_LIMITS } from "../../src/assembly/index.ts";
import { createTokenCache } from "../../src/tokens/index.ts";
import { doc, node, prose, request, result } from "./parts.ts";

const ROOMY = { ...PACKAGE_LIMITS, tokens: 10_000_000 };

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

describe("time", () => {
  it("[B14] of a package of 150,000 tokens with its counts cached is a moment", () => {
    const cache = createTokenCache();
    const path = [
      node("ctx-root", ...Array.from({ length: 100 }, (_, at) => doc(`d${at}`, prose(`d${at}`, 1450)))),
    ];
    const make = () => assemble(request(path, { limits: ROOMY }), createLayouts(), cache.count);
    expect(make().receipt.tokens).toBeGreaterThan(150_000);
    expect(Math.min(...Array.from({ length: 5 }, () => timed(make)))).toBeLessThan(50);
  });

  it("[B14] is linear in documents, nodes, results and attempts", () => {
    const cache = createTokenCache(200_000);
    const size = (count: number) => {
      const wide = [
        node("ctx-root", ...Array.from({ length: count }, (_, at) => doc(`d${at}`, `text ${at}`))),
      ];
      const deep = Array.from({ length: count }, (_, at) => node(`ctx-${at}`, doc(`n${at}`, `node ${at}`)));
      const results = Array.from({ length: count }, (_, at) => result(`T${at}`, `result ${at}`));
      const attempts = Array.from({ length: count }, (_, at) => ({
        number: at + 1,
        how: "failed",
        told: `x ${at}`,
      }));
      const layouts = createLayouts();
      const run = () => {
        assemble(request(wide, { limits: ROOMY, results, attempts }), layouts, cache.count);
        assemble(request(deep, { limits: ROOMY }), layouts, cache.count);
      };
      run();
      return Math.min(...Array.from({ length: 5 }, () => timed(run)));
    };
    const small = size(1000);
    const large = size(8000);
    expect(large).toBeLessThan(Math.max(40 * small, 1000));
  });

  it("[B14] of two thousand changes that are appended one by one stays linear", () => {
    const cache = createTokenCache(200_000);
    const layouts = createLayouts();
    const texts = Array.from({ length: 2000 }, (_, at) => doc(`d${at}`, `text ${at}\n`));
    const ms = timed(() => {
      for (let at = 100; at <= 2000; at += 100)
        assemble(request([node("ctx-root", ...texts.slice(0, at))], { limits: ROOMY }), layouts, cache.count);
    });
    expect(ms).toBeLessThan(5000);
  });
});

describe("many readers", () => {
  it("[B3] [B5] of several branches share the root, whatever is added to the others", () => {
    const cache = createTokenCache();
    const layouts = createLayouts();
    const root = doc("root", prose("root", 400));
    const own = new Map(["a", "b", "c"].map(name => [name, [doc(`own-${name}`, prose(name, 200))]]));
    const last = new Map<string, string>();
    for (let round = 0; round < 12; round++) {
      const name = ["a", "b", "c"][round % 3]!;
      const path = [node("ctx-root", root), node(`ctx-${name}`, ...own.get(name)!)];
      const made = assemble(request(path, { assignment: `Task ID: T${round}` }), layouts, cache.count);
      const before = last.get(name);
      const shared = before === undefined ? 0 : made.receipt.prefix.bytes;
      expect(before?.slice(0, shared)).toBe(before === undefined ? undefined : made.text.slice(0, shared));
      const all = made.receipt.tokens;
      const added = before === undefined ? all : all - made.receipt.prefix.tokens;
      // After its first package a branch pays for what is new on it, and for the task.
      expect(added).toBeLessThan(before === undefined ? Infinity : 120);
      last.set(name, made.text);
      own.get(name)!.push(doc(`found-${round}`, `found in round ${round}\n`));
    }
  });
});
