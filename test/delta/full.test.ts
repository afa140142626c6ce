import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECODE_LIMITS, decode, diff, encode, encodeFull, shortHash } from "../../src/delta/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { CONSTANT, growth } from "../growth.ts";
import { DOCUMENT as documentText } from "./documents.ts";

const OPTIONS = { label: "GC", to: 4, countTokens };
const LARGEST = DECODE_LIMITS.document;

describe("a document as a whole", () => {
  it("[U1] is read by anyone, whatever they hold, byte for byte", () => {
    fc.assert(
      fc.property(documentText, fc.option(documentText, { nil: undefined }), (text, held) => {
        const made = encodeFull(text, OPTIONS);
        if (!made.ok) throw new Error(made.failure.message);
        const read = decode(made.value.text, held);
        expect(read).toMatchObject({ ok: true, value: { text, form: "full", proven: true, to: 4 } });
      }),
    );
  });

  it("[U1] names its version and hash, and no version to start from", () => {
    const made = encodeFull("# A\n", { ...OPTIONS, affected: ["back"], actions: [] });
    expect(made).toEqual({
      ok: true,
      value: {
        text: `[CONTEXT-UPDATE] GC-v4 ${shortHash("# A\n").slice(0, 6)}\n\n## Impact Assessment\n- Affected teammates: back\n- Required actions: NONE\n\n## Full\n# A\n`,
        form: "full",
        items: 0,
        tokens: expect.objectContaining({ sent: expect.any(Number) }),
      },
    });
    expect(made.ok && made.value.tokens.sent).toBe(made.ok && countTokens(made.value.text));
  });

  it("[U1] says nothing of an impact that is not given", () => {
    const made = encodeFull("# A\n", OPTIONS);
    const hash = shortHash("# A\n").slice(0, 6);
    expect(made.ok && made.value.text).toBe(`[CONTEXT-UPDATE] GC-v4 ${hash}\n\n## Full\n# A\n`);
  });

  it.each([
    [100, 200, undefined, "delta"],
    [200, 200, undefined, "full"],
    [100, 200, 0.5, "delta"],
    [101, 200, 0.5, "full"],
    [20, 200, 0.1, "delta"],
    [21, 200, 0.1, "full"],
  ] as const)(
    "[U1] of %i tokens beside %i for the whole, with a share of %d, it is %s",
    (part, whole, share, form) => {
      const countTokens = (text: string) => (text.includes("## Full") ? whole : part);
      const more = share === undefined ? {} : { majorRestructure: share };
      const made = encode(diff("a\nb\n", "a\nc\n"), "a\nb\n", "a\nc\n", {
        label: "GC",
        from: 1,
        to: 2,
        countTokens,
        ...more,
      });
      expect(made.ok && made.value.form).toBe(form);
    },
  );

  it("[U1] tells what each form would cost: hunks, sections anew, the whole", () => {
    const part = (at: number, text: (n: number) => string): string =>
      `## Part ${at}\n\n${Array.from({ length: 9 }, (_, n) => `- ${text(n)}\n`).join("\n")}\n`;
    const with3 = (third: string): string =>
      [1, 2, 4].map(at => part(at, n => `item ${n}: grey ${at}.${n}`)).join(third);
    const [red, blue] = [
      part(3, n => `item ${n}: red`),
      part(3, n => `${"abcdefghi"[n]} of ${n * n} other words`),
    ];
    const [old, next] = [with3(red), with3(blue)];
    const one = next.replaceAll("e of 16 other", "e of 16 more");
    for (const [from, to, form] of [
      [one, next, "delta"],
      [old, next, "sections"],
    ] as const) {
      const made = encode(diff(from, to), from, to, { label: "GC", from: 1, to: 2, countTokens });
      if (!made.ok) throw new Error(made.failure.message);
      const { sent, delta, sections, full } = made.value.tokens;
      expect(made.value.form).toBe(form);
      expect(sent).toBe(countTokens(made.value.text));
      expect(sent).toBe(Math.min(delta, sections));
      expect(sections > delta).toBe(form === "delta");
      expect(full).toBeGreaterThan(Math.max(delta, sections));
    }
  });

  it("[U2] says when every line ends in CRLF, and keeps line ends that are mixed", () => {
    const crlf = encodeFull("a\r\nb\r\n", OPTIONS);
    expect(crlf.ok && crlf.value.text.split("\n")[0]).toMatch(/ CRLF$/);
    expect(crlf.ok && crlf.value.text.includes("\r")).toBe(false);
    const mixed = encodeFull("a\r\nb\nc", OPTIONS);
    expect(mixed.ok && mixed.value.text.endsWith("a\r\nb\nc")).toBe(true);
  });

  it.each([
    ["label", { ...OPTIONS, label: "a b" }],
    ["label", { ...OPTIONS, label: "GC\u0007" }],
    ["version", { ...OPTIONS, to: -1 }],
    ["version", { ...OPTIONS, to: 1_000_000_000 }],
    ["version", { ...OPTIONS, to: 1.5 }],
    ["name", { ...OPTIONS, affected: ["a, b"] }],
    ["name", { ...OPTIONS, actions: ["a\nb"] }],
  ])("refuses a %s that cannot stand in a message", (kind, options) => {
    expect(encodeFull("x", options)).toMatchObject({ ok: false, failure: { kind } });
  });

  it("refuses half a surrogate pair", () => {
    expect(encodeFull("a\ud800b", OPTIONS)).toMatchObject({ ok: false, failure: { kind: "inexact" } });
  });
});

describe("documents of any size", () => {
  const counted = { count: 0 };
  const options = {
    label: "GC",
    from: 1,
    to: 2,
    countTokens: (text: string) => {
      counted.count++;
      return text.length >> 2;
    },
  };

  it("[U1] up to the limit can be sent as a whole and are read back", () => {
    const line = `${"x".repeat(999)}\n`;
    const text = line.repeat(LARGEST / 1000);
    expect(text.length).toBe(LARGEST);
    const made = encodeFull(text, { ...options, to: 2 });
    expect(made.ok && decode(made.value.text, undefined).ok).toBe(true);
  });

  it("[U1] beyond it are refused at once, with both numbers, before any work", () => {
    const large = "y".repeat(100_000_000);
    const delta = { base: "", result: "", hunks: [] };
    counted.count = 0;
    const message = `A document has 100000000 characters, a message carries ${LARGEST} at most`;
    for (const made of [
      encodeFull(large, { ...options, to: 2 }),
      encode(delta as never, large, "", options),
      encode(delta as never, "", large, options),
    ])
      expect(made).toEqual({ ok: false, failure: { kind: "limit", message, found: "100000000" } });
    expect(counted.count).toBe(0);
    const refuse = (text: string) => encodeFull(text, { ...options, to: 2 });
    expect(growth(2 * LARGEST, size => "y".repeat(size), refuse)).toBeLessThan(CONSTANT);
  });

  it("[U10] are refused by a decoder on either side", () => {
    const large = "y".repeat(100_000_000);
    for (const read of [decode(large, ""), decode("[CONTEXT-UPDATE] GC-v1 → GC-v2", large)])
      expect(read).toMatchObject({ ok: false, failure: { kind: "limit" } });
  });

  it("[U1] a delta of other documents than the given ones is refused, not sent as a whole", () => {
    const delta = diff("a\n", "b\n");
    expect(encode(delta, "a\n", "c\n", options)).toMatchObject({ ok: false, failure: { kind: "delta" } });
    expect(encode(delta, "c\n", "b\n", options)).toMatchObject({ ok: false, failure: { kind: "delta" } });
  });
});
