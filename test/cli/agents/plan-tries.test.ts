import { describe, expect, it } from "vitest";
import { type Config, defaultConfig } from "../../../src/config/index.ts";
import { triesProblems } from "../../../src/host/project/plan-tries.ts";
import { policyOf } from "../../../src/host/project/settings.ts";
import { readPlan } from "../../../src/plan/index.ts";
import type { OneFolder } from "../../../src/ports/index.ts";
import { resourcesOf } from "../../../src/run/index.ts";

const AGENTS = { fast: { command: "x" }, careful: { command: "y" } } as Config["agents"];

const readPlanOf = (text: string) => readPlan(Buffer.from(text), { path: "TASKS.md" }).plan;

function problemsOf(fields: string, config: Partial<Config> = {}, oneFolder?: OneFolder, phase = 1) {
  const plan = readPlanOf(`## Phase ${phase}: p\n### [ ] T${phase}.1: one\n${fields}\n`);
  return triesProblems(plan, { ...defaultConfig(), agents: AGENTS, ...config }, () => oneFolder);
}

describe("tasks for several agents at once", () => {
  it("[HO34] are fine where something proves which of them is done", () => {
    expect(problemsOf("- tries: 3\n- verify: `true`")).toEqual([]);
    expect(problemsOf("- tries: 3\n- test: `npm test`")).toEqual([]);
    expect(problemsOf("- agent: [fast, careful]", { verify: "npm test" })).toEqual([]);
    expect(problemsOf("- tries: 1")).toEqual([]);
    expect(problemsOf("- agent: [backend, frontend]")).toEqual([]);
  });

  it.each<[string, RegExp, Partial<Config>?, (OneFolder | undefined)?, number?]>([
    ["- tries: 2", /nothing proves/],
    ["- tries: 2\n- expects: dist", /nothing proves/],
    ["- agent: [fast, careful]", /nothing proves/],
    ["- tries: 2\n- test: `npm test`\n- tdd: false", /nothing proves/],
    ["- tries: 2\n- verify: `true`\n- run: `echo x`", /run: block/],
    ["- tries: 2\n- verify: `true`\n- retry: continue", /clean tree/],
    ["- tries: 2\n- verify: `true`\n- fills: ctx-a", /document/],
    ["- tries: 2\n- verify: `true`", /phase 0/, {}, undefined, 0],
    ["- tries: 2\n- verify: `true`", /folder of its own/, {}, "no-repository"],
    ["- tries: 2\n- verify: `true`", /folder of its own/, {}, "outside"],
  ])("[HO34] %j is an error: %s", (fields, why, config, oneFolder, phase) => {
    const [problem, ...more] = problemsOf(fields, config, oneFolder, phase);
    expect(problem).toMatchObject({ code: "BAD_TRIES", severity: "error", line: 2 });
    expect(problem?.message).toMatch(why);
    expect(problem?.hint).not.toBe("");
    expect(more).toEqual([]);
  });

  it("[HO34] a name in a list that is no agent's is an error where another one is", () => {
    expect(problemsOf("- agent: [fast, carefull]\n- verify: `true`")).toMatchObject([
      { code: "UNKNOWN_AGENT", severity: "error", message: "no agent is called carefull (T1.1)" },
    ]);
  });

  it.each<[Partial<Config>, number]>([
    [{ parallel: 2 }, 2],
    [{ parallel: 1 }, 1],
    [{ resources: { fast: 3 } }, 3],
    [{ resources: { fast: 9 } }, 5],
  ])("[HO34] under %j only %i work on one that wants five", (config, most) => {
    const fields = "- agent: fast\n- tries: 5\n- verify: `true`";
    const found = problemsOf(fields, config).map(({ code, severity }) => `${severity} ${code}`);
    expect(found).toEqual(most === 5 ? [] : ["warning FEWER_TRIES"]);
    const [task] = readPlanOf(`## Phase 1: p\n### [ ] T1.1: one\n${fields}\n`).tasks;
    const all = { ...defaultConfig(), agents: AGENTS, ...config };
    const agentsOf = (advance: "auto" | "asked") => policyOf(all, {}, advance).resources?.agentsOf(task!);
    expect(agentsOf("auto")).toEqual(Array.from({ length: most }, () => "fast"));
    // A lead gives it out once.
    expect(agentsOf("asked")).toEqual(["fast"]);
  });

  it("[HO34] agents of a list take turns, and one of roles is one agent", () => {
    const agentsOf = (fields: string, config: Partial<Config> = {}) => {
      const [task] = readPlanOf(`## Phase 1: p\n### [ ] T1.1: one\n${fields}\n`).tasks;
      return policyOf({ ...defaultConfig(), agents: AGENTS, ...config }, {}, "auto").resources?.agentsOf(
        task!,
      );
    };
    expect(agentsOf("- agent: [fast, claude]\n- tries: 3")).toEqual(["fast", "claude", "fast"]);
    expect(agentsOf("- agent: [fast, fast, claude]", { resources: { fast: 1 } })).toEqual(["fast", "claude"]);
    expect(agentsOf("- agent: [backend, frontend]", { roles: { frontend: "careful" } })).toEqual(["careful"]);
    expect(agentsOf("- agent: fast\n- run: `true`\n- tries: 2")).toEqual(["fast"]);
  });

  it("[RD22] no more of them than the account that they share has room for", () => {
    const agents = { fast: { command: "x", account: "team" }, careful: { command: "y", account: "team" } };
    const fields = "- agent: [fast, careful]\n- tries: 4\n- verify: `true`";
    const [task] = readPlanOf(`## Phase 1: p\n### [ ] T1.1: one\n${fields}\n`).tasks;
    const of = (resources: Config["resources"]) => {
      const rules = policyOf({ ...defaultConfig(), agents, resources }, {}, "auto").resources!;
      return [rules.agentsOf(task!).length, resourcesOf(task!, rules)] as const;
    };
    expect(of({ team: 3 })).toEqual([3, ["team", "team", "team"]]);
    expect(of({ team: 3, fast: 1 })).toEqual([3, ["fast", "team", "team", "team"]]);
    expect(of({ fast: 1 })).toEqual([3, ["fast"]]);
  });

  it("[HO34] no more of them than may use at once what the task uses", () => {
    const fields = "- agent: [fast, careful]\n- tries: 3\n- uses: [db, gpu]\n- verify: `true`";
    const most = (resources: Config["resources"]) => {
      const { agentsOf } = policyOf({ ...defaultConfig(), agents: AGENTS, resources }, {}, "auto").resources!;
      return agentsOf(readPlanOf(`## Phase 1: p\n### [ ] T1.1: one\n${fields}\n`).tasks[0]!).length;
    };
    expect([{}, { db: 2 }, { db: 2, gpu: 2 }, { db: 9, gpu: 9 }].map(most)).toEqual([1, 1, 2, 3]);
    expect(problemsOf(fields, { resources: { db: 2, gpu: 2 } })).toMatchObject([
      { code: "FEWER_TRIES", message: "T1.1 is to be worked on by 3 agents at once, and only 2 may" },
    ]);
  });
});
