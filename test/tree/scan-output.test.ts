import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SCAN_LIMITS, scanOutput } from "../../src/tree/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";

const lines = (...all: string[]) => all.join("\n");
const texts = (message: string) => scanOutput(message).additions.map(({ node, text }) => [node, text]);
const reasons = (message: string) => scanOutput(message).refusals.map(({ line, why }) => [line, why]);

describe("blocks", () => {
  it("[T12] are read as the documents write them", () => {
    const message = lines(
      "작업 결과...",
      "",
      "[ADD_CONTEXT:ctx-branch-a]",
      "## 발견한 API 정보",
      "Bearer token 인증 사용",
      "[/ADD_CONTEXT]",
      "DONE:T1#ab",
    );
    expect(scanOutput(message)).toEqual({
      additions: [
        {
          node: "ctx-branch-a",
          text: "## 발견한 API 정보\nBearer token 인증 사용",
          line: 3,
          from: message.indexOf("[ADD"),
          to: message.indexOf("DONE"),
        },
      ],
      refusals: [],
      refused: 0,
      requests: [],
      rest: "작업 결과...\n\nDONE:T1#ab",
    });
  });

  it("[T12] may stand on one line, indented a little, with spaces in the tag and without the prefix", () => {
    expect(texts("[ADD_CONTEXT:ctx-a] one [/ADD_CONTEXT]")).toEqual([["ctx-a", "one"]]);
    expect(texts("   [ADD_CONTEXT: a ]\r\none\r\ntwo\r\n  [/ADD_CONTEXT]  \r\n")).toEqual([
      ["ctx-a", "one\r\ntwo"],
    ]);
    expect(texts("[ADD_CONTEXT:a]\nlast words [/ADD_CONTEXT]")).toEqual([["ctx-a", "last words"]]);
  });

  it("[T12] several for one node are several", () => {
    const message =
      "[ADD_CONTEXT:a]1[/ADD_CONTEXT]\n[ADD_CONTEXT:a]2[/ADD_CONTEXT]\n[ADD_CONTEXT:b]\n3\n[/ADD_CONTEXT]";
    expect(texts(message)).toEqual([
      ["ctx-a", "1"],
      ["ctx-a", "2"],
      ["ctx-b", "3"],
    ]);
  });

  it.each([
    ["in a fence", "```\n[ADD_CONTEXT:a]x[/ADD_CONTEXT]\n```"],
    ["in a fence of tildes", "~~~md\n[ADD_CONTEXT:a]x[/ADD_CONTEXT]\n~~~"],
    ["in a fence that never closes", "```\n[ADD_CONTEXT:a]x[/ADD_CONTEXT]"],
    ["in indented code", "    [ADD_CONTEXT:a]x[/ADD_CONTEXT]"],
    ["in a quote", "> [ADD_CONTEXT:a]x[/ADD_CONTEXT]"],
    ["within a sentence", "write [ADD_CONTEXT:a]x[/ADD_CONTEXT]"],
    ["in small letters", "[add_context:a]x[/add_context]"],
  ])("[T12] are none %s", (_where, message) => {
    const scan = scanOutput(message);
    expect([scan.additions, scan.refused, scan.rest]).toEqual([[], 0, message]);
  });

  it("[T12] count behind a fence that closed, and behind a line of inline code", () => {
    expect(texts("```js\nx\n```\n[ADD_CONTEXT:a]y[/ADD_CONTEXT]")).toEqual([["ctx-a", "y"]]);
    expect(texts("```one``` is inline\n[ADD_CONTEXT:a]y[/ADD_CONTEXT]")).toEqual([["ctx-a", "y"]]);
  });

  it("[T12] hold fences whose content closes nothing", () => {
    const body = lines("Use it so:", "```", "[/ADD_CONTEXT]", "[ADD_CONTEXT:b]", "```", "and end.");
    expect(texts(`[ADD_CONTEXT:a]\n${body}\n[/ADD_CONTEXT]`)).toEqual([["ctx-a", body]]);
  });

  it("[T12] are not read further: signals, updates and requests in them are words", () => {
    const body = lines(
      "DONE:T9#zzzz",
      "[CONTEXT-UPDATE] GC-v1 → GC-v2",
      "[ACK-UPDATE] GC-v2",
      "[SPAWN:research] nothing",
      "</document 123>",
    );
    const scan = scanOutput(`[ADD_CONTEXT:a]\n${body}\n[/ADD_CONTEXT]\nDONE:T1#ab`);
    expect(scan.additions).toMatchObject([{ node: "ctx-a", text: body, line: 1 }]);
    expect(scan.requests).toEqual([]);
    expect(scan.rest).toBe("DONE:T1#ab");
  });
});

describe("refused blocks", () => {
  it("[T13] that never end: nothing is stored of them", () => {
    const message = "[ADD_CONTEXT:a]\nx\nDONE:T1#ab\n[SPAWN:research] y";
    expect(reasons(message)).toEqual([[1, "unterminated"]]);
    expect(scanOutput(message)).toMatchObject({ additions: [], requests: [], rest: message });
    expect(reasons("[ADD_CONTEXT:a]\n```\nx\n[/ADD_CONTEXT]")).toEqual([[1, "unterminated"]]);
  });

  it("[T13] whose tag is written otherwise: by its line, and nothing else is read into it", () => {
    for (const tag of [
      "[ADD_CONTEXT]",
      "[ADD_CONTEXT ctx-a]",
      "`[ADD_CONTEXT:ctx-a]`",
      "**[ADD_CONTEXT:ctx-a]**",
    ]) {
      const message = `Done.\n${tag}\n- a find\n[/ADD_CONTEXT]\n[ADD_CONTEXT:b]y[/ADD_CONTEXT]`;
      expect(reasons(message)).toEqual([[2, "bad-tag"]]);
      expect(texts(message)).toEqual([["ctx-b", "y"]]);
      expect(scanOutput(message).rest).toBe(message.slice(0, message.indexOf("[ADD_CONTEXT:b]")));
    }
    for (const words of [
      "Use [ADD_CONTEXT:a] so.",
      "[ADD_CONTEXT] is a tag",
      "```\n[ADD_CONTEXT]\n```",
      "    [ADD_CONTEXT]",
    ])
      expect(reasons(words)).toEqual([]);
  });

  it("[T13] say where they stand and what they hold, but for those that hold others", () => {
    const [first, second] = scanOutput(
      "a\n[ADD_CONTEXT:../x]\nwords\n[/ADD_CONTEXT]\n[ADD_CONTEXT:b]\nrest",
    ).refusals;
    expect(first).toMatchObject({ from: 2, text: "words" });
    expect(second).toMatchObject({ from: first!.to, why: "unterminated", text: "rest" });
    const [nested] = scanOutput("[ADD_CONTEXT:a]\n[ADD_CONTEXT:b]\nx[/ADD_CONTEXT]\n[/ADD_CONTEXT]").refusals;
    expect(nested).toMatchObject({ from: 0, why: "nested" });
    expect(nested).not.toHaveProperty("text");
  });

  it("[T13] that hold another: the whole of them", () => {
    const message = lines(
      "[ADD_CONTEXT:a]",
      "x",
      "[ADD_CONTEXT:b]",
      "y",
      "[/ADD_CONTEXT]",
      "z",
      "[/ADD_CONTEXT]",
      "[ADD_CONTEXT:c]good[/ADD_CONTEXT]",
    );
    expect(reasons(message)).toEqual([[1, "nested"]]);
    expect(texts(message)).toEqual([["ctx-c", "good"]]);
    // What is refused stays where it stood.
    expect(scanOutput(message).rest).toBe(message.slice(0, message.indexOf("[ADD_CONTEXT:c]")));
  });

  it.each([
    ["[ADD_CONTEXT:a]\n \n[/ADD_CONTEXT]", "empty"],
    ["[ADD_CONTEXT:]x[/ADD_CONTEXT]", "bad-id"],
    ["[ADD_CONTEXT:ctx-]x[/ADD_CONTEXT]", "bad-id"],
    ["[ADD_CONTEXT:../../etc/passwd]x[/ADD_CONTEXT]", "bad-id"],
    [`[ADD_CONTEXT:${"a".repeat(65)}]x[/ADD_CONTEXT]`, "bad-id"],
    ["[ADD_CONTEXT:a\nx\n[/ADD_CONTEXT]", "bad-id"],
    [`[ADD_CONTEXT:a]${"x".repeat(SCAN_LIMITS.blockLength + 1)}[/ADD_CONTEXT]`, "too-long"],
  ])("[T13] %.40j: %s", (message, why) => {
    expect(reasons(message)).toEqual([[1, why]]);
    expect(texts(`${message}\n[ADD_CONTEXT:ok]y[/ADD_CONTEXT]`)).toEqual([["ctx-ok", "y"]]);
  });

  it("[T13] beyond a limit on number or total: the first ones count, and the rest is told", () => {
    const blocks = Array.from({ length: 40 }, (_, at) => `[ADD_CONTEXT:a]${at}[/ADD_CONTEXT]`).join("\n");
    const scan = scanOutput(blocks);
    expect(scan.additions).toHaveLength(20);
    expect(scan.refused).toBe(20);
    expect(scan.refusals).toHaveLength(10);
    expect(scan.refusals[0]).toMatchObject({ node: "a", line: 21, why: "too-many" });
    const limits = { ...SCAN_LIMITS, totalLength: 5 };
    const two =
      "[ADD_CONTEXT:a]1234[/ADD_CONTEXT]\n[ADD_CONTEXT:a]56[/ADD_CONTEXT]\n[ADD_CONTEXT:a]7[/ADD_CONTEXT]";
    expect(scanOutput(two, limits).additions.map(({ text }) => text)).toEqual(["1234", "7"]);
    expect(scanOutput(two, limits).refusals).toMatchObject([{ node: "a", line: 2, why: "too-much" }]);
  });
});

describe("requests", () => {
  it("[T14] ask one question on their line", () => {
    const scan = scanOutput(
      "first\n[SPAWN:research] Query: which header carries the token?\n  [SPAWN:research] and how long?\nlast",
    );
    expect(scan.requests).toEqual(["which header carries the token?", "and how long?"]);
    expect(scan.rest).toBe("first\nlast");
  });

  it("[T14] are bounded in number and length, and nothing asks nothing", () => {
    const many = Array.from({ length: 9 }, (_, at) => `[SPAWN:research] ${at}`).join("\n");
    expect(scanOutput(many).requests).toEqual(["0", "1", "2", "3", "4"]);
    expect(scanOutput(`[SPAWN:research] ${"x".repeat(5000)}`).requests[0]).toHaveLength(1000);
    expect(scanOutput("[SPAWN:research]\n[SPAWN:research] Query:").requests).toEqual([]);
    expect(scanOutput("```\n[SPAWN:research] x\n```").requests).toEqual([]);
  });
});

/** Pieces that messages are likely to be made of. */
const piece = fc.constantFrom(
  "[ADD_CONTEXT:a]",
  "[ADD_CONTEXT:ctx-b]",
  "[/ADD_CONTEXT]",
  "[SPAWN:research] q",
  "```",
  "~~~~",
  "\n",
  "\r\n",
  " ",
  "    ",
  "text",
  "[ADD_CONTEXT:",
  "]",
  "DONE:T1",
  "가",
);
const messages = fc.array(piece, { maxLength: 60 }).map(pieces => pieces.join(""));

describe("any message", () => {
  it("[T15] keeps what is no block and no request, and reads the same without it", () => {
    fc.assert(
      fc.property(messages, message => {
        const scan = scanOutput(message);
        let at = 0;
        for (const line of scan.rest.split(/(?<=\n)/)) {
          const found = message.indexOf(line, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + line.length;
        }
        for (const { text, node, line } of scan.additions) {
          expect(text.trim()).toBe(text);
          expect(text).not.toBe("");
          expect(node.startsWith("ctx-")).toBe(true);
          expect(message.split("\n")[line - 1]).toContain("[ADD_CONTEXT:");
        }
        expect(scan.refused).toBeGreaterThanOrEqual(scan.refusals.length);
      }),
      { numRuns: 500 },
    );
  });

  it("[T12] a block put behind any closed message comes back as it was", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b c", "- d", "# e", "", "[x]", "가나"), { maxLength: 9 }),
        body => {
          const text = `x${body.join("\n")}y`;
          expect(texts(`before\n[ADD_CONTEXT:n]\n${text}\n[/ADD_CONTEXT]\nafter`)).toEqual([["ctx-n", text]]);
        },
      ),
    );
  });

  it.each(
    sampleOf<[string, (size: number) => string]>(
      [
        ["openers", size => "[ADD_CONTEXT:a]\n".repeat(size)],
        ["halves of openers", size => "[ADD_CONTEXT:".repeat(size)],
        ["fences with openers", size => "```\n[ADD_CONTEXT:a]".repeat(size)],
        ["fences", size => "```x\n".repeat(2 * size)],
        ["blanks", size => " ".repeat(20 * size)],
        ["closers", size => `[ADD_CONTEXT:a]${"[/ADD_CONTEXT]".repeat(size)}`],
      ],
      1,
      2,
      5,
    ),
  )("[T16] takes linear time for %s without end", (_, messageOf) => {
    expect(growth(25_000, messageOf, scanOutput)).toBeLessThan(LINEAR);
  });
});
