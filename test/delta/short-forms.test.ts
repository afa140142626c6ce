import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, diff, encode } from "../../src/delta/index.ts";
import { valueAt } from "../../src/delta/message/value.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf } from "../sample.ts";
import { countChars } from "./documents.ts";

const BASE =
  "# GC\n\n## Status\n\nPlan: 1 of 2\n**Last activity:** 2026-02-16 -- Roadmap made for the first phase\n\nNext:\n\n## Work\n\n" +
  "- [ ] T-1: form, behind the gate\n- [ ] T-2: mail\n- [ ] T-3: receipt\n- [ ] T-4: menu\n\n| id | state |\n|---|---|\n" +
  "| S-1 | open |\n| S-2 | open |\n| S-3 | open |\n\n### Open: questions\n\nNone.\n";

function operations(base: string, next: string, count = countTokens): string[] {
  const encoded = encode(diff(base, next), base, next, { label: "GC", from: 1, to: 2, countTokens: count });
  if (!encoded.ok) throw new Error(encoded.failure.message);
  expect(decode(encoded.value.text, base)).toMatchObject({ ok: true, value: { text: next } });
  return encoded.value.text.split("\n").slice(2);
}

function carriedOut(...lines: readonly string[]): string {
  const read = decode(`[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n${lines.join("\n")}`, BASE);
  return read.ok ? read.value.text : read.failure.kind;
}

describe("another value for a key", () => {
  it("[U6] is told without the one that was, where that is long", () => {
    const next = BASE.replace("2026-02-16 -- Roadmap made for the first phase", "2026-02-17 -- Forms drawn");
    expect(operations(BASE, next)).toEqual(["- CHANGED §Status: Last activity: → 2026-02-17 -- Forms drawn"]);
    expect(operations(BASE, BASE.replace("1 of 2", "2 of 2"))).toEqual(["- CHANGED §Status: Plan: 1 → 2"]);
  });

  it("[U6] stands behind a blank where there was none", () => {
    expect(carriedOut("- CHANGED §Status: Next: → draw the mail")).toBe(
      BASE.replace("Next:", "Next: draw the mail"),
    );
  });

  it("[U6] begins behind the first colon at or behind the key, and what closes its emphasis", () => {
    const at = (line: string, key: string): string | undefined => {
      const from = valueAt(line, line.indexOf(key) + key.length);
      return from === undefined ? undefined : line.slice(from);
    };
    expect(at("- **Key:** value: more", "Key")).toBe("value: more");
    expect(at("Total plans completed: 6", "Total plans")).toBe("6");
    expect(at("Key:", "Key")).toBe("");
    expect(at("at 10:30 it: ends", "at")).toBe("ends");
    expect(at("no colon at all", "no")).toBeUndefined();
    expect(at(`key ${"x".repeat(60)}: far`, "key")).toBeUndefined();
  });

  it("[U6] is refused where the line has none, or no line is named", () => {
    expect(carriedOut("- CHANGED §Work: S-1: → closed")).toBe("unresolved");
    expect(carriedOut("- CHANGED §Work: → closed")).toBe("unresolved");
  });
});

describe("what comes to a line and takes nothing away", () => {
  it("[U6] is told alone, at the end of its line or behind the end of a clause", () => {
    expect(operations(BASE, BASE.replace("T-2: mail", "T-2: mail (done 2026-03-02)"))).toEqual([
      "- CHANGED §Work.T-2: + (done 2026-03-02)",
    ]);
    expect(operations(BASE, BASE.replace("[ ] T-2: mail", "[x] T-2: mail (done 2026-03-02)"))).toEqual([
      "- CHANGED §Work.T-2: [ ] → [x] | + (done 2026-03-02)",
    ]);
  });

  it("[U6] has a blank before it unless a mark begins it, and is exact when quoted", () => {
    expect(carriedOut("- CHANGED §Work: T-2: + and receipt")).toBe(
      BASE.replace("T-2: mail", "T-2: mail and receipt"),
    );
    expect(carriedOut("- CHANGED §Work: T-2: +, and receipt")).toBe("unresolved");
    expect(carriedOut("- CHANGED §Work: T-2: + , and receipt")).toBe(
      BASE.replace("T-2: mail", "T-2: mail, and receipt"),
    );
    expect(carriedOut('- CHANGED §Work: T-2: + "er"')).toBe(BASE.replace("T-2: mail", "T-2: mailer"));
    expect(carriedOut("- CHANGED §Work: form + (of two pages)")).toBe(
      BASE.replace("form,", "form (of two pages),"),
    );
  });

  it("[U6] a plus in a replaced text is text, in a new one too", () => {
    const base = "# A\n\n- k: a + b, c\n";
    for (const next of [
      "# A\n\n- k: a + d, c\n",
      "# A\n\n- k: a, c\n",
      "# A\n\n- k: a + b, c + d\n",
      "# A\n\n- k: + b → c\n",
    ])
      expect(operations(base, next)).not.toEqual([]);
  });
});

describe("several lines and headings", () => {
  it("[U6] lines in a row that change alike are named by the first and the last", () => {
    expect(operations(BASE, BASE.replaceAll("[ ]", "[x]"))).toEqual(["- CHANGED §Work: T-1…T-4: [ ] → [x]"]);
    expect(operations(BASE, BASE.replaceAll("| open |", "| shut |"))).toEqual([
      "- CHANGED §Work: S-1…S-3: open → shut",
    ]);
    expect(carriedOut("- CHANGED §Work: T-4…T-1: [ ] → [x]")).toBe("unresolved");
    expect(carriedOut("- CHANGED §Work: T-1…Z-9: [ ] → [x]")).toBe("unresolved");
  });

  it("[U6] a heading gets another title", () => {
    expect(operations(BASE, BASE.replace("## Work", "## Work in hand"))).toEqual([
      "- CHANGED §Work → Work in hand",
    ]);
    expect(operations(BASE, BASE.replace("## Work", "## Work: in hand"))).toEqual([
      '- CHANGED §Work → "Work: in hand"',
    ]);
    const sub = operations(
      BASE,
      BASE.replace("### Open: questions", "### Nothing left to be asked of anybody"),
    );
    expect(sub).toEqual(["- CHANGED §Open → Nothing left to be asked of anybody"]);
    expect(carriedOut("- CHANGED §Status → ")).toBe("unresolved");
    expect(carriedOut('- CHANGED §Status → "a" b')).toBe("unresolved");
  });

  it("[U11] an arrow in a title is still read as an older message writes it", () => {
    const base = "# A → B\n\n- k: one\n";
    const read = decode("[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- CHANGED §A → B: k: one → two", base);
    expect(read.ok && read.value.text).toBe("# A → B\n\n- k: two\n");
  });
});

describe("a line's change for which no words are found", () => {
  it("[U1] [U13] is told as the line's new text, not as nothing", () => {
    const base =
      "# A\n\n| x 35\n\n- → 33\n\n- D-7 50 % 16\n\n- D-7 36\n- [ ] → - ADDED x alpha 9\n  - → → 33\n";
    const next = base.replace("- → 33\n\n- D-7 50 % 16", "- [ ] key: value 50 % 17\n\n🙂 48");
    expect(operations(base, next, countChars).join("\n")).not.toMatch(/: $/m);
    expect(operations(base, next, countChars)[0]).not.toBe("");
  });

  it("[U1] is never a reason to send the whole document", () => {
    const line = fc.constantFrom(
      "- → 33",
      "- → → 33",
      "  - → x",
      "- + a",
      "+ b",
      "- [ ] →",
      "- D-7 50 %",
      "- D-7",
      "- [ ] k: v",
      "",
      "🙂",
      "| → |",
    );
    const lines = fc.array(line, { minLength: 3, maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const filler = Array.from({ length: 30 }, (_, at) => `- item ${at}: ${"words ".repeat(8)}`).join(
          "\n",
        );
        const [old, next] = [a, b].map(list => `# A\n\n${list.join("\n")}\n\n# B\n\n${filler}\n`) as [
          string,
          string,
        ];
        const encoded = encode(diff(old, next), old, next, {
          label: "GC",
          from: 1,
          to: 2,
          countTokens: countChars,
        });
        expect(encoded.ok && encoded.value.form).not.toBe("full");
      }),
      { numRuns: casesOf(100, 400) },
    );
  });
});
