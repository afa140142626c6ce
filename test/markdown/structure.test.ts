import { describe, expect, it } from "vitest";
import { contentStart, keyOf, lineShape, scanMarkdown } from "../../src/markdown/index.ts";

function titles(source: string): string[] {
  return scanMarkdown(source).sections.map(section => `${section.level}:${section.title}#${section.ordinal}`);
}

function kinds(source: string): string[] {
  return scanMarkdown(source).items.map(item => item.kind);
}

describe("headings", () => {
  it("[M3] knows ATX headings of all levels and their closing marks", () => {
    expect(titles("# A\n## B ##\n### C #\n###### D\n####### no\n#no\n# ")).toEqual([
      "1:A#1",
      "2:B#1",
      "3:C#1",
      "6:D#1",
      "1:#1",
    ]);
    expect(titles("# issue C#")).toEqual(["1:issue C##1"]);
    expect(titles("# ##")).toEqual(["1:#1"]);
    expect(titles("   # three blanks\n    # four")).toEqual(["1:three blanks#1"]);
  });

  it("[M3] knows setext headings, of several lines too", () => {
    expect(titles("Title\n=====\n\nPart\n---\ntext")).toEqual(["1:Title#1", "2:Part#1"]);
    expect(titles("two\nlines\n===")).toEqual(["1:two lines#1"]);
    expect(titles("- item\n---\n")).toEqual(["0:#1"]);
    expect(titles("\n---\n")).toEqual(["0:#1"]);
  });

  it("[M3] sees none in fences and front matter", () => {
    expect(titles("---\n# a: 1\n---\n```sh\n# no\n```\n# yes")).toEqual(["0:#1", "1:yes#1"]);
  });

  it("[M4] numbers equal titles and nests sections", () => {
    const { sections } = scanMarkdown("pre\n# A\n## X\n### Y\n## X\n# B\n## X\n");
    expect(sections.map(section => section.ordinal)).toEqual([1, 1, 1, 1, 2, 1, 3]);
    expect(sections.map(section => section.parent)).toEqual([-1, -1, 1, 2, 1, -1, 5]);
    expect(sections.map(section => section.treeEnd)).toEqual([1, 5, 4, 4, 5, 8, 8]);
  });

  it("[M8] keeps CRLF and BOM out of titles", () => {
    expect(titles("\uFEFF# A\r\n## B\r\ntext\r\n")).toEqual(["1:A#1", "2:B#1"]);
  });
});

describe("fences", () => {
  it("[M5] ends where as many marks stand, or never", () => {
    expect(kinds("````\n```\n# no\n````\n# yes")).toEqual(["fence", "heading"]);
    expect(kinds("```\n# no\n~~~\n")).toEqual(["fence"]);
    expect(kinds("~~~ info `tick`\nx\n~~~")).toEqual(["fence"]);
    expect(kinds("``` a`b\n# yes")).toEqual(["paragraph", "heading"]);
  });

  it("[M5] may stand in a list item, deep too", () => {
    expect(kinds("- item\n  ```\n  # no\n  ```\n- next")).toEqual(["list-item", "fence", "list-item"]);
    expect(kinds("- a\n\n     ```\n     # no\n     ```")).toEqual(["list-item", "blank", "fence"]);
    expect(kinds("- a\n\n      ```\n# yes")).toEqual(["list-item", "blank", "paragraph", "heading"]);
    expect(kinds("- ```js\n  # no\n  ```\n# yes")).toEqual(["fence", "heading"]);
    expect(kinds("- ```js\n# yes\n")).toEqual(["fence", "heading", "blank"]);
    expect(kinds("    ```\n# yes\n    ```")[1]).toBe("heading");
  });
});

describe("front matter", () => {
  it("[M6] is read when closed, behind a BOM too", () => {
    const { items, frontMatterLines } = scanMarkdown("\uFEFF---\nversion: GC-v3\n---\n# A");
    expect(frontMatterLines).toBe(3);
    expect(items.map(item => item.key)).toEqual([undefined, "version", undefined, undefined]);
    expect(scanMarkdown("---\na: 1\n...\ntext").frontMatterLines).toBe(3);
  });

  it("[M6] is none when never closed or not first", () => {
    expect(scanMarkdown("---\na: 1\n# A\n").frontMatterLines).toBe(0);
    expect(scanMarkdown("\n---\na: 1\n---\n").frontMatterLines).toBe(0);
  });
});

describe("items", () => {
  it("[M7] cuts lists, tables, paragraphs and rules", () => {
    const source =
      "Intro\ngoes on\n\n- one\n  still one\n  - nested\n- two: 2\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n***\n";
    expect(scanMarkdown(source).items.map(item => [item.kind, item.depth])).toEqual([
      ["paragraph", 0],
      ["blank", 0],
      ["list-item", 0],
      ["list-item", 1],
      ["key-value", 0],
      ["blank", 0],
      ["table-row", 0],
      ["table-row", 0],
      ["table-row", 0],
      ["blank", 0],
      ["rule", 0],
      ["blank", 0],
    ]);
  });

  it("[M7] names items by their key without marks", () => {
    expect(keyOf("- **Phase 2:** done")).toBe("Phase 2");
    expect(keyOf("- [x] `T1`: done")).toBe("T1");
    expect(keyOf("**Goal:** text")).toBe("Goal");
    expect(keyOf("| D-4 | why | P2 |")).toBe("D-4");
    expect(keyOf("| **D-4** | why |")).toBe("D-4");
    expect(keyOf("1. first: x")).toBe("first");
    expect(keyOf("key:")).toBe("key");
    expect(keyOf("http://example.org/a")).toBeUndefined();
    expect(keyOf(": x")).toBeUndefined();
    expect(keyOf("no key here")).toBeUndefined();
    expect(keyOf(`${"long ".repeat(30)}: x`)).toBeUndefined();
  });

  it("[M7] reads what stands before a line's words", () => {
    expect(lineShape("  - [x] done")).toEqual({ indent: 2, marker: "-", box: "x", content: 8 });
    expect(lineShape("\t12) x")).toEqual({ indent: 4, marker: "12)", box: undefined, content: 5 });
    expect(lineShape("-5 degrees")).toMatchObject({ marker: "", content: 0 });
    expect(lineShape("2026. year")).toMatchObject({ marker: "2026." });
    expect(lineShape("1234567890. no")).toMatchObject({ marker: "" });
    expect(lineShape("- [x]no box")).toMatchObject({ marker: "-", box: undefined, content: 2 });
    expect(lineShape("-")).toMatchObject({ marker: "-", content: 1 });
    expect("| **a** |".slice(contentStart("| **a** |"))).toBe("a** |");
    expect("## **T** x".slice(contentStart("## **T** x"))).toBe("T** x");
    expect(contentStart("")).toBe(0);
  });
});
