import { describe, expect, it } from "vitest";
import { assemble, createLayouts, PACKAGE_LIMITS } from "../../src/assembly/index.ts";
import { createTokenCache } from "../../src/tokens/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";
import { doc, node, prose, request, result } from "./parts.ts";

const ROOMY = { ...PACKAGE_LIMITS, tokens: 10_000_000 };

describe("time", () => {
  it("[B14] what was counted before is not counted again", () => {
    const cache = createTokenCache();
    const counted: string[] = [];
    const count = (text: string) => {
      counted.push(text);
      return cache.count(text);
    };
    const path = [
      node("ctx-root", ...Array.from({ length: 100 }, (_, at) => doc(`d${at}`, prose(`d${at}`, 1450)))),
    ];
    const layouts = createLayouts();
    const make = () => assemble(request(path, { limits: ROOMY }), layouts, count);
    expect(make().receipt.tokens).toBeGreaterThan(150_000);
    const first = counted.splice(0).join("").length;
    make();
    expect(counted.join("").length).toBeLessThan(first / 100);
  });

  it("[B14] is linear in documents, nodes, results and attempts", () => {
    const cache = createTokenCache(200_000);
    const requestsOf = (count: number) => {
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
      return {
        wide: request(wide, { limits: ROOMY, results, attempts }),
        deep: request(deep, { limits: ROOMY }),
      };
    };
    const layouts = createLayouts();
    const factor = growth(1000, requestsOf, ({ wide, deep }) => {
      assemble(wide, layouts, cache.count);
      assemble(deep, layouts, cache.count);
    });
    expect(factor).toBeLessThan(LINEAR);
  });

  itWhole("[B14] is linear where not everything fits, in documents of one node and of many", () => {
    const cache = createTokenCache(200_000);
    const requestsOf = (count: number) => {
      const documents = Array.from({ length: count }, (_, at) => doc(`d${at % 7}/${at}`, `text ${at}`));
      const results = Array.from({ length: count }, (_, at) => result(`T${at}`, `result ${at}`));
      const limits = { tokens: 8 * count };
      const path = documents.map((document, at) => node(`ctx-${at}`, document));
      return {
        wide: request([node("ctx-root", ...documents)], { limits, results }),
        deep: request(path, { limits }),
      };
    };
    const factor = growth(250, requestsOf, ({ wide, deep }) => {
      assemble(wide, createLayouts(), cache.count);
      assemble(deep, createLayouts(), cache.count);
    });
    expect(factor).toBeLessThan(LINEAR);
  });

  itWhole("[B14] of changes that are appended part by part is linear in what was appended", () => {
    const cache = createTokenCache(200_000);
    const textsOf = (size: number) => Array.from({ length: size }, (_, at) => doc(`d${at}`, `text ${at}\n`));
    const factor = growth(500, textsOf, texts => {
      const layouts = createLayouts();
      for (let part = 1; part <= 20; part++) {
        const path = [node("ctx-root", ...texts.slice(0, (texts.length * part) / 20))];
        assemble(request(path, { limits: ROOMY }), layouts, cache.count);
      }
    });
    expect(factor).toBeLessThan(LINEAR);
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
