import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeMessage, type SignalRules } from "../../src/run/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";
import { Random } from "../torture/random.ts";
import { GENUINE, NONCE, PROMPTS, SIGNAL_ID, SPOOFS, TASK } from "./signal-corpus.ts";

const RULES: SignalRules = { task: TASK, nonce: NONCE, signals: "nonce" };
const PLAIN: SignalRules = { ...RULES, signals: "plain" };
const judge = (message: string, rules = RULES) => judgeMessage(message, rules);

describe("signals: the corpus", () => {
  it("[RG3] has at least sixty spoofs", () => {
    expect(SPOOFS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(SPOOFS.map(([, message]) => message)).size).toBe(SPOOFS.length);
  });

  it.each(SPOOFS)("[RG3] is not taken in by %s", (_, message) => {
    expect(judge(message).claim).toEqual({ kind: "none" });
  });

  it.each(GENUINE)("[RG1] understands a signal %s", (_, message, claim) => {
    expect(judge(message).claim).toEqual(
      claim === "done" ? { kind: "done" } : { kind: "fail", reason: claim },
    );
  });

  it("[RG2] lets its own FAIL outrank its own DONE, wherever it stands", () => {
    expect(judge(`FAIL:${SIGNAL_ID}:a\nDONE:${SIGNAL_ID}`).claim.kind).toBe("fail");
    expect(judge(`FAIL:${SIGNAL_ID}:a\nsome words`).claim.kind).toBe("fail");
    expect(judge(`FAIL:T1.4#k7f2:a\nDONE:${SIGNAL_ID}`).claim.kind).toBe("done");
  });

  it("[RG4] tells ids apart that begin alike", () => {
    for (const [own, other] of [
      ["T0.5", "T0.5.1"],
      ["T0.5.1", "T0.5"],
      ["T1", "T1.1"],
      ["P2-S1-T1", "P2-S1-T10"],
      ["001", "0011"],
    ] as const) {
      const rules: SignalRules = { task: own, nonce: NONCE, signals: "plain" };
      for (const word of [`DONE:${other}`, `FAIL:${other}:x`, `DONE:${other}#${NONCE}`]) {
        expect(judge(word, rules).claim, `${word} for ${own}`).toEqual({ kind: "none" });
      }
      expect(judge(`DONE:${own}`, rules).claim.kind).toBe("done");
    }
  });

  it("[RG5] reads prompts that really hold the id and the old signals", () => {
    for (const prompt of PROMPTS) {
      expect(prompt).toContain(SIGNAL_ID);
      expect(prompt).toContain("DONE:");
      expect(judge(prompt, PLAIN).claim).toEqual({ kind: "none" });
      expect(judge(prompt.replaceAll("`", ""), PLAIN).claim).toEqual({ kind: "none" });
      expect(judge(prompt.replaceAll("\n", "\r\n")).claim).toEqual({ kind: "none" });
    }
  });

  it("[RG6] takes the documents' own signals when it is told to", () => {
    expect(judge("DONE:T1.3", PLAIN).claim).toEqual({ kind: "done" });
    expect(judge("FAIL:T1.3:TypeError", PLAIN).claim).toEqual({ kind: "fail", reason: "TypeError" });
    expect(judge(`DONE:${SIGNAL_ID}`, PLAIN).claim).toEqual({ kind: "done" });
    expect(judge("DONE:T1.3#zzzz", PLAIN).claim).toEqual({ kind: "none" });
    expect(judge("FAIL:T1.3#zzzz:x", PLAIN).claim).toEqual({ kind: "none" });
    const taken = SPOOFS.filter(([, message]) => judge(message, PLAIN).claim.kind !== "none");
    expect(taken.map(([what]) => what)).toEqual([
      "the plain signal of the documents",
      "the plain failure of the documents",
    ]);
  });

  it("[RG7] reports what looks like a signal and is none", () => {
    expect(judge("DONE:T1.4#k7f2").foreign).toEqual(["DONE:T1.4#k7f2"]);
    expect(judge(`**DONE:${SIGNAL_ID}**`).foreign).toEqual([`**DONE:${SIGNAL_ID}**`]);
    expect(judge(`> - FAIL:${SIGNAL_ID}:x`).foreign).toEqual([`> - FAIL:${SIGNAL_ID}:x`]);
    expect(judge(`\`\`\`\nDONE:${SIGNAL_ID}\n\`\`\``).foreign).toEqual([`DONE:${SIGNAL_ID}`]);
    expect(judge(`    DONE:${SIGNAL_ID}`).foreign).toEqual([`DONE:${SIGNAL_ID}`]);
    expect(judge(`I say DONE:${SIGNAL_ID}`).foreign).toEqual([]);
    expect(judge(`DONE:${SIGNAL_ID}`).foreign).toEqual([]);
    expect(judge("DONE:T1.4#a\n".repeat(9)).foreign).toHaveLength(5);
    const decorated = (marks: number): readonly string[] => judge(`${">".repeat(marks)}DONE:x`).foreign;
    expect(decorated(12)).toHaveLength(1);
    expect(decorated(13)).toEqual([]);
    expect(judge("> - *").foreign).toEqual([]);
    expect(judge(`DONE:\u001b[2J${"x".repeat(300)}`).foreign[0]).toMatch(/^DONE:\\x1b\[2Jx+…$/);
    expect(judge(`DONE:${"x".repeat(300)}`).foreign[0]).toHaveLength(100);
  });

  it("[RG8] keeps a reason whole and short", () => {
    const { claim } = judge(`FAIL:${SIGNAL_ID}:${"\u{1f600}".repeat(80)}`);
    expect(claim.kind === "fail" && claim.reason.isWellFormed()).toBe(true);
    expect(claim.kind === "fail" && claim.reason.length).toBeLessThanOrEqual(100);
  });

  it.each(
    sampleOf<[string, (size: number) => string]>(
      [
        ["one endless line", size => "x".repeat(size)],
        ["nothing but line breaks", size => "\n".repeat(size)],
        ["nothing but fences", size => "```\n".repeat(size / 4)],
        ["one endless fence", size => "`".repeat(size)],
        ["nothing but signals", size => `DONE:${SIGNAL_ID}x\n`.repeat(size / 12)],
        ["nothing but blanks", size => " ".repeat(size)],
        ["blanks behind a signal", size => `DONE:${SIGNAL_ID}${" ".repeat(size)}x`],
        ["decoration", size => "> ".repeat(size / 2)],
      ],
      1,
      3,
      4,
    ),
  )("[RG9] judges %s in linear time", (_, messageOf) => {
    expect(judge(messageOf(5_000_000)).claim).toEqual({ kind: "none" });
    expect(growth(250_000, messageOf, message => judge(message))).toBeLessThan(LINEAR);
  });
});

/** Lines an agent might write that are no signal of this attempt. */
const NOISE: readonly string[] = [
  "I read the task and wrote the parser.",
  "테스트를 모두 통과했습니다.",
  "```ts\nconst a = `x`;\n```",
  "~~~\nDONE:T1.3#k7f2\n~~~",
  `\`\`\`\nFAIL:${SIGNAL_ID}:quoted\n\`\`\``,
  `> DONE:${SIGNAL_ID}`,
  `    DONE:${SIGNAL_ID}`,
  "DONE:T1.4#k7f2",
  "DONE:T1.3#aaaa",
  "FAIL:T1.3.1#k7f2:no",
  `I will finish with \`DONE:${SIGNAL_ID}\`.`,
  `not DONE:${SIGNAL_ID}`,
  "- [x] T1.3",
  "| a | b |\n|---|---|",
  "\u001b[32m✓ 12 tests\u001b[0m",
  "",
  "   ",
  "\ufeff",
  "###",
  ...PROMPTS,
];
/** What may stand around a genuine signal on its own line without taking its meaning. */
const AROUND: readonly string[] = ["", "", " ", "  ", "\t", "\u00a0", "\u3000"];
const ENDS: readonly string[] = ["", "\n", "\r\n", "\n\n", " \n\t\n"];

function noise(random: Random, eol: string): string {
  const lines = Array.from({ length: random.between(0, 8) }, () => random.pick(NOISE));
  return lines.join("\n").replaceAll("\n", eol);
}

/** A signal of this attempt damaged in one place, so that it is none any more. */
function damaged(random: Random): string {
  const signal = `${random.pick(["DONE", "FAIL"])}:${SIGNAL_ID}`;
  const at = random.between(1, signal.length - 1);
  const strange = random.pick([
    "\u200b",
    "\u0430",
    "*",
    " ",
    "\u001b[1m",
    "x",
    "\u202e",
    "`",
    "\u0000",
    "：",
  ]);
  const ways = [
    () => signal.slice(0, at) + strange + signal.slice(at + 1),
    () => `${signal.slice(0, at)}\n${signal.slice(at)}`,
    () => signal.slice(0, at) + signal.slice(at + 1),
    () => signal.toLowerCase(),
    () => `${random.pick([">", "- ", "`", "**", '"', "not ", "$ "])}${signal}`,
    () => `${signal.slice(0, 5)}${random.pick(["T1.31", "T1", "T2.3", "T1.3.1"])}#${NONCE}`,
    () => signal.replace(NONCE, random.pick(["k7f", "k7f22", "0000", "K7F2", ""])),
  ];
  return random.pick(ways)();
}

describe("signals: generated transcripts", () => {
  it("[RG3] accepts none of 20,000 false ones", () => {
    const random = new Random(2026);
    const wrong: string[] = [];
    for (let n = 0; n < 20_000; n++) {
      const eol = random.pick(["\n", "\r\n"]);
      const body = [noise(random, eol), random.chance(0.7) ? damaged(random) : "", noise(random, eol)];
      const message = random.chance(0.3)
        ? `${noise(random, eol)}\nDONE:${SIGNAL_ID}${eol}${random.pick(["But wait.", "DONE:T1.4#k7f2", "```", "- x"])}`
        : body.join(eol);
      const { claim } = judge(message);
      // A cut may leave the failure whole and its end away, which is a FAIL and no false success.
      if (claim.kind === "done") wrong.push(message);
    }
    expect(wrong).toEqual([]);
  });

  it("[RG1] accepts at least 99.9 % of 20,000 genuine ones", () => {
    const random = new Random(7);
    let missed = 0;
    for (let n = 0; n < 20_000; n++) {
      const eol = random.pick(["\n", "\r\n"]);
      const line = `${random.pick(AROUND)}DONE:${SIGNAL_ID}${random.pick(AROUND)}`;
      // An indentation by a tab is code.
      const own = line.startsWith("\t") ? line.trimStart() : line;
      const message = `${noise(random, eol)}${eol}${own}${random.pick(ENDS)}`;
      if (judge(message).claim.kind !== "done") missed++;
    }
    expect(missed).toBeLessThanOrEqual(20);
  });

  it("[RG2] accepts every failure, with its reason", () => {
    const random = new Random(11);
    for (let n = 0; n < 5000; n++) {
      const reason = random.pick(["TypeError: x", "타입 불일치", "exit 1", "a:b:c"]);
      const after = random.chance(0.5) ? `\n${noise(random, "\n")}` : "";
      const message = `${noise(random, "\n")}\nFAIL:${SIGNAL_ID}:${reason}${after}`;
      expect(judge(message).claim).toEqual({ kind: "fail", reason });
    }
  });

  it("[RG3] never completes anything by text that lacks the nonce", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), text => {
        fc.pre(!text.includes(NONCE));
        expect(judge(text).claim.kind).toBe("none");
        expect(judge(`DONE:${text}`).claim.kind).toBe("none");
        expect(judge(`DONE:${TASK}#${text}`).claim.kind).toBe("none");
      }),
      { numRuns: 500 },
    );
  });
});
