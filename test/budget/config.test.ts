import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Budget, budgetSchema, planWorkflow, settleBudget } from "../../src/budget/index.ts";

/** A budget of YAML whose leading zeros a careful reader has kept. */
function read(yaml: string): ReturnType<typeof settleBudget> {
  return settleBudget(budgetSchema().parse(parse(yaml) ?? {}));
}
function budgetOf(yaml: string): Budget {
  const settled = read(yaml);
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join("; "));
  return settled.value;
}
function problemsOf(yaml: string): string {
  const settled = read(yaml);
  return settled.ok
    ? ""
    : settled.failure.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n");
}

describe("budget configuration", () => {
  it("[BC1] has the document's values as defaults", () => {
    const budget = budgetOf("");
    expect(budget.window).toEqual({
      total: 200_000,
      system: 5000,
      user: 10_000,
      outputs: 150_000,
      buffer: 35_000,
    });
    expect(budget.role("02")).toEqual({
      id: "02",
      label: "02-theoretical",
      vsLevel: "full_vs",
      limits: { maxOutput: 8000, summaryThreshold: 6000 },
      listed: true,
    });
    expect(budget.role("08").vsLevel).toBe("enhanced_vs");
    expect(budget.role("20").limits.maxOutput).toBe(3000);
    expect(budget.weights).toEqual({ full_vs: 3, enhanced_vs: 2, light_vs: 1 });
    expect(budget.tiers.policies.project).toMatchObject({
      ttlMs: 7 * 86_400_000,
      level: 1,
      location: "disk",
    });
    expect([...budget.workflows.keys()]).toEqual(["full_research_cycle", "meta_analysis"]);
  });

  it("[BC1] knows the document's workflow of twenty agents", () => {
    const workflow = budgetOf("").workflows.get("full_research_cycle")!;
    expect(workflow.budget).toBe(140_000);
    expect(
      workflow.stages.map(({ name, budget, slots }) => [name, budget, slots.length, slots[0]!.finest]),
    ).toEqual([
      ["planning", 30_000, 4, 1],
      ["literature", 35_000, 4, 1],
      ["methods", 30_000, 4, 2],
      ["validation", 25_000, 4, 2],
      ["publication", 20_000, 4, 3],
    ]);
  });

  it("[BC6] knows who may not be compressed and who may", () => {
    const [stage] = budgetOf("").workflows.get("meta_analysis")!.stages;
    const finest = Object.fromEntries(stage!.slots.map(({ agent, finest: level }) => [agent, level]));
    expect(finest).toMatchObject({ "05": 0, "07": 0, "10": 0, "01": 2, "17": 2, "06": 0 });
    expect(stage!.slots.filter(({ critical }) => critical).map(({ agent }) => agent)).toEqual([
      "05",
      "07",
      "10",
    ]);
  });

  it("[BC2] takes ids as text, and the document's list in one line", () => {
    const budget = budgetOf(`
workflows:
  mine:
    agents: ["02", 10, alpha]
    critical_agents:
      - "02": "all of it"
    compressible_agents:
      - "10, alpha"
`);
    const [stage] = budget.workflows.get("mine")!.stages;
    expect(stage!.slots.map(({ agent, critical, why, finest }) => [agent, critical, why, finest])).toEqual([
      ["02", true, "all of it", 0],
      ["10", false, "", 2],
      ["alpha", false, "", 2],
    ]);
  });

  it("[BC3] reads VS levels in every spelling", () => {
    const budget = budgetOf(`
context_budget:
  per_agent_limits:
    Full: { max_output: 9000, summary_threshold: 7000, agents: [a] }
    enhanced-vs: { max_output: 10, summary_threshold: 5, agents: [b] }
`);
    expect(budget.role("a")).toMatchObject({ vsLevel: "full_vs", limits: { maxOutput: 9000 } });
    expect(budget.role("b").vsLevel).toBe("enhanced_vs");
    expect(budget.role("02").vsLevel).toBe("light_vs");
  });

  it.each([
    [
      "context_budget: { per_agent_limits: { huge_vs: { max_output: 1, summary_threshold: 1 } } }",
      'unknown VS level "huge_vs"; known: full_vs',
    ],
    [
      "context_budget: { per_agent_limits: { full: { max_output: 2, summary_threshold: 1 }, Full: { max_output: 2, summary_threshold: 1 } } }",
      "given twice",
    ],
    [
      "context_budget: { per_agent_limits: { full: { max_output: 2, summary_threshold: 3 } } }",
      "summary_threshold 3 is above max_output 2",
    ],
    [
      "context_budget: { per_agent_limits: { full: { max_output: 2, summary_threshold: 1, agents: [a] }, light: { max_output: 2, summary_threshold: 1, agents: [a] } } }",
      "agent a is listed under full_vs too",
    ],
    [
      "context_budget: { total_available: 1000, allocation: { system_prompt: 500, user_context: 300, agent_outputs: 300 } }",
      "100 too many",
    ],
    [
      "context_budget: { total_available: 1000, allocation: { system_prompt: 5, user_context: 5, agent_outputs: 5, buffer: 5 } }",
      "the parts add up to 20, but total_available is 1000: 980 too few",
    ],
    ["workflows: { w: { total_budget: 5 } }", "neither stages nor agents"],
    ["workflows: { w: { agents: [a], stages: { s: { agents: [b] } } } }", "both stages and agents"],
    [
      "workflows: { w: { agents: [a], total_budget: 150001 } }",
      "larger than what the window has for outputs (150000)",
    ],
    [
      "workflows: { w: { total_budget: 10, stages: { s: { agents: [b], budget: 20 } } } }",
      "its stages ask for 20, but its total_budget is 10",
    ],
    [
      "workflows: { w: { agents: [a], compressible_agents: [b] } }",
      "agent b is called critical or compressible but takes no part",
    ],
    [
      "workflows: { w: { agents: [a], critical_agents: [a], compressible_agents: [a] } }",
      "both critical and compressible",
    ],
    ["context_cache: { cache_levels: { eternal: {} } }", 'unknown cache level "eternal"'],
    ["context_cache: { cache_levels: { project: { ttl: soon } } }", 'unknown ttl "soon"'],
    ["context_cache: { cache_levels: { project: { content: poems } } }", 'unknown content "poems"'],
    ["context_cache: { cache_levels: { project: { location: memory } } }", "the project tier lives in files"],
  ])("[BC4] finds what does not add up: %s", (yaml, problem) => {
    expect(problemsOf(yaml)).toContain(problem);
  });

  it.each([
    "context_budget: { total_available: -5 }",
    "context_budget: { total_available: 1.5 }",
    "context_budget: { total_available: .nan }",
    "context_budget: { allocation: { buffer: -1 } }",
    "context_budget: { allocation: { bufer: 1 } }",
    "workflows: { w: { stages: { s: { agents: [a], compression: level_9 } } } }",
    "workflows: { w: { stages: { s: { agents: [a], compression: squeezed } } } }",
    "weights: { full_vs: 0 }",
    "priority: { recency: 2 }",
    "maxTokens: 0",
    "prices: { a: { input: -1, output: 0 } }",
    'model: { name: a, base_url: "file:///etc/passwd" }',
  ])("[BC1] refuses %s", yaml => {
    expect(budgetSchema().safeParse(parse(yaml)).success).toBe(false);
  });

  it("[BC27] templates are of a level, and of placeholders that something fills", () => {
    const templates = (name: string, format: string) =>
      problemsOf(`summary_templates:\n  ${name}: { format: "${format}" }\n`);
    expect(templates("level_1_detailed", "{decision} | T={t2} | {reason_1}, {next_agent}: {reason}")).toBe(
      "",
    );
    expect(templates("level_3", "[{id}] {decision}")).toBe("");
    expect(templates("level_3_key", "{decison} and {whatever}")).toBe(
      "summary_templates.level_3_key.format: nothing fills {decison}, {whatever}",
    );
    expect(templates("level_9_all", "{decision}")).toBe(
      "summary_templates.level_9_all: it is of no level; known: level_1_detailed, level_2_brief, level_3_key",
    );
  });

  it("[BC4] a part that is left out takes what the others leave", () => {
    const { window } = budgetOf(
      "context_budget: { total_available: 32000, allocation: { agent_outputs: 20000 } }",
    );
    expect(window).toEqual({ total: 32_000, system: 800, user: 1600, outputs: 20_000, buffer: 9600 });
    const small = budgetOf("context_budget: { total_available: 8000 }");
    expect(small.window.system + small.window.user + small.window.outputs + small.window.buffer).toBe(8000);
  });

  it("[BC5] an agent may come twice", () => {
    const budget = budgetOf("workflows: { w: { agents: [a, b, a, a] } }");
    const plan = planWorkflow(budget, budget.workflows.get("w")!);
    expect([...plan.stages[0]!.shares.keys()]).toEqual(["a", "b", "a#2", "a#3"]);
  });

  it("[BC5] the document's own workflows shrink with the window without a complaint", () => {
    const budget = budgetOf("context_budget: { total_available: 40000 }");
    const workflow = budget.workflows.get("full_research_cycle")!;
    expect(workflow.budget).toBe(30_000);
    const plan = planWorkflow(budget, workflow);
    const shared = plan.stages
      .flatMap(({ shares }) => [...shares.values()])
      .reduce((sum, tokens) => sum + tokens, 0);
    expect(shared).toBeLessThanOrEqual(30_000);
  });

  it("[BC7] finds an agent by id, name, both, or a longer name", () => {
    const budget = budgetOf('names: { "07": effect-sizes }');
    for (const asked of ["07", "effect-sizes", "07-effect-sizes", "07-effect-size-extractor"])
      expect(budget.role(asked)).toMatchObject({
        id: "07",
        label: "07-effect-sizes",
        vsLevel: "enhanced_vs",
      });
    expect(budget.role("backend-specialist")).toMatchObject({
      id: "backend-specialist",
      vsLevel: "light_vs",
    });
    expect(budget.role("constructor").label).toBe("constructor");
  });

  it("[BC1] plans the twenty agents: nobody over its limit, every stage within its budget", () => {
    const budget = budgetOf("");
    const workflow = budget.workflows.get("full_research_cycle")!;
    const plan = planWorkflow(budget, workflow);
    const shares = new Map(plan.stages.flatMap(stage => [...stage.shares]));
    expect(shares.size).toBe(20);
    expect(shares.get("02")).toBe(8000);
    expect(shares.get("01")).toBe(5000);
    expect(shares.get("20")).toBe(3000);
    expect([...shares.values()].reduce((sum, tokens) => sum + tokens, 0) + plan.left).toBe(140_000);
    for (const [id, tokens] of shares) expect(tokens).toBeLessThanOrEqual(budget.role(id).limits.maxOutput);
  });

  it("[BC1] plans what is left when some are done", () => {
    const budget = budgetOf("workflows: { w: { agents: [a, b, c], total_budget: 6000 } }");
    const workflow = budget.workflows.get("w")!;
    expect([...planWorkflow(budget, workflow).stages[0]!.shares.values()]).toEqual([2000, 2000, 2000]);
    const left = planWorkflow(budget, workflow, new Map([["a", 1000]]));
    expect([...left.stages[0]!.shares]).toEqual([
      ["b", 2500],
      ["c", 2500],
    ]);
  });
});
