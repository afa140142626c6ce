import { describe, expect, it } from "vitest";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import type { RunEvent } from "../../../src/ports/index.ts";
import { type Bench, openBench } from "../../engine/bench.ts";
import type { Part } from "../../engine/puppets.ts";
import { inEnglish } from "../../reasons.ts";

const TASKS = "### [ ] T1.1: Client\n- context: ctx-api\n\n### [ ] T1.2: Docs\n";
const QUESTION = "which header carries the token?";

const done = (part: Part, text: string) => part.say(`${text}\nDONE:${part.id}`);
const ask = (part: Part, ...questions: string[]) =>
  part.say(
    `stuck\n${questions.map(text => `[SPAWN:research] ${text}`).join("\n")}\nFAIL:${part.id}:needs research`,
  );

const warnings = (bench: Bench, code: string): string[] =>
  bench.events.flatMap((event: RunEvent) =>
    event.type === "warning" && event.code === code ? [inEnglish(event.message)] : [],
  );

describe("research that a worker asks for", () => {
  it("[G9] is a task of its own, and the worker is tried again with its answer", async () => {
    using bench = openBench({ tasks: TASKS });
    const end = bench.start();
    done(await bench.puppets.next("T1.2"), "ok");
    ask(await bench.puppets.next("T1.1"), QUESTION);
    const research = await bench.puppets.next("T1.1-R1");
    expect(research.prompt).toContain("# Role: Context Preparer");
    expect(research.prompt).toContain(`\n  | ${QUESTION}\n`);
    expect(research.prompt).not.toContain("Read the details of");
    done(research, "# Headers\n\n- token: Authorization");
    const again = await bench.puppets.next("T1.1");
    expect(again.prompt).toContain("- token: Authorization\n</document");
    expect(again.prompt).toContain('from="prepared by T1.1-R1, attempt 1, puppet"');
    done(again, "built");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.stored("T1.1-R1")).toBe("completed");
    // Once in the log.
    expect(bench.events.filter(event => JSON.stringify(event).includes(QUESTION))).toEqual([
      expect.objectContaining({ type: "plan-changed" }),
    ]);
  });

  it("[G47] is prepared in its role without a tree, too, and asks for none itself", async () => {
    using bench = openBench({ tasks: "### [ ] T1.1: Client\n" });
    void bench.start();
    ask(await bench.puppets.next("T1.1"), QUESTION);
    const { prompt } = await bench.puppets.next("T1.1-R1");
    expect(prompt).toContain("# Role: Context Preparer");
    expect(prompt).not.toContain("[SPAWN:research]");
  });

  it("[G47] is not offered where there is none", async () => {
    const tasks = "### [ ] T1.1: Client\n- context: ctx-api\n";
    using some = openBench({ tasks });
    void some.start();
    const asks = /\[SPAWN:research\]|ask for research|delegate it/g;
    expect((await some.puppets.next("T1.1")).prompt.match(asks)).toHaveLength(3);
    for (const none of [{ engine: { tree: { ...DEFAULT_TREE, research: 0 } } }, { only: ["T1.1"] }]) {
      using bench = openBench({ tasks, ...none });
      void bench.start();
      const { prompt } = await bench.puppets.next("T1.1");
      expect(prompt).toContain("# Role: Implementation Worker");
      expect(prompt).not.toMatch(asks);
    }
  });

  it("[G10] is bounded for the run, and no question is asked twice", async () => {
    using bench = openBench({
      tasks: TASKS,
      policy: { sameErrorLimit: 0 },
      engine: { tree: { ...DEFAULT_TREE, research: 2 } },
    });
    void bench.start();
    done(await bench.puppets.next("T1.2"), "ok");
    ask(await bench.puppets.next("T1.1"), "one?", "one?");
    done(await bench.puppets.next("T1.1-R1"), "# One");
    ask(await bench.puppets.next("T1.1"), "one?");
    ask(await bench.puppets.next("T1.1"), "two?", "three?");
    done(await bench.puppets.next("T1.1-R2"), "# Two");
    ask(await bench.puppets.next("T1.1"), "four?");
    const last = await bench.puppets.next("T1.1");
    expect(last.prompt).toContain("# Two");
    expect(warnings(bench, "NO_RESEARCH")).toHaveLength(2);
    expect([...bench.run.byId.keys()].sort()).toEqual(["T1.1", "T1.1-R1", "T1.1-R2", "T1.2"]);
  });

  it("[G10] is not asked for by what is done, by research itself, or where there is none", async () => {
    using bench = openBench({ tasks: TASKS, engine: { tree: { ...DEFAULT_TREE, research: 1 } } });
    const end = bench.start();
    done(await bench.puppets.next("T1.2"), `ok\n[SPAWN:research] ${QUESTION}`);
    ask(await bench.puppets.next("T1.1"), QUESTION);
    ask(await bench.puppets.next("T1.1-R1"), "and what is a header?");
    done(await bench.puppets.next("T1.1-R1"), "# Headers");
    done(await bench.puppets.next("T1.1"), "built");
    await end;
    expect([...bench.run.byId.keys()].sort()).toEqual(["T1.1", "T1.1-R1", "T1.2"]);
  });

  it("[G11] that fails blocks the worker, with that reason", async () => {
    using bench = openBench({ tasks: TASKS, policy: { maxAttempts: 2, sameErrorLimit: 0 } });
    const end = bench.start();
    done(await bench.puppets.next("T1.2"), "ok");
    ask(await bench.puppets.next("T1.1"), QUESTION);
    for (let attempt = 0; attempt < 2; attempt++) {
      const part = await bench.puppets.next("T1.1-R1");
      part.say(`FAIL:${part.id}:nobody knows`);
    }
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(bench.stored("T1.1")).toBe("blocked");
    expect(bench.events).toContainEqual({ type: "blocked", task: "T1.1", by: "T1.1-R1" });
  });
});
