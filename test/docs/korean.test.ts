import { existsSync, globSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { particle } from "../../src/text/index.ts";
import { amissIn } from "../text/glossary.ts";
import {
  behindOf,
  differencesOf,
  englishPath,
  koreanPath,
  markFor,
  markIn,
  plainOf,
  relinked,
  settled,
  withMark,
  wordsOf,
} from "./korean.ts";
import { readPage } from "./page.ts";

const names = [
  "README.md",
  ...globSync("docs/ko/*.md")
    .map(path => basename(path))
    .sort(),
];
const korean = new Map(names.map(name => [name, readPage(koreanPath(name))]));
const english = new Map(
  names.filter(name => existsSync(englishPath(name))).map(name => [name, readPage(englishPath(name))]),
);

/** What is to be done about a page; nothing where its head tells what it should. */
function toDo(name: string): string {
  const behind = behindOf(english.get(name)!, korean.get(name)!);
  if (markIn(korean.get(name)!) === markFor(name, behind)) return "";
  const sections = [...behind.changed, ...behind.gone].map(({ title }) => `"${title}"`);
  return [
    `${koreanPath(name)} and ${englishPath(name)} differ in ${sections.join(", ") || "nothing any more"}.`,
    `Bring these sections up to the original, then: node tools/korean.mjs done ${name}`,
    `Without Korean, have its head tell the readers: node tools/korean.mjs behind ${name}`,
  ].join("\n");
}

/** Particles behind what is not Hangul: code, Latin words, numbers. */
const PARTICLE = /([`\p{Script=Latin}\d)\]%}]+)(은|는|을|를|과|와|으로|로|이|가)(?=[ ,.;:)]|$)/gmu;
const KINDS = {
  은: "은/는",
  는: "은/는",
  을: "을/를",
  를: "을/를",
  과: "과/와",
  와: "과/와",
  으로: "으로/로",
  로: "으로/로",
  이: "이/가",
  가: "이/가",
} as const;

/** Particles that do not belong to the word before them. */
function particlesAmiss(text: string): string[] {
  return [...text.matchAll(PARTICLE)].flatMap(({ index, 1: before = "", 2: found = "" }) => {
    const end = index + before.length;
    const said = text.slice(Math.max(0, end - 400), end).replace(/\s*\([^()]*\)$/u, "");
    const right = particle(said, KINDS[found as keyof typeof KINDS]);
    const isSymbol = /`[^`\p{L}\p{N}]+`$/u.test(said);
    return right === found || isSymbol ? [] : [`${text.slice(Math.max(0, end - 30), end)}${found}: ${right}`];
  });
}

/** Four English words in a row, as no name has them; what stands in quotes is an example. */
const SENTENCE = /(?:\b[A-Za-z][a-z']+ ){3}[a-z']+/g;

describe("docs/ko", () => {
  it.each(names)("[KO1] %s has an original, and says which of its sections are behind that", name => {
    expect(english.has(name)).toBe(true);
    expect(toDo(name)).toBe("");
  });

  it.each(names)("[KO1] %s has the headings, code, tables and links of its original", name => {
    expect(differencesOf(name, english, korean)).toEqual([]);
    expect(relinked(name, korean.get(name)!, korean)).toBe(korean.get(name));
  });

  it.each(names)("[KO1] %s is Korean, in the words of the glossary and with the right particles", name => {
    const words = wordsOf(korean.get(name)!);
    expect(plainOf(korean.get(name)!).split("\n").flatMap(amissIn)).toEqual([]);
    expect(particlesAmiss(words)).toEqual([]);
    expect(
      [
        ...plainOf(korean.get(name)!)
          .replace(/"[^"\n]*"/g, "")
          .matchAll(SENTENCE),
      ].map(([found]) => found),
    ).toEqual([]);
    expect(words.match(/[^\s\w가-힣]\*\*[가-힣].*/g) ?? []).toEqual([]);
  });

  const before =
    "# Red\n\nOne `a` ([b](x.md#blue)).\n\n## Blue\n\n```sh\nls\n```\n\n| key | is |\n|---|---|\n| `k` | v |\n";
  const draft =
    "# 빨강\n\n하나 `a` ([나](x.md#blue)).\n\n## 파랑\n\n```\n```\n\n| 키 | 뜻 |\n|---|---|\n| `k` | 값 |\n";
  const told = (original: string, own: string) =>
    differencesOf("x.md", new Map([["x.md", original]]), new Map([["x.md", own]]));
  const done = relinked("x.md", settled(before, draft), new Map([["x.md", settled(before, draft)]]));

  it("[KO1] a page that was brought up to its original says of each section what it was made from", () => {
    expect(done).toContain("# 빨강\n<!-- from red ");
    expect(done).toContain("([나](#파랑))");
    expect(done).toContain("```sh\nls\n```");
    expect(settled(before, done)).toBe(done);
    expect(told(before, done)).toEqual([]);
    expect(markFor("x.md", behindOf(before, done))).toBe("");
    expect(markFor("x.md", behindOf(before.replace("One", "\nOne"), done))).toBe("");
  });

  it("[KO1] tells its readers which sections changed, came or went since, and nothing of them once that is made good", () => {
    const after = `${before.replace("## Blue", "## Green").replace("One", "Two")}\n## New\n`;
    const mark = markFor("x.md", behindOf(after, done));
    expect(mark.split("\n").slice(1)).toEqual([
      "> 원문에서 바뀐 절: [Red](../x.md#red), [Green](../x.md#green), [New](../x.md#new)",
      "> 원문에서 사라진 절: [파랑](#파랑)",
    ]);
    const marked = withMark(done, mark);
    expect(markIn(marked)).toBe(mark);
    expect(withMark(marked, mark)).toBe(marked);
    expect(told(after, marked)).toEqual([]);
    expect(withMark(marked, "")).toBe(done);
    expect(markIn(settled(before, marked))).toBe("");
  });

  it.each([
    ["without `a`", "하나 `a`", "하나"],
    ["`c` is not in the original", "하나", "하나 `c`"],
    ["without the link docs/x.md#blue", "([나](#파랑))", ""],
    ["the link docs/y.md is not in the original", "하나", "[하나](../y.md)"],
    ["other code blocks", "ls", "ls -l"],
    ["other rows or keys in a table", "| `k` | 값 |", "`k`"],
    ["another level of heading", "## 파랑", "### 파랑"],
  ])("[KO1] notices: %s", (found, from, to) => {
    expect(told(before, done.replace(from, to)).join("\n")).toContain(found);
  });

  it("[KO1] notices English sentences, and particles that belong to another word", () => {
    expect("그리고 this is left in English".match(SENTENCE)).toEqual(["this is left in"]);
    expect("Gemini CLI, Claude Code, OpenCode를".match(SENTENCE)).toBeNull();
    expect(particlesAmiss("`espalier stop`을 3는 90 %(`a`)가 `git`은")).toEqual([
      "`espalier stop`을 3는: 은",
    ]);
  });
});
