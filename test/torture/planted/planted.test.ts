import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROOFS } from "../proofs.ts";
import { roomOf } from "./bug.ts";
import { NAMED } from "./bugs/index.ts";
import { ROOT } from "./checkout.ts";
import { draw } from "./draw.ts";
import { candidatesIn } from "./operators.ts";
import { placeBug, planted } from "./place.ts";
import { parse } from "./syntax.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("bugs with a name", () => {
  it.each(NAMED)("$name: can be planted where it is said to be", bug => {
    const text = read(bug.file);
    expect(planted(text, placeBug(bug, text))).not.toBe(text);
  });

  it("stand in every room that can hold one", () => {
    const rooms = readdirSync(join(ROOT, "src"), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name);
    // Types alone can hold no bug.
    expect(
      rooms.filter(room => room !== "ports").filter(room => !NAMED.some(bug => roomOf(bug.file) === room)),
    ).toEqual([]);
  });

  it("are there for every long proof and every conformance suite, which so prove that they can fail", () => {
    const proofs = NAMED.flatMap(({ by }) => ("proof" in by ? [by.proof] : []));
    expect(PROOFS.map(({ name }) => name).filter(name => !proofs.includes(name))).toEqual([]);
    const suites = NAMED.flatMap(({ suite }) => suite ?? []);
    expect(
      ["store", "agent", "fleet", "vcs", "model"].filter(suite => !suites.includes(suite as never)),
    ).toEqual([]);
  });

  it("complain where their code has changed", () => {
    const bug = NAMED[0]!;
    expect(() => placeBug(bug, "export const other = 1;")).toThrow("no longer applies: there is no");
    const text = `function ${bug.symbol}() { a(); b(); a(); }`;
    expect(() => placeBug({ ...bug, swap: ["c();", ""] }, text)).toThrow("holds `c();` 0 times");
    expect(() => placeBug({ ...bug, swap: ["a ( ) ;", ""] }, text)).toThrow("2 times");
    expect(() => placeBug({ ...bug, swap: ["b();", "b(;"] }, text)).toThrow("Unexpected token");
  });
});

describe("drawn bugs", () => {
  const SOURCE = `export class Gate {
  open(at: number): boolean {
    if (at < 2) return false;
    this.#log(at);
    this.#close();
    return at > 3 && this.#ready;
  }
}`;

  it("are one change each, and leave a source that can be read", () => {
    const all = candidatesIn("src/run/gate.ts", SOURCE);
    expect(new Set(all.map(({ operator }) => operator))).toEqual(
      new Set([
        "condition negated",
        "guard dropped",
        "boundary shifted",
        "constant changed",
        "call dropped",
        "order of two statements swapped",
        "condition widened or narrowed",
      ]),
    );
    for (const one of all) expect(() => parse(planted(SOURCE, one))).not.toThrow();
  });

  it("are drawn by their own code: what changes elsewhere draws no others", () => {
    const names = (text: string) =>
      draw(candidatesIn("src/run/gate.ts", text), [], 7, 3).map(({ name }) => name);
    expect(names(`type Before = 0;\n\n${SOURCE}`)).toEqual(names(SOURCE));
    expect(names(SOURCE)).toHaveLength(3);
  });

  it("leave out those that are said to change nothing", () => {
    const all = candidatesIn("src/run/gate.ts", SOURCE);
    const [first] = draw(all, [], 7, 1);
    expect(draw(all, [{ ...first!, why: "nobody can see it" }], 7, 1)).not.toEqual([first]);
  });
});
