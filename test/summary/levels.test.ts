import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  defaultRules,
  type LevelRules,
  offersOf,
  readContract,
  readSource,
  SUMMARY_FORMAT,
  type SummaryLevel,
  summarize,
  summaryKey,
} from "../../src/summary/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { CONSTANT, growth, LINEAR } from "../growth.ts";
import { casesOf, itWhole, sampleOf } from "../sample.ts";
import { KOREAN_OUTPUT, longOutput, YAML_OUTPUT } from "./outputs.ts";

const LEVELS: readonly SummaryLevel[] = [1, 2, 3];
const CEILING = { 1: 3000, 2: 1000, 3: 300 } as const;

describe("levels", () => {
  const source = readSource(longOutput(300), "02");

  it.each(LEVELS)("[UL1] [UL3] fills level %i and stays below its ceiling", level => {
    const { tokens, text, whole } = summarize(source, level);
    expect(tokens).toBe(countTokens(text));
    expect(tokens).toBeLessThanOrEqual(CEILING[level]);
    expect(tokens).toBeGreaterThan(0.85 * CEILING[level]);
    expect(whole).toBe(false);
  });

  it("[UL1] tells less and less", () => {
    const offers = offersOf(source);
    expect(offers.map(({ level }) => level)).toEqual([0, 1, 2, 3]);
    const tokens = offers.map(offer => offer.tokens);
    expect(tokens).toEqual([...tokens].sort((a, b) => b - a));
  });

  it("[UL2] is the output itself where that fits", () => {
    const short = readSource("# X\r\n\r\nDecided D-1.\r\n");
    for (const level of [0, 1, 2, 3] as const) {
      expect(summarize(short, level)).toMatchObject({ level, text: short.text, whole: true });
    }
    const middling = readSource(longOutput(20));
    expect(middling.tokens).toBeGreaterThan(1000);
    expect(summarize(middling, 1).whole).toBe(true);
    expect(summarize(middling, 2).whole).toBe(false);
  });

  it.each(["0.85", "85 %", "85/100", "85"])(
    "[UX4] tells a contract with a confidence of %s once",
    confidence => {
      const items = Array.from({ length: 900 }, (_, at) => `- item src/a${at % 9}.ts 30 ms`).join("\n");
      const contract = `**Decision**: Use a queue\n**T-Score**: 0.55\n**Confidence**: ${confidence}\n`;
      const { text } = summarize(readSource(`${contract}\n${items}\n`, "02"), 3);
      expect(text.split("\n")[0]).toBe("[02] Use a queue | T=0.55 | 85/100");
      expect(text).not.toMatch(/Decision|T-Score|Confidence/);
      expect(text).toContain("src/a8.ts");
    },
  );

  it("[UL3] leads with the contract", () => {
    expect(summarize(source, 3).text.split("\n")[0]).toBe(
      "[02] Use the `export_jobs` table (D-2) | T=0.48 | 78/100",
    );
    expect(summarize(source, 2).text).toMatch(/^## Agent 02, summary\n\n\*\*Decision\*\*: Use the/);
    expect(summarize(source, 1, { locale: "ko" }).text).toMatch(
      /^## Agent 02 요약 \(상세\)\n\n\*\*최종 결정\*\*: Use the/,
    );
  });

  it("[UL7] speaks the language of the text, whatever the project's, unless told", () => {
    const korean = readSource(
      `**결정**: 큐를 쓴다\n**신뢰도**: 80\n\n${"- 작업은 `src/queue.ts` 에서 나간다. 행을 쓴 뒤에는 절대 다시 시도하지 않는다\n".repeat(40)}`,
      "02",
    );
    expect(korean.locale).toBe("ko");
    expect(summarize(korean, 2).text).toMatch(/^## Agent 02 요약\n\n\*\*결정\*\*: 큐를 쓴다/);
    expect(summarize(korean, 2, { locale: "en" }).text).toMatch(/^## Agent 02, summary/);
    expect(source.locale).toBe("en");
    // Names of files and code are Latin in any language.
    expect(readSource(`${"- `packages/core/src/index.ts` 를 고쳤다\n".repeat(20)}`).locale).toBe("ko");
    expect(readSource("It says 결정 once, in a long English text about many other things.").locale).toBe(
      "en",
    );
  });

  it("[UL8] leads with no decision where several are stated and none is scored", () => {
    const decisions = Array.from(
      { length: 30 },
      (_, at) =>
        `## Part ${at}\n\n- **Decision**: Use way ${at} for part ${at}\n- **Rationale**: it is ${at} ms faster\n`,
    ).join("\n");
    expect(summarize(readSource(decisions, "02"), 3).text).not.toMatch(/^\[02\] Use way/);
    const scored = `**T-Score**: 0.5\n\n${decisions}`;
    expect(summarize(readSource(scored, "02"), 3).text).toMatch(/^\[02\] Use way 0/);
  });

  it("[UL4] has facts in level 3 whether or not level 1 would show them", () => {
    const tiny: LevelRules = { ...defaultRules("en"), 1: { format: "", tokens: 20 } };
    expect(summarize(source, 3, { rules: tiny })).toEqual(summarize(source, 3));
    expect(summarize(source, 1, { rules: tiny }).tokens).toBeLessThanOrEqual(20);
  });

  it("[UL1] keeps to any ceiling for any text", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "# H",
        "- `a/b.ts` took 30 ms",
        "| a | b |",
        "|---|---|",
        "```",
        "**Decision**: x",
        "가나다라 마바사.",
        "",
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), fc.integer({ min: 1, max: 120 }), (lines, tokens) => {
        const any = readSource(lines.join("\n").repeat(3));
        const rule = { format: defaultRules("en")[2].format, tokens };
        for (const level of LEVELS) {
          const made = summarize(any, level, { rules: { 1: rule, 2: rule, 3: rule } });
          expect(made.tokens).toBeLessThanOrEqual(tokens);
          expect(made.tokens).toBe(countTokens(made.text));
        }
      }),
      { numRuns: casesOf(38, 150) },
    );
  });

  it.each([
    ["blanks", "\n".repeat(1000)],
    ["bytes", "\u0000".repeat(1000)],
    ["comments", "<!-- x -->\n".repeat(200)],
  ])(
    "[UL1] keeps to a ceiling that is shorter than what is told of nothing but %s, and to any id",
    (_, text) => {
      const rules = { ...defaultRules("en"), 3: { format: "", tokens: 5 } };
      expect(summarize(readSource(text), 3, { rules }).tokens).toBeLessThanOrEqual(5);
      expect(summarize(readSource(text, "id ".repeat(2000)), 3).tokens).toBeLessThanOrEqual(300);
    },
  );

  it.each([1, 2, 3] as const)("[UX8] cuts no character in two that a value of level %i ends with", level => {
    for (const before of ["", "x"]) {
      const value = `${before}${"😀".repeat(400)}`;
      const text = `decision: ${value}\nconfidence: 80\n\n## Handover\n- decisions: ${value}\n- open: ${value}\n`;
      const made = summarize(readSource(`${"The store is kept as it is.\n".repeat(400)}\n${text}`), level);
      expect(made.text).toContain("😀…");
      expect(made.text).not.toContain("\uFFFD");
    }
  });

  it.each(sampleOf(["a", "가", "😀", "[", "`", "| ", "a.", "- "], 0, 2, 3))(
    "[UL1] [UL5] summarises %j without a break within its tokens, in linear time",
    shape => {
      const textOf = (size: number) => shape.repeat(size / shape.length);
      const any = readSource(textOf(200_000));
      for (const level of LEVELS) expect(summarize(any, level).tokens).toBeLessThanOrEqual(CEILING[level]);
      expect(summarize(any, 3).text !== "" || !/\p{L}/u.test(shape)).toBe(true);
      const all = (text: string) => {
        const read = readSource(text);
        for (const level of LEVELS) summarize(read, level);
      };
      expect(growth(12_500, textOf, all)).toBeLessThan(LINEAR);
    },
  );

  itWhole(
    "[UL1] [UL5] chooses among lines in a time that the length of their sections has no part in",
    () => {
      const textOf = (lines: number) =>
        Array.from(
          { length: 10_000 },
          (_, at) => `${at % lines === 0 ? `\n## Part ${at}\n\n` : ""}${at}\n`,
        ).join("");
      expect(growth(2_500, textOf, text => summarize(readSource(text), 1))).toBeLessThan(CONSTANT);
    },
  );

  it.each(sampleOf(["a/", "| a | b |\n", "```\n", "---\n", "# a\n", "`", "> ", "👩‍👧"], 1, 7))(
    "[UL3] tells the beginning of %j, which states no fact",
    shape => {
      const data = readSource(`\n\n${shape.repeat(20_000)}`, "log");
      for (const level of LEVELS) {
        const { text, tokens } = summarize(data, level);
        expect(tokens).toBeGreaterThan(0.5 * CEILING[level]);
        expect(tokens).toBeLessThanOrEqual(CEILING[level]);
        expect(text).toContain(shape.trim());
      }
    },
  );

  it("[UL5] tells a long output of nothing but blanks by its size, at once", () => {
    const blank = readSource("\n".repeat(400_000), "05");
    const { text } = summarize(blank, 1);
    expect(text).toBe(`[05] nothing but blanks: 400000 characters (sha256 ${blank.hash.slice(0, 12)})`);
    expect(summarize(blank, 3, { locale: "ko" }).text).toContain("빈 출력, 400000자");
    const late = readSource(`${"\n".repeat(400_000)}- keep \`src/a.ts\`\n`, "05");
    expect(summarize(late, 3).text).toContain("src/a.ts");
  });

  it("[UL5] tells binary output by its size", () => {
    const binary = readSource("\u007fELF\u0000\u0001".repeat(1000), "07");
    expect(binary).toMatchObject({ binary: true, unread: 6000 });
    expect(summarize(binary, 2).text).toBe(
      `[07] not text: 6000 characters (sha256 ${binary.hash.slice(0, 12)})`,
    );
    expect(summarize(binary, 2, { locale: "ko" }).text).toContain("텍스트가 아닌 출력");
    expect(readSource("\ufffd".repeat(500)).binary).toBe(true);
    expect(readSource("\u001b[31mred\u001b[0m text\n".repeat(50)).binary).toBe(false);
  });

  itWhole("[UL5] reads the ends of ten megabytes and counts what it did not read", () => {
    const line = "2026-01-01 INFO src/a/b.ts handled request 12345 in 30 ms\n";
    const log = readSource(`Decision: keep \`first.ts\`\n${line.repeat(180_000)}Last: \`last.ts\`\n`);
    expect(log.text.length).toBeGreaterThan(10_000_000);
    expect(log.unread).toBeGreaterThan(8_000_000);
    const { text, tokens } = summarize(log, 3);
    expect(tokens).toBeLessThanOrEqual(300);
    expect(text).toContain("first.ts");
    expect(text).toContain("last.ts");
  });

  it("[UL6] gives keys that change with all that a level depends on", () => {
    const rules: LevelRules = { ...defaultRules("en"), 2: { format: "{decision}", tokens: 1000 } };
    const keys = [
      summaryKey(source, 2),
      summaryKey(source, 3),
      summaryKey(source, 2, { locale: "ko" }),
      summaryKey(source, 2, { rules }),
      summaryKey(readSource(source.text, "03"), 2),
      summaryKey(readSource(`${source.text} `, "02"), 2),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(summaryKey(readSource(source.text, "02"), 2)).toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(SUMMARY_FORMAT).toBe(16);
  });

  it.each([YAML_OUTPUT, KOREAN_OUTPUT])("[UL3] can be read back from its own templates", text => {
    const padded = readSource(`${text}\n${longOutput(100)}`);
    const { contract } = readContract(text);
    for (const level of LEVELS) {
      for (const locale of ["en", "ko"] as const) {
        const back = readContract(summarize(padded, level, { locale }).text).contract;
        expect(back.decision).toBe(contract.decision);
        expect(back.tScore).toBe(contract.tScore);
        expect(back.confidence).toBe(contract.confidence);
      }
    }
  });

  it("[UL3] shortens a contract that would fill its level alone", () => {
    const long = `**Decision**: ${"we will use the queue ".repeat(60)}\n\n## Reasons\n${"- because `src/a.ts` is slow and old\n".repeat(90)}`;
    const { text, tokens } = summarize(readSource(`${long}\n${longOutput(60)}`, "01"), 3);
    expect(tokens).toBeLessThanOrEqual(300);
    expect(text.split("\n\n").length).toBeGreaterThan(1);
  });
});
