import { describe, expect, it } from "vitest";
import {
  type Check,
  checkContract,
  compareChecks,
  failures,
  modeCollapse,
  readContract,
  readSource,
  summarize,
} from "../../src/summary/index.ts";
import { KOREAN_OUTPUT, longOutput, YAML_OUTPUT } from "./outputs.ts";

const { contract } = readContract(YAML_OUTPUT);
const stateOf = (checks: readonly Check[], name: Check["name"]) =>
  checks.find(check => check.name === name)?.state;

describe("evaluation", () => {
  it("passes an output that does everything", () => {
    expect(failures(checkContract(contract))).toEqual([]);
  });

  it.each([
    ["full", [0, 1, 2, 3, 4, 5], "passed"],
    ["full", [0, 1, 2, 4], "failed"],
    ["enhanced", [0, 1, 2, 4], "passed"],
    ["enhanced", [0, 1, 4], "failed"],
    ["light", [0, 1, 4], "passed"],
    ["light", [1, 4], "failed"],
    ["light", [], "missing"],
  ] as const)("[UV1] %s with phases %j: %s", (level, phases, state) => {
    expect(stateOf(checkContract({ ...contract, phases }, level), "phases")).toBe(state);
  });

  it("[UV1] has nothing to check without a level", () => {
    const { level: _, ...without } = contract;
    expect(stateOf(checkContract(without), "phases")).toBe("missing");
  });

  it.each([
    [[0.9, 0.5], 0.5, "passed"],
    [[0.9, 0.6], 0.6, "failed"],
    [[0.9, 0.3], 0.9, "failed"],
    [[0.9, 0.3], 0.8, "passed"],
    [[], 0.4, "passed"],
    [[0.4], undefined, "missing"],
    [[], undefined, "missing"],
  ] as const)("[UV2] scores %j, final %s: %s", (scores, tScore, state) => {
    const { tScore: _, ...bare } = contract;
    const options = scores.map((score, at) => ({ option: `o${at}`, tScore: score }));
    const checked = checkContract({ ...bare, options, ...(tScore === undefined ? {} : { tScore }) });
    expect(stateOf(checked, "t-score")).toBe(state);
  });

  it("[UV3] counts strengths, weaknesses and improvements", () => {
    expect(stateOf(checkContract({ ...contract, weaknesses: ["one"] }), "self-critique")).toBe("failed");
    expect(stateOf(checkContract({ ...contract, improvements: [] }), "self-critique")).toBe("failed");
    const none = { ...contract, strengths: [], weaknesses: [], improvements: [] };
    expect(stateOf(checkContract(none), "self-critique")).toBe("missing");
  });

  it("[UV4] wants all of provenance and says what is absent", () => {
    const check = checkContract({ ...contract, trace: [] }).find(({ name }) => name === "provenance");
    expect(check).toMatchObject({ state: "failed", found: "no trace" });
    expect(
      stateOf(checkContract({ ...contract, trace: [], sources: [], assumptions: [] }), "provenance"),
    ).toBe("missing");
  });

  it("[UV5] sees when all options are of one kind, in one output or over many", () => {
    const same = {
      ...contract,
      options: [0.85, 0.9, 0.95].map((tScore, at) => ({ option: `o${at}`, tScore })),
      tScore: 0.9,
    };
    expect(modeCollapse([same])).toMatchObject({ state: "failed", found: "entropy 0.00" });
    expect(modeCollapse([contract])).toMatchObject({ state: "passed" });
    const agreed = Array.from({ length: 10 }, () => ({ ...contract, options: [], tScore: 0.85 }));
    expect(modeCollapse(agreed).state).toBe("failed");
    expect(
      modeCollapse([
        ...agreed,
        { ...contract, options: [], tScore: 0.2 },
        { ...contract, options: [], tScore: 0.4 },
      ]).state,
    ).toBe("passed");
    expect(modeCollapse([]).state).toBe("missing");
  });

  it("[UV6] names every check, also for an output that states nothing", () => {
    const checks = checkContract(readContract("Nothing.").contract);
    expect(checks.map(({ name }) => name)).toEqual([
      "phases",
      "t-score",
      "self-critique",
      "provenance",
      "mode-collapse",
    ]);
    expect(new Set(checks.map(({ state }) => state))).toEqual(new Set(["missing"]));
    expect(failures(checks)).toHaveLength(5);
  });

  it("[UV6] names what compression lost", () => {
    const source = readSource(`${YAML_OUTPUT}\n${longOutput(100)}`);
    const before = checkContract(source.contract);
    const lostAt = (level: 1 | 3) => {
      const left = readContract(summarize(source, level).text).contract;
      return compareChecks(before, checkContract(left, source.contract.level)).lost;
    };
    expect(lostAt(1)).not.toContain("t-score");
    expect(lostAt(1)).not.toContain("self-critique");
    expect(lostAt(3)).toContain("self-critique");
    expect(lostAt(3)).toContain("mode-collapse");
  });

  it("[UV6] does not call lost what never passed", () => {
    const before = checkContract(readContract(KOREAN_OUTPUT).contract);
    expect(stateOf(before, "self-critique")).toBe("failed");
    expect(compareChecks(before, checkContract(readContract("").contract)).lost).not.toContain(
      "self-critique",
    );
  });
});
