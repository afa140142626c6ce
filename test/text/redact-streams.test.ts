import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/text/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { cut, JWT, long, MARKED, pem, streamed } from "./redact-samples.ts";
import { HARD, NARROW, PLAIN, SECRETS, secretForms } from "./secret-forms.ts";

const mask = createRedactor([]);

describe("redaction of any text in any pieces", () => {
  it("[C9] gives the same for every way a stream is cut, and is idempotent", () => {
    const pieces = [
      ...SECRETS.flatMap(secret => [...secretForms(secret).values()]),
      ...MARKED.map(token => Buffer.from(token)),
      ...[
        JWT,
        pem(""),
        pem("RSA ", "\\n"),
        "postgres://me:pa%w@rd@h/x",
        "-----BEGIN ",
        "eyJ",
        "://a:",
        "\\u",
        "%4",
        "&#x",
        "한",
        "\n",
        " ",
      ].map(text => Buffer.from(text)),
      Buffer.from([0xed, 0x95]),
      Buffer.from([0xff, 0x00]),
    ];
    const redact = createRedactor(SECRETS);
    const part = fc
      .tuple(fc.constantFrom(...pieces), fc.nat({ max: 100 }), fc.boolean())
      .map(([piece, from, isTorn]) => (isTorn ? piece.subarray(0, from) : piece));
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
        (parts, lengths) => {
          const text = Buffer.concat(parts);
          const whole = streamed(redact, [text]);
          expect(streamed(redact, cut(text, lengths)).equals(whole)).toBe(true);
          for (const secret of [HARD, NARROW, PLAIN]) expect(whole.includes(secret)).toBe(false);
        },
      ),
    );
  });

  it("[C9] holds back a bounded number of bytes, and nothing of what cannot become a secret", () => {
    const stream = createRedactor(SECRETS).stream();
    expect(Buffer.from(stream.push(Buffer.from("hunter2-hun"))).toString()).toBe("");
    expect(Buffer.from(stream.push(Buffer.from("gry!\n"))).toString()).toBe("hunter2-hungry!\n");
    for (const beginning of ["eyJ", "-----BEGIN ", "sk-", "x://a:", "\\u", "hunter2-hu\n"]) {
      let given = 0;
      const filler = Buffer.from(beginning === "hunter2-hu\n" ? "\n".repeat(100) : "a".repeat(100));
      given += stream.push(Buffer.from(beginning)).length;
      for (let times = 0; times < 100; times++) given += stream.push(filler).length;
      expect({ beginning, held: beginning.length + 10_000 - given < 2100 }).toEqual({
        beginning,
        held: true,
      });
      stream.end();
    }
  });

  it("[C3] leaves everything else byte for byte", () => {
    const redact = createRedactor(["a secret value"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), text => {
        fc.pre(!MARKED.some(token => text.includes(token.slice(0, 4))));
        expect(mask(text)).toBe(text);
        expect(redact(text)).toBe(text);
      }),
    );
  });

  it("[C3] keeps what stands around many tokens", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...MARKED), fc.constantFrom(" ", "\n", ", ", "가", '"')), {
          maxLength: 20,
        }),
        parts => {
          const text = parts.map(([token, after]) => token + after).join("");
          expect(mask(text)).toBe(parts.map(([, after]) => `[redacted]${after}`).join(""));
        },
      ),
    );
  });

  it.each<[string, (size: number) => string]>([
    ["many tokens", size => `${long("ghp_", 40)} `.repeat(size / 40)],
    ["one endless token", size => long("sk-", size)],
    ["many beginnings", size => "sk-".repeat(size / 3)],
    ["many beginnings that come to nothing", size => "sk- ".repeat(size / 4)],
    ["many beginnings in words", size => "xsk-".repeat(size / 4)],
    ["many beginnings of keys", size => "-----BEGIN ".repeat(size / 11)],
    ["many beginnings of passwords", size => "://a:b".repeat(size / 6)],
    ["many dots of signed tokens", size => "eyJ.".repeat(size / 4)],
  ])("[C4] is linear in %s", (_, textOf) => {
    expect(growth(60_000, textOf, mask)).toBeLessThan(LINEAR);
  });

  it.each<[string, (size: number) => string]>([
    ["escapes that come to nothing", size => "\\u00".repeat(size / 4)],
    ["percents", size => "%".repeat(size)],
    ["ampersands", size => "&#x".repeat(size / 3)],
    ["beginnings of a secret", size => "hunter2-hunter2-".repeat(size / 16)],
  ])("[C4] is linear in %s, with secrets", (_, textOf) => {
    expect(growth(40_000, textOf, createRedactor(SECRETS))).toBeLessThan(LINEAR);
  });
});
