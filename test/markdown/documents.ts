import fc from "fast-check";

const WORD = fc.constantFrom("a", "text", "T1.1: b", "[ ] T1.2", "한국어", "**d**");

const FENCE = fc
  .tuple(
    fc.constantFrom("```", "````", "~~~", "~~~~", "``", "`````"),
    fc.constantFrom("", "js", " md", "a`b", " ", "~~~", "```"),
  )
  .map(([mark, info]) => mark + info);

const TABLE = fc.constantFrom(
  "| a | b |",
  "|---|---|",
  "| --- | :-: |",
  "a | b",
  "--|--",
  ":-",
  "|-|",
  "| `|` | c |",
  "| \\| | d |",
  "| a |",
  "a",
  "|",
  "||",
  "---|",
  "x `|` y",
  "a | b |",
  "\\| c",
);

const HTML = fc.constantFrom(
  "<!-- a",
  "-->",
  "<!-- b -->",
  "b --> c",
  "<details>",
  "</details>",
  "<summary>s</summary>",
  "<pre>",
  "</pre>",
  "<script src='x'>",
  "<style",
  "</style>",
  "<?php",
  "?>",
  "<!DOCTYPE html",
  ">",
  "<![CDATA[",
  "]]>",
  "<div class='a'",
  "<a href='b'>",
  "<b>x",
  "</em >",
  "<i/>",
  "<x-y a=b c>",
  "<textarea>",
);

const OTHER = fc.constantFrom(
  "# one",
  "## two ##",
  "###### six",
  "####### seven",
  "#no",
  "#",
  "===",
  "---",
  "--",
  "=",
  "- - -",
  "***",
  "* * *",
  "_ _ _",
  "[a]: /b",
  "[a]: <b> 'c'",
  "[a]:",
  "[a]: b 'c",
  "'title'",
  "[",
  "",
  "",
  "",
);

const MARKER = fc.constantFrom(
  "- ",
  "* ",
  "+ ",
  "1. ",
  "2) ",
  "10. ",
  "-",
  "-   ",
  "-     ",
  "1.",
  "-\t",
  "> ",
  ">",
  ">\t",
);

/**
 * Numbers and empty items are left out of documents with tables: micromark keeps the rules for what may interrupt a
 * paragraph also where none is interrupted.
 */
const BULLET = fc.constantFrom("- ", "* ", "-   ", "> ", ">");

const INDENT = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 7 }).map(count => " ".repeat(count)) },
  { weight: 1, arbitrary: fc.constantFrom("\t", " \t", "\t\t", "  \t ") },
);

/** Documents whose lines have containers and a block, none of which need fit to what stands above them. */
function documents(markers: fc.Arbitrary<string>, leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const line = fc
    .tuple(fc.array(fc.tuple(INDENT, markers), { maxLength: 2 }), INDENT, leaf)
    .map(
      ([marks, indent, content]) => marks.map(([before, mark]) => before + mark).join("") + indent + content,
    );
  return fc.array(line, { maxLength: 12 }).map(lines => lines.join("\n"));
}

/** Fences, lists, quotes, headings and HTML, nested, unclosed and indented as they come; no tables. */
export const DOCUMENT = documents(MARKER, fc.oneof(WORD, WORD, FENCE, HTML, OTHER));

/** The same with tables. */
export const TABLES = documents(
  BULLET,
  fc.oneof(WORD, TABLE, TABLE, TABLE, FENCE, OTHER, fc.constantFrom("<!-- a", "<!-- b -->", "<pre>")),
).filter(source => !/^[ \t>]*(?:[-*>][ \t]*)+$/m.test(source));
