import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanMarkdown } from "../../src/markdown/index.ts";
import { findSection, fullMessage, restatedMessage } from "../../src/sync/messages.ts";
import { CODEC, CONTEXT } from "./team.ts";

const cheap = { ...CODEC, countTokens: (text: string) => text.length };
const piece = fc.constantFrom(
  "# A",
  "## B: c → d",
  "## B: c → d",
  '## "q"',
  "## x after y",
  "### A#2",
  "## ^",
  "x",
  "- ADDED x",
  "- CHANGED §A: a → b",
  "\\",
  '\\"x"',
  "## Impact Assessment",
  "```",
  "---",
  "key: v",
  "",
  "  - n",
  "\ttab",
  "| a |",
  "## Full",
  "## Delta",
);
const documents = fc.array(piece, { maxLength: 14 }).map(all => all.join("\n"));

describe("full messages", () => {
  it("[SM1] are for anyone, whatever they hold", () => {
    const message = fullMessage(cheap, "GC", 4, CONTEXT, {})!;
    expect(message.text).toMatch(/^\[CONTEXT-UPDATE\] GC-v4 [0-9a-f]{6}\n\n## Full\n---\n/);
    for (const base of [undefined, "", "else"]) {
      const read = cheap.decode(message.text, base);
      expect(read).toMatchObject({ ok: true, value: { text: CONTEXT, to: 4, proven: true, form: "full" } });
    }
  });

  it("[SM3] carry any document, line ends included", () => {
    const text = fc.oneof(
      documents,
      documents.map(one => one.replaceAll("\n", "\r\n")),
      fc.string({ unit: "grapheme" }),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (document, told) => {
        const message = fullMessage(cheap, "GC", 1, document, told ? { affected: ["a"], actions: [] } : {})!;
        const read = cheap.decode(message.text, undefined);
        expect(read.ok && read.value.text).toBe(document);
      }),
    );
  });

  it("[SM3] are none when nothing can carry the text", () => {
    expect(fullMessage(cheap, "not a label", 1, "x", {})).toBeUndefined();
  });
});

describe("restated sections", () => {
  it("[SM2] leave who holds the version as it is, and tell everyone else", () => {
    const message = restatedMessage(cheap, "GC", 4, CONTEXT, ["Status"])!;
    expect(message.text).toContain("- REPLACED §Status:\n\\- Phase 1: COMPLETE\n\\- Phase 2: IN_PROGRESS");
    expect(message.items).toBe(1);
    expect(cheap.decode(message.text, CONTEXT)).toMatchObject({
      ok: true,
      value: { text: CONTEXT, from: 4, to: 4 },
    });
    expect(cheap.decode(message.text, `${CONTEXT}x`)).toMatchObject({ ok: false, failure: { kind: "base" } });
  });

  it("[SM2] without sections only ask for the version", () => {
    const message = restatedMessage(cheap, "GC", 4, CONTEXT, [])!;
    expect(message.text.split("\n")).toHaveLength(3);
    expect(cheap.decode(message.text, CONTEXT)).toMatchObject({
      ok: true,
      value: { text: CONTEXT, items: 0 },
    });
    expect(cheap.decode(message.text, "else").ok).toBe(false);
  });

  it("[SM3] are exact on any document, or not made", () => {
    let made = 0;
    fc.assert(
      fc.property(documents, fc.nat(20), (document, which) => {
        const titles = scanMarkdown(document).sections.map(section => section.title);
        const message = restatedMessage(cheap, "GC", 4, document, [titles[which % titles.length]!]);
        if (message === undefined) return;
        made++;
        const read = cheap.decode(message.text, document);
        expect(read.ok && read.value.text).toBe(document);
      }),
      { numRuns: 500 },
    );
    expect(made).toBeGreaterThan(100);
  });

  /** The lines of a message that restates sections of a document. */
  const lines = (document: string, ...refs: string[]): string[] | undefined =>
    restatedMessage(cheap, "GC", 4, document, refs)?.text.split("\n");

  it("[SM2] name both ends, few digits of their hashes, and the sections in the document's order", () => {
    expect(lines("# A\n\na\n\n# B\n\n\nb\nc\n\n", "B", "A")).toEqual([
      expect.stringMatching(/^\[CONTEXT-UPDATE\] GC-v4→4 ([0-9a-f]{4})→\1[0-9a-f]{2}$/),
      "",
      "## Delta",
      "- REPLACED §A:",
      "a",
      "- REPLACED §B:",
      "b",
      "c",
    ]);
    const eleven = Array.from({ length: 12 }, (_, at) => `S${at}`);
    const named = lines(eleven.map(title => `# ${title}\n\nx\n`).join("\n"), ...eleven.toReversed());
    expect(named?.filter(line => line.startsWith("-"))).toEqual(eleven.map(title => `- REPLACED §${title}:`));
  });

  it("[SM2] are numbered where several have one title", () => {
    expect(lines("# A\n\nx\n\n# B\n\ny\n\n# A\n\nz\n", "A", "B")?.slice(3)).toEqual([
      "- REPLACED §A#1:",
      "x",
      "- REPLACED §B:",
      "y",
    ]);
  });

  it.each([
    ["Phase 2 - 한글", "Phase 2 - 한글"],
    ["Phase 09", "Phase 09"],
    ["a.b", '"a.b"'],
    ["q: x", '"q: x"'],
    ["a/b", '"a/b"'],
    ["x after y", '"x after y"'],
    ["x before", '"x before"'],
    ["x from", '"x from"'],
    ["aftermath", "aftermath"],
    ["한글", "한글"],
    ["a\u200bb", '"a\u200bb"'],
  ])("[SM2] a section %j is named %s", (title, name) => {
    expect(lines(`# ${title}\n\nx\n`, title)?.[3]).toBe(`- REPLACED §${name}:`);
  });

  it("[SM2] keep lines from being read as anything else, and only those", () => {
    const body = ["- a", "\\b", "plain- ", "plain\\", "```", "## c", "d## ", "```"];
    expect(lines(`# A\n\n${body.join("\n")}\n`, "A")?.slice(4)).toEqual([
      "\\- a",
      "\\\\b",
      "plain- ",
      "plain\\",
      "```",
      "\\## c",
      "d## ",
      "```",
    ]);
  });

  it("[SM3] are none when they would not be read as the version", () => {
    const value = { text: "else" } as const;
    const decoded = [
      { ok: false, failure: { kind: "base", message: "" } },
      { ok: true, value },
    ];
    for (const answer of decoded) {
      const wrong = { ...cheap, decode: () => answer as never };
      expect(restatedMessage(wrong, "GC", 4, CONTEXT, ["Status"])).toBeUndefined();
    }
  });

  it("[SM4] a section without text and without subsections is none, the last one too", () => {
    expect(restatedMessage(cheap, "GC", 1, "# A\n\nx\n\n# B\n", ["B"])).toBeUndefined();
    expect(restatedMessage(cheap, "GC", 1, "# B\n\n## C\n", ["B"])).toBeUndefined();
  });

  it("[SM4] 200 characters of a reference are looked at", () => {
    const { sections } = scanMarkdown(`# ${"x".repeat(200)}\n\n# ${"y".repeat(201)}\n`);
    expect(findSection(sections, "x".repeat(200))).toBe(0);
    expect(findSection(sections, `${"x".repeat(200)}z`)).toBe(0);
    expect(findSection(sections, "y".repeat(201))).toBeUndefined();
  });

  it("[SM4] a section without text of its own stands for its subsections", () => {
    const message = restatedMessage(cheap, "GC", 1, CONTEXT, ["Contracts"])!;
    expect(message.items).toBe(2);
    expect(restatedMessage(cheap, "GC", 1, "# A\n\n# B\n\nx\n", ["A"])).toBeUndefined();
  });

  it("[SM4] each section once, however often and variously it is named", () => {
    const message = restatedMessage(cheap, "GC", 1, CONTEXT, [
      "Contracts",
      "Files",
      "§Files",
      "contracts.x",
    ])!;
    expect(message.items).toBe(2);
  });

  it.each([
    ["Decisions Log", "Decisions Log"],
    ["§Decisions Log", "Decisions Log"],
    ["Decisions D-7", "Decisions Log"],
    ["Decisions.D-7", "Decisions Log"],
    ["decisions", "Decisions Log"],
    ["Status Phase 2", "Status"],
    ["Files", "Files"],
    ["  Files  ", "Files"],
    ["§ Files", "Files"],
    ["Decisions  D-7", "Decisions Log"],
    ["Statusx", undefined],
    ["Decision", undefined],
    ["Stat", undefined],
    ["", undefined],
    ["§", undefined],
    ["...", undefined],
    ["x".repeat(100_000), undefined],
  ])("[SM4] %j means %j", (ref, title) => {
    const { sections } = scanMarkdown(CONTEXT);
    const found = findSection(sections, ref);
    expect(found === undefined ? undefined : sections[found]!.title).toBe(title);
  });
});
