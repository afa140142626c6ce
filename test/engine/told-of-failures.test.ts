import { describe, expect, it } from "vitest";
import { conflictFeedback, fromVcs } from "../../src/engine/attempt/place.ts";
import { FEEDBACK_LENGTH, fromFailure, toldOf } from "../../src/engine/attempt/verdict.ts";
import { type AgentFailure, because, type Reason } from "../../src/ports/index.ts";
import { feedbackWords, KOREAN, reasonText, reviewMessage, unsignedReview } from "../../src/text/index.ts";
import { openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at} 😀`);

describe("what the next attempt is told of one that failed", () => {
  it("[E181] is whole, or whole lines from its end under one that says how much is left out", () => {
    const short = lines(10).join("\n");
    expect(toldOf(short, "en")).toBe(short);
    const long = lines(2000).join("\n");
    const [head, ...rest] = toldOf(long, "en").split("\n");
    expect(lines(2000).slice(-rest.length)).toEqual(rest);
    const left = long.length - rest.join("\n").length;
    expect(head).toBe(`(${left} characters before this are left out here)`);
    expect(toldOf(long, "en").length).toBeLessThanOrEqual(FEEDBACK_LENGTH);
    expect(toldOf(long, "ko")).toMatch(/^\(이 앞의 \d+자는 여기서 생략함\)\n/);
  });

  it.each([4095, 4096, 4097, 9000])("[E181] is well formed where a line of %i characters is cut", length => {
    for (const text of ["😀".repeat(length), `a${"😀".repeat(length)}`]) {
      const told = toldOf(text, "en");
      expect(told.isWellFormed()).toBe(true);
      expect(told.length).toBeLessThanOrEqual(FEEDBACK_LENGTH);
      expect(toldOf(told, "en")).toBe(told);
    }
  });

  it("[E181] keeps the reason above what was said last", () => {
    const failure: AgentFailure = { kind: "exit", message: "x", exitCode: 9, said: "panic", retryable: true };
    const { feedback } = fromFailure("puppet", failure, lines(2000).join("\n"), 0, "ko");
    expect(feedback).toMatch(/^에이전트 종료 코드 9: panic\n\(이 앞의 \d+자는 여기서 생략함\)\n/);
    expect(feedback.length).toBeLessThanOrEqual(FEEDBACK_LENGTH);
  });

  it("[E406] is the message where a newer machine gives a reason that this version knows no words for", () => {
    const reason = { code: "agent-brand-new", args: {} } as unknown as Reason;
    const failure: AgentFailure = { kind: "idle", message: "x slept for 5 min", reason, retryable: true };
    const judged = fromFailure("x", failure, "", 0, "en");
    expect(judged.feedback).toBe("x slept for 5 min");
    expect(judged.reason).toEqual(because("agent-failed", { kind: "idle", said: "x slept for 5 min" }));
  });

  it.each([
    { code: "agent-unruly", args: { agent: "x", why: "brand-new" } },
    { code: "agent-unruly", args: { agent: "x", why: { dreamt: 3 } } },
    { code: "agent-left-off", args: { agent: "x", why: "brand-new" } },
    { code: "agent-late", args: { agent: "x", ms: 5, why: "brand-new" } },
    { code: "agent-late", args: null },
  ])("[E406] is the message where a part of that reason is new: $code $args", wire => {
    const reason = wire as unknown as Reason;
    const failure: AgentFailure = { kind: "idle", message: "x slept for 5 min", reason, retryable: true };
    for (const locale of ["en", "ko"] as const) {
      const judged = fromFailure("x", failure, "", 0, locale);
      expect(judged.reason).toEqual(because("agent-failed", { kind: "idle", said: "x slept for 5 min" }));
      expect(reasonText(reason, locale)).toBe(wire.code);
    }
    const own = because("said", { by: "agent", text: "undefined is not a function" });
    expect(reasonText(own, "en")).toBe("undefined is not a function");
  });

  it("[E181] is so what a reviewer reads of an answer", () => {
    const long = lines(2000).join("\n");
    const facts = { task: "T1", title: "x", text: "t", proof: "", diff: "", left: 0, signalId: "T1#r" };
    for (const asked of [
      reviewMessage("en", { ...facts, earlier: { findings: "- no", reply: long } }),
      unsignedReview("en", { ...facts, said: long }),
    ]) {
      expect(asked).toMatch(
        /\n {2}\| \(\d+ characters before this are left out here\)\n {2}\| line \d+ 😀\n/,
      );
      expect(asked).toContain("  | line 1999 😀\n");
    }
  });

  it.each([10, 70, 200])(
    "[E181] names the files of a conflict above all else, with paths of %i characters",
    length => {
      const files = Array.from({ length: 40 }, (_, at) => {
        const path = `${at}-${"p".repeat(length)}`;
        const what = `CONFLICT (content): Merge conflict in ${path}`;
        return { path, what, sides: "ours\ntheirs\n".repeat(40), others: ["T1.1"], content: "" };
      });
      for (const locale of ["en", "ko"] as const) {
        const words = feedbackWords(locale);
        const asked = ["T1.1", "  | Greet."];
        const told = conflictFeedback(files, asked, "", words);
        expect(told.length).toBeLessThanOrEqual(FEEDBACK_LENGTH);
        expect(told.startsWith(`${words.conflict}\n- ${files[0]!.path}: CONFLICT`)).toBe(true);
        const named = told.split("\n").filter(line => line.includes("CONFLICT")).length;
        expect(named).toBeGreaterThan(5);
        expect(told).toContain(`${words.moreFiles(40 - named)}\n${asked.join("\n")}`);
      }
    },
  );

  it("[G45] is told in the language of the project, and what git has against it once", async () => {
    const tasks = `${ONE.trimEnd()}\n- expects: \`no.txt\`\n`;
    using bench = openBench({ tasks, engine: { messages: KOREAN } });
    void bench.start();
    const first = await bench.puppets.next();
    first.say(`DONE:${first.id}`);
    const { prompt } = await bench.puppets.next();
    expect(prompt).toContain("\nexpects:\n없는 파일: no.txt\n");
    const strayed = { kind: "strayed", reason: because("history-rewritten", {}) } as const;
    expect(fromVcs(strayed, () => {})).toMatchObject({ reason: strayed.reason, feedback: "" });
  });

  it("[E181] [G42] is told without its signal, wherever that stood", async () => {
    using bench = openBench({ tasks: ONE });
    void bench.start();
    const first = await bench.puppets.next();
    first.say(`I tried.\nFAIL:${first.id}:red\nThat is all.`);
    const { prompt } = await bench.puppets.next();
    expect(prompt).toContain("\nI tried.\nThat is all.\n</attempt");
    expect(prompt).not.toContain(first.id);
  });
});
