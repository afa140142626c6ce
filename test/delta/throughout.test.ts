import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unreadable } from "../../bench/delta/readability.ts";
import { decode, diff, encode } from "../../src/delta/index.ts";
import { changedThroughout } from "../../src/delta/message/throughout.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf } from "../sample.ts";

const PAGE = `# Users

Pods set \`pod.spec.HostUsers\`, or leave it.

## Steps

- Create a pod with pod.spec.HostUsers=false
- Create one with pod.spec.HostUsers=true
- Delete both of them

| field | since |
|---|---|
| pod.spec.HostUsers | v1 |

## Metrics

Counts of pods that set pod.spec.HostUsers are kept for a day, and are shown to whoever may see the cluster's other numbers.
`;
const NEXT = PAGE.replaceAll("HostUsers", "hostUsers");

function sent(old: string, next: string): string {
  const encoded = encode(diff(old, next), old, next, { label: "GC", from: 1, to: 2, countTokens });
  if (!encoded.ok) throw new Error(encoded.failure.message);
  const { text, items } = encoded.value;
  expect(decode(text, old)).toMatchObject({ ok: true, value: { text: next, items } });
  return text.split("\n").slice(2).join("\n");
}

function carriedOut(base: string, ...lines: readonly string[]): string {
  const read = decode(`[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n${lines.join("\n")}`, base);
  return read.ok ? read.value.text : read.failure.kind;
}

describe("words that change wherever they stand", () => {
  it("[U17] are said once, with how often that is", () => {
    const message = "- CHANGED throughout: HostUsers → hostUsers (5 times)";
    expect(sent(PAGE, NEXT)).toBe(message);
    expect(sent(PAGE.replaceAll("\n", "\r\n"), NEXT.replaceAll("\n", "\r\n"))).toBe(message);
  });

  it("[U17] are said before the others, which see them changed", () => {
    const next = NEXT.replace("Delete both of them", "Delete all").replace("for a day", "for a week");
    expect(sent(PAGE, next).split("\n")[0]).toBe("- CHANGED throughout: HostUsers → hostUsers (5 times)");
    expect(
      carriedOut(
        PAGE,
        "- CHANGED throughout:",
        " HostUsers → hostUsers (5 times)",
        " Create → Make (2 times)",
        "- REMOVED §Steps: Make a pod",
        "- CHANGED §Steps: Make one: pod.spec.hostUsers=true → nothing",
      ),
    ).toBe(
      NEXT.replace("- Create a pod with pod.spec.hostUsers=false\n", "").replace(
        "Create one with pod.spec.hostUsers=true",
        "Make one with nothing",
      ),
    );
  });

  it("[U17] are not said to, where one of them stays or becomes something else", () => {
    const stays = NEXT.replace("with pod.spec.hostUsers=true", "with pod.spec.HostUsers=true");
    expect(sent(PAGE, stays)).not.toContain("throughout");
    const rows = Array.from({ length: 9 }, (_, at) => `| T-${at} | open point | — |`).join("\n");
    const table = `# Plan\n\n| id | what | phase |\n|---|---|---|\n${rows}\n`;
    let at = 0;
    const mapped = table.replaceAll("—", () => (at++ % 3 === 0 ? "Phase 15" : "Phase 16"));
    expect(sent(table, mapped)).not.toContain("throughout");
  });

  it("[U17] are whole words, and stay where they read so already", () => {
    const base = "Run /orchestrate, /orchestrate-standalone, preorchestrate and /orchestrate again.\n";
    const line = "- CHANGED throughout: /orchestrate → /orchestrate-standalone (2 times)";
    expect(carriedOut(base, line)).toBe(
      "Run /orchestrate-standalone, /orchestrate-standalone, preorchestrate and /orchestrate-standalone again.\n",
    );
  });

  it("[U17] change all at once: what took the place of others is not looked at", () => {
    expect(
      carriedOut("a1 b1 a1\n", "- CHANGED throughout:", " a1 → b1 (2 times)", " b1 → a1 (1 times)"),
    ).toBe("b1 a1 b1\n");
  });

  it("[U17] are refused when they stand more or less often than is said, or there is too much to search", () => {
    expect(carriedOut(PAGE, "- CHANGED throughout: HostUsers → hostUsers (4 times)")).toBe("unresolved");
    expect(carriedOut(PAGE, "- CHANGED throughout: Nobody → Somebody (1 times)")).toBe("unresolved");
    const many = Array.from({ length: 13 }, (_, at) => ` x${at} → y (1 times)`);
    expect(carriedOut(PAGE, "- CHANGED throughout:", ...many)).toBe("limit");
    expect(carriedOut("a ".repeat(600_000), "- CHANGED throughout: a → b (600000 times)")).toBe("limit");
    const growing = `- CHANGED throughout: a → ${"b".repeat(5_000)} (10000 times)`;
    expect(carriedOut("a ".repeat(10_000), growing)).toBe("limit");
  });

  it("[U17] leave a line alone that begins with this very word: older messages mean it", () => {
    const base = "throughout: all day\nother: all day\n";
    expect(carriedOut(base, "- CHANGED throughout: all day → all night")).toBe(
      "throughout: all night\nother: all day\n",
    );
    expect(carriedOut(base, "- CHANGED throughout: day → day (2 times)")).toBe(
      "throughout: all day (2 times)\nother: all day\n",
    );
  });

  it("[U17] read well, but where they stand amid a word", () => {
    const message = `[CONTEXT-UPDATE] GC-v1→2 1234→123456\n\n## Delta\n`;
    const line = "- CHANGED throughout: HostUsers → hostUsers (5 times)";
    expect(unreadable(message + line, PAGE)).toEqual([]);
    expect(unreadable(`${message}- CHANGED throughout: 見直 → 見 (1 times)`, "見直し後\n")).toHaveLength(1);
  });

  it("[U17] come out exactly, whatever changes beside them", () => {
    const word = fc.constantFrom(
      "alpha",
      "v1.2",
      "—",
      "->",
      "beta-2",
      "한글",
      "見直",
      "[ ]",
      "x",
      "—",
      "alphas",
    );
    const line = fc.array(word, { minLength: 1, maxLength: 6 }).map(words => words.join(" "));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 4, maxLength: 20 }),
        word,
        word,
        fc.nat(19),
        (lines, a, b, at) => {
          const old = `# Page\n\n${lines.map(text => `- ${text}`).join("\n")}\n`;
          const next = old.replaceAll(a, b).replace(lines[at % lines.length]!, "another line, written anew");
          sent(old, next);
          const made = changedThroughout(old, [{ old: a, next: b }]);
          expect(made?.text.split("\n")).toHaveLength(old.split("\n").length);
        },
      ),
      { numRuns: casesOf(50, 200) },
    );
  });
});
