import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/index.ts";
import { readPlan } from "../../src/plan/index.ts";
import {
  type AttemptOutcome,
  DEFAULT_POLICY,
  freshRun,
  MAX_LISTED,
  nextAnswer,
  saturation,
  step,
} from "../../src/run/index.ts";
import { messagesFor } from "../../src/text/index.ts";
import { agentSaid, inEnglish } from "../reasons.ts";
import { readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/lead-mode.md");
const DONE: AttemptOutcome = { kind: "done", verified: false, textHash: "" };
const FAILED: AttemptOutcome = { kind: "failed", reason: agentSaid("no template") };
const TASKS = `# Shop
## Phase 1: Build
### [ ] T1.1: Write the model
- files: src/model.txt
### [ ] T1.2: Write the view
### [ ] T1.3: Join them
- depends_on: [T1.1, T1.2]
- files: src/model.txt
### [ ] T1.4: Document the model
- files: src/model.txt
## Phase 2: Ship
### [ ] T2.1: Publish
`;

describe("docs/lead-mode.md", () => {
  it("tells a session as it goes", () => {
    const { plan } = readPlan(new TextEncoder().encode(TASKS), { path: "TASKS.md" });
    const run = freshRun(plan, { policy: { ...DEFAULT_POLICY, advance: "asked" } }, text => text);
    const heard: string[] = [];
    const ask = () => {
      const answer = nextAnswer(run);
      heard.push(answer);
      if (answer.startsWith("PHASE_DONE:")) step(run, { type: "advance", now: 0 });
    };
    const start = (task: string) => step(run, { type: "claim", task, now: 0 });
    const end = (task: string, outcome: AttemptOutcome) => {
      const attempt = run.byId.get(task)?.attempts ?? 0;
      step(run, { type: "attempt-ended", task, attempt, outcome, ms: 0, now: 0 });
    };
    step(run, { type: "start", resumed: false, now: 0 });
    ask();
    start("T1.1");
    start("T1.2");
    ask();
    expect(page).toContain(`NOT_READY: ${inEnglish(start("T1.3").refused)}`);
    end("T1.1", DONE);
    end("T1.2", FAILED);
    ask();
    start("T1.2");
    end("T1.2", DONE);
    ask();
    for (const task of ["T1.3", "T1.4"]) {
      start(task);
      end(task, DONE);
    }
    ask();
    ask();
    start("T2.1");
    end("T2.1", DONE);
    ask();
    const told = [...page.matchAll(/^\$ espalier next\n(.+)$/gm)].map(([, answer]) => answer ?? "");
    expect(told.filter(answer => answer !== "STOP:CONTEXT_FULL")).toEqual(heard);
  });

  it("shows the prompt of a task as it is", () => {
    const prompt = messagesFor("en").prompt({
      task: "T1.1",
      phase: "1",
      title: "Model",
      file: "TASKS.md",
      line: 3,
      learnings: ".espalier/memory/attempts/t1-1-a16012.1.md",
      answer: ".espalier/attempts/t1-1-a16012.1.document.md",
      signalId: "T1.1#shrzy",
      kind: "worker",
      verify: "test -s src/model.txt",
      handover: "en",
      attempt: 1,
      maxAttempts: 10,
    });
    expect(defaultConfig().context.handover).toBe("repair");
    expect(page).toContain(prompt);
  });

  it("tells the marks of saturation and the number of ids as they are", () => {
    const marks = tableOf(page, "at", "happens").map(([at]) => Number.parseInt(at ?? "", 10));
    expect(marks).toEqual([70, 80, 90]);
    expect(marks.map(percent => saturation(0, percent, 100).level)).toEqual(["warn", "save", "stop"]);
    expect(marks.map(percent => saturation(0, percent - 1, 100).level)).toEqual(["none", "warn", "save"]);
    expect(page).toContain(`at most ${MAX_LISTED} ids`);
  });

  it("gives each answer of `next` a row of its own", () => {
    const answers = tableOf(page, "answer", "means", "do").map(([answer]) =>
      (spansOf(answer ?? "")[0] ?? "").split(":T1", 1)[0]?.replace(/:\d+$/, ""),
    );
    expect(new Set(answers).size).toBe(answers.length);
    for (const word of ["READY", "WAIT", "PHASE_DONE", "ASK", "ALL_DONE", "STOP:CONTEXT_FULL"])
      expect(answers).toContain(word);
    for (const word of ["PHASE_GATE", "TASKS_FAILED", "NEVER_READY"])
      expect(answers).toContain(`ERROR:${word}`);
  });
});
