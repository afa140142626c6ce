import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readPlan } from "../../../src/plan/index.ts";
import { countTokens } from "../../../src/tokens/index.ts";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "research-workflow");

/** The meta-analysis with the recorded outputs it reads, in one folder. */
function metaAnalysis(): Record<string, string> {
  const own = (name: string) => readFileSync(join(EXAMPLE, "meta-analysis", name), "utf8");
  const files: Record<string, string> = {
    "TASKS.md": own("TASKS.md").replaceAll("../outputs/", "outputs/"),
    "espalier.yaml": own("espalier.yaml"),
  };
  for (const name of readdirSync(join(EXAMPLE, "outputs")))
    files[`outputs/${name}`] = readFileSync(join(EXAMPLE, "outputs", name), "utf8");
  return files;
}

interface Receipt {
  readonly tokens: number;
  readonly parts: readonly {
    readonly kind: string;
    readonly source: string;
    readonly level: unknown;
    readonly why: string;
    readonly in: boolean;
  }[];
}

const SAYS = (name: string, facts: number) =>
  `# ${name}\n\n**Decision**: keep the ${name}\n\n## Notes\n\n${Array.from(
    { length: facts },
    (_, at) => `- bed ${at} of ${name} takes ${at * 7 + 3} ms and is raked by src/${name}/rake_${at}.ts\n`,
  ).join("")}`;

const TWO = (first: string) => `# Garden

## Phase 1: Work

### [${first}] T1.1: Say what the beds are
- role: 02
- run: cat beds.md

### [ ] T1.2: Read it
- depends_on: [T1.1]
- run: cp "$ESPALIER_CONTEXT" read.md
`;

describe("the example of a full window", () => {
  it("is the example beside it in a window that its outputs fill", () => {
    const tasksOf = (path: string) =>
      readPlan(readFileSync(join(EXAMPLE, path)), { path: "TASKS.md" }).plan.tasks.map(
        ({ id, title, specialist, dependsOn, run }) => [
          id,
          title,
          specialist,
          dependsOn,
          run?.replace("../", ""),
        ],
      );
    expect(tasksOf("full-window/TASKS.md")).toEqual(tasksOf("TASKS.md"));
    const outputs = readdirSync(join(EXAMPLE, "outputs")).map(name =>
      countTokens(readFileSync(join(EXAMPLE, "outputs", name), "utf8")),
    );
    const config = parse(readFileSync(join(EXAMPLE, "full-window", "espalier.yaml"), "utf8"));
    const { agent_outputs: room } = config.budget.context_budget.allocation;
    const used = outputs.reduce((sum, tokens) => sum + tokens, 0) / room;
    expect(used).toBeGreaterThan(0.8);
    expect(used).toBeLessThan(1);
  });
});

describe("workflows and outputs that outlive a run", { timeout: 120_000 }, () => {
  itWhole(
    "runs the meta-analysis: critical agents whole, compressible ones in brief, all inside its total",
    async () => {
      await using lab = openLab(metaAnalysis());
      expect((await lab.cli(["run", "--yes"])).code).toBe(0);
      const receipt = JSON.parse((await lab.ask("context", "receipt", "T4.1", "--json")).stdout) as Receipt;
      const levels = Object.fromEntries(
        receipt.parts.filter(({ kind }) => kind === "result").map(({ source, level }) => [source, level]),
      );
      expect(levels).toMatchObject({ "T2.1#1": 0, "T3.1#1": 0, "T3.2#1": 0 });
      expect([2, 3]).toContain(levels["T1.1#1"]);
      expect([2, 3]).toContain(levels["T1.2#1"]);
      expect(receipt.tokens).toBeLessThanOrEqual(100_000);
      expect((await lab.ask("budget", "why", "T4.1", "SEARCH-4")).stdout).toContain("T4.1#1 was given it");
    },
  );

  itWhole(
    "[G22] a new run reads what an earlier one kept of a task that is ticked, and says so",
    async () => {
      await using lab = openLab({ "TASKS.md": TWO(" "), "beds.md": SAYS("oak", 300), "espalier.yaml": "" });
      expect((await lab.cli(["run", "--yes"])).code).toBe(0);
      lab.write("NEXT.md", TWO("x"));
      expect((await lab.cli(["run", "NEXT.md", "--yes"])).code).toBe(0);
      const receipt = JSON.parse((await lab.ask("context", "receipt", "T1.2", "--json")).stdout) as Receipt;
      expect(receipt.parts.find(({ source }) => source === "T1.1#0")).toMatchObject({
        level: 1,
        why: "earlier-run",
        in: true,
      });
      expect(lab.read("read.md")).toContain("keep the oak");
      expect((await lab.ask("budget", "why", "T1.2", "keep the oak")).stdout).toContain(
        "T1.1#0: T1.2#1 was given it",
      );
      // Without the finer tier the coarser one is read; without both there is nothing.
      for (const [tier, level] of [
        ["project", 3],
        ["persistent", undefined],
      ] as const) {
        await lab.ask("budget", "cache", "clear", tier);
        lab.write(`${tier}.md`, TWO("x"));
        expect((await lab.cli(["run", `${tier}.md`, "--yes"])).code).toBe(0);
        const again = JSON.parse((await lab.ask("context", "receipt", "T1.2", "--json")).stdout) as Receipt;
        expect(again.parts.find(({ source }) => source === "T1.1#0")?.level).toBe(level);
      }
    },
  );
});
