import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unreadable } from "../../bench/delta/readability.ts";
import { decode, diff, encode } from "../../src/delta/index.ts";
import { joined, widthOf, wrapped } from "../../src/delta/message/wrapping.ts";
import { countTokens } from "../../src/tokens/index.ts";

const TEXT =
  "The server reads its configuration again at intervals. If it changed, the new one is used for all that comes after. " +
  "If the new one is not valid, the last valid one stays in use, and a line of the log says so.";
const at = (width: number, text = TEXT): string => wrapped({ first: "", other: "", text }, width).join("\n");
const page = (paragraph: string): string => `# Reload\n\n${paragraph}\n\n## Other\n\nWords.\n`;

function sent(old: string, next: string): string {
  const encoded = encode(diff(old, next), old, next, { label: "GC", from: 1, to: 2, countTokens });
  if (!encoded.ok) throw new Error(encoded.failure.message);
  expect(decode(encoded.value.text, old)).toMatchObject({ ok: true, value: { text: next } });
  return encoded.value.text.split("\n").slice(2).join("\n");
}

function carriedOut(base: string, line: string): string {
  const read = decode(`[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n${line}`, base);
  return read.ok ? read.value.text : read.failure.kind;
}

describe("a paragraph that breaks elsewhere", () => {
  it("[U16] is told by its new width alone", () => {
    expect(sent(page(at(60)), page(at(75)))).toBe("- REWRAPPED from The server (4 lines) at 74");
    expect(sent(page(at(60)), page(TEXT))).toBe("- REWRAPPED from The server (4 lines) in one line");
    expect(sent(page(TEXT), page(at(60)))).toMatch(/^- REWRAPPED from The server at \d\d$/);
  });

  it("[U16] says what changed of its words in whole clauses", () => {
    const next = TEXT.replace("at intervals", "every minute, if it is told to");
    const message = sent(page(at(60)), page(at(75, next)));
    expect(message).toMatch(
      /^- REWRAPPED from The server \(4 lines\) at \d\d: .* every minute, if it is told to$/,
    );
    expect(unreadable(`[CONTEXT-UPDATE] GC-v1→2 1234→123456\n\n## Delta\n${message}`, page(at(60)))).toEqual(
      [],
    );
  });

  it("[U16] keeps the mark of an item and the blanks of its other lines", () => {
    const item = (width: number): string =>
      wrapped({ first: "- [ ] ", other: "  ", text: TEXT }, width).join("\n");
    expect(sent(page(item(60)), page(item(80)))).toEqual(
      expect.stringMatching(/^- REWRAPPED from The server \(4 lines\) at \d\d$/),
    );
  });

  it("[U16] is none in a fence, a table or a list: their lines stand for themselves", () => {
    for (const wall of ["```\n", "~~~\n"])
      expect(sent(page(`${wall}${at(60)}\n${wall}`), page(`${wall}${at(75)}\n${wall}`))).not.toContain(
        "REWRAPPED",
      );
    expect(
      sent(page("- one and two\n- three and four"), page("- one and two - three and four")),
    ).not.toContain("REWRAPPED");
  });

  it.each([
    ["without a width", "- REWRAPPED §Reload from The server (4 lines)", "syntax"],
    ["without a place", "- REWRAPPED §Reload", "syntax"],
    ["of lines that are not there", "- REWRAPPED §Reload from Nobody (2 lines) at 80", "unresolved"],
    [
      "of words that are not there",
      "- REWRAPPED §Reload from The server (4 lines) at 80: fish → fowl",
      "unresolved",
    ],
    ["beyond the end", "- REWRAPPED §Reload from The server (99 lines) at 80", "unresolved"],
  ])("[U10] %s it is refused", (_what, line, kind) => {
    expect(carriedOut(page(at(60)), line)).toBe(kind);
  });

  it("[U10] a paragraph beyond 20,000 characters is refused", () => {
    const base = page(`${"word ".repeat(4_000)}\nend`);
    expect(carriedOut(base, "- REWRAPPED §Reload from word (2 lines) at 80")).toBe("limit");
  });

  it("[U16] its width is found wherever there is one, and breaks its words as they stood", () => {
    const words = fc.array(fc.stringMatching(/^[a-z가-힣.,]{1,12}$/), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 90 }), (list, width) => {
        const lines = wrapped({ first: "", other: "", text: list.join(" ") }, width);
        const found = widthOf(lines);
        expect(found).toBeDefined();
        expect(wrapped(joined(lines), found!)).toEqual(lines);
      }),
      { numRuns: 500 },
    );
  });
});
