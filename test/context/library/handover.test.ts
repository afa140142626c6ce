import { describe, expect, it } from "vitest";
import { signalLast, type TreeOptions } from "../../../src/context/library/index.ts";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import { openBench } from "../../engine/bench.ts";
import type { Part } from "../../engine/puppets.ts";

const TASKS = ["### [ ] T1.1: Client\n", "### [ ] T1.2: 서버를 만든다\n- depends_on: [T1.1]\n"].join("\n");

const LONG = Array.from({ length: 400 }, (_, at) => `- route ${at} answers with code ${at}`).join("\n");
const SECTION =
  "## Handover\n- decisions: a queue, because order matters\n- do-not: `log/` is not written to";

const done = (part: Part, text = "ok") => part.say(`${text}\nDONE:${part.id}`);
const open = (more: { readonly handover?: TreeOptions["handover"]; readonly followUp?: boolean } = {}) =>
  openBench({
    tasks: TASKS,
    puppets: { followUp: more.followUp ?? true },
    engine: { tree: { ...DEFAULT_TREE, handover: more.handover ?? "repair" } },
  });

describe("an agent", () => {
  it("[G33] is asked to hand over in the language of its task, at the end of its prompt", async () => {
    using bench = open();
    void bench.start();
    const first = await bench.puppets.next("T1.1");
    expect(first.prompt).toMatch(/## Handover\n(- [a-z-]+: .+\n){5}\s*$/);
    done(first);
    expect((await bench.puppets.next("T1.2")).prompt).toMatch(/## 인계\n(- [가-힣]+: .+\n){5}\s*$/);
  });

  it("[G33] is not asked where that is off, nor where it is a program", async () => {
    using off = open({ handover: "off" });
    void off.start();
    expect((await off.puppets.next("T1.1")).prompt).not.toContain("Handover");
    using program = openBench({ tasks: TASKS, puppets: { reports: "exit" } });
    void program.start();
    expect((await program.puppets.next("T1.1")).prompt).not.toContain("Handover");
  });

  it("[G33] that hands over behind its signal has signalled all the same", async () => {
    using bench = open();
    void bench.start();
    const first = await bench.puppets.next("T1.1");
    first.say(`built\n\nDONE:${first.id}\n\n${SECTION}\n`);
    const next = await bench.puppets.next("T1.2");
    expect(next.prompt).toContain(`built\n\n${SECTION}\n</result`);
    next.say(`FAIL:${next.id}:no\n\n## 인계\n- 결정: -\n- 미결: -\n`);
    expect((await bench.puppets.next("T1.2")).prompt).toContain("Previous attempts");
  });

  it("[G33] signals nothing where it only hands over", () => {
    for (const text of [
      SECTION,
      `DONE:x is what I would say\nno\n${SECTION}`,
      `DONE:T1#a\n${SECTION}\n\nand more`,
    ])
      expect(signalLast(text)).toBe(text);
    expect(signalLast(`${SECTION}\n\nDONE:T1#a\n`)).toBe(`${SECTION}\n\nDONE:T1#a\n`);
  });

  it("[G34] is asked once more where a long answer lacks it; what it sends ends the answer", async () => {
    using bench = open();
    const end = bench.start();
    done(await bench.puppets.next("T1.1"), LONG);
    const again = await bench.puppets.next("T1.1");
    expect(again.prompt).toContain("`## Handover`");
    again.say(`Here it is:\n\n${SECTION}\nFAIL:${again.id}:not to be heard`);
    const next = await bench.puppets.next("T1.2");
    expect(next.prompt).toContain(`- route 399 answers with code 399\n\n${SECTION}\n</result`);
    expect(next.prompt).not.toContain("Here it is");
    // Nobody builds on the last one.
    done(next, LONG);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.puppets.turns).toBe(3);
  });

  it.each<readonly [string, (part: Part) => void]>([
    ["says something else", part => part.say("I have nothing to add.")],
    [
      "breaks",
      part =>
        part.end({
          kind: "failed",
          failure: { kind: "exit", message: "gone", retryable: true },
          finalMessage: "",
        }),
    ],
  ])("[G34] is none the worse where it %s", async (_, answer) => {
    using bench = open();
    const end = bench.start();
    done(await bench.puppets.next("T1.1"), LONG);
    answer(await bench.puppets.next("T1.1"));
    const next = await bench.puppets.next("T1.2");
    expect(next.prompt).toContain("- route 399 answers with code 399");
    done(next);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it.each<readonly [string, string, Parameters<typeof open>[0]]>([
    ["its answer is short", "built", {}],
    ["it handed over", `${LONG}\n\n${SECTION}`, {}],
    ["that is not wanted", LONG, { handover: "ask" }],
    ["it cannot be told", LONG, { followUp: false }],
  ])("[G34] is not asked once more where %s", async (_, answer, more) => {
    using bench = open(more);
    const end = bench.start();
    done(await bench.puppets.next("T1.1"), answer);
    done(await bench.puppets.next("T1.2"));
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.puppets.turns).toBe(2);
  });
});
