import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { callerOf } from "../../../src/cli/caller.ts";
import type { Io } from "../../../src/cli/io.ts";
import { findProject } from "../../../src/host/project/project.ts";
import { call } from "../../../src/mcp/index.ts";
import { leadDuties } from "../../../src/mcp/lead.ts";
import { itWhole } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = `# Lead
## Phase 1: p
### [ ] T1.1: Say what the beds are
- role: "11"
### [ ] T1.2: Read it
- depends_on: [T1.1]
### [ ] T1.3: Nobody reads this
`;
const FLOW = `budget:
  workflow: own
  workflows: { own: { agents: ["11"], total_budget: 700 } }
  maxTokens: 100000
`;

/** More than its agent may hand on. */
const SAID = `# Beds\n\n**Decision**: keep the oak\n\n${Array.from(
  { length: 90 },
  (_, at) => `- bed ${at} takes ${at * 7 + 3} ms in src/rake_${at}.ts\n`,
).join("")}`;

const signalIn = (prompt: string) => /`DONE:`[^`]*`([^`]+)`/.exec(prompt)?.[1] ?? "";
const answerFile = (prompt: string) => /(\.espalier\/attempts\/\S+\.document\.md)/.exec(prompt)?.[1] ?? "";

async function kept(lab: Lab): Promise<readonly string[]> {
  const listed = JSON.parse((await lab.ask("budget", "cache", "list", "--json")).stdout) as readonly {
    readonly tier: string;
    readonly key: string;
    readonly state: string;
  }[];
  return listed.map(({ tier, key, state }) => `${tier} ${key} ${state}`).sort();
}

async function given(lab: Lab): Promise<PackageReceipt["parts"][number] | undefined> {
  const receipt = JSON.parse(
    (await lab.ask("context", "receipt", "T1.2", "--json")).stdout,
  ) as PackageReceipt;
  return receipt.parts.find(({ kind }) => kind === "result");
}

describe.concurrent("what a lead's agents answer", { timeout: 60_000 }, () => {
  it("[G22] [G23] is kept in the tiers, shortened to its share, and looked up, as outputs of a run are", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": FLOW });
    const { stdout: prompt } = await lab.ask("start", "--print", "T1.1");
    expect(answerFile(prompt)).not.toBe("");
    // Nobody reads what T1.3 answers.
    expect(answerFile((await lab.ask("start", "--print", "T1.3")).stdout)).toBe("");
    lab.write(answerFile(prompt), `${SAID}\nDONE:${signalIn(prompt)}\n`);
    expect((await lab.ask("report", "T1.1", `DONE:${signalIn(prompt)}`)).stdout).toBe("COMPLETED:T1.1\n");
    expect(await kept(lab)).toEqual([
      "persistent 11 T1.1 Say what the beds are valid",
      "project 11 T1.1 Say what the beds are valid",
    ]);
    const shown = JSON.parse((await lab.ask("budget", "--json")).stdout);
    expect(shown).toMatchObject({ total: 700, used: 700, compression: "active" });
    expect((await lab.ask("start", "--print", "T1.2")).code).toBe(0);
    expect(await given(lab)).toMatchObject({ source: "T1.1#1", level: 3, in: true });
    expect((await lab.ask("budget", "why", "T1.2", "keep the oak")).stdout).toContain("T1.2#1 was given it");
    const read = lab.read(".espalier/attempts/T1.2.1.md");
    const beds = Array.from({ length: 90 }, (_, at) => `bed ${at} takes`);
    expect(beds.filter(bed => read.includes(bed)).length).toBeGreaterThan(5);
    const leftOut = beds.find(bed => !read.includes(bed)) ?? "";
    expect((await lab.ask("budget", "why", "T1.2", leftOut)).stdout).toMatch(
      /^T1\.1#1: says it, but T1\.2#1 was given it at level 3 \(key\), which leaves that out; whole: {2}espalier context get T1\.1\n$/,
    );
  });

  itWhole("[G22] is taken from the signal where a lead hands in the whole answer, by MCP too", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const silent = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;
    const io: Io = { cwd: lab.root, env: lab.env, stdin: process.stdin, stdout: silent, stderr: silent };
    const { duties, close } = leadDuties(callerOf(io), findProject(lab.root), undefined);
    try {
      const file = (await call("lead", duties, "start_task", { id: "T1.1" })).text.slice("PROMPT:".length);
      const signal = `Keep the oak, says the agent.\nDONE:${signalIn(lab.read(file))}`;
      expect((await call("lead", duties, "report", { id: "T1.1", signal })).text).toBe("COMPLETED:T1.1");
      expect((await kept(lab)).length).toBe(2);
      const next = (await call("lead", duties, "start_task", { id: "T1.2" })).text.slice("PROMPT:".length);
      expect(lab.read(next)).toContain("Keep the oak, says the agent.");
      expect(await given(lab)).toMatchObject({ source: "T1.1#1", level: 0, in: true });
    } finally {
      await close();
    }
  });
});
