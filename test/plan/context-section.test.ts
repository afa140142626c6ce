import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContextNodeDeclaration, taskFile } from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf } from "../sample.ts";
import { codes, read } from "./reading.ts";

/** Trees whose parents stand before their branches, as a nested list has them. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(20),
      documents: fc.uniqueArray(fc.constantFrom("a.md", "docs/b.md", "docs/*.md", "x/**/y?.txt", "인증.md"), {
        maxLength: 3,
      }),
      shared: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map(given =>
    given.map(({ parent, documents, shared }, at): ContextNodeDeclaration => {
      const above = parent % (at + 1);
      return {
        id: `ctx-n${at}`,
        ...(above === 0 ? {} : { parent: `ctx-n${above - 1}` }),
        ...(documents.length === 0 ? {} : shared ? { shared: documents } : { documents }),
      };
    }),
  );

const plain = (nodes: readonly ContextNodeDeclaration[]) =>
  nodes
    .map(({ id, parent, shared = [], documents = [] }) => JSON.stringify({ id, parent, shared, documents }))
    .sort();

describe("the section that declares the tree", () => {
  it("[L55] [L60] reads back what was written, whatever the tree", () => {
    fc.assert(
      fc.property(trees, contextNodes => {
        const base = read("# Plan\n\n- [ ] T1: x\n").plan;
        const again = read(taskFile({ ...base, contextNodes }, ""));
        expect(plain(again.plan.contextNodes)).toEqual(plain(contextNodes));
        expect(codes(again)).toEqual([]);
        expect(again.plan.tasks.map(({ id }) => id)).toEqual(["T1.1"]);
      }),
    );
  });

  it("[L55] reads the same with other bullets, indents, line endings and stress", () => {
    const lines = ["- ctx-a: a.md", "  - ctx-b: b.md, c.md", "    - ctx-c", "- ctx-d: d.md (shared)"];
    const text = (list: readonly string[]) =>
      `# P\n\n## Context\n\n${list.join("\n")}\n\n## Tasks\n\n- [ ] T1: x\n`;
    const expected = plain(read(text(lines)).plan.contextNodes);
    const variants = [
      lines.map(line => line.replace("- ", "* ")),
      lines.map(line => line.replace(/^ +/, indent => indent.repeat(2))),
      lines.map(line => line.replace(/^( *- )(ctx-\w+)/, "$1**$2**")),
      lines.map(line => line.replace(/^( *- )(ctx-\w+)/, "$1`$2`")),
      lines.map(line => line.replace(/([a-d]\.md)/g, "`$1`")),
      lines.map(line => line.replace(/^( *- )(ctx-\w+:)/, "$1**$2**")),
      lines.flatMap(line => [line, ""]),
      ["Some words about it.", "", ...lines, "", "More words.", "", "| a | b |", "|---|---|"],
    ];
    for (const variant of variants) expect(plain(read(text(variant)).plan.contextNodes)).toEqual(expected);
    expect(plain(read(text(lines).replaceAll("\n", "\r\n")).plan.contextNodes)).toEqual(expected);
    expect(plain(read(`\ufeff${text(lines)}`).plan.contextNodes)).toEqual(expected);
    expect(plain(read(`---\nproject: x\n---\n${text(lines)}`).plan.contextNodes)).toEqual(expected);
  });

  it("[L55] takes time linear in the file", () => {
    const fileOf = (size: number) => {
      const many = Array.from({ length: size }, (_, at) => `${" ".repeat(at % 50)}- ctx-n${at}: a${at}.md`);
      return `## Context\n\n${many.join("\n")}\n\n## Tasks\n\n- [ ] T1: x\n`;
    };
    const most = casesOf(10_000, 50_000);
    expect(read(fileOf(most)).plan.contextNodes).toHaveLength(most);
    expect(growth(1000, fileOf, text => read(text))).toBeLessThan(LINEAR);
  });
});
