import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/text/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";
import { cut, JWT, long, MARKED, pem, streamed } from "./redact-samples.ts";
import { HARD, NARROW, PLAIN, SECRETS, secretForms } from "./secret-forms.ts";

const mask = createRedactor([]);

describe("redaction of any text in any pieces", () => {
  it("[XC9] gives the same for every way a stream is cut, and is idempotent", () => {
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
        "63 97 a5",
        "&amp;",
        '"',
        "=",
        "\\",
        "\u001b[1m",
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

  it("[XC3] loses no byte of numbers in which a list may begin anew, however they are cut", () => {
    const redact = createRedactor(SECRETS);
    for (const text of ["63 97 a5", "[ 99, 104, 112, 97 ]", "63:68:70:63:70:68", "0x63, 0x70, 0x9"])
      for (let length = 1; length < text.length; length++)
        expect(streamed(redact, cut(Buffer.from(text), [length])).toString()).toBe(text);
  });

  it("[XC3] hides a list from its first digit on, also where that begins no list by itself, however it is cut", () => {
    const redact = createRedactor(["chpa-hunter2"]);
    // As hexadecimal digits 63 is the secret's first byte, and the decimal list begins behind it.
    const text = Buffer.from(`63, 0${Array.from(Buffer.from("chpa-hunter2")).join(", ")} y`);
    for (let length = 1; length <= text.length; length++)
      expect(streamed(redact, cut(text, [length])).toString()).toBe("63, [redacted] y");
  });

  it("[XC9] holds back what an equals sign stands in, whether it ends a line or belongs to another secret", () => {
    const redact = createRedactor(["deadbeef/Kw83", "a=b==secret"]);
    const text = Buffer.from("x dea=\r\ndbeef/Kw83 y");
    for (let length = 1; length <= text.length; length++)
      expect(streamed(redact, cut(text, [length])).toString()).toBe("x [redacted] y");
  });

  it("[XC9] holds back a bounded number of bytes, and nothing of what cannot become a secret", () => {
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

  it("[XC3] leaves everything else byte for byte", () => {
    const redact = createRedactor(["a secret value"]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), text => {
        fc.pre(!MARKED.some(token => text.includes(token.slice(0, 4))));
        expect(mask(text)).toBe(text);
        expect(redact(text)).toBe(text);
      }),
    );
  });

  it("[XC3] keeps what stands around many tokens", () => {
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

  it.each(
    sampleOf<[string, (size: number) => string]>(
      [
        ["many tokens", size => `${long("ghp_", 40)} `.repeat(size / 40)],
        ["one endless token", size => long("sk-", size)],
        ["many beginnings", size => "sk-".repeat(size / 3)],
        ["many beginnings that come to nothing", size => "sk- ".repeat(size / 4)],
        ["many beginnings in words", size => "xsk-".repeat(size / 4)],
        ["many beginnings of keys", size => "-----BEGIN ".repeat(size / 11)],
        ["many beginnings of passwords", size => "://a:b".repeat(size / 6)],
        ["many dots of signed tokens", size => "eyJ.".repeat(size / 4)],
      ],
      1,
      3,
      5,
      7,
    ),
  )("[XC4] is linear in %s", (_, textOf) => {
    expect(growth(60_000, textOf, mask)).toBeLessThan(LINEAR);
  });

  it.each(
    sampleOf<[string, (size: number) => string]>(
      [
        ["escapes that come to nothing", size => "\\u00".repeat(size / 4)],
        ["percents", size => "%".repeat(size)],
        ["ampersands", size => "&#x".repeat(size / 3)],
        ["beginnings of a secret", size => "hunter2-hunter2-".repeat(size / 16)],
        ["backslashes", size => "\\".repeat(size)],
        ["breaks behind a beginning", size => "h\n \n".repeat(size / 4)],
        ["sequences of a terminal behind a beginning", size => "h\u001b[1m".repeat(size / 5)],
        ["escapes that stand for beginnings", size => "\\u0068%75".repeat(size / 9)],
      ],
      0,
      3,
      5,
      7,
    ),
  )("[XC4] is linear in %s, with secrets", (_, textOf) => {
    expect(growth(40_000, textOf, createRedactor(SECRETS))).toBeLessThan(LINEAR);
  });
});
