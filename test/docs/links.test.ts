import { existsSync, globSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { anchorOf, linksIn } from "./links.ts";
import { readPage } from "./page.ts";

const pages = [
  "README.md",
  "README.ko.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md").sort(),
].map(path => ({
  path,
  text: readPage(path),
}));

/** The anchors a page's headings make. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const base = anchorOf(title ?? "");
    for (let n = 0; ; n++) {
      const anchor = n === 0 ? base : `${base}-${n}`;
      if (anchors.has(anchor)) continue;
      anchors.add(anchor);
      break;
    }
  }
  return anchors;
}

/** What is wrong with a link of a page; undefined when it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/.test(link)) return link.startsWith("https:") ? undefined : `${page}: ${link}`;
  const [file = "", anchor] = link.split("#");
  const path = file === "" ? page : normalize(join(dirname(page), decodeURIComponent(file)));
  if (path.startsWith("..") || !existsSync(path)) return `${page}: ${link} leads nowhere`;
  if (anchor === undefined || !path.endsWith(".md")) return undefined;
  return anchorsOf(readPage(path)).has(anchor) ? undefined : `${page}: ${link} has no such heading`;
}

const program = buildProgram(processIo(), () => {});

/** The subcommand of a command that people would call so. */
function subcommand(command: Command, name: string): Command | undefined {
  return command.commands.find(one => one.name() === name || one.aliases().includes(name));
}

/** Where commands are spoken of: fenced blocks and code spans. */
function codeIn(text: string): string[] {
  const spans = text.split("`").filter((_, index) => index % 2 === 1);
  return [...spans, ...text.split("\n").filter(line => line.includes("espalier "))];
}

interface Mention {
  readonly words: string;
  readonly command: string;
  readonly rest: readonly string[];
}

/** Every `espalier word …` in a text, with the words behind it; `a\|b` in a table is both. */
function mentionsIn(text: string): Mention[] {
  return codeIn(text).flatMap(code =>
    [...code.replaceAll("\\|", "/").matchAll(/(?:^|[\s$"'])espalier ([^|&;#…"'`(),\n]*)/g)].flatMap(
      ([words, given]) => {
        const [command = "", ...rest] = (given ?? "").split(/\s+/);
        return /^[a-z]+$/.test(command) ? [{ words: words.trim(), command, rest }] : [];
      },
    ),
  );
}

/** Flags, subcommands of subcommands: what a mention names that the program does not have. */
function unknownIn({ command, rest, words }: Mention): string[] {
  // Help is no command of the table: what it takes is a command, or a topic.
  if (command === "help") return [];
  const found = subcommand(program, command);
  if (found === undefined) return [`no command in "${words}"`];
  const [first = ""] = rest;
  const inner = found.commands.length > 0 && /^[a-z/]+$/.test(first) ? first.split("/") : [];
  const missing = inner.filter(name => subcommand(found, name) === undefined);
  const group = subcommand(found, inner[0] ?? "") ?? found;
  const target = subcommand(group, rest[1] ?? "") ?? group;
  const known = new Set(target.options.flatMap(({ long, short }) => [long, short]));
  const flags = rest.filter(word => /^--?[a-z][a-z-]*$/.test(word) && word !== "--help" && !known.has(word));
  return [...missing, ...flags].map(name => `no ${name} in "${words}"`);
}

describe("README.md and docs", () => {
  it("finds the pages, their links and their commands", () => {
    expect(pages.length).toBeGreaterThan(8);
    expect(pages.flatMap(({ text }) => linksIn(text)).length).toBeGreaterThan(20);
    const named = new Set(pages.flatMap(({ text }) => mentionsIn(text)).map(({ command }) => command));
    named.delete("help");
    expect(named.size).toBe(program.commands.length);
  });

  it.each(pages)("$path has only links that lead somewhere", ({ path, text }) => {
    expect(linksIn(text).flatMap(link => problemOf(path, link) ?? [])).toEqual([]);
  });

  it.each(pages)("$path names only commands and flags that exist", ({ text }) => {
    expect(mentionsIn(text).flatMap(unknownIn)).toEqual([]);
  });

  it("would notice what is wrong", () => {
    expect(problemOf("docs/state.md", "nowhere.md")).toContain("leads nowhere");
    expect(problemOf("docs/state.md", "running.md#nowhere")).toContain("no such heading");
    expect(problemOf("docs/state.md", "../../etc/hosts")).toContain("leads nowhere");
    expect(problemOf("docs/state.md", "#files")).toBeUndefined();
    expect(problemOf("docs/state.md", "http://example.org/")).toBeDefined();
    expect(linksIn("a [b](c.md) `[d](e.md)`\n```\n[f](g.md)\n```\n[h]: i.md\n")).toEqual(["c.md", "i.md"]);
    const wrong = (text: string) => mentionsIn(text).flatMap(unknownIn).length;
    expect(wrong("run `espalier fly` now")).toBeGreaterThan(0);
    expect(wrong("$ espalier task explode T1.1")).toBeGreaterThan(0);
    expect(wrong("$ espalier run --fast")).toBeGreaterThan(0);
    expect(wrong("| `espalier task retry\\|skip ID` |")).toBe(0);
    expect(wrong("| `espalier task retry\\|jump ID` |")).toBeGreaterThan(0);
    expect(wrong("$ npx espalier run --agent command --command 'x --print'")).toBe(0);
  });

  it("does not call the same anchor twice", () => {
    expect([...anchorsOf("# A b\n## A b\n## `espalier plan --json`\n")]).toEqual([
      "a-b",
      "a-b-1",
      "espalier-plan---json",
    ]);
  });
});
