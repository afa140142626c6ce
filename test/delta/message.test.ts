import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "../../src/delta/diff.ts";
import { decode, diff, type Encoded, encode, shortHash } from "../../src/delta/index.ts";
import { baseOf } from "../../src/delta/message/base.ts";
import { composeForms } from "../../src/delta/message/compose.ts";
import { applyEdits } from "../../src/delta/message/edits.ts";
import { readPieces } from "../../src/delta/message/read-pieces.ts";
import { viewOf } from "../../src/delta/message/view.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf } from "../sample.ts";
import { countChars, PAIR } from "./documents.ts";

const OPTIONS = { label: "GC", from: 3, to: 4, countTokens: countChars };

function encoded(old: string, next: string, options: Partial<Parameters<typeof encode>[3]> = {}): Encoded {
  const result = encode(diff(old, next), old, next, { ...OPTIONS, ...options });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function read(text: string, base: string): string {
  const result = decode(text, base);
  if (!result.ok) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  return result.value.text;
}

describe("the way there and back", () => {
  it("[U1] every form of every delta reads back exactly", () => {
    fc.assert(
      fc.property(PAIR, ([old, next]) => {
        const base = baseOf(old);
        const after = viewOf(next);
        const hunks = diffLines(base.view.lines, after.lines, 0);
        const forms = composeForms(base, after, hunks, countChars);
        for (const operations of [forms.delta, forms.mixed, forms.sections]) {
          const pieces = readPieces(base, operations, 50_000);
          expect("kind" in pieces ? pieces : applyEdits(base.view, pieces.edits)).toEqual(after.lines);
        }
      }),
      { numRuns: casesOf(1500, 6_000) },
    );
  });

  it("[U1] [U12] messages read back exactly, trimmed and with CRLF line ends too", () => {
    fc.assert(
      fc.property(PAIR, fc.boolean(), ([old, next], impact) => {
        const { text, form } = encoded(old, next, impact ? { affected: ["builder"], actions: [] } : {});
        expect(read(text, old)).toBe(next);
        if (form === "full") return;
        expect(read(text.trim(), old)).toBe(next);
        expect(read(`\n\n${text}\n\n`, old)).toBe(next);
        expect(read(text.replaceAll("\n", "\r\n"), old)).toBe(next);
      }),
      { numRuns: casesOf(750, 3_000), examples: [[["\r", "\r\r\n"], false]] },
    );
  });

  it("[U1] steps down to full only where full is cheaper", () => {
    fc.assert(
      fc.property(PAIR, ([old, next]) => {
        const { form, tokens } = encoded(old, next);
        expect(form === "full").toBe(tokens.full <= Math.min(tokens.delta, tokens.sections));
        expect(tokens.sent).toBeLessThanOrEqual(Math.min(tokens.delta, tokens.sections, tokens.full));
      }),
      { numRuns: casesOf(250, 1_000) },
    );
  });

  it("[U10] the update says what it was", () => {
    const [old, next] = [
      "# A\n\n- x: 1\n- y: 2\n\n## B\n\ntext\n",
      "# A\n\n- x: 3\n- y: 4\n\n## B\n\ntext\nmore\n",
    ];
    const pad = `${old}\n${"filler line\n".repeat(40)}`;
    const { text, items } = encoded(pad, next + pad.slice(old.length), {
      affected: ["a", "b"],
      actions: ["re-read §B"],
    });
    const update = decode(text, pad);
    expect(items).toBe(3);
    expect(update.ok && update.value).toMatchObject({
      label: "GC",
      from: 3,
      to: 4,
      form: "delta",
      items: 3,
      affected: ["a", "b"],
      actions: ["re-read §B"],
      proven: true,
    });
    expect(update.ok && update.value.delta).toEqual(diff(pad, next + pad.slice(old.length)));
  });

  it("[U1] carries the whole document when that is cheaper, and to someone without a base", () => {
    const { text, form, items } = encoded("old\n", "new\r\ntext\r\n");
    expect(form).toBe("full");
    expect(items).toBe(0);
    expect(text).toContain("## Full\nnew\ntext\n");
    const update = decode(text, undefined);
    expect(update.ok && update.value).toMatchObject({
      text: "new\r\ntext\r\n",
      form: "full",
      delta: undefined,
    });
    expect(read(text.trimEnd(), "anything")).toBe("new\r\ntext\r\n");
    expect(read(text, "old\n")).toBe("new\r\ntext\r\n");
  });

  it("[U1] turns a large best form into full on request", () => {
    const old = `${"- item one two three\n".repeat(10)}\n${"Words that stay.\n".repeat(12)}\nend\n`;
    const next = old.replaceAll("two", "2").replace("end", "END");
    expect(encoded(old, next).form).not.toBe("full");
    const strict = encoded(old, next, { majorRestructure: 0.2 });
    expect(strict.form).toBe("full");
    expect(strict.tokens.delta).toBeLessThan(strict.tokens.full);
    expect(read(strict.text, old)).toBe(next);
  });

  it("[U2] converts line ends of a whole document in one word", () => {
    const old = `${"a line of text\n".repeat(30)}x: 1\n`;
    const next = old.replace("x: 1", "x: 2").replaceAll("\n", "\r\n");
    const { text } = encoded(old, next);
    expect(text.split("\n")[0]).toMatch(/ CRLF$/);
    expect(text.length).toBeLessThan(100);
    expect(read(text, old)).toBe(next);
    expect(read(encoded(next, old).text, next)).toBe(old);
  });

  it("[U1] an empty delta is a message without operations", () => {
    const { text, items } = encoded("a\n".repeat(50), "a\n".repeat(50));
    expect(text).toMatch(/^\[CONTEXT-UPDATE\] GC-v3→4 [0-9a-f]{4}→[0-9a-f]{6}\n\n## Delta$/);
    expect(items).toBe(0);
    expect(read(text, "a\n".repeat(50))).toBe("a\n".repeat(50));
  });

  it("[U1] takes a large document and a line of a megabyte", () => {
    const many = Array.from({ length: 5_000 }, (_, at) =>
      at % 25 === 0 ? `## Part ${at}` : `- key ${at}: value ${at % 7}`,
    );
    const edited = many.map((line, at) => (at % 500 === 3 ? `${line} changed` : line)).join("\n");
    const { form, items, text } = encoded(many.join("\n"), edited, { countTokens });
    expect([form, items]).toEqual(["delta", 10]);
    expect(read(text, many.join("\n"))).toBe(edited);
    const long = Array.from({ length: 150_000 }, (_, at) => `w${at}`).join(" ");
    const message = encoded(long, long.replace("w777 ", "other "));
    expect(message.text.length).toBeLessThan(120);
    expect(read(message.text, long)).toBe(long.replace("w777 ", "other "));
  });

  it("[U2] refuses what cannot stand in a header or list, and foreign deltas", () => {
    const delta = diff("a", "b");
    const kind = (options: Partial<typeof OPTIONS> & { affected?: string[] }, from = delta): unknown => {
      const result = encode(from, "a", "b", { ...OPTIONS, ...options });
      return result.ok ? "encoded" : result.failure.kind;
    };
    expect(kind({ label: "GC v1" })).toBe("label");
    expect(kind({ label: "GC\n" })).toBe("label");
    expect(kind({ label: "" })).toBe("label");
    expect(kind({ label: "한글_문서.v2" })).toBe("encoded");
    expect(kind({ from: 1.5 })).toBe("version");
    expect(kind({ to: -1 })).toBe("version");
    expect(kind({ affected: ["a\nb"] })).toBe("name");
    expect(kind({ affected: ["a, b"] })).toBe("name");
    expect(kind({}, diff("a", "c"))).toBe("delta");
    expect(kind({}, { ...delta, base: shortHash("x") })).toBe("delta");
  });
});
