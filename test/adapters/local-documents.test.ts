import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENT_LIMITS, localDocuments } from "../../src/adapters/local/documents.ts";
import { matchesName } from "../../src/text/index.ts";

let base = "";
let root = "";
const put = (path: string, text = path) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "espalier-documents-"));
  root = join(base, "repo");
  for (const path of [
    "README.md",
    "docs/a.md",
    "docs/b.md",
    "docs/c.txt",
    "docs/deep/er/d.md",
    "docs/.hidden.md",
    "node_modules/x/readme.md",
    ".github/rules.md",
    "docs/인증.md",
  ])
    put(path);
  writeFileSync(join(base, "secret.md"), "secret");
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside", "o.md"), "outside");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const list = (pattern: string) => {
  const found = localDocuments(root).list(pattern);
  return found.ok ? found.value : found.failure.kind;
};
const read = (path: string) => {
  const found = localDocuments(root).read(path);
  return found.ok ? found.value : found.failure.kind;
};

describe("documents of a repository", () => {
  it.each([
    ["docs/a.md", ["docs/a.md"]],
    ["docs/*.md", ["docs/a.md", "docs/b.md", "docs/인증.md"]],
    ["docs/?.md", ["docs/a.md", "docs/b.md", "docs/인증.md"].slice(0, 2)],
    ["docs/**/*.md", ["docs/a.md", "docs/b.md", "docs/deep/er/d.md", "docs/인증.md"]],
    ["**/*.md", ["README.md", "docs/a.md", "docs/b.md", "docs/deep/er/d.md", "docs/인증.md"]],
    ["./docs/*.txt", ["docs/c.txt"]],
    ["docs/deep/**", ["docs/deep/er/d.md"]],
    ["docs/.h*", ["docs/.hidden.md"]],
    [".github/*.md", [".github/rules.md"]],
    ["node_modules/*/readme.md", ["node_modules/x/readme.md"]],
    ["docs/*.rs", "no-match"],
    ["docs/none.md", "missing"],
    ["docs", "not-a-file"],
  ])("%s names %j", (pattern, expected) => {
    expect(list(pattern)).toEqual(expected);
  });

  it("are read as they are, in any script", () => {
    expect(read("docs/인증.md")).toBe("docs/인증.md");
    put("docs/bom.txt", "\ufeffa\r\nb");
    expect(read("docs/bom.txt")).toBe("\ufeffa\r\nb");
    expect(read("docs/none.md")).toBe("missing");
  });

  it("are found in whatever normal form the disk spells them", () => {
    put("docs/forms/e\u0301cran.md", "x");
    expect(list("docs/forms/\u00e9cran.md")).toEqual(["docs/forms/e\u0301cran.md"]);
  });

  it("never lie outside of it", () => {
    symlinkSync(join(base, "secret.md"), join(root, "docs", "link.md"));
    symlinkSync(join(base, "outside"), join(root, "out"));
    expect(list("docs/link.md")).toBe("not-a-file");
    expect(read("docs/link.md")).toBe("not-a-file");
    expect(list("out/o.md")).toBe("outside");
    expect(read("out/o.md")).toBe("outside");
    expect(read("../secret.md")).toBe("outside");
    expect(list("out/*.md")).not.toContain("out/o.md");
    expect(list("**/o.md")).toBe("no-match");
    expect(list("docs/*.md")).not.toContain("docs/link.md");
  });

  it("are plain files: nothing waits for a pipe", () => {
    execFileSync("mkfifo", [join(root, "docs", "pipe.md")]);
    expect(list("docs/pipe.md")).toBe("not-a-file");
    expect(read("docs/pipe.md")).toBe("not-a-file");
    expect(list("docs/p*.md")).toBe("no-match");
    rmSync(join(root, "docs", "pipe.md"));
  });

  it("are text of a bounded length", () => {
    put("docs/huge.txt", "");
    truncateSync(join(root, "docs/huge.txt"), 1024 ** 3);
    expect(read("docs/huge.txt")).toBe("too-large");
    rmSync(join(root, "docs/huge.txt"));
    writeFileSync(join(root, "docs/bytes.txt"), Buffer.from([65, 0xff, 66]));
    expect(localDocuments(root).read("docs/bytes.txt")).toMatchObject({
      ok: false,
      failure: {
        kind: "not-text",
        path: "docs/bytes.txt",
        message: "docs/bytes.txt is no UTF-8 text (byte 1)",
      },
    });
  });

  it("are bounded in number", () => {
    for (let at = 0; at < 30; at++) put(`many/${at}.md`);
    const few = localDocuments(root, { ...DOCUMENT_LIMITS, files: 20 }).list("many/*.md");
    expect(few).toMatchObject({ ok: false, failure: { kind: "too-many" } });
    const narrow = localDocuments(root, { ...DOCUMENT_LIMITS, entries: 10 }).list("**/*.md");
    expect(narrow).toMatchObject({ ok: false, failure: { kind: "too-many" } });
  });

  it("that differ in case or composition only are refused", () => {
    put("twins/Api.md");
    put("twins/api.md");
    expect(list("twins/*.md")).toBe("twins");
    put("forms/\u00e9.md");
    put("forms/e\u0301.md");
    expect(list("forms/*.md")).toBe("twins");
  });
});

describe("patterns", () => {
  it.each([
    ["*", "", true],
    ["*.md", "a.md", true],
    ["*.md", "a.md.bak", false],
    ["a*b*c", "aXbYbZc", true],
    ["a*b*c", "aXbYbZ", false],
    ["??", "ab", true],
    ["?", "", false],
    ["**", "anything", true],
  ])("%s on %s: %s", (pattern, name, expected) => {
    expect(matchesName(pattern, name)).toBe(expected);
  });

  it("say what a regular expression says", () => {
    const small = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 8 });
    fc.assert(
      fc.property(pattern, small, (glob, name) => {
        const expected = new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(name);
        expect(matchesName(glob, name)).toBe(expected);
      }),
    );
  });

  it("never take exponential time", () => {
    expect(matchesName(`${"*a".repeat(50)}b`, "a".repeat(5000))).toBe(false);
  });
});
