import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { TALKER } from "../agents/talker.ts";
import { openLab } from "../lab.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "..", "examples", "research-workflow");

/** The example's files, as a lab takes them. */
function example(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of ["TASKS.md", "espalier.yaml"]) files[name] = readFileSync(join(EXAMPLE, name), "utf8");
  for (const name of readdirSync(join(EXAMPLE, "outputs")))
    files[`outputs/${name}`] = readFileSync(join(EXAMPLE, "outputs", name), "utf8");
  return { ...files, ...more };
}

/** Six tasks, each of which reads what all before it have said. */
function chain(): Record<string, string> {
  const tasks = Array.from({ length: 6 }, (_, at) => {
    const before = Array.from({ length: at }, (_each, other) => `T1.${other + 1}`);
    return `### [ ] T1.${at + 1}: Say something\n- depends_on: [${before.join(", ")}]\n`;
  });
  const said = Array.from(
    { length: 60 },
    (_, at) => `- finding ${at}: the value of item ${at * 7} is ${at * 13}\n`,
  );
  return {
    "TASKS.md": `# Chain\n\n## Phase 1: Talk\n\n${tasks.join("\n")}`,
    "said.txt": said.join(""),
    "espalier.yaml": TALKER,
  };
}

interface Shown {
  readonly total: number;
  readonly used: number;
  readonly remaining: number;
  readonly agents: readonly { readonly agent: string; readonly tokens: number; readonly calls: number }[];
  readonly compression: string;
  readonly next: { readonly task: string; readonly tokens: number } | null;
  readonly history: readonly number[];
  readonly spent: { readonly tokens: number };
}

describe("espalier budget", () => {
  it("runs the twenty agents within the window, shows it, and tells why something is known", async () => {
    await using lab = openLab(example());
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const { code, stdout } = await lab.ask("budget");
    expect(code).toBe(0);
    expect(stdout).toContain("Total Budget: 150,000 tokens");
    expect(stdout).toMatch(/Others {10}█+/);
    expect(stdout).toContain("Compression Status: Normal");
    const shown = JSON.parse((await lab.ask("budget", "--json")).stdout) as Shown;
    expect(shown.used).toBe(shown.agents.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(shown.used + shown.remaining).toBe(shown.total);
    expect(shown.agents).toHaveLength(20);
    expect(shown.history).toHaveLength(20);
    expect(shown.history.at(-1)).toBe(shown.used);
    expect(shown.next).toBeNull();

    const receipt = JSON.parse((await lab.ask("context", "receipt", "T5.4", "--json")).stdout) as {
      readonly tokens: number;
      readonly parts: readonly { readonly source: string; readonly level: unknown; readonly why: string }[];
    };
    expect(receipt.tokens).toBeLessThanOrEqual(150_000);
    expect(receipt.parts.find(({ source }) => source === "T3.2#1")).toMatchObject({
      level: 2,
      why: "stage-level",
    });
    expect(receipt.parts.find(({ source }) => source === "T1.1#1")).toMatchObject({ level: 0 });

    // Every decision of the sixteen agents before it has reached the last one.
    for (const decision of [
      "self-determination theory",
      "SEARCH-4",
      "PRE-26-014",
      "REML",
      "unguided novices 0.08",
    ])
      expect((await lab.ask("budget", "why", "T5.4", decision)).stdout).toContain("T5.4#1 was given it");
    expect((await lab.ask("budget", "why", "T5.4", "2,150 EUR")).stdout).toContain("T5.4#1 does not read it");
    expect((await lab.ask("budget", "why", "T5.4", "never said")).stdout).toContain("nothing that this run");
    expect((await lab.ask("budget", "why", "T9.9", "x")).code).toBe(2);

    const kept = JSON.parse((await lab.ask("budget", "cache", "list", "--json")).stdout) as readonly {
      readonly tier: string;
      readonly level: number;
      readonly state: string;
    }[];
    expect(kept.filter(({ tier, level }) => tier === "project" && level === 1)).toHaveLength(20);
    expect(kept.filter(({ tier, level }) => tier === "persistent" && level === 3)).toHaveLength(20);
    expect(kept.every(({ state }) => state === "valid")).toBe(true);
    expect((await lab.ask("budget", "cache", "clear", "project")).stdout).toContain("20 outputs removed");
    expect((await lab.ask("budget", "cache", "clear")).stdout).toContain("20 outputs removed");
    expect((await lab.ask("budget", "cache", "list")).stdout).toContain("nothing is cached");
  });

  it("[VR46] ends a run at its budget with exit 5, says what remains, and goes on when it is raised", async () => {
    await using lab = openLab(chain());
    const first = await lab.cli(["run", "--yes", "--max-tokens", "5000"]);
    expect(first.code).toBe(5);
    expect(first.stdout + first.stderr).toMatch(
      /budget reached: [\d,]+ of 5,000 tokens used; \d+ tasks? remains?, about [\d,]+ tokens more; go on with --max-tokens \d+/,
    );
    const shown = JSON.parse((await lab.ask("budget", "--json")).stdout) as Shown;
    expect(shown.spent.tokens).toBeLessThanOrEqual(5000);
    expect(shown.next).not.toBeNull();
    const [, option = ""] = /go on with (--max-tokens \d+)/.exec(first.stdout) ?? [];
    // What is typed next gets further, here and in the status, which say why the run waits.
    const block = first.stdout.slice(first.stdout.indexOf("waits for you"));
    for (const said of [block, (await lab.ask("status")).stdout]) {
      expect(said).toMatch(/budget reached: [\d,]+ of 5,000 tokens used/);
      expect(said).toContain(`espalier resume ${option} `);
    }
    // The limit is kept with the run, and so is what was spent.
    expect((await lab.cli(["resume", "--yes"])).code).toBe(5);
    const last = await lab.cli(["resume", "--yes", "--max-tokens", "9000000"]);
    expect(last.code).toBe(0);
  });

  it("[VR206] neither counts what the budget took back before its agent was asked, nor tells of leftovers", async () => {
    const tasks = [1, 2, 3].map(at => `### [ ] T1.${at}: Say something\n`);
    await using lab = openLab({
      ...chain(),
      "TASKS.md": `# Chain\n\n## Phase 1: Talk\n\n${tasks.join("\n")}`,
      "espalier.yaml": `${TALKER.replace("cat said", "sleep 0.5; cat said")}parallel: 3\n`,
    });
    const { code, stdout } = await lab.cli(["run", "--yes", "--max-tokens", "700"]);
    expect(code).toBe(5);
    const shown = JSON.parse((await lab.ask("task", "show", "T1.3", "--json")).stdout);
    expect(shown.attempts.length).toBeGreaterThan(0);
    expect(stdout).toContain("  2 attempts, ≈ ");
    expect(stdout).not.toContain("LEFTOVERS_STAY");
  });

  itWhole("counts what a lost process has spent", async () => {
    await using lab = openLab(chain());
    expect((await lab.cli(["run", "--yes", "--max-tokens", "3000"])).code).toBe(5);
    const before = (JSON.parse((await lab.ask("budget", "--json")).stdout) as Shown).spent.tokens;
    expect((await lab.cli(["resume", "--yes", "--max-tokens", String(before + 100)])).code).toBe(5);
    expect((JSON.parse((await lab.ask("budget", "--json")).stdout) as Shown).spent.tokens).toBe(before);
  });

  it("plans a workflow before anything is spent", async () => {
    await using lab = openLab(example());
    const { stdout } = await lab.ask("budget", "plan", "full_research_cycle");
    expect(stdout).toContain("full_research_cycle  140,000 tokens");
    expect(stdout).toMatch(/02-theoretical +full_vs +8,000 +carried on as 1 \(detailed\)/);
    const plan = JSON.parse((await lab.ask("budget", "plan", "meta-analysis", "--json")).stdout) as {
      readonly total: number;
      readonly left: number;
      readonly stages: readonly {
        readonly agents: readonly { readonly tokens: number; readonly critical: boolean }[];
      }[];
    };
    const agents = plan.stages.flatMap(stage => stage.agents);
    expect(agents.reduce((sum, { tokens }) => sum + tokens, 0) + plan.left).toBe(plan.total);
    expect(agents.filter(({ critical }) => critical)).toHaveLength(3);
  });

  it("reads the document's own YAML, with its ids and lists as they stand", async () => {
    await using lab = openLab({
      "budget.yaml": `
context_budget:
  total_available: 200000
  allocation: { system_prompt: 5000, user_context: 10000, agent_outputs: 150000, buffer: 35000 }
meta_analysis:
  agents: [01, 02, 05, 06, 07, 10, 12, 16, 17]
  total_budget: 100000
  critical_agents:
    - 05: "검색 전략 전체 보존"
  compressible_agents:
    - 01, 02, 16, 17
context_cache:
  storage: ".researcherrag/context_cache/"
  cache_levels:
    project: { location: "disk", ttl: "7_days", content: "level_1_summaries" }
`,
    });
    const { code, stdout } = await lab.ask("budget", "plan", "meta_analysis", "--file", "budget.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain("05-literature");
    expect(stdout).toContain("critical: 검색 전략 전체 보존");
    expect(stdout).toMatch(/^ {2}01 /m);
  });

  it.each([
    ["plan meta_analysi", "did you mean meta_analysis?"],
    ["plan x --file none.yaml", "does not exist"],
    ["plan w --file sum.yaml", "50 too many"],
    ["plan w --file level.yaml", "unknown level"],
    ["plan w --file deep.yaml", "nested too deeply"],
    ["plan w --file list.yaml", "no workflow w"],
    ["cache clear elsewhere", "Allowed choices are project, persistent"],
  ])("explains %s", async (line, message) => {
    await using lab = openLab({
      "sum.yaml":
        "context_budget: { total_available: 100, allocation: { system_prompt: 150, user_context: 0, agent_outputs: 0 } }",
      "level.yaml": "workflows: { w: { stages: { s: { agents: [a], compression: level_7 } } } }",
      "deep.yaml": `a: ${"[".repeat(60)}`,
      "list.yaml": "- 1\n- 2\n",
    });
    const { code, stderr } = await lab.ask("budget", ...line.split(" "));
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("names the first place at which two packages part", async () => {
    await using lab = openLab({
      "one.md": "# Role\n\nrules\nTask T1\n",
      "two.md": "# Role\n\nrules\nTask T2\n",
      "more.md": "# Role\n\nrules\nTask T1\n\nmore\n",
    });
    const parted = await lab.ask("budget", "lint", "one.md", "two.md");
    expect(parted.code).toBe(1);
    expect(parted.stdout).toBe(
      "they part at line 4, column 7 (byte 20); 90.9 % of the first is shared\n- 1\n+ 2\n",
    );
    expect(await lab.ask("budget", "lint", "one.md", "more.md")).toMatchObject({ code: 0 });
    expect(JSON.parse((await lab.ask("budget", "lint", "one.md", "two.md", "--json")).stdout)).toMatchObject({
      byte: 20,
      line: 4,
    });
    expect((await lab.ask("budget", "lint", "one.md", "none.md")).code).toBe(2);
  });

  it("says so when there is no run", async () => {
    await using lab = openLab({});
    expect(await lab.ask("budget")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("NO_RUN") as string,
    });
  });

  it("refuses a cache outside of the project", async () => {
    await using lab = openLab({ "espalier.yaml": "budget: { context_cache: { storage: ../elsewhere } }\n" });
    expect((await lab.ask("budget", "cache", "list")).stderr).toContain("CACHE_OUTSIDE");
  });

  it("points at the line of a budget that makes no sense", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: en\nbudget:\n  workflow: cycle\n" });
    const { code, stderr } = await lab.ask("budget");
    expect(code).toBe(2);
    expect(stderr).toContain("espalier.yaml:3");
    expect(stderr).toContain('no workflow "cycle"');
  });

  it("speaks Korean", async () => {
    await using lab = openLab({
      "espalier.yaml": "locale: ko\n",
      "TASKS.md":
        "# 일\n\n## Phase 1: 하나\n\n### [ ] T1.1: 일하기\n- role: 02\n- run: echo 결정은 SQLite이다\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const { stdout } = await lab.ask("budget");
    expect(stdout).toContain("전체 예산: 150,000 토큰");
    expect(stdout).toContain("02-theoretical");
    expect((await lab.ask("budget", "cache", "list")).stdout).toContain("02-theoretical T1.1 일하기");
    expect((await lab.ask("budget", "cache", "clear")).code).toBe(0);
    expect((await lab.ask("budget", "cache", "list")).stdout).toContain("캐시가 비어 있습니다");
  });

  it("--watch ends with the run", async () => {
    await using lab = openLab({ "TASKS.md": "## Phase 1: a\n\n### [ ] T1.1: b\n- run: echo done\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const watched = await lab.cli(["budget", "--watch", "--json"]);
    expect(watched.code).toBe(0);
    expect(watched.stdout.trim().split("\n")).toHaveLength(1);
  });
});
