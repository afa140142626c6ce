import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wantedAttempts } from "../../src/assembly/attempts.ts";
import { choose } from "../../src/assembly/choose.ts";
import { wantedDocuments } from "../../src/assembly/documents.ts";
import { PACKAGE_LIMITS, type PackageDocument, type PackageResult } from "../../src/assembly/index.ts";
import { wantedResults } from "../../src/assembly/results.ts";
import type { Piece } from "../../src/assembly/types.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf, itWhole } from "../sample.ts";
import { adversarial, overBy } from "./adversarial.ts";
import { assembler, doc, node, prose, request, result } from "./parts.ts";

const limits = { tokens: 4000 };
const documentsIn = (receipt: { readonly parts: readonly { kind: string; source: string; in: boolean }[] }) =>
  receipt.parts.filter(({ kind }) => kind === "document");

describe("documents without room", () => {
  it("[B8] are whole while everything fits, however long one is", () => {
    const big = doc("big", prose("big", 3000));
    const made = assembler()(request([node("ctx-root", big)], { limits: { ...limits, document: 100 } }));
    expect(documentsIn(made.receipt)).toMatchObject([{ source: "big", level: 0, in: true }]);
    const all = made.receipt.tokens;
    const exact = assembler()(request([node("ctx-root", big)], { limits: { tokens: all } }));
    expect(exact.text).toBe(made.text);
  });

  it("[B16] those of the reader's own node come before those above, and the root gives way first", () => {
    const path = [
      node("ctx-root", doc("root", prose("root", 1500))),
      node("ctx-a", doc("above", prose("above", 1500))),
      node("ctx-a-b", doc("own", prose("own", 1500))),
    ];
    const { receipt, text } = assembler()(request(path, { limits }));
    expect(documentsIn(receipt).map(part => [part.source, part.in])).toEqual([
      ["above", true],
      ["own", true],
      ["root", false],
    ]);
    expect(text).toContain(
      `- not given, ctx-root: 1 text, ${countTokens(prose("root", 1500))} tokens: docs/root.md`,
    );
    expect(receipt.tokens).toBeLessThanOrEqual(limits.tokens);
  });

  it("[B16] what is far keeps its shortest forms in a fifth of the room, however much the own node has", () => {
    const rule = doc("rule", "Never push to main.\n");
    const own = Array.from({ length: 8 }, (_, at) => doc(`own-${at}`, prose(`own-${at}`, 600)));
    // One that the fifth does not hold takes nothing from those that it does.
    const tome = doc("tome", prose("tome", 2000));
    const { receipt } = assembler()(
      request([node("ctx-root", tome, rule), node("ctx-a", ...own)], { limits }),
    );
    expect(documentsIn(receipt).find(({ source }) => source === "rule")?.in).toBe(true);
  });

  it("[B16] the fifth of what hangs above is sure beside many short ones of the own node, which have the rest", () => {
    const small = Array.from({ length: 150 }, (_, at) => doc(`n${at}`, `Bed ${at} is ${at * 3} wide.\n`));
    const spec = doc("spec", prose("spec", 300));
    const path = [node("ctx-root", spec), node("ctx-a", ...small)];
    const readOf = (results: readonly PackageResult[]) => {
      const { parts, tokens } = assembler()(request(path, { limits, results })).receipt;
      expect(tokens).toBeLessThanOrEqual(limits.tokens);
      return documentsIn({ parts }).filter(part => part.in);
    };
    const alone = readOf([]);
    expect(alone.some(({ source }) => source === "spec")).toBe(true);
    expect(alone.length).toBeGreaterThan(30);
    // What dependencies have is no part of the room that is shared: the own node has most of the rest.
    const beside = readOf(Array.from({ length: 4 }, (_, at) => result(`T0.${at}`, prose(`r${at}`, 700))));
    expect(beside.length).toBeGreaterThan(5);
    expect(beside.some(({ source }) => source === "spec")).toBe(false);
  });

  it("[B17] many small ones share a line that names some, and how to get any", () => {
    const small = Array.from({ length: 450 }, (_, at) => doc(`n${at}`, `Bed ${at} is ${at * 3} wide.\n`));
    const own = doc("own", prose("own", 300));
    const made = assembler()(request([node("ctx-root", ...small), node("ctx-a", own)], { limits }));
    expect(made.receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(made.receipt.tokens).toBeGreaterThan(limits.tokens * 0.9);
    const out = documentsIn(made.receipt).filter(part => !part.in);
    expect(out.length).toBeGreaterThan(300);
    const note = made.receipt.parts.find(({ source }) => source === "left-out")!;
    expect(note.tokens).toBeLessThanOrEqual(400);
    expect(made.text).toMatch(
      new RegExp(`- not given, ctx-root: ${out.length} texts, \\d+ tokens: docs/n\\d+\\.md, `),
    );
    expect(made.text).toContain("own: the gate");
  });

  it("[B17] a limit that a person set for one text binds where not everything fits, and is named", () => {
    const document = doc("d", prose("d", 2000));
    const levels = {
      forms: [
        { level: 0, text: document.text, retention: 1 },
        { level: 2, text: "d in brief", retention: 0.5 },
      ],
      priority: 0.5,
    } as const;
    const { receipt } = assembler()(
      request([node("ctx-root", document, doc("e", prose("e", 3000)))], {
        limits: { ...limits, document: 500 },
        documentLevels: ({ label }) =>
          label === "d" ? levels : { ...levels, forms: [{ level: 2, text: "e in brief", retention: 0.5 }] },
      }),
    );
    expect(documentsIn(receipt)).toMatchObject([
      { source: "d", level: 2, bound: { limit: "context.package.document", tokens: 500 } },
      { source: "e", level: 2 },
    ]);
  });

  it("[B4] what others appended to the root makes a full branch give way, not the limit", () => {
    const make = assembler();
    const root = doc("root", prose("root", 100));
    const full = node("ctx-full", doc("full-1", prose("full-1", 1900)), doc("full-2", prose("full-2", 1300)));
    make(request([node("ctx-root", root), full], { limits }));
    const found = doc("found", prose("found", 1200));
    const light = make(
      request([node("ctx-root", root, found), node("ctx-light", doc("l", "l"))], { limits }),
    );
    expect(documentsIn(light.receipt).find(({ source }) => source === "found")?.in).toBe(true);
    const again = make(request([node("ctx-root", root, found), full], { limits }));
    expect(again.receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(documentsIn(again.receipt).find(({ source }) => source === "found")?.in).toBe(false);
  });
});

describe("results", () => {
  it("[B9] say so when there is nothing", () => {
    const made = assembler()(request([node("ctx-root")], { results: [result("T0", "  \n")] }));
    expect(made.text).toContain("(it left no message)");
  });
});

describe("attempts", () => {
  const attempts = Array.from({ length: 20 }, (_, at) => ({
    number: at + 1,
    how: `failed: reason ${at + 1}`,
    told: `output of attempt ${at + 1}`,
  }));

  it("[B9] the newest are told in full, older ones in a line, the oldest only listed", () => {
    const { text, receipt } = assembler()(request([node("ctx-root")], { attempts }));
    for (const at of [18, 19, 20]) expect(text).toContain(`output of attempt ${at}\n`);
    expect(text).not.toContain("output of attempt 17\n");
    expect(text).toContain('ended="failed: reason 9"');
    expect(text).not.toContain('reason 8"');
    const parts = receipt.parts.filter(({ kind }) => kind === "attempt");
    expect(parts).toHaveLength(20);
    expect(parts.filter(part => part.in).map(({ source }) => source)[0]).toBe("T1#9");
    expect(parts.filter(part => !part.in).every(part => part.tokens === 0)).toBe(true);
  });

  it("[B9] that ended alike, one after the other, are told once, and the receipt names each", () => {
    const same = [1, 2, 3, 5].map(number => ({ number, how: "no-signal", told: "no signal" }));
    const other = { number: 6, how: "no-signal", told: "something else" };
    const { text, receipt } = assembler()(request([node("ctx-root")], { attempts: [...same, other] }));
    expect(text.match(/<attempt number[^>]*ended="[^"]*"/g)).toEqual([
      '<attempt number="1-3" ended="no-signal"',
      '<attempt number=5 ended="no-signal"',
      '<attempt number=6 ended="no-signal"',
    ]);
    expect(text.match(/^no signal$/gm)).toHaveLength(2);
    const parts = receipt.parts.filter(({ kind }) => kind === "attempt");
    expect(parts.map(({ source, in: isIn, of }) => [source, isIn, of])).toEqual([
      ["T1#3", true, undefined],
      ["T1#5", true, undefined],
      ["T1#6", true, undefined],
      ["T1#1", false, "T1#3"],
      ["T1#2", false, "T1#3"],
    ]);
  });

  it("[B9] leave room for results", () => {
    const loud = attempts.map(attempt => ({ ...attempt, told: prose("loud", 1500) }));
    const { receipt } = assembler()(
      request([node("ctx-root")], { limits, attempts: loud, results: [result("T0", prose("r", 200))] }),
    );
    expect(receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(receipt.parts.find(({ kind }) => kind === "result")?.in).toBe(true);
    // What went wrong last time stands there in full.
    const told = receipt.parts.filter(({ kind, level }) => kind === "attempt" && level === 0);
    expect(told.map(({ source }) => source)).toContain("T1#20");
  });
});

/** The same answer for the same source, however often it is asked for. */
function remembered<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new Map<Of, Made>();
  return of => {
    const made = known.get(of) ?? make(of);
    known.set(of, made);
    return made;
  };
}

const sumOf = (pieces: readonly Piece[]) => pieces.reduce((all, { part }) => all + part.tokens, 0);

describe("what is left unused", () => {
  it("[B19] would hold no finer form of anything that is in, and the receipt names the limit that binds", () => {
    let shortened = 0;
    const headings = { documents: 3, results: 4, attempts: 5 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const given = adversarial(seed);
        let isAsked = false;
        const documentLevels = remembered((of: PackageDocument) => {
          isAsked = true;
          return given.documentLevels!(of, 0);
        });
        const resultLevels = remembered((of: PackageResult) => given.resultLevels!(of, 0, true));
        const asked = { ...given, documentLevels, resultLevels };
        const { tokens, results: most = Infinity } = given.limits;
        const { documents, results, attempts, note } = choose(asked, tokens, headings, countTokens);
        const sections = Object.entries({ documents, results, attempts });
        const around = sections.map(([name, { length }]) =>
          length === 0 ? 0 : headings[name as keyof typeof headings],
        );
        const told = [...documents, ...results, ...attempts];
        const used =
          sumOf(note === undefined ? told : [...told, note]) + around.reduce((all, one) => all + one, 0);
        expect(used).toBeLessThanOrEqual(tokens);
        expect(sumOf(results)).toBeLessThanOrEqual(most);
        const unused = { package: tokens - used, results: most - sumOf(results) };
        for (const { part, forms, section } of [
          // Where it is others that have no room, documents are whole or not there.
          ...(isAsked ? wantedDocuments(asked, { tokens, free: tokens, beside: 1e9 }, countTokens) : []),
          ...wantedResults(asked, true, countTokens),
          ...wantedAttempts(asked, countTokens).wanted,
        ]) {
          const own = told.find(one => one.part.source === part.source && one.part.kind === part.kind);
          const form = forms.find(({ piece }) => piece.text === own?.text);
          if (own === undefined || form === undefined) continue;
          const more = forms
            .filter(
              ({ retention, piece }) => retention > form.retention && piece.part.tokens > own.part.tokens,
            )
            .map(({ piece }) => piece.part.tokens - own.part.tokens);
          const least = Math.min(...more);
          expect(least > unused.package || (section === "results" && least > unused.results)).toBe(true);
          if (more.length === 0 || own.part.why !== "no-room") continue;
          shortened++;
          expect(least).toBeGreaterThan(
            own.part.bound!.limit === "context.package.tokens" ? unused.package : unused.results,
          );
        }
      }),
      { numRuns: casesOf(60, 120) },
    );
    expect(shortened).toBeGreaterThan(20);
  });

  itWhole(
    "[B19] goes to a part that needs it where naming what is left out takes less than was set aside",
    () => {
      const long = prose("long", 3000);
      const brief = (words: number) => "word ".repeat(words);
      const make = (tokens: number) =>
        assembler()(
          request([node("ctx-root", doc("big", long))], {
            limits: { tokens },
            results: [result("T0", long), result("T2", long.replaceAll("long", "other"))],
            documentLevels: () => ({ forms: [{ level: 0, text: long, retention: 1 }], priority: 0.1 }),
            resultLevels: () => ({
              forms: [
                { level: 2, text: brief(70), retention: 0.6 },
                { level: 3, text: brief(40), retention: 0.4 },
              ],
              priority: 0.5,
            }),
          }),
        ).receipt;
      const levelsIn = (tokens: number) =>
        make(tokens).parts.flatMap(part => (part.kind === "result" && part.in ? [part.level] : []));
      const least = [...Array(1000).keys()].find(tokens => levelsIn(tokens).join() === "2,2")!;
      expect(make(least).tokens).toBe(least);
    },
  );

  it("[B17] names the results' own limit only where that one keeps a result from its next form", () => {
    const forms = [
      { level: 0, text: prose("r", 900), retention: 1 },
      { level: 2, text: "r in brief ".repeat(60), retention: 0.7 },
      { level: 3, text: "r", retention: 0.4 },
    ] as const;
    const bounds = (tokens: number, results: number) =>
      assembler()(
        request([node("ctx-root")], {
          limits: { tokens, results },
          results: [result("T0", prose("r", 900)), result("T2", prose("s", 900))],
          resultLevels: () => ({ forms, priority: 0.5 }),
        }),
      ).receipt.parts.flatMap(({ kind, bound, level }) =>
        kind === "result" ? [`${level} ${bound?.limit}`] : [],
      );
    const own = "budget.context_budget.allocation.agent_outputs";
    expect(bounds(5000, 800)).toEqual([`2 ${own}`, `2 ${own}`]);
    expect(bounds(350, 800)).toEqual(["3 context.package.tokens", "3 context.package.tokens"]);
  });
});

describe("the limit", () => {
  it("[B10] holds whatever comes, unless role and task alone pass it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const given = adversarial(seed);
        const made = assembler()(given);
        expect(overBy(given, made)).toBeLessThanOrEqual(0);
        expect(countTokens(made.text)).toBe(made.receipt.tokens);
        expect(made.text).toContain(given.assignment.trim());
        const told = made.receipt.parts.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(told).toBe(made.receipt.tokens);
      }),
      { numRuns: casesOf(38, 150) },
    );
  });

  it("[B11] the receipt has tokens for what is in, and none for what is out, which comes last", () => {
    let repeated = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const { parts } = assembler()(adversarial(seed)).receipt;
        expect(parts.map(part => part.tokens > 0)).toEqual(parts.map(part => part.in));
        expect(parts).toEqual(parts.toSorted((one, other) => Number(other.in) - Number(one.in)));
        repeated += parts.filter(({ kind, why }) => kind === "result" && why === "same-text").length;
      }),
      { numRuns: casesOf(38, 150) },
    );
    expect(repeated).toBeGreaterThan(0);
  });

  it("[B10] role and task are given alone where they pass it", () => {
    const made = assembler()(
      request([node("ctx-root", doc("d", "d"))], { limits: { tokens: 5 }, results: [result("T0", "r")] }),
    );
    expect(made.receipt.parts.filter(part => part.in && part.kind !== "heading")).toMatchObject([
      { kind: "role" },
      { kind: "task" },
    ]);
  });

  it("[B8] is generous by default", () => {
    const made = assembler()(request([node("ctx-root", doc("d", prose("d", 140_000)))]));
    expect(documentsIn(made.receipt).find(({ source }) => source === "d")?.in).toBe(true);
    expect(PACKAGE_LIMITS.tokens).toBe(150_000);
  });
});
