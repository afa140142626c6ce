import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseOf } from "../../src/delta/message/base.ts";
import { keyFor, resolveKey } from "../../src/delta/message/keys.ts";
import { raised } from "../../src/delta/message/raised.ts";
import { refOf, resolveRef } from "../../src/delta/message/refs.ts";
import {
  bodyRange,
  lineNumber,
  lineOfNumber,
  sectionAt,
  textOf,
  viewOf,
} from "../../src/delta/message/view.ts";
import { DOCUMENT } from "./documents.ts";

describe("sections", () => {
  it("[U4] every section has a name that leads back to it", () => {
    fc.assert(
      fc.property(DOCUMENT, text => {
        const { view, names } = baseOf(text);
        for (const section of view.sections.keys()) {
          expect(resolveRef(view, names, refOf(view, names, section))).toBe(section);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("[U4] names are titles, beginnings of long ones, numbered where several share one", () => {
    const { view, names } = baseOf(
      "intro\n# Status\n## Risks\n## Risks\n## Phase 1: the very long title of a phase\n## a: b\n## Note\n## Note two\n",
    );
    expect([...view.sections.keys()].map(section => refOf(view, names, section))).toEqual([
      "^",
      "Status",
      "Risks#1",
      "Risks#2",
      "Phase 1",
      "a",
      "Note",
      "Note two",
    ]);
    expect(resolveRef(view, names, "Phase")).toBe(4);
    expect(resolveRef(view, names, "Pha")).toMatch(/No section/);
    expect(resolveRef(view, names, "Risks")).toMatch(/2 sections/);
    expect(resolveRef(view, names, "Risks#0")).toMatch(/No section/);
    expect(resolveRef(view, names, "Risks#x")).toMatch(/Not a section/);
    expect(resolveRef(view, names, '"Risks"#2')).toBe(3);
    expect(resolveRef(view, names, "")).toMatch(/No section|sections/);
  });

  it("[U4] there is no section before a heading in the first line", () => {
    const { view, names } = baseOf("# A\n");
    expect(resolveRef(view, names, "^")).toMatch(/begins with a heading/);
  });
});

describe("lines", () => {
  it("[U5] every line has a name that leads back to it", () => {
    fc.assert(
      fc.property(DOCUMENT, text => {
        const { view, keys } = baseOf(text);
        for (const line of view.lines.keys()) {
          const index = keys(sectionAt(view, line));
          expect(resolveKey(view, index, keyFor(view, index, line))).toMatchObject({ line });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("[U5] names are keys, telling beginnings, or numbers", () => {
    const { view, keys } = baseOf(
      "# A\n- **Phase 2:** x\n| D-4 | y | z |\nSome words of text\n- same\n- same\n\n- [ ] T1 do it\n- L3\n- §x\nitem 1\nitem 12\n",
    );
    const names = [...view.lines.keys()].slice(0, 12).map(line => keyFor(view, keys(0), line));
    expect(names).toEqual([
      "A",
      "Phase 2",
      "D-4",
      "Some words",
      "L4",
      "L5",
      "L6",
      "T1",
      '"L3"',
      '"§x"',
      "item 1",
      "item 12",
    ]);
  });

  it("[U5] a key ends where a word ends, and is refused when it tells too little", () => {
    const { view, keys } = baseOf("- alpha one\n- alphabet\n- alpha two\n- beta\n");
    const key = (written: string): unknown => resolveKey(view, keys(0), written);
    expect(key("alphabet")).toMatchObject({ line: 1 });
    expect(key("alpha")).toMatch(/Several/);
    expect(key("alpha o")).toMatch(/No line/);
    expect(key("bet")).toMatch(/No line/);
    expect(key("L99")).toMatch(/No line L99/);
    expect(key('"beta"')).toEqual({ line: 3, end: 6 });
    expect(key('"beta"x')).toMatch(/Not a key/);
  });

  it("[U5] tells a key apart from a thousand longer ones", () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `- item ${at}: value`);
    const { view, keys } = baseOf(lines.join("\n"));
    for (const at of [0, 1, 12, 123, 2_999, 29_999]) {
      expect(resolveKey(view, keys(0), `item ${at}`)).toMatchObject({ line: at });
    }
  });

  it("[U5] numbers count from the heading, or from the first line", () => {
    const view = viewOf("one\ntwo\n# A\nthree\n");
    expect(lineNumber(view, 0, 1)).toBe(2);
    expect(lineNumber(view, 1, 3)).toBe(1);
    expect(lineOfNumber(view, 1, 0)).toBe(2);
    expect(lineOfNumber(view, 0, 0)).toBeUndefined();
    expect(lineOfNumber(view, 1, 9)).toBeUndefined();
  });
});

describe("views", () => {
  it("[U2] take line ends off and put them back", () => {
    fc.assert(
      fc.property(DOCUMENT, text => {
        const view = viewOf(text);
        expect(textOf(view.lines, view.newline)).toBe(text);
      }),
    );
    expect(viewOf("a\r\nb\r\n")).toMatchObject({ newline: "\r\n", lines: ["a", "b", ""] });
    expect(viewOf("a\r\nb\n")).toMatchObject({ newline: "\n", lines: ["a\r", "b", ""] });
    expect(viewOf("\r\ra\r\nb")).toMatchObject({ newline: "\r\n", lines: ["\r\ra", "b"] });
    expect(viewOf("a\r\r\nb\r\n")).toMatchObject({ newline: "\n", lines: ["a\r\r", "b\r", ""] });
    expect(viewOf("a\r")).toMatchObject({ newline: "\n", lines: ["a\r"] });
  });

  it("[U8] a section's own text has no blank lines at its ends", () => {
    const view = viewOf("\n\nintro\n\n# A\n\n\n# B\n\ntext\n\nmore\n\n");
    expect([0, 1, 2].map(section => bodyRange(view, section))).toEqual([
      { from: 2, to: 3 },
      { from: 5, to: 5 },
      { from: 9, to: 12 },
    ]);
  });
});

describe("the header's own change", () => {
  const front = (version: string): string =>
    `---\nname: GC-v3 plan\nversion: ${version}\n---\n# GC-v3\nversion: GC-v3\n`;

  it("[U2] raises the version of the front matter, in each of its spellings", () => {
    expect(raised(front("GC-v3"), "GC", 3, 4)).toBe(front("GC-v4"));
    expect(raised(front("v3"), "GC", 3, 4)).toBe(front("v4"));
    expect(raised(front("3"), "GC", 3, 12)).toBe(front("12"));
    expect(raised(front('"GC-v3"'), "GC", 3, 4)).toBe(front('"GC-v4"'));
  });

  it("[U2] touches nothing else", () => {
    for (const text of [
      front("GC-v2"),
      front("33"),
      "version: GC-v3\n",
      "---\nversion: GC-v3\n",
      "",
      "---\n---\nversion: 3",
    ]) {
      expect(raised(text, "GC", 3, 4)).toBe(text);
    }
    expect(raised(front("GC-v3"), "GC", undefined, 4)).toBe(front("GC-v3"));
    expect(raised(front("GC-v3"), "TC", 3, 4)).toBe(front("GC-v4"));
  });
});
