import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idProblem, nodeName, scanOutput } from "../../src/tree/index.ts";
import { commonmarkStructure } from "../markdown/reference.ts";
import { casesOf } from "../sample.ts";

/** What the rules T12 to T15 say, word by word and without regard to time. */
function reference(message: string): {
  additions: { node: string; text: string; line: number }[];
  refusals: { line: number; why: string }[];
  requests: string[];
  rest: string;
} {
  const lines = message.split("\n");
  const fenced = fences(lines);
  const begins = (line: string, tag: string) => indented(line) < 4 && line.trim().startsWith(tag);
  const additions: { node: string; text: string; line: number }[] = [];
  const refusals: { line: number; why: string }[] = [];
  const requests: string[] = [];
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (!fenced[at] && begins(line, "[ADD_CONTEXT:")) {
      const end = blockEnd(lines, fenced, at, begins);
      const isNested = end.nested;
      if (end.at === undefined) {
        refusals.push({ line: at + 1, why: isNested ? "nested" : "unterminated" });
        kept.push(...lines.slice(at));
        break;
      }
      const whole = lines.slice(at, end.at + 1).join("\n");
      const open = whole.indexOf("[ADD_CONTEXT:") + 13;
      const close = whole.split("\n")[0]!.indexOf("]", open);
      const id = close < 0 ? undefined : whole.slice(open, close).trim();
      const text = whole.slice(close < 0 ? 0 : close + 1, whole.trimEnd().length - 14).trim();
      const isBad = id === undefined || id.length > 64 || idProblem(nodeName(id)) !== undefined;
      const why = isNested ? "nested" : isBad ? "bad-id" : text === "" ? "empty" : undefined;
      if (why !== undefined || id === undefined) {
        refusals.push({ line: at + 1, why: why ?? "bad-id" });
        kept.push(whole);
      } else additions.push({ node: nodeName(id), text, line: at + 1 });
      at = end.at;
    } else if (!fenced[at] && begins(line, "[SPAWN:research]")) {
      const said = line.trim().slice(16).trim();
      const question = (said.startsWith("Query:") ? said.slice(6) : said).trim();
      if (question !== "" && requests.length < 5) requests.push(question);
    } else {
      if (!fenced[at] && indented(line) < 4 && NEARLY.test(line))
        refusals.push({ line: at + 1, why: "bad-tag" });
      kept.push(line);
    }
  }
  return { additions, refusals, requests, rest: kept.join("\n") };
}

const NEARLY = /^\s*[*_`]*\[ADD_CONTEXT(?:[: ][^\]]*)?\][*_`]*\s*$/;

function indented(line: string): number {
  return line.length - line.trimStart().length;
}

/** Which lines are in a code fence, or open or close one: what the reference implementation of CommonMark says. */
function fences(lines: readonly string[]): boolean[] {
  return commonmarkStructure(lines.join("\n")).map(said => said.startsWith("fence"));
}

function blockEnd(
  lines: readonly string[],
  fenced: readonly boolean[],
  from: number,
  begins: (line: string, tag: string) => boolean,
): { at: number | undefined; nested: boolean } {
  let depth = 0;
  let nested = false;
  for (let at = from; at < lines.length; at++) {
    if (fenced[at]) continue;
    const line = lines[at]!;
    if (begins(line, "[ADD_CONTEXT:")) {
      depth++;
      nested ||= at > from;
    }
    const text = line.trimEnd();
    const tagEnd = at > from ? -1 : line.indexOf("]", line.indexOf("[ADD_CONTEXT:"));
    const isBehindTag = at > from || (tagEnd >= 0 && text.length - 14 > tagEnd);
    if (isBehindTag && text.endsWith("[/ADD_CONTEXT]") && --depth === 0) return { at, nested };
  }
  return { at: undefined, nested };
}

const piece = fc.constantFrom(
  "[ADD_CONTEXT:a]",
  "[ADD_CONTEXT: ctx-b ]",
  "[ADD_CONTEXT:b/c]",
  "[ADD_CONTEXT]",
  "[ADD_CONTEXT a]",
  "`[ADD_CONTEXT:a]`",
  "[ADD_CONTEXT:",
  "[/ADD_CONTEXT]",
  "[/ADD_CONTEXT] ",
  "[SPAWN:research] Query: q",
  "[SPAWN:research]",
  "```",
  "````",
  "~~~",
  "```x",
  "words",
  "- item: value",
  "- ```",
  "",
  "  ",
);
const line = fc
  .tuple(
    fc.constantFrom("", "", "", " ", "   ", "    ", "> "),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
  )
  .map(([indent, pieces]) => indent + pieces.join(""));

describe("scanning", () => {
  it("[T12] [T13] [T14] [T15] does what a slow reading of the rules does", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), lines => {
        const message = lines.join("\n");
        const scan = scanOutput(message);
        const expected = reference(message);
        expect(scan.additions.map(({ node, text, line: at }) => ({ node, text, line: at }))).toEqual(
          expected.additions,
        );
        // A block stands where it says, and nothing else does.
        for (const { from, to, text, line: at } of scan.additions) {
          expect(message.slice(0, from).split("\n")).toHaveLength(at);
          expect(message.slice(from, to)).toContain(text);
          expect(message.slice(from, to).trim().startsWith("[ADD_CONTEXT:")).toBe(true);
        }
        expect(scan.refusals.map(({ line: at, why }) => ({ line: at, why }))).toEqual(
          expected.refusals.slice(0, 10),
        );
        expect(scan.refused).toBe(expected.refusals.length);
        expect(scan.requests).toEqual(expected.requests);
        // A last line break goes with the block it ends.
        expect(scan.rest.trimEnd()).toBe(expected.rest.trimEnd());
      }),
      { numRuns: casesOf(750, 3000) },
    );
  });
});
