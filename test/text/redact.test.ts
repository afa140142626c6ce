import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, looksSecret } from "../../src/text/index.ts";
import { growth, LINEAR } from "../growth.ts";

const mask = createRedactor([]);
/** Strings shaped like the tokens of well-known services, made up here. */
const long = (prefix: string, length: number) =>
  prefix + "aB3".repeat(length).slice(0, length - prefix.length);
const MARKED: readonly string[] = [
  long("sk-ant-", 60),
  long("sk-", 40),
  long("sk-proj-", 60),
  long("ghp_", 40),
  long("gho_", 40),
  long("ghs_", 40),
  long("github_pat_", 60),
  long("glpat-", 26),
  long("xoxb-", 40),
  long("xoxp-", 40),
  long("AKIA", 20),
  long("AIza", 39),
  long("npm_", 40),
  long("https://hooks.slack.com/services/", 70),
];

describe("redaction", () => {
  it("[C1] replaces known values wherever they stand", () => {
    const redact = createRedactor(["hunter2hunter2", "another-secret"]);
    expect(redact("a hunter2hunter2b hunter2hunter2 another-secret!")).toBe(
      "a [redacted]b [redacted] [redacted]!",
    );
  });

  it("[C1] takes longer values first, so that no rest of one is left", () => {
    const redact = createRedactor(["password", "password-of-the-database"]);
    expect(redact("password-of-the-database and password")).toBe("[redacted] and [redacted]");
  });

  it("[C1] leaves short values alone", () => {
    expect(createRedactor(["1234567", ""])("1234567")).toBe("1234567");
    expect(createRedactor(["12345678"])("12345678")).toBe("[redacted]");
  });

  it("[C1] takes values literally", () => {
    const redact = createRedactor(["$&.*(secret)$1"]);
    expect(redact("x $&.*(secret)$1 y")).toBe("x [redacted] y");
  });

  it.each(MARKED)("[C2] replaces %s", token => {
    expect(mask(token)).toBe("[redacted]");
    expect(mask(`key: ${token}\nnext`)).toBe("key: [redacted]\nnext");
    expect(mask(`"${token}"`)).toBe('"[redacted]"');
    expect(mask(`토큰 ${token}은`)).toBe("토큰 [redacted]은");
    expect(mask(`\u0010${token}`)).toBe("\u0010[redacted]");
    expect(mask(`${token} ${token}`)).toBe("[redacted] [redacted]");
  });

  it.each([
    "risk-assessment-of-the-whole-thing-and-more",
    "task-1234567890-abcdefghijklmnop",
    "sk-short",
    "ghp_tooshort",
    "npm_config_cache",
    "AKIA",
    "https://hooks.slack.com/services/",
    "disk-usage-report-of-november-the-tenth",
  ])("[C2] leaves %s", text => {
    expect(mask(text)).toBe(text);
  });

  it("[C2] finds a token behind a word that only looks like its beginning", () => {
    const token = long("sk-", 40);
    expect(mask(`task-1 sk-a ${token}`)).toBe("task-1 sk-a [redacted]");
    expect(mask(`xsk-${token}`)).toBe("xsk-[redacted]");
  });

  it("[C3] leaves everything else byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), text => {
        fc.pre(!MARKED.some(token => text.includes(token.slice(0, 4))));
        expect(mask(text)).toBe(text);
        expect(createRedactor(["a secret value"])(text)).toBe(text);
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
  ])("[C4] is linear in %s", (_, textOf) => {
    expect(growth(500_000, textOf, mask)).toBeLessThan(LINEAR);
  });

  it.each([
    ["OPENAI_API_KEY", true],
    ["github_token", true],
    ["DB_PASSWORD", true],
    ["SLACK_WEBHOOK_URL", true],
    ["AWS_SECRET_ACCESS_KEY", true],
    ["Npm_Config_Credential", true],
    ["PATH", false],
    ["HOME", false],
    ["LANG", false],
    ["GIT_AUTHOR_NAME", false],
  ])("[C5] takes the name %s for a secret: %s", (name, secret) => {
    expect(looksSecret(name)).toBe(secret);
  });
});
