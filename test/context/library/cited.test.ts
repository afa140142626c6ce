import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { citedIn } from "../../../src/context/library/cited.ts";
import { growth, LINEAR } from "../../growth.ts";
import { itWhole } from "../../sample.ts";

const sources = [
  { source: "T1.1", names: ["T1.1"] },
  { source: "1.2", names: ["1.2"] },
  { source: "gate-v1", names: ["gate-v1", "docs/gate.md"] },
  { source: "rules", names: ["rules"] },
  { source: "설계.md", names: ["설계.md"] },
];
const against = (answer: string) =>
  Object.fromEntries(citedIn(answer, sources).map(one => [one.source, one.against]));

describe("citations", () => {
  it("[G41] are of sources named in words, however they are marked, in English and Korean", () => {
    for (const [answer, source] of [
      ["As T1.1 found, pages hold 400 rows.", "T1.1"],
      ["T1.1의 결정대로 큐를 쓴다.", "T1.1"],
      ["The width follows `docs/gate.md`.", "gate-v1"],
      ["See gate-v1, section 2.", "gate-v1"],
      ["It builds on task 1.2.", "1.2"],
      ["태스크 1.2 결과를 따른다.", "1.2"],
      ["Taken from [1.2]; and 1.2#1 says so.", "1.2"],
      ["The document `rules` forbids it.", "rules"],
      ["설계.md에 따르면 큐를 쓴다.", "설계.md"],
    ] as const)
      expect([answer, against(answer)]).toEqual([answer, { [source]: 0 }]);
  });

  it("[G41] are not of other ids, paths, numbers, words, or of what stands in code", () => {
    for (const answer of [
      "T1.11 and T1.1.2 and xT1.1 and src/T1.1.ts are others.",
      "Version 1.2 of node takes 1.2 s.",
      "We wrote rules for it.",
      "other/docs/gate.md and docs/gate.mdx",
      "재설계.md에 따르면 큐를 쓴다.",
      "```\nT1.1 is wrong\n```",
    ])
      expect([answer, against(answer)]).toEqual([answer, {}]);
  });

  it("[G41] contradict where the sentence that names a source says that it is wrong, and not where it denies that", () => {
    for (const answer of [
      "T1.1 is wrong: pages hold 300 rows.",
      "This contradicts T1.1.",
      "Contrary to T1.1, the queue is in memory.",
      "What T1.1 says of the port is no longer true.",
      "T1.1의 결론은 사실과 다르다.",
      "T1.1과 모순된다.",
    ])
      expect([answer, against(answer)]).toEqual([answer, { "T1.1": 1 }]);
    for (const answer of [
      "This does not contradict T1.1.",
      "Nothing in T1.1 is wrong.",
      "T1.1 holds. The old page was wrong.",
      "T1.1과 모순되지 않는다.",
      "T1.1에 틀린 점은 없다.",
    ])
      expect([answer, against(answer)]).toEqual([answer, { "T1.1": 0 }]);
  });

  it("[G41] keep the sentence that says so, on one line and bounded", () => {
    const [one] = citedIn(`By T1.1.\nT1.1 is wrong \u001b[31m ${"x".repeat(5000)}`, sources);
    expect(one).toMatchObject({ source: "T1.1", times: 2, against: 1 });
    expect(one!.said).toMatch(/^T1\.1 is /);
    expect(one!.said.length).toBeLessThanOrEqual(200);
    expect(one!.said).not.toMatch(/[\u0000-\u001f]/);
  });

  itWhole("[G41] take any text, in time that grows with it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), text => {
        for (const { times, against: wrong } of citedIn(`${text} T1.1 ${text}`, sources))
          expect(wrong).toBeLessThanOrEqual(times);
      }),
    );
    const naming = (size: number) => "T1.1 is not a a, ".repeat(size);
    expect(growth(200, naming, text => citedIn(text, sources))).toBeLessThan(LINEAR);
  });
});
