import { describe, expect, it } from "vitest";
import { decode, diff, encode } from "../../src/delta/index.ts";
import { baseOf } from "../../src/delta/message/base.ts";
import { readHeader } from "../../src/delta/message/header.ts";
import { keyFor, resolveKey } from "../../src/delta/message/keys.ts";
import { newSide, oldSide, quoted } from "../../src/delta/message/quote.ts";
import { raised } from "../../src/delta/message/raised.ts";
import { readRange } from "../../src/delta/message/read-head.ts";
import { refOf, resolveRef } from "../../src/delta/message/refs.ts";
import { slidesOf } from "../../src/delta/message/slides.ts";
import { lineOfNumber, viewOf } from "../../src/delta/message/view.ts";
import { countChars } from "./documents.ts";

// What the rules say of sizes, at the last size that still counts and at the first that does not.

function keyOfLine(text: string, line = 0): string {
  const { view, keys } = baseOf(text);
  return keyFor(view, keys(0), line);
}

describe("keys", () => {
  it.each([
    ["alpha beta gamma", "alpha beta"],
    ["notice that", "notice"],
    ["T1 do it", "T1"],
    ["a1b c d", "a1b"],
    ["ab|c", "ab"],
    ["x*y", "x"],
    ["note) that", "note) that"],
    ["notice) that", "notice"],
    ["notice; that", "notice"],
    ["notice] that", "notice"],
    ["notice, that", "notice"],
    ["a `code` b", "a `code"],
    ["notice_ that", "notice_"],
    ["notice. that", "notice."],
    ["한국어 문장 하나", "한국어 문장"],
    ["- [ ] word word", "word word"],
    ["a key of exactly 20 c: x", "a key of"],
    ["twenty characters ok: x", "twenty characters ok"],
    ["twenty-one characters: x", "twenty-one"],
    ["k: x", "k"],
    ["ab **bold** more", "ab **bold"],
    ["abcd.efgh.ijkl.mnop.qrst.uvwx", "abcd.efgh.ijkl.mnop.qrst"],
    ["one.two.three.four.five.six.seven", "one.two.three.four.five"],
  ])("[U13] %j is named by %j: six letters, a digit, or a mark behind it tell enough", (line, key) => {
    expect(keyOfLine(`${line}\nother`)).toBe(key);
    const { view, keys } = baseOf(`${line}\nother`);
    expect(resolveKey(view, keys(0), key)).toMatchObject({ line: 0 });
  });

  it("[U5] have at most a hundred characters; lines alike for longer are told by their numbers", () => {
    const twins = (same: number): string => `${"x".repeat(same - 1)} a b\n${"x".repeat(same - 1)} b b`;
    expect(keyOfLine(twins(99))).toBe(`${"x".repeat(98)} a`);
    expect(keyOfLine(twins(100), 0)).toBe("L1");
    expect(keyOfLine(twins(100), 1)).toBe("L2");
  });

  it("[U5] a line's number may be its document's last, and no more", () => {
    const view = viewOf("one\n# A\ntwo");
    expect([lineOfNumber(view, 1, 0), lineOfNumber(view, 1, 1), lineOfNumber(view, 1, 2)]).toEqual([
      1,
      2,
      undefined,
    ]);
    expect([lineOfNumber(view, 0, 0), lineOfNumber(view, 0, 1), lineOfNumber(view, 0, 3)]).toEqual([
      undefined,
      0,
      2,
    ]);
  });

  it("[U5] ranges count in up to nine digits", () => {
    expect(readRange("k (123456789 lines)")).toEqual({ key: "k", count: 123_456_789 });
    for (const text of ["k (1234567890 lines)", "k ( lines)", "k (1a lines)", "k (a1 lines)", " (1 lines)"])
      expect(readRange(text)).toBeUndefined();
  });
});

describe("names of sections", () => {
  it("[U4] are whole up to 16 characters, else the shortest beginning that reads as a name and fits one only", () => {
    const titles: readonly (readonly [string, string])[] = [
      ["Short title here", "Short title here"],
      ["A title that is longer than that, much", "A title that is longer than that, much"],
      ["A title that is longer than that, more", "A title that is longer than that, more"],
      ["Introduction: of all things in the house", "Introduction"],
      ["Two – long title of many words in it", "Two – long"],
      ["Phase 1 (of many, all told here)", "Phase 1"],
      ["of all that we know about it now", "of all"],
      ["beginnings that are long enough", "beginnings"],
      ["Sixteen letters!", "Sixteen letters!"],
      ["Seventeen letters", "Seventeen"],
    ];
    const { view, names } = baseOf(titles.map(([title]) => `# ${title}\n`).join(""));
    for (const [at, [, name]] of titles.entries()) {
      expect(refOf(view, names, at)).toBe(name);
      expect(resolveRef(view, names, name)).toBe(at);
    }
  });

  it("[U4] say how many answer to them", () => {
    const { view, names } = baseOf("# A\n# B one\n# B two\n# C\n# C\n");
    expect(resolveRef(view, names, "B")).toBe("2 sections answer to §B");
    expect(resolveRef(view, names, "C")).toBe("2 sections answer to §C");
    expect(resolveRef(view, names, "D")).toBe("No section §D");
    expect(resolveRef(view, names, "C#3")).toBe("No section §C#3: 2 of that name");
    expect(resolveRef(view, names, "C#1.5")).toBe("Not a section reference: §C#1.5");
    expect(resolveRef(view, names, '"C"2')).toBe('Not a section reference: §"C"2');
    expect([1, 2].map(at => resolveRef(view, names, `B#${at}`))).toEqual([1, 2]);
    expect(resolveRef(view, names, "#1")).toBe("No section §#1");
    // In the order of the document, not of their titles.
    const back = baseOf("# B two\n# B one\n");
    expect([1, 2].map(at => resolveRef(back.view, back.names, `B#${at}`))).toEqual([0, 1]);
  });
});

describe("headers", () => {
  const head = "[CONTEXT-UPDATE] GC-v3 → GC-v4";

  it("[U2] name hashes of 4 to 64 digits, labels of 64 characters, versions of 9 digits, on 4,096 characters", () => {
    expect(readHeader(`${head} ${"a".repeat(64)}→${"0".repeat(4)}`)).toMatchObject({ result: "0000" });
    expect(readHeader(`${head} ${"a".repeat(65)}→0000`)).toBeUndefined();
    expect(readHeader(`${head} aaaa→000`)).toBeUndefined();
    expect(readHeader(`[CONTEXT-UPDATE] ${"x".repeat(64)}-v1`)).toMatchObject({ to: 1 });
    expect(readHeader(`[CONTEXT-UPDATE] ${"x".repeat(65)}-v1`)).toBeUndefined();
    expect(readHeader("[CONTEXT-UPDATE] GC-v123456789")).toMatchObject({ to: 123_456_789 });
    expect(readHeader("[CONTEXT-UPDATE] GC-v1234567890")).toBeUndefined();
    const prose = `${head} | `;
    expect(readHeader(prose.padEnd(4_096, "x"))?.prose).toHaveLength(4_096 - prose.length);
    expect(readHeader(prose.padEnd(4_097, "x"))).toBeUndefined();
  });

  it.each([
    ["", { from: 3, to: 4 }],
    [" CRLF", { newline: "\r\n" }],
    [" LF", { newline: "\n", result: undefined }],
    [" abcd", { base: undefined, result: "abcd" }],
    [" abcd CRLF", { result: "abcd", newline: "\r\n" }],
    [" abcd→ef01 LF", { base: "abcd", result: "ef01", newline: "\n" }],
    [" | it says", { prose: "it says", newline: undefined }],
  ])("[U2] end in hashes and line ends, or not: %j", (rest, read) => {
    expect(readHeader(head + rest)).toMatchObject({ label: "GC", ...read });
  });

  it.each([" LF LF", " LF abcd", " abcd CRLF x", " abcd→", " →abcd", " abcd→ef01→2345", " → GC-v5", " xyz"])(
    "[U2] end in nothing else: %j",
    rest => {
      expect(readHeader(head + rest)).toBeUndefined();
    },
  );

  it("[U2] carry a whole document from no version, with one hash", () => {
    expect(readHeader("[CONTEXT-UPDATE] GC-v4 abcd")).toMatchObject({ from: undefined, to: 4 });
    expect(readHeader("[CONTEXT-UPDATE] GC-v4 abcd→ef01")).toBeUndefined();
    expect(readHeader("[CONTEXT-UPDATE] GC-v3 -> GC-v4 abcd")).toMatchObject({ from: 3, to: 4 });
    for (const line of ["[CONTEXT-UPDATE] GC-v3 -> GC", "[CONTEXT-UPDATE] GC-v3 →", "[CONTEXT-UPDATE] GC"])
      expect(readHeader(line)).toBeUndefined();
  });
});

describe("characters that are spelled out", () => {
  it("[U9] are controls, a byte order mark and line separators, and no others", () => {
    for (const code of [0, 8, 10, 31, 0x7f, 0x80, 0x9f, 0xfe_ff, 0x20_28, 0x20_29]) {
      const text = `a${String.fromCharCode(code)}b`;
      expect([newSide(text), oldSide(text)]).toEqual([quoted(text), quoted(text)]);
      expect(quoted(text)).toMatch(/^"a\\(?:u[0-9a-f]{4}|[bn])b"$/);
    }
    for (const code of [9, 32, 0x7e, 0xa0, 0xfe_fe, 0xff_00, 0x20_27, 0x20_2a]) {
      const text = `a${String.fromCharCode(code)}b`;
      expect([newSide(text), oldSide(text)]).toEqual([text, text]);
    }
  });

  it("[U6] and what would read as an arrow, a bar, a key or a number", () => {
    for (const bare of ["a →b", "a |b", "a: b", "a:", "a…b", "§a", "L1", "x lines)"]) {
      expect(newSide(bare)).toBe(bare);
      expect(oldSide(bare)).toBe(quoted(bare));
    }
    expect([newSide("a →"), newSide("a | b"), newSide("a → b")]).toEqual(['"a →"', '"a | b"', '"a → b"']);
    for (const bare of ["a→b", "a|b", "a:b", "L", "L1234567890", "Lx", "xL1", "lines)"])
      expect(oldSide(bare)).toBe(bare);
    expect(oldSide("L123456789")).toBe('"L123456789"');
  });
});

describe("changes as they are written", () => {
  const BASE = "# A\n\n- a: x: y\n- say: it is so\n- k → l: m\n";

  it.each([
    ['a: "x: y" → z', "- a: z"],
    ["a: y → z", "- a: x: z"],
    ['say: "it is" → "was: that"', "- say: was: that so"],
    ['"k → l": m → n', "- k → l: n"],
    ["say: it…so → no", "- say: no"],
    ['say: "it"… → no', "- say: no"],
    ["say: it → that | so → as said", "- say: that is as said"],
  ])("[U6] %s", (change, line) => {
    const read = decode(`[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- CHANGED ${change}`, BASE);
    expect(read.ok && read.value.text.split("\n")).toContain(line);
  });

  it.each([
    "say: it is → ",
    "say → ",
    " → x",
    'say: "it" is → x',
    'say: it → "x"y',
    "say: it | so → x",
    'say: it → "a\\nb"',
  ])("[U6] not %s", change => {
    const read = decode(`[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- CHANGED ${change}`, BASE);
    expect(read).toMatchObject({ ok: false, failure: { kind: "unresolved" } });
  });
});

describe("places", () => {
  it("[U13] an insertion or removal among lines alike is looked at up to twelve lines away, both ways", () => {
    const view = viewOf(Array.from({ length: 60 }, () => "same").join("\n"));
    const all = { from: 0, to: 60 };
    const places = (hunk: Parameters<typeof slidesOf>[1], room = all): number[] =>
      slidesOf(view, hunk, room)
        .map(({ at }) => at)
        .toSorted((a, b) => a - b);
    const around = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
    expect(places({ at: 30, removed: [], added: ["same"] })).toEqual(around(18, 42));
    expect(places({ at: 30, removed: ["same", "same"], added: [] })).toEqual(around(18, 42));
    expect(places({ at: 5, removed: [], added: ["same"] })).toEqual(around(0, 17));
    expect(places({ at: 57, removed: ["same"], added: [] })).toEqual(around(45, 59));
    expect(places({ at: 57, removed: [], added: ["same"] })).toEqual(around(45, 60));
    expect(places({ at: 30, removed: [], added: ["same"] }, { from: 28, to: 31 })).toEqual(around(28, 31));
  });

  it("[U2] the version is raised in the first hundred lines of the front matter", () => {
    const front = (before: number, version: string): string =>
      `---\n${Array.from({ length: before }, (_, at) => `k${at}: v3\n`).join("")}version: ${version}\n---\n`;
    expect(raised(front(20, "v3"), "GC", 3, 4)).toBe(front(20, "v4"));
    expect(raised(front(100, "v3"), "GC", 3, 4)).toBe(front(100, "v3"));
  });
});

describe("long documents", () => {
  const lines = (count: number): string =>
    `# A\n${Array.from({ length: count }, (_, at) => `item ${at} stays`).join("\n")}\nthe very unique words of old\n`;

  function operationOf(old: string, edit: readonly [string, string]): string {
    const next = old.replace(...edit);
    const made = encode(diff(old, next), old, next, { label: "GC", from: 1, to: 2, countTokens: countChars });
    if (!made.ok) throw new Error(made.failure.message);
    const read = decode(made.value.text, old);
    expect(read.ok && read.value.text).toBe(next);
    return made.value.text.split("\n")[2]!;
  }

  it("[U6] a change is found by its words alone in up to three hundred lines, by its key in more", () => {
    const edit = ["unique words of old", "fewer"] as const;
    expect(operationOf(lines(200), edit)).not.toContain(": ");
    expect(operationOf(lines(400), edit)).toContain(": ");
  });

  it("[U6] a line with more changes than one operation holds is still told exactly", () => {
    const many = (count: number, word: string) =>
      Array.from({ length: count }, (_, at) => `${word}${at} keep${at}`).join(" ");
    for (const count of [24, 25, 60]) {
      const old = `# A\n\nk: ${many(count, "a")}\n${"- filler line\n".repeat(200)}`;
      expect(operationOf(old, [many(count, "a"), many(count, "b")])).toContain("b0");
    }
  });
});
