import { describe, expect, it } from "vitest";
import { nextSteps, resumable, type Situation, stepLines } from "../../../src/cli/views/next-steps.ts";
import { wordsFor } from "../../../src/cli/views/words/words-for.ts";
import { because, type Reason, type TaskStatus } from "../../../src/ports/index.ts";
import { TEXT_CHANGED } from "../../../src/run/index.ts";
import { said, shellWord } from "../../../src/text/index.ts";
import { look, task } from "./scene.ts";

function situation(
  statuses: readonly (readonly [id: string, status: TaskStatus, reason?: Reason])[],
  more: Partial<Situation> = {},
): Situation {
  const tasks = statuses.map(([id, status, reason]) => ({
    task: task({ id }),
    status,
    retries: 0,
    attempts: 1,
    verified: undefined,
    reason,
    notBefore: 0,
  }));
  return { tasks, gated: undefined, live: false, complete: false, ...more };
}

const commands = (from: Situation) => nextSteps(from, wordsFor("en")).map(step => step.command);

describe("what to do next", () => {
  it("[VR4] nothing, when nothing is left", () => {
    expect(commands(situation([["a", "completed"]], { complete: true }))).toEqual([]);
  });

  it("[VR4] go on, when it was only interrupted", () => {
    expect(commands(situation([["a", "ready"]]))).toEqual(["espalier resume"]);
  });

  it("[VR46] go on with a larger budget, when it ended at its own", () => {
    const left = { tasks: 1, tokens: 500, cost: 0, option: "--max-tokens 3500" };
    const reason = because("budget-reached", { used: { tokens: 2900, maxTokens: 3000 }, left });
    expect(commands(situation([["a", "ready"]], { reason }))).toEqual(["espalier resume --max-tokens 3500"]);
  });

  it("[VR4] look first, then decide, then go on", () => {
    expect(
      commands(
        situation([
          ["a", "failed"],
          ["b", "paused"],
          ["c", "cancelled"],
          ["d", "blocked"],
        ]),
      ),
    ).toEqual([
      "espalier task show b",
      "espalier task resume b",
      "espalier task retry a c",
      "espalier task skip a c",
      "espalier resume",
    ]);
  });

  it("[VR4] what goes on together is named together, unless a person has paused it or has to look at it", () => {
    const reason = because("agent-failed", { kind: "auth", said: "no" });
    const apart = [
      said("person", "not yet"),
      because("proof-unapproved", { task: "x" } as never),
      TEXT_CHANGED,
    ];
    const paused = (many: number) =>
      situation([
        ...Array.from({ length: many }, (_, at) => [`T${at + 1}`, "paused", reason] as const),
        ...apart.map((one, at) => [`A${at}`, "paused", one] as const),
      ]);
    expect(commands(paused(6))).toContain("espalier task resume --all");
    expect(resumable(paused(6).tasks).map(facts => facts.task.id)).toEqual([
      "T1",
      "T2",
      "T3",
      "T4",
      "T5",
      "T6",
    ]);
    expect(commands(paused(4))).toContain("espalier task resume T1 T2 T3 T4 A0");
  });

  it("[VR226] how many tasks a command leaves out stands beside it", () => {
    const many = (count: number, status: TaskStatus, reason?: Reason) =>
      situation(
        Array.from({ length: count }, (_, at) =>
          reason === undefined
            ? ([`T${at + 1}`, status] as const)
            : ([`T${at + 1}`, status, reason] as const),
        ),
      );
    const steps = (from: Situation, locale: "en" | "ko" = "en") =>
      nextSteps(from, wordsFor(locale)).map(({ command, why }) => `${command}: ${why}`);
    expect(steps(many(11, "failed"))).toContain(
      "espalier task retry T1 T2 T3 T4 T5: give it a fresh start (+6 more)",
    );
    expect(steps(many(11, "failed"), "ko")).toContain(
      "espalier task skip T1 T2 T3 T4 T5: 건너뛰고 진행 (외 6개)",
    );
    expect(steps(many(6, "paused", TEXT_CHANGED))).toContain(
      "espalier task done T1 T2 T3 T4 T5: its text was edited: the work still stands (+1 more)",
    );
    expect(steps(many(6, "paused", said("person", "not yet")))[1]).toMatch(
      /resume T1 T2 T3 T4 T5: .*\(\+1 more\)$/,
    );
    expect(steps(many(5, "failed")).join()).not.toContain("more");
  });

  it("[VR4] edited work is kept or done again", () => {
    expect(commands(situation([["a", "paused", TEXT_CHANGED]]))).toEqual([
      "espalier task done a",
      "espalier task retry a",
      "espalier resume",
    ]);
  });

  it("[VR4] a run that lives needs no resume", () => {
    expect(commands(situation([["b", "paused"]], { live: true }))).toEqual([
      "espalier task show b",
      "espalier task resume b",
    ]);
    expect(commands(situation([["b", "in_progress"]], { live: true }))).toEqual([]);
  });

  it("[VR5] a held phase can be forced", () => {
    expect(commands(situation([["a", "failed"]], { gated: "P F" })).at(-1)).toBe(
      "espalier resume --force-phase 'P F'",
    );
  });

  it.each([
    ["T1.3", "T1.3"],
    ["P2-S1-T1", "P2-S1-T1"],
    ["", "''"],
    ["-rf", "'-rf'"],
    ["a'b", "'a'\\''b'"],
    ["$(x)", "'$(x)'"],
    ["로그인", "'로그인'"],
  ])("[VR4] the id %j is typed as %s", (id, word) => {
    expect(shellWord(id)).toBe(word);
  });

  it("[VV4] a command is never cut, its reason goes below it where there is no room beside", () => {
    const steps = [
      { command: "espalier task resume T1.7", why: "let it go on" },
      { command: "espalier resume", why: "go on" },
    ];
    expect(stepLines(steps, look(80))).toEqual([
      "  espalier task resume T1.7   let it go on",
      "  espalier resume             go on",
    ]);
    expect(stepLines(steps, look(30))).toEqual([
      "  espalier task resume T1.7",
      "    let it go on",
      "  espalier resume",
      "    go on",
    ]);
    expect(stepLines([], look(80))).toEqual([]);
  });
});
