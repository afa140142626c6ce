import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ADDED_STAGE,
  type Budget,
  budgetSchema,
  settleBudget,
  shareOut,
  slotsOfWork,
  type Work,
} from "../../src/budget/index.ts";
import { casesOf } from "../sample.ts";

function budgetOf(workflow: unknown, limits?: unknown): Budget {
  const settled = settleBudget(
    budgetSchema().parse({
      workflow: "own",
      workflows: { own: workflow },
      ...(limits === undefined ? {} : { context_budget: { per_agent_limits: limits } }),
    }),
  );
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join());
  return settled.value;
}

const sharesOf = (budget: Budget, work: readonly Work[]) => {
  const { stages } = shareOut(budget, budget.workflow!, work);
  return new Map(stages.flatMap(({ name, shares }) => [...shares].map(([id, to]) => [id, [to, name]])));
};
const open = (id: string, agent: string): Work => ({ id, agent, state: "open" });
const settled = (id: string, agent: string, tokens: number): Work => ({
  id,
  agent,
  state: "settled",
  tokens,
});

/** 02 is full (3), 01 enhanced (2), 11 light (1). */
const SMALL = { agents: ["01", "02", "11"], total_budget: 600 };

describe("what the work to come may hand on", () => {
  it("[BA6] is shared by weight among the tasks that have the workflow's agents", () => {
    const shares = sharesOf(budgetOf(SMALL), [open("T1", "01"), open("T2", "02"), open("T3", "11")]);
    expect(Object.fromEntries(shares)).toEqual({ T1: [200, "own"], T2: [300, "own"], T3: [100, "own"] });
  });

  it("[BA6] grows when somebody ends below its share, shrinks when somebody takes more", () => {
    const rest = [open("T2", "02"), open("T3", "11")];
    expect(sharesOf(budgetOf(SMALL), [settled("T1", "01", 40), ...rest]).get("T2")).toEqual([420, "own"]);
    expect(sharesOf(budgetOf(SMALL), [settled("T1", "01", 400), ...rest]).get("T2")).toEqual([150, "own"]);
    expect(sharesOf(budgetOf(SMALL), [settled("T1", "01", 900), ...rest]).get("T2")).toEqual([0, "own"]);
  });

  it("[BA6] follows skipped, held and missing work, and gives it back", () => {
    const budget = budgetOf(SMALL);
    const lent: Work = { id: "T1", agent: "01", state: "lent" };
    const rest = [open("T2", "02"), open("T3", "11")];
    expect(sharesOf(budget, [lent, ...rest]).get("T2")).toEqual([450, "own"]);
    expect(sharesOf(budget, rest).get("T2")).toEqual([450, "own"]);
    expect(sharesOf(budget, [open("T1", "01"), ...rest]).get("T2")).toEqual([300, "own"]);
  });

  it("[BA6] of known agents without a slot comes out of what the stages leave; of unknown ones it is none", () => {
    const two = { stages: { a: { agents: ["11"], budget: 5000 } }, total_budget: 9000 };
    const shares = sharesOf(budgetOf(two), [
      open("T1", "11"),
      open("T2", "02"),
      open("T3", "11"),
      open("T4", "x"),
    ]);
    // 11 may have 3,000; what its stage keeps and what no stage asks for go to 02 and the second 11, by weight.
    expect(shares.get("T1")).toEqual([3000, "a"]);
    expect(shares.get("T2")).toEqual([4500, ADDED_STAGE]);
    expect(shares.get("T3")).toEqual([1500, ADDED_STAGE]);
    expect(shares.has("T4")).toBe(false);
  });

  it("[BA6] gives the slots of an agent that comes twice to its tasks in their order", () => {
    const budget = budgetOf({
      stages: { first: { agents: ["02"], budget: 100 }, second: { agents: ["02"], budget: 50 } },
    });
    const work = [open("T1", "02"), open("T2", "02"), open("T3", "02")];
    const slots = slotsOfWork(budget.workflow!, work);
    expect([...slots].map(([id, slot]) => [id, slot.id])).toEqual([
      ["T1", "02"],
      ["T2", "02#2"],
    ]);
    expect(sharesOf(budget, work).get("T2")).toEqual([50, "second"]);
  });

  it("[BA6] never gives more than there is, nor anybody more than its cap, whatever has happened", () => {
    const agents = ["01", "02", "03", "05", "11", "12", "nobody"];
    const one = fc.record({
      agent: fc.constantFrom(...agents),
      state: fc.constantFrom("open" as const, "settled" as const, "lent" as const),
      tokens: fc.nat(9000),
    });
    const stage = fc.record({
      agents: fc.array(fc.constantFrom(...agents.slice(0, 6)), { minLength: 1, maxLength: 5 }),
      budget: fc.nat(20_000),
    });
    fc.assert(
      fc.property(
        fc.array(one, { maxLength: 14 }),
        fc.array(stage, { minLength: 1, maxLength: 4 }),
        (all, parts) => {
          const total = parts.reduce((sum, { budget }) => sum + budget, 0) + 3000;
          const budget = budgetOf({
            stages: Object.fromEntries(parts.map((part, at) => [`s${at}`, part])),
            total_budget: total,
          });
          const work = all.map((part, at) => ({ ...part, id: `T${at}` }));
          const shares = sharesOf(budget, work);
          let given = 0;
          for (const { id, agent, state } of work) {
            const [tokens] = (shares.get(id) ?? [0]) as [number];
            expect(state === "open" || tokens === 0).toBe(true);
            expect(tokens).toBeLessThanOrEqual(budget.role(agent).limits.maxOutput);
            given += tokens;
          }
          const used = work.reduce((sum, { state, tokens }) => sum + (state === "settled" ? tokens : 0), 0);
          expect(given).toBeLessThanOrEqual(Math.max(0, total - used));
        },
      ),
      { numRuns: casesOf(50, 200) },
    );
  });
});
