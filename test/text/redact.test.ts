import { describe, expect, it } from "vitest";
import { createRedactor, looksSecret } from "../../src/text/index.ts";
import { cut, JWT, KEY_LINES, long, MARKED, NAMED, pem, streamed } from "./redact-samples.ts";
import { HARD, LINES, PLAIN, SECRETS, secretForms, tellingPart } from "./secret-forms.ts";

const mask = createRedactor([]);

describe("redaction", () => {
  it("[XC1] replaces known values wherever they stand", () => {
    const redact = createRedactor(["hunter2hunter2", "another-secret"]);
    expect(redact("a hunter2hunter2b hunter2hunter2 another-secret!")).toBe(
      "a [redacted]b [redacted] [redacted]!",
    );
  });

  it("[XC1] takes longer values first, so that no rest of one is left", () => {
    const redact = createRedactor(["password", "password-of-the-database"]);
    expect(redact("password-of-the-database and password")).toBe("[redacted] and [redacted]");
  });

  it("[XC1] leaves short values alone", () => {
    expect(createRedactor(["1234567", ""])("1234567")).toBe("1234567");
    expect(createRedactor(["12345678"])("12345678")).toBe("[redacted]");
  });

  it("[XC1] takes values literally", () => {
    const redact = createRedactor(["$&.*(secret)$1"]);
    expect(redact("x $&.*(secret)$1 y")).toBe("x [redacted] y");
  });

  it.each(MARKED)("[XC2] replaces %s", token => {
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
  ])("[XC2] leaves %s", text => {
    expect(mask(text)).toBe(text);
  });

  it("[XC2] finds a token behind a word that only looks like its beginning", () => {
    const token = long("sk-", 40);
    expect(mask(`task-1 sk-a ${token}`)).toBe("task-1 sk-a [redacted]");
    expect(mask(`xsk-${token}`)).toBe("xsk-[redacted]");
  });

  it.each(
    SECRETS.flatMap(secret => [...secretForms(secret)].map(([name, form]) => [name, secret, form] as const)),
  )("[XC6] masks %s of %j, in one piece and byte by byte", (name, secret, form) => {
    const redact = createRedactor(SECRETS);
    const text = Buffer.concat([Buffer.from("before "), form, Buffer.from(" after")]);
    const whole = streamed(redact, [text]);
    expect(whole.toString("latin1")).toMatch(/^before .*\[redacted\].* after$/s);
    expect(whole.includes(Buffer.from(tellingPart(name, form, secret)))).toBe(false);
    expect(whole.length).toBeLessThan(40);
    expect(streamed(redact, cut(text, [1]))).toEqual(whole);
    expect(streamed(redact, [whole])).toEqual(whole);
  });

  it.each(["y", "_", "한", ")", "a", "F"])(
    "[XC6] knows a list of a secret's bytes right behind %j",
    before => {
      const redact = createRedactor([PLAIN]);
      const bytes = [...Buffer.from(PLAIN)].map(byte => byte.toString(16));
      for (const between of [":", "-", ", 0x"])
        expect(redact(`a ${before}${bytes.join(between)} b`)).toBe(`a ${before}[redacted] b`);
      const numbers = [...Buffer.from(PLAIN)].join(", ");
      expect(redact(`a ${before}${numbers} b`)).toBe(`a ${before}[redacted] b`);
    },
  );

  it.each(["0", "7", "47", "99:"])(
    "[XC6] knows a list of a secret's bytes in hexadecimal right behind %j",
    before => {
      const redact = createRedactor([PLAIN]);
      const bytes = [...Buffer.from(PLAIN)].map(byte => byte.toString(16));
      for (const between of [":", "-", ", 0x"])
        expect(redact(`a ${before}${bytes.join(between)} b`)).toBe(`a ${before}[redacted] b`);
      const numbers = [...Buffer.from(PLAIN)].join(", ");
      // `7` before `104` makes it another number.
      const isApart = before.endsWith(":");
      expect(redact(`a ${before}${numbers} b`)).toBe(`a ${before}${isApart ? "[redacted]" : numbers} b`);
    },
  );

  it.each([1, 2, 3, 4, 8])(
    "[XC6] knows a secret in a dump of groups of %i bytes, wherever it begins",
    size => {
      const secrets = [PLAIN, "wwwwD3wUwf", "3DUfw3333D"];
      const redact = createRedactor(secrets);
      for (const secret of secrets)
        for (const before of ["", "g", "=w", "KEY", "w3Dw", "passw"])
          for (const start of ["", "7", "119 ", "104: "]) {
            const pairs = Buffer.from(before + secret)
              .toString("hex")
              .match(/../g)!;
            const groups = pairs.map((pair, at) => (at > 0 && at % size === 0 ? ` ${pair}` : pair)).join("");
            const masked = streamed(redact, [Buffer.from(start + groups)]);
            expect(masked.toString()).toMatch(/^[\da-f: ]*\[redacted\]$/);
            expect(masked.length).toBeLessThan((start + groups).length);
            expect(streamed(redact, cut(Buffer.from(start + groups), [1]))).toEqual(masked);
          }
    },
  );

  it("[XC6] reads over the breaks of wrapped lines", () => {
    const redact = createRedactor([PLAIN, HARD]);
    expect(redact("hunter2-hunt\ner2-hunter2")).toBe("[redacted]");
    expect(redact("hunter2-hunt\r\ner2-hunter2")).toBe("[redacted]");
    const lines = Buffer.from(`x${HARD.repeat(4)}`)
      .toString("base64")
      .match(/.{1,76}/g)!;
    const clear = redact(lines.join("\n"));
    expect(clear.replaceAll("[redacted]", "").length).toBeLessThan(12);
    expect(redact("hunter2-hunt\n\n\n\n\ner2-hunter2")).toBe("hunter2-hunt\n\n\n\n\ner2-hunter2");
  });

  it.each(["\n", "\r\n", "\n    ", "\\n", "=\r\n"])(
    "[XC6] reads over a break anywhere in a secret: %j",
    lineBreak => {
      const redact = createRedactor(["Zq7-wX/k93+mN-pL2v", "Kw83hdLq2"]);
      for (const secret of ["Zq7-wX/k93+mN-pL2v", "Kw83hdLq2"])
        for (let at = 1; at < secret.length; at++) {
          const text = `a ${secret.slice(0, at)}${lineBreak}${secret.slice(at)} b`;
          expect(redact(text)).toBe("a [redacted] b");
          expect(streamed(redact, cut(Buffer.from(text), [1])).toString()).toBe("a [redacted] b");
        }
      for (let before = 40; before < 80; before++) {
        const text = Buffer.from(`${"x".repeat(before)}Zq7-wX/k93+mN-pL2v${"y".repeat(20)}`);
        const wrapped = text.toString("base64").replaceAll(/.{76}/g, line => line + lineBreak);
        expect(redact(wrapped)).toContain("[redacted]");
      }
    },
  );

  it("[XC6] reads over a break that stands for a blank, and over a plus that does", () => {
    const redact = createRedactor(["correct horse battery staple"]);
    expect(redact("a correct\n  horse battery\nstaple b")).toBe("a [redacted] b");
    expect(redact("q=correct+horse+battery+staple&b")).toBe("q=[redacted]&b");
    expect(redact("correct horse,battery staple")).toBe("correct horse,battery staple");
  });

  it("[XC6] resolves escapes in any mixture, and none that only seem to stand before a secret", () => {
    const redact = createRedactor(["deadbeef/Kw83", "nhunter2/q"]);
    expect(redact("%5Cu0064eadbeef%255C%252fKw83 x")).toBe("[redacted] x");
    expect(redact("&quot;\\u0064e&#97;dbe\\x65f%2FKw83&quot;")).toBe("&quot;[redacted]&quot;");
    // A list of numbers may begin just before.
    expect(redact("&#97;\\\\nhunter2%2fq")).toBe("&#97;\\\\[redacted]");
    // `\nhunter2` and `%deadbeef` begin with an escape only for who does not know the secret.
    expect(redact("C:\\nhunter2\\/q 100%deadbeef%2fKw83")).toBe("C:\\[redacted] 100%[redacted]");
  });

  it.each(["\\UA0000032", "\\Uffffffff", "\\u{ffffffff}", "\\U02000041"])(
    "[XC6] goes on behind %s, which is no character",
    sign => {
      const redact = createRedactor([PLAIN]);
      const text = `${sign}${sign}\\u0068unter2-hunter2-hunter2 b`;
      expect(redact(text)).toBe(`${sign}${sign}[redacted] b`);
      expect(streamed(redact, cut(Buffer.from(text), [1])).toString()).toBe(`${sign}${sign}[redacted] b`);
    },
  );

  it("[XC6] leaves lists of other numbers", () => {
    const redact = createRedactor([PLAIN]);
    const others = "[104, 117, 110, 116, 101, 114] 68:75:6e:74 at 12:34:56, 0x68 <Buffer 68 75 6e>";
    expect(redact(others)).toBe(others);
    expect(redact("1104, 117")).toBe("1104, 117");
  });

  it("[XC6] knows the lines of a secret of many lines that tell something by themselves", () => {
    const redact = createRedactor([LINES, pem("")]);
    expect(redact("a Second0Line1Of2It3With4Digits b")).toBe("a [redacted] b");
    expect(redact("first line of it")).toBe("first line of it");
    expect(redact(KEY_LINES[7]!)).toBe("[redacted]");
    expect(redact("-----BEGIN PRIVATE KEY-----")).toBe("-----BEGIN PRIVATE KEY-----");
  });

  it("[XC6] knows a long secret by its pieces", () => {
    const long = Array.from({ length: 400 }, (_, at) => (at * 7919).toString(36)).join("");
    expect(createRedactor([long])(`a ${long} b`)).toBe("a [redacted] b");
  });

  it.each<[string, string, string]>([
    ["a JWT", JWT, "[redacted]"],
    ["a JWT behind a word", `token=${JWT}&x=1`, "token=[redacted]&x=1"],
    ["a private key", `a\n${pem("")}\nb`, "a\n[redacted]\nb"],
    [
      "an RSA key with headers",
      `${pem("RSA ").replace("KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n")}\nb`,
      "[redacted]\nb",
    ],
    ["a key in JSON", JSON.stringify({ key: pem("EC "), next: 1 }), '{"key":"[redacted]","next":1}'],
    ["a key in one line", `${pem("", " ")} b`, "[redacted] b"],
    ["a quoted key", pem("").replaceAll("\n", "\n  | "), "[redacted]"],
    ["a password", "postgres://me:pa$$w0rd@db:5432/x", "postgres://me:[redacted]@db:5432/x"],
    ["a password with an @", "redis://:p@ss@host", "redis://:[redacted]@host"],
    ["a password of digits", "postgres://me:12345@db:5432/x", "postgres://me:[redacted]@db:5432/x"],
    ["a password of many digits", "ftp://a.b:123456@h", "ftp://a.b:[redacted]@h"],
    ["a bearer", "Authorization: Bearer abcDEF0123456789xyz+/ab==", "Authorization: Bearer [redacted]"],
    ["a basic login", "Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"],
    ...NAMED.map(([name, secret]): [string, string, string] => [
      name,
      `${name}${secret}"`,
      `${name}[redacted]"`,
    ]),
  ])("[XC7] masks %s by its shape, whatever pieces it comes in", (_, text, clear) => {
    expect(mask(text)).toBe(clear);
    expect(mask(clear)).toBe(clear);
    for (const lengths of [[1], [2, 3], [7]])
      expect(streamed(mask, cut(Buffer.from(text), lengths)).toString()).toBe(clear);
  });

  it.each([
    "\\n",
    "\\t",
    "\\\\n",
    "\\u0022",
    "\\U0000000a",
    "\\x0a",
    "\\012",
    "\\75",
    "\\u{22}",
    "%3D",
    "%22",
    "%250A",
    "=3D",
    "&quot;",
    "&#x3d;",
    "\u001b[32m",
    "\u001b[1;38;5;12m",
    "\\u001b[1;32m",
    "\\x1b[32m",
    "\\e[0m",
    "\\033[1m",
    "^[[32m",
  ])("[XC10] knows a token behind the escape %j", sign => {
    for (const token of [...MARKED, JWT]) {
      const text = `a${sign}${token} b`;
      expect(mask(text)).toBe(`a${sign}[redacted] b`);
      expect(streamed(mask, cut(Buffer.from(text), [1])).toString()).toBe(`a${sign}[redacted] b`);
    }
    expect(mask(`a${sign}Bearer abcDEF0123456789xyz+/ab==`)).toBe(`a${sign}Bearer [redacted]`);
  });

  it.each([
    ["postgres:\\/\\/u:p4ss@h", "postgres:\\/\\/u:[redacted]@h"],
    ["postgres%3A%2F%2Fu%3Ap4ss%40h", "postgres%3A%2F%2Fu%3A[redacted]%40h"],
    ["Bearer abcDEF0123456789xyz\\/abcd end", "Bearer [redacted] end"],
    ["Bearer abcDEF0123456789xyz%2Fabcd end", "Bearer [redacted] end"],
    [`\\u0067hp_${"aB3".repeat(12)}`, "[redacted]"],
    [`%41ghp_${"aB3".repeat(12)}`, `%41ghp_${"aB3".repeat(12)}`],
    [
      "xsk-%2Drisk a\\nrisk-of-All-The-2-Things-Together-Here",
      "xsk-%2Drisk a\\nrisk-of-All-The-2-Things-Together-Here",
    ],
  ])("[XC10] reads %s as it is meant", (text, clear) => {
    expect(mask(text)).toBe(clear);
    expect(streamed(mask, cut(Buffer.from(text), [1])).toString()).toBe(clear);
  });

  it.each([
    "> ",
    "+",
    "-",
    "    ",
    "| ",
    "\t// ",
    "2026-11-22T10:00:00.000Z INFO [deploy/web-1] ",
    "\u001b[32m",
  ])("[XC11] knows a private key with %j before each line", before => {
    const lines = `x\n${pem("RSA ")}\ny`.split("\n").map(line => before + line);
    expect(mask(lines.join("\n"))).toBe(`${before}x\n${before}[redacted]\n${before}y`);
    expect(streamed(mask, cut(Buffer.from(lines.join("\r\n")), [7])).toString()).toBe(
      `${before}x\r\n${before}[redacted]\r\n${before}y`,
    );
  });

  it.each<[string, (key: string) => string]>([
    ["JSON in JSON", key => JSON.stringify(JSON.stringify({ key }))],
    ["a list of its lines", key => JSON.stringify(key.split("\n"), undefined, 2)],
    [
      "a source file",
      key =>
        key
          .split("\n")
          .map(line => JSON.stringify(`${line}\n`))
          .join(" +\n  "),
    ],
    ["an address", key => encodeURIComponent(key)],
  ])("[XC11] knows a private key in %s", (_, write) => {
    const clear = mask(`${write(pem(""))} end`);
    for (const line of KEY_LINES) expect(clear).not.toContain(line.slice(0, 20));
    expect(clear).toMatch(/\[redacted\].* end$/s);
    expect(clear.length).toBeLessThan(40);
  });

  it("[XC11] knows a key that begins before another one has ended", () => {
    const cutShort = pem("").split("\n").slice(0, 8).join("\n");
    const clear = mask(`${cutShort}\n${pem("EC ")}\nend`);
    expect(clear).toBe("[redacted]\nend");
  });

  it("[XC7] a key whose end never comes ends with what cannot belong to it", () => {
    const open = `-----BEGIN PRIVATE KEY-----\n${KEY_LINES.join("\n")}\n`;
    expect(mask(`${open}The tests have passed`)).toBe("[redacted] tests have passed");
    expect(mask(`${open}"quoted"`)).toBe('[redacted]\n"quoted"');
    expect(mask(open)).toBe("[redacted]\n");
    const endless = `-----BEGIN PRIVATE KEY-----\n${`${KEY_LINES[0]}\n`.repeat(2000)}`;
    expect(mask(endless)).toHaveLength(endless.length - 65_537 + "[redacted]".length);
  });

  it.each([
    'if (text.includes("-----BEGIN PRIVATE KEY-----")) return',
    "-----BEGIN PRIVATE KEY-----\nis how such a block begins, and this is no key",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ",
    "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=",
    "eyJhIjoxfQ.eyJiIjoyfQ.c2lnbmF0dXJl",
    "http://localhost:8080/@scope/name",
    "git+ssh://git@github.com/a/b.git",
    "https://example.com/a:b@c",
    "Bearer authentication-is-what-it-is-called",
    "sk-Loading-Indicator-Wrapper-Large2",
    "sk-loadingIndicator-wrapperOfThings-col2-row3",
    "http://localhost:3000@latest",
    "http://127.0.0.1:3000@latest",
    "http://host:8080,foo@bar.com",
    "mongodb://localhost:27017,mail:me@x.org",
    "authorization: Basic authentication",
    "Authorization: Basic configuration",
    "sk-learn-and-other-hyphenated-words-of-some-length",
    "npm_package_devDependencies_typescript_version_of_it",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "550e8400-e29b-41d4-a716-446655440000 da39a3ee5e6b4b0d3255bfef95601890afd80709",
  ])("[XC8] leaves %s", text => {
    expect(mask(text)).toBe(text);
    expect(createRedactor(SECRETS)(text)).toBe(text);
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
  ])("[XC5] takes the name %s for a secret: %s", (name, secret) => {
    expect(looksSecret(name)).toBe(secret);
  });
});
