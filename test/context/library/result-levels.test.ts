import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PackageResult } from "../../../src/assembly/index.ts";
import { type Budget, budgetSchema, createSessionTier, settleBudget } from "../../../src/budget/index.ts";
import { type LevelFacts, resultLevels } from "../../../src/context/library/result-levels.ts";
import { UNUSED } from "../../../src/context/library/uses.ts";
import type { Plan, Task } from "../../../src/plan/index.ts";
import { countTokens } from "../../../src/tokens/index.ts";
import { sampleOf } from "../../sample.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function budgetOf(input: unknown): Budget {
  const settled = settleBudget(budgetSchema().parse(input));
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join());
  return settled.value;
}

/** An agent's answer with a decision, of about so many tokens. */
function answer(name: string, tokens: number): string {
  const lines = [
    `# ${name}`,
    "",
    `**Decision**: use ${name}-store`,
    "**Confidence**: 90/100",
    "",
    "## Notes",
    "",
  ];
  let left = tokens - 40;
  for (let at = 0; left > 0; at++) {
    const line = `- step ${at} of ${name} changed src/${name}/part_${at % 6}.ts and took ${at * 3 + 1} ms`;
    lines.push(line);
    left -= countTokens(`${line}\n`);
  }
  return lines.join("\n");
}

function result(task: string, text: string): PackageResult {
  return { task, attempt: 1, text, hash: sha256(text) };
}

function task(id: string, role: string): Task {
  return {
    id,
    phase: 1,
    title: id,
    kind: "worker",
    done: false,
    dependsOn: [],
    parallelWith: [],
    files: [],
    line: 1,
    text: id,
    role,
  };
}

function facts(
  budget: Budget,
  roles: Readonly<Record<string, string>>,
  results: readonly PackageResult[],
): LevelFacts {
  const tasks = Object.entries(roles).map(([id, role]) => task(id, role));
  const plan: Plan = {
    format: "tasks-md",
    project: "p",
    phases: [{ phase: 1, title: "" }],
    tasks,
    contextNodes: [],
  };
  return {
    budget,
    plan,
    results,
    question: "which store do we use?",
    locale: "en",
    reader: "R1",
    count: countTokens,
    memory: createSessionTier(1e8),
  };
}

/** Every level of each; `all: false`: only what goes in where everything fits. */
const levels = (given: LevelFacts, all = true) => {
  const of = resultLevels(given);
  return given.results.map((one, at) => of(one, at, all));
};

describe("how results may be told", () => {
  it("[B12] as they are, while nothing asks for less, and no summary is made", () => {
    const given = facts(budgetOf({}), { T1: "02", T2: "11" }, [
      result("T1", answer("a", 900)),
      result("T2", answer("b", 500)),
    ]);
    for (const { forms } of levels(given, false)) expect(forms.map(({ level }) => level)).toEqual([0]);
    expect(given.memory.size).toBe(0);
  });

  it("[B12] an output above its agent's threshold comes at level 1 or lower", () => {
    const given = facts(budgetOf({}), { T1: "02", T2: "11" }, [
      result("T1", answer("a", 6500)),
      result("T2", answer("b", 2600)),
    ]);
    const [full, light] = levels(given);
    expect(full!.forms.map(({ level }) => level)).toEqual([1, 2, 3]);
    expect(full!.why).toBe("longer-than-a-result-may-be");
    // Below the ceiling of level 1 there is nothing to leave out.
    expect(light!.forms.map(({ level }) => level)).toEqual([0, 2, 3]);
    for (const { level, text } of full!.forms)
      expect(countTokens(text)).toBeLessThan([0, 3600, 1600, 900][level]!);
  });

  it("[B12] an agent that comes twice is carried on as the stage of each of its tasks says", () => {
    const stages = { first: { agents: ["02"] }, second: { agents: ["02"], compression: "level_2" } };
    const budget = budgetOf({ workflow: "w", workflows: { w: { stages } } });
    const given = facts(budget, { T1: "02", T2: "02", T3: "02" }, [
      result("T1", answer("a", 1500)),
      result("T2", answer("b", 1500)),
      result("T3", answer("c", 1500)),
    ]);
    expect(levels(given).map(({ forms }) => forms[0]!.level)).toEqual([0, 2, 2]);
  });

  it("[G23] what its author was told bounds what is told of an output; critical ones are told whole", () => {
    const stages = { one: { agents: ["02", "11"] } };
    const budget = budgetOf({ workflow: "w", workflows: { w: { stages, critical_agents: ["11"] } } });
    const given = facts(budget, { T1: "02", T2: "11" }, [
      result("T1", answer("a", 1500)),
      result("T2", answer("b", 1500)),
    ]);
    const [bound, whole] = levels({ ...given, shareOf: () => 700 });
    expect(bound!.why).toBe("longer-than-a-result-may-be");
    for (const { text } of bound!.forms) expect(countTokens(text)).toBeLessThanOrEqual(700);
    expect(whole!.forms[0]!.level).toBe(0);
    expect(whole!.critical).toBe(true);
  });

  it("[G28] short forms of one that hands over are worth more than those of one that does not", () => {
    const handover = "## Handover\n- decisions: a queue\n- do-not: write to log/\n- open: retries\n";
    const texts = [
      answer("a", 4000),
      `${answer("b", 4000)}\n\n${handover}`,
      `${answer("c", 4000)}\n\n## Handover\n- decisions: d\n- open: -\n`,
    ];
    const results = texts.map((text, at) => result(`T${at}`, text));
    const made = levels(facts(budgetOf({}), {}, results), true);
    const kept = made.map(({ forms }) => forms.map(({ retention }) => retention));
    expect(kept[1]!.slice(-2)).toEqual([0.95, 0.8]);
    for (const at of [0, 2]) expect(kept[at]!.at(-1)).toBeLessThan(0.8);
  });

  it("[G24] no form is longer than the text, nor than the one before less a twentieth", () => {
    for (const length of [900, 1010, 1080, 1200, 1500, 3100, 3300]) {
      const text = answer("a", length);
      const stages = { one: { agents: ["02"], compression: "level_1" } };
      const budget = budgetOf({ workflow: "w", workflows: { w: { stages } } });
      for (const finest of [0, 2] as const) {
        const [one] = levels({ ...facts(budget, { T1: "02" }, [result("T1", text)]), finest });
        let before = Number.POSITIVE_INFINITY;
        for (const form of one!.forms) {
          const tokens = countTokens(form.text);
          expect(tokens).toBeLessThanOrEqual(Math.min(countTokens(text), before * 0.95));
          expect(form.level > 0 || form.text === text).toBe(true);
          before = tokens;
        }
      }
    }
  });

  it("[B12] a stage's compression and critical agents decide where a workflow is named", () => {
    const budget = budgetOf({
      workflow: "w",
      workflows: {
        w: {
          stages: { one: { agents: ["02", "05", "11"], compression: "level_2" } },
          critical_agents: [{ "05": "all of it" }],
        },
      },
    });
    const long = (name: string) => result(name, answer(name, 3500));
    const [first, second, third] = levels(
      facts(budget, { T1: "02", T2: "05", T3: "other" }, [long("T1"), long("T2"), long("T3")]),
    );
    expect(first!.forms.map(({ level }) => level)).toEqual([2, 3]);
    expect(first!.why).toBe("stage-level");
    expect(second).toMatchObject({ critical: true });
    expect(second!.forms[0]!.level).toBe(0);
    // Who is no agent of the budget has no limit of its own.
    expect(third!.forms[0]!.level).toBe(0);
    expect(third!.why).toBeUndefined();
  });

  it("[B12] at four fifths of the window everything but the critical is told in brief", () => {
    const budget = budgetOf({ context_budget: { total_available: 20_000 } });
    const results = ["T1", "T2", "T3", "T4"].map(id => result(id, answer(id, 3200)));
    const roles = { T1: "02", T2: "03", T3: "05", T4: "10" };
    for (const { forms, why } of levels(facts(budget, roles, results))) {
      expect(forms.every(({ level }) => level >= 2)).toBe(true);
      expect(why).toBe("compression");
    }
  });

  it("[B12] every level keeps the decision, and the files and ids travel with it", () => {
    const [one] = levels(facts(budgetOf({}), { T1: "02" }, [result("T1", answer("alpha", 7000))]));
    for (const { text } of one!.forms) {
      expect(text).toContain("alpha-store");
      expect(text).toContain("src/alpha/part_0.ts");
    }
    const retention = one!.forms.map(form => form.retention);
    expect(retention).toEqual(retention.toSorted((a, b) => b - a));
  });

  it("[UF5] files beside a level are those of its commit, where git keeps the work, whatever the output says", () => {
    const text = `Deleted src/alpha/kept.ts.\n\n${answer("alpha", 7000)}`;
    const told = (commit?: string) => {
      const given = facts(budgetOf({}), { T1: "02" }, [
        { ...result("T1", text), ...(commit === undefined ? {} : { commit }) },
      ]);
      const changed = (asked: string) =>
        asked === "c1" ? [{ path: "src/alpha/kept.ts", status: "created" as const }] : [];
      return levels({ ...given, changed })[0]!.forms.at(-1)!.text;
    };
    expect(told("c1")).toContain("created: src/alpha/kept.ts");
    expect(told("c1")).not.toContain("deleted:");
    expect(told()).toContain("deleted: src/alpha/kept.ts");
  });

  it("[B12] what is told of an output is made once", () => {
    const given = facts(budgetOf({}), { T1: "02" }, [result("T1", answer("a", 7000))]);
    const [before] = levels(given);
    expect(given.memory.size).toBe(1);
    expect(levels(given)[0]).toEqual(before);
    expect(given.memory.size).toBe(1);
  });

  it("[B12] what has to do with the task is worth more", () => {
    const results = [
      result("T1", "the weather was fine and the tea was warm"),
      result("T2", "we use the store of SQLite, as decided"),
    ];
    const [other, store] = levels(
      facts(budgetOf({ priority: { recency: 0 } }), { T1: "11", T2: "12" }, results),
    );
    expect(store!.priority).toBeGreaterThan(other!.priority);
  });

  it("[G28] what more tasks build on, what is nearer in the graph and what was asked for is worth more", () => {
    const results = ["T1", "T2"].map(id => result(id, `${id} has the same words`));
    const base = facts(budgetOf({ priority: { recency: 1 } }), { T1: "11", T2: "11" }, results);
    const priorities = (tasks: Plan["tasks"], asked = "") =>
      levels({
        ...base,
        plan: { ...base.plan, tasks },
        usesOf: source => (source === asked ? { ...UNUSED, asked: 2 } : UNUSED),
      }).map(({ priority }) => priority);
    const reader = { ...task("R1", "12"), dependsOn: ["T1", "T2"] };
    const [one, two] = [task("T1", "11"), task("T2", "11")];
    const plain = priorities([one, two, reader]);
    expect(priorities([one, two, reader], "T1")[0]).toBeGreaterThan(plain[0]!);
    const other = { ...task("R2", "12"), dependsOn: ["T1"] };
    const built = priorities([one, two, reader, other]);
    expect(built[0]).toBe(plain[0]);
    expect(built[1]).toBeLessThan(plain[1]!);
    // T2 lies behind T1 as well: of it the reader has heard already.
    const far = priorities([{ ...one, dependsOn: ["T2"] }, two, reader]);
    expect(far[1]).toBeLessThan(plain[1]!);
  });

  it("[G28] bears plans as long as one likes, and circles", () => {
    const chain = Array.from({ length: 20_000 }, (_, at) => ({
      ...task(`C${at}`, "11"),
      dependsOn: at === 0 ? ["C19999"] : [`C${at - 1}`],
    }));
    const given = facts(budgetOf({}), {}, [result("C19999", "end")]);
    const reader = { ...task("R1", "12"), dependsOn: ["C19999"] };
    const [end] = levels({ ...given, plan: { ...given.plan, tasks: [...chain, reader] } });
    expect(Number.isFinite(end!.priority)).toBe(true);
  });

  it("[G29] which limit binds is said: the author's threshold, or its share of the workflow", () => {
    const stages = { one: { agents: ["02"] } };
    const budget = budgetOf({ workflow: "w", workflows: { w: { stages } } });
    const given = facts(budget, { T1: "02" }, [result("T1", answer("a", 6500))]);
    expect(levels(given)[0]!.bound).toEqual({ limit: "summary_threshold of 02-theoretical", tokens: 6000 });
    expect(levels({ ...given, shareOf: () => 700 })[0]!.bound).toEqual({
      limit: "share of T1 in the workflow",
      tokens: 700,
    });
  });

  it.each([
    ["nothing", ""],
    ["one unbroken line", "x".repeat(60_000)],
    ["binary", "\u0000\u0001\u0002".repeat(9000)],
    ["Korean", "결정은 미루었다. ".repeat(3000)],
  ])("[B12] bears %s", (_name, text) => {
    const [one] = levels(facts(budgetOf({}), { T1: "02" }, [result("T1", text)]));
    expect(one!.forms.length).toBeGreaterThan(0);
    expect(Number.isFinite(one!.priority)).toBe(true);
  });
});

/** An answer that touched so many files. */
function wide(files: number): string {
  const lines = Array.from(
    { length: files },
    (_, at) => `- changed src/part_${at % 40}/module_${at}.ts so that it holds value ${at}`,
  );
  return `# Wide\n\n**Decision**: adopt D-7 and use part_1\n**Confidence**: 80/100\n\n## Notes\n\n${lines.join("\n")}\n`;
}

describe("what travels beside a level", () => {
  it.each(sampleOf([10, 300, 1500], 0, 2))(
    "[UF3] has its bounds with %i files, and says what it leaves out and where it is",
    files => {
      const [one] = levels(
        facts(budgetOf({}), { T1: "02" }, [result("T1", `${wide(files)}${answer("a", 6500)}`)]),
      );
      expect(one!.forms.length).toBeGreaterThan(0);
      for (const { level, text } of one!.forms) {
        expect(countTokens(text)).toBeLessThanOrEqual([0, 4520, 1520, 470][level]!);
        expect(text).toContain("D-7");
        const isCut = /and [\d,]+ more[\s\S]*whole: espalier context get T1$/.test(text);
        expect(isCut || files < 1000).toBe(true);
      }
    },
  );

  it.each([1050, 1400, 3100, 6500])(
    "[BT4] of %i tokens a level that would free next to nothing is not offered",
    tokens => {
      const stages = { one: { agents: ["02"], compression: "level_1" } };
      const budget = budgetOf({ workflow: "w", workflows: { w: { stages } } });
      const [one] = levels(facts(budget, { T1: "02" }, [result("T1", answer("a", tokens))]));
      const sizes = one!.forms.map(({ text }) => countTokens(text));
      expect(sizes.length).toBeGreaterThan(0);
      expect(sizes.slice(1).every((size, at) => size <= sizes[at]! * 0.95)).toBe(true);
    },
  );

  it("[G22] what was kept of an earlier run is told as it is, and says so", () => {
    const kept = { ...result("T1", "[02] Decision: the oak"), level: 3 as const };
    const [one] = levels(facts(budgetOf({}), { T1: "02" }, [kept]));
    expect(one).toMatchObject({
      forms: [{ level: 3, text: "[02] Decision: the oak" }],
      why: "earlier-run",
    });
    expect(one!.forms[0]!.retention).toBeLessThan(1);
  });
});
