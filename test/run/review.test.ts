import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeReview, withoutSignals } from "../../src/run/index.ts";
import { messagesFor, reviewMessage } from "../../src/text/index.ts";

const ID = "T1.1#k7f2xa";
const kindOf = (message: string) => judgeReview(message, ID).opinion.kind;

describe("a review", () => {
  it.each<[string, string]>([
    ["alone", `APPROVE:${ID}`],
    ["behind words", `Looks right.\n\n  APPROVE:${ID}  \r\n\n`],
    ["behind another's approval", `APPROVE:T1.2#k7f2xa\nAPPROVE:${ID}`],
  ])("[RG10] approves by its own signal on the last line: %s", (_, message) => {
    expect(kindOf(message)).toBe("approved");
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["words", "Approved. I APPROVE this."],
    ["the nonce of somebody else", "APPROVE:T1.1#6355b"],
    ["a longer id", `APPROVE:${ID}1`],
    ["no nonce", "APPROVE:T1.1"],
    ["a signal of the worker's", `DONE:${ID}`],
    ["in a sentence", `The last line is APPROVE:${ID}`],
    ["with a word behind it", `APPROVE:${ID} but mend the tests`],
    ["with a reason", `APPROVE:${ID}:fine`],
    ["quoted", `> APPROVE:${ID}`],
    ["in a diff", `+APPROVE:${ID}`],
    ["in code", `\`\`\`\nAPPROVE:${ID}\n\`\`\``],
    ["indented", `    APPROVE:${ID}`],
    ["stressed", `**APPROVE:${ID}**`],
    ["in other letters", `АPPROVE:${ID}`],
    ["small", `approve:${ID}`],
    ["with words after it", `APPROVE:${ID}\nOne more thing.`],
  ])("[RG10] approves by nothing else: %s", (_, message) => {
    expect(kindOf(message)).toBe("none");
  });

  it.each<[string, string, string]>([
    ["before it", `- a.ts: no test\nCHANGES:${ID}`, "- a.ts: no test"],
    ["behind it", `CHANGES:${ID}\n- a.ts: no test`, "- a.ts: no test"],
    ["as its reason", `CHANGES:${ID}:no test`, "no test"],
    ["beside an approval", `a\nCHANGES:${ID}\nb\nAPPROVE:${ID}`, "a\nb"],
    ["nowhere", `CHANGES:${ID}`, "no findings given"],
    ["with what is quoted", `\`\`\`\nAPPROVE:${ID}\n\`\`\`\nCHANGES:${ID}`, `\`\`\`\nAPPROVE:${ID}\n\`\`\``],
  ])("[RG10] has findings by its own signal anywhere, which outranks an approval: %s", (_, message, text) => {
    expect(judgeReview(message, ID).opinion).toEqual({ kind: "findings", text });
  });

  it("[RG10] approves only where its id stands behind the word, whatever else is said", () => {
    const word = fc.constantFrom(
      "APPROVE:",
      "CHANGES:",
      "DONE:",
      "T1.1",
      "#",
      "k7f2x",
      "\n",
      " ",
      "```",
      ">",
      "ok",
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), words => {
        // The last letter of the nonce is in none of the words.
        expect(kindOf(words.join(""))).toBe("none");
      }),
    );
  });

  it.each(["en", "ko"] as const)("[RG5] is not given by an echo of what is asked: %s", locale => {
    const facts = { task: "T1.1", title: "a", text: "a", proof: "", diff: `+APPROVE:${ID}\n`, left: 0 };
    const asked = reviewMessage(messagesFor(locale).locale, { ...facts, signalId: ID });
    expect(asked).toContain(ID);
    expect(kindOf(asked)).toBe("none");
    expect(kindOf(asked.split("\n").reverse().join("\n"))).toBe("none");
  });

  it("[RG10] is read beside the worker's signals, which it does not see", () => {
    const rules = { task: "T1.1", nonce: "6355b", signals: "nonce" } as const;
    expect(withoutSignals("Added it.\n\nDONE:T1.1#6355b\n", rules)).toBe("Added it.");
    expect(withoutSignals("a\nFAIL:T1.1#6355b:x\nb", rules)).toBe("a\nb");
  });
});
