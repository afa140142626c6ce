import { describe, expect, it } from "vitest";
import { openModelServer } from "../../adapters/model-server.ts";
import { itWhole } from "../../sample.ts";
import { longOutput } from "../../summary/outputs.ts";
import { openLab } from "../lab.ts";

/** Long enough that its agent may not hand it on whole. */
const LONG = longOutput(120);

const TASKS = `# Model

## Phase 1: Talk

### [ ] T1.1: Say much
- role: "11"
- run: cat said.md

### [ ] T1.2: Read it
- depends_on: [T1.1]
- run: cp "$ESPALIER_CONTEXT" read.md
`;

const config = (baseUrl: string) => `budget:
  context_budget:
    per_agent_limits:
      light: { max_output: 800, summary_threshold: 500, agents: ["11"] }
  model: { name: tiny, base_url: "${baseUrl}" }
  maxTokens: 1000000
`;

const lab = (baseUrl: string) =>
  openLab({ "TASKS.md": TASKS, "said.md": LONG, "espalier.yaml": config(baseUrl) });

describe("a model for summaries", () => {
  it("condenses a long output once it has been approved, and counts in the run's budget", async () => {
    const answer = { summary: "Settled on export_jobs, says the model.", facts: ["export_jobs D-2 stands"] };
    await using server = await openModelServer({ content: JSON.stringify(answer) });
    await using project = lab(server.baseUrl);
    const unapproved = await project.cli(["run"]);
    expect(unapproved.code).toBe(5);
    expect(unapproved.stderr).toContain(`send outputs of agents to ${server.baseUrl}`);
    expect(server.asked).toHaveLength(0);
    expect((await project.cli(["run", "--yes"])).code).toBe(0);
    expect(server.asked.length).toBeGreaterThan(0);
    const receipt = JSON.parse((await project.ask("context", "receipt", "T1.2", "--json")).stdout) as {
      readonly parts: readonly { readonly source: string; readonly level: number }[];
    };
    const level = receipt.parts.find(({ source }) => source === "T1.1#1")?.level;
    expect(level).toBe(1);
    expect(project.read("read.md")).toContain("says the model");
    // What it made of the output is kept: another process reads the same again, and pays nothing.
    const asked = server.asked.length;
    expect((await project.ask("budget", "cache", "list")).stdout).toContain(
      "what a model made of outputs: 1 text",
    );
    project.write("NEXT.md", TASKS);
    expect((await project.cli(["run", "NEXT.md", "--yes"])).code).toBe(0);
    expect(server.asked).toHaveLength(asked);
    expect(project.read("read.md")).toContain("says the model");
    // Why something was told is answered from what was told, also where only the model says it.
    expect((await project.ask("budget", "why", "T1.2", "says the model")).stdout).toContain(
      "T1.1#1: T1.2#1 was given it, at level 1",
    );
    await project.ask("budget", "cache", "clear");
    expect((await project.ask("budget", "cache", "list")).stdout).toBe("nothing is cached\n");
  });

  itWhole("does without a model that fails, and says so", async () => {
    await using server = await openModelServer({ status: 500 });
    await using project = lab(server.baseUrl);
    const { code, stdout, stderr } = await project.cli(["run", "--yes"]);
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("extracted instead");
    expect(project.read("read.md")).toContain("export_jobs");
  });
});
