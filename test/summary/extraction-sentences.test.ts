import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { render } from "../../src/summary/extract/index.ts";
import { plainOf } from "../../src/summary/extract/plain.ts";
import { sentencesOf } from "../../src/summary/extract/sentences.ts";
import { scanWords } from "../../src/summary/extract/words.ts";
import { extract, kindsOf, more, piecesIn } from "./extract.ts";

const bare = (text: string) => text.replace(/\s/g, "");

describe("parts of sentences", () => {
  it("[UX6] takes brackets and tails off long sentences, but none that denies, binds or excepts", () => {
    const parts = (text: string) => kindsOf(text).filter(one => one.startsWith("part"));
    const long = "The exporter writes pages of rows through one cursor (see the notes of the meeting)";
    expect(parts(`${long} — memory stays flat on every machine.`)).toHaveLength(2);
    expect(parts(`${long} — never through two of them at once.`)).toEqual([
      "part:  (see the notes of the meeting)",
    ]);
    expect(parts(`${long.replace("see", "not in")} and closes it.`)).toEqual([]);
    expect(
      parts(
        "내보내기는 커서 하나로 여러 페이지의 행을 쓰고 닫는다 (두 커서를 함께 쓰는 것은 절대 금지한다고 회의에서 정함) 그리고 끝난다.",
      ),
    ).toEqual([]);
  });

  it("[UX6] leaves no comma before the mark of a tail", () => {
    const [sentence] = piecesIn(
      "Titles of articles may be highlighted in the list, because bodies contain customers' names in one of fifty.\n",
    );
    expect(sentence?.text).toBe("Titles of articles may be highlighted in the list…");
  });

  it("[UX6] takes clauses off one by one from the end, and no purpose off what may not be done", () => {
    const parts = (text: string) =>
      piecesIn(text).map(({ kind, text: own, under }) => `${kind === "part" ? under : ""}${own}`);
    expect(
      parts(
        "The maps stand outside of the store because they hold references, which nobody serialises; memory is flat.",
      ),
    ).toEqual([
      "The maps stand outside of the store…",
      "0 because they hold references…",
      "1, which nobody serialises…",
      "2; memory is flat.",
    ]);
    for (const whole of [
      "The old parser must never be used by any of the importers to match names of files.",
      "It was chosen by those who met in the office that day not because it is faster than others.",
      "The cache may be read by all of the workers, keeping in mind that it cannot be written.",
    ])
      expect(parts(whole)).toEqual([whole]);
  });
});

describe("sentences", () => {
  it("[UX1] splits prose into sentences, in English and Korean", () => {
    expect(sentencesOf("It is memo(function Edge(...) {...}) now. Rest.")).toEqual([
      "It is memo(function Edge(...) {...}) now.",
      "Rest.",
    ]);
    expect(sentencesOf("5단계. 환경 설정. 끝")).toEqual(["5단계. 환경 설정.", "끝"]);
    expect(
      sentencesOf(
        "The first names src/a.ts, e.g. nothing else. The second took 3.5 s! Is there a third? There is.",
      ),
    ).toEqual([
      "The first names src/a.ts, e.g. nothing else.",
      "The second took 3.5 s!",
      "Is there a third?",
      "There is.",
    ]);
    expect(sentencesOf("첫 문장은 끝난다. 둘째는 3.5초가 걸렸다. 셋째")).toEqual([
      "첫 문장은 끝난다.",
      "둘째는 3.5초가 걸렸다.",
      "셋째",
    ]);
    expect(sentencesOf("큐에 넣어 보낸다. worker가 꺼낸다! mail은 나중이다.")).toEqual([
      "큐에 넣어 보낸다.",
      "worker가 꺼낸다!",
      "mail은 나중이다.",
    ]);
    expect(sentencesOf("Call `a. B. c` now. Then rest.")).toEqual(["Call `a. B. c` now.", "Then rest."]);
  });

  it("[UX1] loses no character of prose and makes no piece too long", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 30 }), parts => {
        const text = parts.join(". ");
        const sentences = sentencesOf(text);
        expect(bare(sentences.join(""))).toBe(bare(text));
        for (const sentence of sentences) expect(sentence.length).toBeLessThanOrEqual(401);
      }),
    );
    for (const unbroken of ["a", "가", "😀"]) {
      const sentences = sentencesOf(unbroken.repeat(50_000));
      expect(sentences.join("")).toBe(unbroken.repeat(50_000));
      expect(Math.max(...sentences.map(one => one.length))).toBeLessThanOrEqual(401);
    }
  });

  it("[UX1] reads emphasis that ends behind a mark of punctuation without its marks", () => {
    expect(plainOf("*Recommendation.* Sign *all (of it)*. 3 * 4, *.ts and *.md")).toBe(
      "Recommendation. Sign all (of it). 3 * 4, *.ts and *.md",
    );
  });

  it("[UX1] reads marks away and keeps what only looks like them", () => {
    expect(
      plainOf("**Bold** and *it*, `a*b*c`, [the page](x.md), ![pic](p.png), 2 * 3, *.ts, ~~gone~~"),
    ).toBe("Bold and it, a*b*c, the page, pic, 2 * 3, *.ts, ~~gone~~");
  });

  it("[UX1] knows words in both languages", () => {
    const words: string[] = [];
    scanWords("The queues and the queue: 대기열을 대기열이 policies 123 2nd it", word => words.push(word));
    expect(words).toEqual(["queue", "queue", "대기열", "대기열", "policy"]);
  });
});

describe("rendering", () => {
  const text =
    "# Top\n\nOne sentence. Two sentences.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n````md\n# no heading\n```\nx\n````\n\n- end\n";
  const pieces = piecesIn(text);

  it("[UX3] writes everything back in order, code as it was", () => {
    const all = pieces.map((_, at) => at);
    expect(render(pieces, all, more)).toBe(
      "# Top\nOne sentence. Two sentences.\n| A | B\n| 1 | 2\n| 3 | 4\n````md\n# no heading\n```\nx\n````\n- end",
    );
  });

  it("[UX3] says how many rows of a table are left out, in the language of the text", () => {
    const table = pieces.findIndex(({ kind }) => kind === "table");
    expect(render(pieces, [table, table + 2], more)).toBe("| A | B\n| 3 | 4\n(1 more rows)");
    const rows = (word: string) =>
      Array.from({ length: 90 }, (_, at) => `| ${word} ${at} | ${at * 7} |`).join("\n");
    expect(extract(`# T\n\n| name | count |\n|---|---|\n${rows("part")}\n`, 120).text).toMatch(
      /\n\(\d+ more rows\)$/,
    );
    expect(extract(`# 표\n\n| 이름 | 수 |\n|---|---|\n${rows("부분")}\n`, 120).text).toMatch(
      /\n\(\d+개 행 더\)$/,
    );
  });

  it("[UX6] fills the gaps of a sentence with the parts that were chosen, and marks the tail that was not", () => {
    const long = piecesIn(
      "The exporter writes pages of rows through one cursor (see the notes of the meeting) — memory stays flat on every machine.",
    );
    expect(render(long, [0], more)).toBe("The exporter writes pages of rows through one cursor…");
    expect(render(long, [0, 1], more)).toBe(
      "The exporter writes pages of rows through one cursor (see the notes of the meeting)…",
    );
    expect(render(long, [0, 1, 2], more)).toBe(
      "The exporter writes pages of rows through one cursor (see the notes of the meeting) — memory stays flat on every machine.",
    );
  });
});
