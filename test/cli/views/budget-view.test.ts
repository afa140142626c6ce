import { describe, expect, it } from "vitest";
import { budgetView, sparkline } from "../../../src/cli/views/budget-view.ts";
import { createPaint } from "../../../src/cli/views/terminal/paint.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { budgetWords } from "../../../src/cli/views/words/budget-words.ts";
import { wordsFor } from "../../../src/cli/views/words/words-for.ts";
import type { BudgetFacts } from "../../../src/host/monitor/facts.ts";

const look = (width = Infinity) => ({ words: wordsFor("en"), paint: createPaint(false), width });
const role = {
  id: "02",
  label: "02-theoretical",
  vsLevel: "full_vs" as const,
  limits: { maxOutput: 8000, summaryThreshold: 6000 },
  listed: true,
};

function facts(more: Partial<BudgetFacts> = {}): BudgetFacts {
  return {
    total: 150_000,
    used: 87_500,
    share: 87_500 / 150_000,
    shares: [],
    agents: [
      { agent: "05-literature", tokens: 9100, calls: 1 },
      { agent: "02-theoretical", tokens: 8200, calls: 1 },
      { agent: "10-statistical", tokens: 7800, calls: 1 },
      { agent: "03-devils", tokens: 6500, calls: 1 },
      { agent: "a", tokens: 50_000, calls: 1 },
      { agent: "b", tokens: 5900, calls: 1 },
    ],
    finest: 0,
    next: { task: "T2.1", role, tokens: 8000 },
    history: [10_000, 40_000, 87_500],
    spent: {
      tokens: 1_200_000,
      cost: 3.4,
      estimated: 0,
      attempts: 4,
      unpriced: 0,
      maxTokens: 2_000_000,
      maxCost: 10,
    },
    ...more,
  };
}

const view = (given: BudgetFacts, width?: number) =>
  budgetView(given, budgetWords("en"), look(width)).join("\n");

describe("the budget view", () => {
  it("draws what the document draws", () => {
    const text = view(facts());
    for (const part of [
      "Total Budget: 150,000 tokens",
      "Used: 87,500 tokens (58.3%)",
      "Remaining: 62,500 tokens",
      "████████████████████░░░░░░░░░░░░░░ 58.3%",
      "02-theoretical",
      "8,200 (5.5%)",
      "Others",
      "55,900 (37.3%)",
      "Compression Status: Normal",
      "Next Agent Budget: 8,000 tokens (Full VS, 02-theoretical, T2.1)",
      "1,200,000 of 2,000,000 tokens, $3.40 of $10.00",
    ])
      expect(text).toContain(part);
  });

  it("says when outputs are compressed, and when they are too many", () => {
    expect(view(facts({ used: 125_000, share: 0.83, finest: 2 }))).toContain(
      "Active: later outputs at level 2",
    );
    const over = view(facts({ used: 160_000, share: 1.07, finest: 2 }));
    expect(over).toContain(
      "Over budget: later outputs at level 2; a full package leaves out what is worth least",
    );
    expect(over).toContain("Remaining: 0 tokens");
    expect(over).toContain("█".repeat(34));
  });

  it("says that there is nothing yet, and what has no price", () => {
    const none = view(
      facts({
        used: 0,
        share: 0,
        agents: [],
        history: [],
        next: undefined,
        spent: {
          tokens: 0,
          cost: undefined,
          estimated: 0,
          attempts: 0,
          unpriced: 0,
          maxTokens: undefined,
          maxCost: undefined,
        },
      }),
    );
    expect(none).toContain("no output yet");
    expect(none).not.toContain("$");
    expect(none).not.toContain("History");
    expect(
      view(
        facts({
          spent: {
            tokens: 1,
            cost: 1,
            estimated: 0,
            attempts: 2,
            unpriced: 2,
            maxTokens: undefined,
            maxCost: undefined,
          },
        }),
      ),
    ).toContain("2 without a known price");
  });

  it("keeps to the width of a terminal and shows foreign names safely", () => {
    const wide = facts({
      agents: [
        { agent: "이름이 아주 긴 에이전트".repeat(9), tokens: 5, calls: 1 },
        { agent: "\u001b[31mred\u202e", tokens: 4, calls: 1 },
      ],
    });
    for (const line of view(wide, 60).split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(60);
    expect(view(wide)).not.toContain("\u001b");
    expect(view(wide)).not.toContain("\u202e");
  });

  it.each([
    [[], ""],
    [[0], "▁"],
    [[1, 2, 3, 4, 5, 6, 7, 8], "▂▃▄▅▆▇██"],
    [[0, 0, 100], "▁▁█"],
  ])("draws %j as %s", (values, drawn) => {
    expect(sparkline(values, 10)).toBe(drawn);
  });

  it("draws a long course in few columns, ending where it ends", () => {
    const values = Array.from({ length: 1000 }, (_, at) => at);
    const drawn = sparkline(values, 20);
    expect(drawn).toHaveLength(20);
    expect(drawn.at(-1)).toBe("█");
    expect(drawn[0]).toBe("▁");
  });
});
