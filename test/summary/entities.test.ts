import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entitiesIn } from "../../src/summary/entity/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";

const keys = (text: string) =>
  [...entitiesIn(text).values()].map(({ entity }) => `${entity.kind} ${entity.key}`);

describe("entities", () => {
  it.each([
    ["src/orders/a.ts", "path src/orders/a.ts"],
    ["./src/a.ts:12", "path src/a.ts"],
    ["`../lib/x.py`", "path ../lib/x.py"],
    ["see config.yaml.", "path config.yaml"],
    ["POST /api/exports answers", "path /api/exports"],
    ["/users/{id}/orders", "path /users/{id}/orders"],
    ["@scope/package", "path @scope/package"],
    [".env", "path .env"],
    ["docs/planning/", "path docs/planning/"],
    ["https://example.org/a?b=c", "path https://example.org/a?b=c"],
    ["T1.3", "id T1.3"],
    ["(ADR-002),", "id ADR-002"],
    ["P2-S1-T1:", "id P2-S1-T1"],
    ["GC-v4", "id GC-v4"],
    ["#123", "id #123"],
    ["commit 3f2a9bc1", "id 3f2a9bc1"],
    ["DONE:T1.3", "id T1.3"],
    ["512MB", "number 512mb"],
    ["85%", "number 85%"],
    ["12,345 rows", "number 12345rows"],
    ["1,200건", "number 1200건"],
    ["30초 걸림", "number 30초"],
    ["2026-03-02", "number 2026-03-02"],
    ["12:30", "number 12:30"],
    ["v1.2.3", "number v1.2.3"],
    ["T=0.65", "number 0.65"],
    ["$12.50", "number 12.50"],
    ["`claim()`", "code claim"],
    ["parseOrder", "code parseOrder"],
    ["MAX_ROWS", "code MAX_ROWS"],
    ["orders.created_at", "code orders.created_at"],
    ["--dry-run", "code --dry-run"],
    ["`foo bar`", "code foo bar"],
  ])("[UE1] finds in %s: %s", (text, expected) => {
    expect(keys(text)).toEqual([expected]);
  });

  it.each([
    ["1,200 ms", "1200ms"],
    ["30 s", "30s"],
    ["./src/a.ts", "src/a.ts:7"],
    ["`src/a.ts`", "src/a.ts"],
    ["`MAX_ROWS`", "MAX_ROWS"],
    ["`run()`", "`run`"],
  ])("[UE1] takes %s and %s for one fact", (one, other) => {
    expect(keys(one)).toEqual(keys(other));
    expect(entitiesIn(`${one} then ${other}`).values().next().value?.count).toBe(2);
  });

  it("[UE1] finds what a command in code marks names", () => {
    expect(keys("`vitest run test/a.test.ts --watch`")).toEqual([
      "code vitest run test/a.test.ts --watch",
      "path test/a.test.ts",
      "code --watch",
    ]);
  });

  it.each([
    "and/or",
    "TCP/IP",
    "24/7",
    "1/2",
    "a. b. c.",
    "read/write",
    "1. First",
    "| --- | --- |",
    "Hello World",
    "5",
    "결정 사항",
    "```ts",
  ])("[UE2] finds nothing in %s", text => {
    expect(keys(text)).toEqual([]);
  });

  it("[UE1] leaves particles of Korean alone", () => {
    expect(keys("`src/a.ts`를 고치고 src/b.ts를 읽었다. T1.3은 끝났다")).toEqual([
      "path src/a.ts",
      "path src/b.ts",
      "id T1.3",
    ]);
  });

  it("[UE1] finds a fact wherever it stands among prose", () => {
    const fact = fc.constantFrom("src/a.ts", "T1.3", "`claim`", "MAX_ROWS", "30ms", "ADR-7");
    const word = fc.constantFrom("the", "and", "결정", "—", "(", "so", "**bold**", "…");
    fc.assert(
      fc.property(fc.array(word), fact, fc.array(word), (before, one, after) => {
        const found = keys([...before, one, ...after].join(" "));
        expect(found).toEqual(keys(one));
      }),
    );
  });

  itWhole("[UE3] takes time in proportion to the text", () => {
    const shapes = ["a", "가", "`", "1,", "/", "a/b.", "{", "/{a", "=", "`a ", "12:"];
    for (const shape of shapes) {
      const textOf = (size: number) => shape.repeat(size / shape.length);
      expect(growth(50_000, textOf, entitiesIn)).toBeLessThan(LINEAR);
    }
  });

  it("[UE3] never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), text => {
        for (const { entity, count } of entitiesIn(text).values()) {
          expect(entity.key).not.toBe("");
          expect(count).toBeGreaterThan(0);
        }
      }),
    );
  });
});
