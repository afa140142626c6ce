import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNaturally, lastNumber, phasePrefix, readId, readNumber } from "../../src/plan/syntax/ids.ts";

function id(text: string, anyPrefix = false) {
  return readId(text, 0, text.length, anyPrefix);
}

describe("ids", () => {
  it.each([
    "T1",
    "T12",
    "T1.3",
    "T0.5.1",
    "T2.2-FE",
    "T001",
    "T117a",
    "T1.3a",
    "T-001",
    "TASK-12",
    "TASK-12.1",
    "task-7",
    "t1.3",
    "P0-T0.1",
    "P1-R1",
    "P1-T1",
    "P2-S1-T1",
    "P2-S1-V",
    "P3-V2.1",
    "P2-V",
    "P1.5-SK2-T1",
    "PF-R1-T1",
    "P12-T30.2",
    "P1-T1-a",
    "P2_S1_T1",
    "M1-T2",
    "S1-T1",
    "P1-R1-T1.2",
  ])("[L11] %s is the id of a task", text => {
    expect(id(text)).toEqual({ id: text, end: text.length, shape: "task" });
    expect(id(`${text}: title`)).toMatchObject({ id: text });
    expect(id(`${text} title`)).toMatchObject({ id: text });
    expect(id(`${text}`)?.end).toBe(text.length);
  });

  it.each([
    ["P0", "phase"],
    ["P12", "phase"],
    ["P1.5", "phase"],
    ["M1", "milestone"],
    ["M0.5", "milestone"],
    ["BE-01", "other"],
    ["DB-1", "other"],
    ["INFRA-3", "other"],
    ["R2", "other"],
  ])("[L11] %s is a %s", (text, shape) => {
    expect(id(text)).toEqual({ id: text, end: text.length, shape });
  });

  it.each([
    "Next.js",
    "OAuth2",
    "T",
    "Task",
    "Phase",
    "TypeScript",
    "T1foo",
    "FR-1",
    "NFR-2",
    "AC-1",
    "US1",
    "UC-3",
    "REQ-10",
    "ISO-9001",
    "RFC-822",
    "UTF-8",
    "SHA-256",
    "ES2022",
    "MD5",
    "ADR-7",
    "be-01",
    "abc-12",
    "v1.2",
    "T1.tsx",
    "T1@x",
    "abcdefghijklm-1",
    "로그인",
    "1.2",
    "",
    "-T1",
    "P1-T1.ts",
  ])("[L11] %j is none", text => {
    expect(id(text)).toBeUndefined();
  });

  it.each([
    ["T1.1~T1.6", "T1.1"],
    ["T001-T009", "T001"],
    ["P0-P1", "P0"],
    ["M1-M5", "M1"],
    ["T1.1.", "T1.1"],
    ["T1.1, T1.2", "T1.1"],
    ["T1.1)", "T1.1"],
    ["T1.1은 뒤", "T1.1"],
    ["T1.1의", "T1.1"],
    ["P1-T1-backend", "P1-T1"],
    ["T1.2—title", "T1.2"],
  ])("[L11] %j begins with %s", (text, expected) => {
    expect(id(text)?.id).toBe(expected);
  });

  it("[L31] prefixes of screens and requirements are read where values may shorten ids", () => {
    expect(id("S1")).toBeUndefined();
    expect(id("S1", true)).toMatchObject({ id: "S1", shape: "other" });
  });

  it("[L4] ids are short, whatever the file holds", () => {
    expect(id(`T1${".1".repeat(1000)}`)?.id.length ?? 0).toBeLessThanOrEqual(64);
    expect(id(`P1${"-R1".repeat(1000)}`)?.id.length ?? 0).toBeLessThanOrEqual(64);
    expect(id("T".repeat(1000))).toBeUndefined();
  });

  it("[L4] stays inside the text it is given", () => {
    const unit = fc.constantFrom("T", "P", "1", "2", ".", "-", "_", "a", "V", "가", " ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 20 }), fc.nat(20), (text, end) => {
        const stop = Math.min(end, text.length);
        const found = readId(text, 0, stop);
        if (found === undefined) return;
        expect(found.end).toBeLessThanOrEqual(stop);
        expect(found.id).toBe(text.slice(0, found.end));
        expect(found.id).toMatch(/\d/);
        expect(found.id).toMatch(/^[A-Za-z]/);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["1", "1"],
    ["1.2", "1.2"],
    ["12.3.4 x", "12.3.4"],
    ["001: x", "001"],
    ["2a", "2a"],
    ["1. x", "1"],
    ["1) x", "1"],
    ["1.2. x", "1.2"],
  ])("[L44] %j holds the number %s", (text, expected) => {
    expect(readNumber(text, 0, text.length)).toMatchObject({ id: expected, shape: "number" });
  });

  it.each(["x", "", "1abc", "2nd", ".1"])("[L44] %j holds no number", text => {
    expect(readNumber(text, 0, text.length)).toBeUndefined();
  });

  it.each([
    ["T1", { prefix: "T", number: "1" }],
    ["P12-T10", { prefix: "P12-T", number: "10" }],
    ["T1.12", { prefix: "T1.", number: "12" }],
    ["T117a", { prefix: "T", number: "117" }],
    ["M0", { prefix: "M", number: "0" }],
    ["P1-V", undefined],
    ["P1-FE", undefined],
    ["V", undefined],
  ])("[L30] the last number of %s", (text, expected) => {
    expect(lastNumber(text)).toEqual(expected);
  });

  it.each([
    ["P1-T1", "1"],
    ["P1.5-SK2-T1", "1.5"],
    ["PF-R1-T1", "F"],
    ["P0-T0.1", "0"],
    ["T1.1", undefined],
    ["P1", undefined],
    ["P-1", undefined],
  ])("[L15] the phase in %s", (text, label) => {
    expect(phasePrefix(text)).toBe(label);
  });
});

describe("natural order", () => {
  const word = fc.string({
    unit: fc.constantFrom("T", "P", "a", "-", ".", "0", "1", "2", "9"),
    maxLength: 8,
  });

  it("[L30] is a total order", () => {
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(Math.sign(compareNaturally(a, b))).toBe(-Math.sign(compareNaturally(b, a)) + 0);
        const [x, y, z] = [a, b, c].toSorted(compareNaturally);
        expect([
          compareNaturally(x!, y!) <= 0,
          compareNaturally(y!, z!) <= 0,
          compareNaturally(x!, z!) <= 0,
        ]).toEqual([true, true, true]);
        expect(compareNaturally(a, a)).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it("[L30] counts as people do", () => {
    const sorted = ["T1.1", "T1.2", "T1.9", "T1.10", "T1.11", "T2", "T2.1", "T10"];
    expect([...sorted].reverse().sort(compareNaturally)).toEqual(sorted);
    expect(["P1-T10", "P1-T9", "P1-R1-T1", "P0-T1"].sort(compareNaturally)).toEqual([
      "P0-T1",
      "P1-R1-T1",
      "P1-T9",
      "P1-T10",
    ]);
  });

  it("[L30] numbers beyond what a double holds keep their order", () => {
    expect(compareNaturally("T99999999999999999999998", "T99999999999999999999999")).toBeLessThan(0);
    expect(compareNaturally("T0010", "T9")).toBeGreaterThan(0);
    expect(compareNaturally("T001", "T1")).toBe(0);
  });
});
