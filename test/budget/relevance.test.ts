import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bm25, indexPassages, type Passage, rank, relevanceOf, termsOf } from "../../src/budget/index.ts";
import { growth, LINEAR } from "../growth.ts";

const passages = (...texts: string[]): Passage[] => texts.map((text, at) => ({ id: String(at), text }));
const first = (question: string, ...texts: string[]): string | undefined =>
  rank(indexPassages(passages(...texts)), question)[0]?.id;

describe("terms", () => {
  it.each([
    ["The parser failed on parsing", ["parser", "fail", "pars"]],
    ["src/auth/login.ts", ["src", "auth", "login", "ts", "src/auth/login.ts"]],
    ["MAX_RETRY_COUNT", ["max", "retry", "count", "max_retry_count"]],
    ["T1.3", ["t1", "3", "t1.3"]],
    ["예산을", ["예산", "산을"]],
    ["값", ["값"]],
    ["漢字かな", ["漢字", "字か", "かな"]],
    ["Ünïcode Straße", ["ünïcod", "straß"]],
    ["... --- !!!", []],
    ["", []],
  ])("[BR1] of %j", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("[BR1] are found in linear time", () => {
    for (const part of ["a", "가", "a_", "-", "漢", "😀"])
      expect(growth(12_500, size => part.repeat(size), termsOf)).toBeLessThan(LINEAR);
  });

  it("[BR1] never fail on anything", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), text => {
        for (const term of termsOf(text)) expect(term).not.toBe("");
      }),
    );
  });
});

describe("ranking", () => {
  it("[BR1] finds what names the subject", () => {
    expect(
      first(
        "why does the login token expire?",
        "the build is slow",
        "tokens of a login expired after a minute",
        "expire",
      ),
    ).toBe("1");
  });

  it("[BR1] finds Korean whatever particle stands behind the word", () => {
    expect(first("예산은 얼마인가", "회의는 월요일이다", "총예산을 십만으로 정했다", "검색 전략")).toBe("1");
  });

  it("[BR1] finds an identifier in a question by its parts and whole", () => {
    expect(
      first("where is retry_count set", "count the pages", "retry_count = 3 in policy.ts", "retry it"),
    ).toBe("1");
  });

  it("[BR1] prefers rare terms to common ones", () => {
    const texts = [...Array<string>(20).fill("the agent reads the document"), "the agent reads the zebra"];
    expect(first("agent zebra", ...texts)).toBe("20");
  });

  it("[BR2] lends to a neighbour that does not name the subject", () => {
    const index = indexPassages(
      passages("what about the cache limit", "it is 64 MB per tier", "other things", "more things"),
    );
    expect(rank(index, "cache limit").map(({ id }) => id)).toEqual(["0", "1"]);
    expect([...bm25(index, "cache limit")].filter(score => score > 0)).toHaveLength(1);
  });

  it("[BR2] does not lend from one group to another", () => {
    const grouped: Passage[] = [
      { id: "a", group: "one", text: "the cache limit" },
      { id: "b", group: "two", text: "something else" },
      { id: "c", group: "one", text: "unrelated words" },
    ];
    expect(rank(indexPassages(grouped), "cache limit").map(({ id }) => id)).toEqual(["a", "c"]);
    expect(rank(indexPassages(grouped), "cache limit", { group: 0 }).map(({ id }) => id)).toEqual(["a"]);
  });

  it("[BR3] ranks nothing for a question that nothing answers", () => {
    expect(rank(indexPassages(passages("alpha", "beta")), "gamma")).toEqual([]);
    expect(rank(indexPassages([]), "anything")).toEqual([]);
    expect(rank(indexPassages(passages("alpha")), "")).toEqual([]);
  });

  it("[BR3] newer comes first among equals only", () => {
    const index = indexPassages(passages("same words here", "unrelated", "other", "same words here"));
    expect(rank(index, "same words", { neighbours: 0 }).map(({ id }) => id)).toEqual(["3", "0"]);
  });

  it("[BR3] relevance is a share of the best", () => {
    const shares = relevanceOf(
      passages("nothing here", "budget of tokens", "tokens tokens budget budget"),
      "budget tokens",
    );
    expect(Math.max(...shares)).toBe(1);
    expect(shares.every(share => share >= 0 && share <= 1)).toBe(true);
    expect(relevanceOf(passages("a b", "c d"), "zzz")).toEqual([0, 0]);
  });

  it("[BR1] counts a term of the question once", () => {
    const index = indexPassages(passages("budget", "tokens"));
    expect([...bm25(index, "budget budget budget")]).toEqual([...bm25(index, "budget")]);
  });

  it("[BR1] is linear in the history", () => {
    const historyOf = (size: number) =>
      Array.from({ length: size }, (_, at) => ({
        id: String(at),
        text: `passage ${at} of budget ${at % 97} tokens and words`,
      }));
    const found = (history: Passage[]) => rank(indexPassages(history), "budget 13");
    expect(found(historyOf(200))).not.toEqual([]);
    expect(growth(2500, historyOf, found)).toBeLessThan(LINEAR);
  });

  it("[BR1] is not confused by words that objects know", () => {
    expect(
      first("constructor prototype", "hasOwnProperty toString", "the constructor of __proto__ prototype"),
    ).toBe("1");
  });
});
