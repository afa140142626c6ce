import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { told, toldText } from "../../src/text/index.ts";
import { TOLD_KOREAN } from "../../src/text/told.ts";

/** The sentences that the sources tell. */
function templates(): string[] {
  const found = new Set<string>();
  for (const file of globSync("src/**/*.ts")) {
    const source = readFileSync(file, "utf8");
    if (!source.includes("told`")) continue;
    new Visitor({
      TaggedTemplateExpression({ tag, quasi }) {
        if (tag.type !== "Identifier" || tag.name !== "told") return;
        const parts = quasi.quasis.map(({ value }) => value.cooked ?? "");
        found.add(parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`));
      },
    }).visit(parseSync(file, source).program);
  }
  // What a document spells stays as it is.
  return [...found].filter(template => !template.startsWith("ERROR:")).sort();
}

describe("a sentence with its values", () => {
  it("[FI1] is told in both languages, wherever it comes from", () => {
    const sentences = templates();
    expect(sentences.length).toBeGreaterThan(100);
    expect(Object.keys(TOLD_KOREAN).sort()).toEqual(sentences);
  });

  it("[FI1] has the same values in both, each at least once", () => {
    const values = (text: string) => [...new Set(text.match(/(?<=\{)\d/g))].sort().join();
    const amiss = Object.entries(TOLD_KOREAN).filter(
      ([english, korean]) => values(english) !== values(korean),
    );
    expect(amiss).toEqual([]);
  });

  it("[FI1] keeps values as they are, and gives them the particle that belongs to them", () => {
    const sentence = told`${"T1.2"} names ${"T1.1, T1.3"} as parallel, but not the other way round; taken as mutual`;
    expect(toldText(sentence)).toBe(
      "T1.2 names T1.1, T1.3 as parallel, but not the other way round; taken as mutual",
    );
    expect(toldText(sentence, "ko")).toBe(
      "T1.2가 T1.1, T1.3을 짝으로 적었지만 반대쪽에는 없습니다; 서로 짝인 것으로 봅니다",
    );
    const inner = told`${told`the front matter`} holds ${"{0} 태스크"}; it is not read as a task`;
    expect(toldText(inner, "ko")).toBe("프런트 매터 안에 {0} 태스크가 있습니다; 태스크로 읽지 않습니다");
    expect(toldText(told`nobody knows ${1}`, "ko")).toBe("nobody knows 1");
    expect(toldText(told`"${"파일"}" cannot name a context node`, "ko")).toBe(
      '"파일"은 컨텍스트 노드의 이름이 될 수 없습니다',
    );
  });
});
