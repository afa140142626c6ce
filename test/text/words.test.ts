import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../src/text/duration.ts";
import { duration, nearest, slug } from "../../src/text/index.ts";

describe("words", () => {
  it.each([
    ["User Login & Sign-up", "user-login-sign-up"],
    ["  --Hello--  ", "hello"],
    ["Café Straße", "cafe-stra-e"],
    ["日本語", "x"],
    ["日本語 feature 2", "feature-2"],
    ["../../etc/passwd", "etc-passwd"],
    ["$(rm -rf /)", "rm-rf"],
    ["", "x"],
    ["ＦＵＬＬ", "full"],
    ["a".repeat(80), "a".repeat(40)],
    [`${"a".repeat(39)} b`, "a".repeat(39)],
  ])("[XW1] makes a slug of %j", (text, expected) => {
    expect(slug(text, "x")).toBe(expected);
  });

  it.each([
    ["결제 시스템", "gyeolje-siseutem"],
    ["로그인/회원가입 API", "rogeuin-hoewongaip-api"],
    ["값 읽기", "gap-ikgi"],
    ["쌍따옴표 힣", "ssangttaompyo-hit"],
    ["결제".normalize("NFD"), "gyeolje"],
    ["알림 2차", "alrim-2cha"],
    ["가".repeat(80), "ga".repeat(20)],
  ])("[XW10] spells %j by its sound", (text, expected) => {
    expect(slug(text, "x")).toBe(expected);
  });

  it("[XW1] keeps to its alphabet and its length, and is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), text => {
        const out = slug(text, "fallback");
        expect(out).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(out.length).toBeLessThanOrEqual(40);
        expect(slug(out, "other")).toBe(out);
      }),
    );
  });

  it.each([
    ["paralel", ["parallel", "parse"], "parallel"],
    ["T1.30", ["T1.3", "T9.99"], "T1.3"],
    ["AGENT", ["agent", "agents"], "agent"],
    ["vreify", ["verify", "files"], "verify"],
    ["zzz", ["parallel", "agent"], undefined],
    ["", ["a"], "a"],
    ["", ["ab"], undefined],
    ["x".repeat(65), ["x".repeat(65)], undefined],
  ] as const)("[XW2] takes %j for what was meant", (written, candidates, expected) => {
    expect(nearest(written, candidates)).toBe(expected);
  });

  it("[XW2] finds a word with one mistake", () => {
    const words = ["parallel", "maxAttempts", "phaseGate", "signals", "locale", "verify"];
    fc.assert(
      fc.property(fc.constantFrom(...words), fc.nat(20), fc.constantFrom("x", "", "qq"), (word, at, put) => {
        const i = at % word.length;
        const typo = word.slice(0, i) + put + word.slice(i + 1);
        expect(nearest(typo, words)).toBe(word);
      }),
    );
  });

  it("[XW2] looks at no more than it must", () => {
    function* endless(): Generator<string> {
      for (let n = 0; ; n++) yield `candidate-number-${n}`;
    }
    expect(nearest("candidate-number-x", endless())).toBe("candidate-number-0");
  });

  it.each([
    [0, "0ms"],
    [850, "850ms"],
    [999, "999ms"],
    [999.6, "1.0s"],
    [1000, "1.0s"],
    [4200, "4.2s"],
    [59_949, "59.9s"],
    [59_960, "1m00s"],
    [60_000, "1m00s"],
    [185_000, "3m05s"],
    [3_599_400, "59m59s"],
    [3_599_600, "1h00m"],
    [7_800_000, "2h10m"],
    [360_000_000, "100h00m"],
    [-5, "0ms"],
    [Number.NaN, "0ms"],
    [Number.POSITIVE_INFINITY, "0ms"],
  ])("[XW3] shows %d ms as %s", (ms, shown) => {
    expect(duration(ms)).toBe(shown);
  });

  it("[XW3] never shows a unit at its own limit", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), ms => {
        expect(duration(ms)).toMatch(/^(\d{1,3}ms|[1-5]?\d\.\ds|[1-5]?\dm[0-5]\ds|\d+h[0-5]\dm)$/);
      }),
    );
  });

  it("[XW4] shows any number as a time or as none", () => {
    expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
    for (const odd of [Number.NaN, Number.MAX_VALUE, Number.NEGATIVE_INFINITY])
      expect(isoTime(odd)).toBe("?");
  });
});
