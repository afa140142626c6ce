import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covers, meetingNames } from "../../src/run/paths.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";
import { Bench, plan, task } from "./build.ts";

function meet(one: readonly string[], other: readonly string[]): boolean {
  const [a = [], b = []] = meetingNames([one, other]);
  return a.some(name => b.includes(name));
}

describe("declared paths", () => {
  it.each([
    ["src/a.ts", "src/a.ts", true],
    ["./src/a.ts", "src//a.ts", true],
    ["src/a.ts", "src/b.ts", false],
    ["src", "src/deep/a.ts", true],
    ["src/", "src/a.ts", true],
    ["src", "srcs/a.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**", "src/deep/a.ts", true],
    ["**/*.ts", "src/deep/a.ts", true],
    ["**/*.ts", "src/deep/a.md", false],
    ["src/{a,b}.ts", "src/c.ts", true],
    ["src/?.ts", "src/a.ts", true],
    ["src/?.ts", "src/ab.ts", false],
    ["src/**", "src/deep/*.ts", true],
    ["src/**", "docs/**", false],
    ["src/api/*.ts", "src", true],
    ["*", "src/a.ts", false],
    ["*", "a.ts", true],
    ["", "src/a.ts", true],
    [".", "src/*.ts", true],
    ["*.ts", "**", true],
    ["src/a*", "src/a", true],
    ["src/a**", "src/a", true],
    ["src/**/a.ts", "src/a.ts", true],
    ["src/**/b/**/a.ts", "src/x/b/y/a.ts", true],
    ["src/a?", "src/a", false],
    ["src/a.ts/x*", "src/a.ts", true],
  ])("[RD9] %s and %s meet: %s", (one, other, expected) => {
    expect(meet([one], [other])).toBe(expected);
    expect(meet([other], [one])).toBe(expected);
  });

  it("[RD9] without patterns and folders are held as they are written", () => {
    expect(meetingNames([["a", "b"], ["c"], []])).toEqual([["a", "b"], ["c"], []]);
  });

  it("[RD9] names are the path, the folders that are declared around it, and what covers it", () => {
    expect(meetingNames([["src/a.ts"], ["src"], ["src/*.ts"], ["*.md"], ["./src//a.ts"]])).toEqual([
      ["src/a.ts", "src", "src/*.ts"],
      ["src"],
      ["src/*.ts", "src", "/**/*", "src/**/*"],
      ["*.md", "/**/*"],
      ["src/a.ts", "src", "src/*.ts"],
    ]);
  });

  it("[RD9] a pattern covers what it is made from", () => {
    const part = fc.stringMatching(/^[a-z]{1,4}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.nat(), (parts, at) => {
        const wild = parts.map((one, n) => (n === at % parts.length ? "*" : one)).join("/");
        const deep = [...parts.slice(0, at % parts.length), "**"].join("/");
        expect(covers(wild, parts.join("/"))).toBe(true);
        expect(covers(deep, parts.join("/"))).toBe(true);
        expect(covers(`${parts.join("/")}/x`, parts.join("/"))).toBe(false);
      }),
    );
  });

  it("[RD9] hostile patterns are answered, without trying every way", () => {
    const stars = "*a".repeat(2000);
    expect(covers(stars, `${"a".repeat(4000)}b`)).toBe(false);
    expect(covers(Array.from({ length: 300 }, () => "**").join("/"), "a/b/c")).toBe(true);
  });

  itWhole("[RD9] many lists are named in linear time", () => {
    const listsOf = (size: number) =>
      Array.from({ length: size }, (_, n) => [`src/part${n % 100}/file${n}.ts`, `docs/${n}/**`]);
    expect(meetingNames(listsOf(20_000))).toHaveLength(20_000);
    expect(growth(2000, listsOf, meetingNames)).toBeLessThan(LINEAR);
  });

  it("[RD9] keep tasks apart that overlap, and let the others run", () => {
    const bench = Bench.of(
      plan(
        task("T1.1", { files: ["src/**"] }),
        task("T1.2", { files: ["src/a.ts"] }),
        task("T1.3", { files: ["docs/"] }),
      ),
    );
    expect(bench.running()).toEqual(["T1.1", "T1.3"]);
    bench.done("T1.1");
    expect(bench.running()).toEqual(["T1.2", "T1.3"]);
  });
});
