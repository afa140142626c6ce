import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { amissIn, GLOSSARY } from "./glossary.ts";

/** What reads the Korean of others, or spells words as the documents do. */
const READERS =
  /^src\/(?:plan|summary|testing|run|adapters)\/|^src\/sync\/(?!log-)|^src\/checkpoint\/(?!words)|^src\/text\/(?:korean|notice-words|particle)\.ts$|^src\/(?:delta|context)\/|^web\/src\/words\/english\.ts$/;

/** A number, an id or a value with a particle that fits only some of them. */
const AFTER_VALUE = /\$\{[^{}]*\}(?:은|는|이|가|을|를|과|와|으로|로)(?=[ ,.;:`"])/;

/** Three English words in a row that are no command. */
const ENGLISH = /(?<![A-Za-z] )(?!espalier |git |apt )\b[A-Za-z][a-z']+(?: [A-Za-z][a-z']+){2}/;
/** What stands in quotes, names of sentences apart. */
const QUOTED = /(["'`])((?:(?!\1).)*)\1(?!:)/g;

/** English sentences in a line of a Korean catalogue. */
function englishIn(line: string): string[] {
  const text = line.replace(/^\s*(?:\/\/|\/?\*).*|^import .*/, "");
  return [...text.matchAll(QUOTED)].flatMap(([, , said = ""]) => ENGLISH.exec(said)?.[0] ?? []);
}

/** What is wrong with a line of a Korean catalogue. */
function amiss(line: string): string[] {
  const text = line.replace(/^\s*(?:\/\/|\/?\*).*/, "");
  return [...amissIn(text), ...(AFTER_VALUE.exec(text) ?? [])];
}

/** The lines of a file that are Korean: all of a file of its own, of others what stands in a Korean constant or has Hangul. */
function koreanOf(path: string): (readonly [place: string, line: string])[] {
  let isKorean = false;
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, at) => {
      isKorean = isKorean ? !/^[}\]]/.test(line) : /^(?:export )?const KOREAN/.test(line);
      const counts = isKorean || path.includes("korean") || /[가-힣]/.test(line);
      return counts ? [[`${path}:${at + 1}`, line] as const] : [];
    });
}

describe("Korean words", () => {
  const catalogues = globSync(["src/**/*.ts", "web/src/**/*.{ts,tsx}"])
    .filter(path => !READERS.test(path))
    .filter(path => /[가-힣]/.test(readFileSync(path, "utf8")));

  it("[XW12] are those of the glossary, with the particles that belong to them", () => {
    expect(GLOSSARY.length).toBeGreaterThan(8);
    expect(catalogues.length).toBeGreaterThan(30);
    const found = catalogues.flatMap(path =>
      koreanOf(path).flatMap(([place, line]) => amiss(line).map(word => `${place}: ${word}`)),
    );
    expect(found).toEqual([]);
  });

  it("[XW12] are all of what is told: English words in a row are commands", () => {
    const found = catalogues.flatMap(path =>
      koreanOf(path)
        .filter(([, line]) => path.includes("korean") || /[가-힣]/.test(line))
        .flatMap(([place, line]) => englishIn(line).map(words => `${place}: ${words}`)),
    );
    expect(found).toEqual([]);
    expect(englishIn('nothing: "nothing was changed here",')).toEqual(["nothing was changed"]);
    expect(englishIn('more: "보기: espalier task show ID",')).toEqual([]);
    expect(englishIn('"the file is empty": "파일이 비어 있습니다",')).toEqual([]);
  });

  // A value is written as `@{…}` here: in the source it is one of a template.
  const source = (line: string) => line.replaceAll("@{", "${");

  it.each([
    ['paused: "일시 중단",', "일시 중단"],
    ['paused: "멈춤",', "멈춤"],
    ["phase: label => `Phase @{label}`,", "Phase"],
    ["used: percent => `창의 @{percent} % 사용`,", "창의"],
    ['budget: "창 사용량",', "창"],
    ["told: name => `@{name}은(는) 없습니다`,", "은(는)"],
    ["told: phase => `단계 @{phase}은 끝났습니다`,", "@{phase}은"],
    ["level: n => `레벨 @{n}`,", "레벨"],
  ])("[XW12] that are not are found: %s", (line, word) => {
    expect(amiss(source(line))).toContain(source(word));
  });

  it.each([
    ['window: "컨텍스트 창 안의 출력",'],
    ["told: id => `@{withParticle(id, '은/는')} 창고에 있습니다`,"],
    ["merged: target => `@{target}에 병합됨`,"],
    ["// 창은 Phase"],
  ])("[XW12] and others are left alone: %s", line => {
    expect(amiss(source(line))).toEqual([]);
  });
});
