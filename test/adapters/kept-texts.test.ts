import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKeptTexts } from "../../src/adapters/cache/index.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-kept-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = () => readdirSync(join(folder, "texts")).map(name => join(folder, "texts", name));
const open = (maxBytes = 1_000_000) => openKeptTexts(join(folder, "texts"), maxBytes);

describe("texts that are kept", () => {
  it("[BK4] come back as they were put, in another process too", () => {
    const hostile = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(hostile, hostile, (key, text) => {
        expect(open().put(key, text)).toEqual({ ok: true, value: undefined });
        expect(open().get(key)).toBe(text.toWellFormed() === text ? text : open().get(key));
      }),
      { numRuns: 50 },
    );
    expect(open().get("never put")).toBeUndefined();
  });

  it("[BK4] are none when what lies there was not put there", () => {
    open().put("digest", "said");
    const [file = ""] = files();
    const whole = readFileSync(file, "utf8");
    for (const bad of [
      "",
      "{}",
      whole.slice(0, -5),
      whole.replace("said", "sold"),
      whole.replace('"version":1', '"version":2'),
      whole.replace('"digest"', '"other"'),
    ]) {
      writeFileSync(file, bad);
      expect(open().get("digest")).toBeUndefined();
    }
    rmSync(file);
    writeFileSync(join(folder, "elsewhere"), whole);
    symlinkSync(join(folder, "elsewhere"), file);
    expect(open().get("digest")).toBeUndefined();
    rmSync(file);
    mkdirSync(file);
    expect(open().get("digest")).toBeUndefined();
    expect(open().put("digest", "again").ok).toBe(false);
  });

  it("[BK4] stay within their size; those written longest ago go first", () => {
    const texts = open(4000);
    for (let at = 0; at < 40; at++) {
      texts.put(`key ${at}`, "x".repeat(300));
      for (const [age, path] of files().entries()) utimesSync(path, 1000 + age, 1000 + age);
    }
    open(4000).put("the last", "y");
    expect(open().size().bytes).toBeLessThanOrEqual(4000 + 1000);
    expect(open().get("the last")).toBe("y");
    expect(texts.put("huge", "z".repeat(5 * 1024 ** 2)).ok).toBe(false);
  });

  it("[BK4] are counted and cleared; files of others stay", () => {
    const texts = open();
    expect([texts.size(), texts.clear()]).toEqual([{ texts: 0, bytes: 0 }, 0]);
    texts.put("a", "1");
    texts.put("b", "2");
    writeFileSync(join(folder, "texts", "notes.txt"), "mine");
    expect(texts.size().texts).toBe(2);
    expect(texts.clear()).toBe(2);
    expect(files()).toEqual([join(folder, "texts", "notes.txt")]);
  });

  it("[BK4] are not kept where no folder can be made, and that is said", () => {
    writeFileSync(join(folder, "file"), "");
    const put = openKeptTexts(join(folder, "file", "texts"), 1000).put("a", "1");
    expect(put.ok ? "" : put.failure).not.toBe("");
  });
});
