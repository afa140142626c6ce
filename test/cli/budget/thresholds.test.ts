import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { countTokens } from "../../../src/tokens/index.ts";
import { itWhole } from "../../sample.ts";
import { TALKER } from "../agents/talker.ts";
import { type Lab, openLab } from "../lab.ts";

/** Tasks of one agent, each of which reads what the one before has said. */
function chain(count: number): string {
  const tasks = Array.from({ length: count }, (_, at) => {
    const after = at === 0 ? "" : `- depends_on: [T1.${at}]\n`;
    return `### [ ] T1.${at + 1}: Say something\n- role: "02"\n${after}`;
  });
  return `# Chain\n\n## Phase 1: Talk\n\n${tasks.join("\n")}`;
}

/** About 1,700 tokens. */
const SAID = `# Beds\n\n**Decision**: keep the oak\n\n${Array.from(
  { length: 80 },
  (_, at) => `- bed ${at} takes ${at * 7 + 3} ms in src/rake_${at}.ts\n`,
).join("")}`;

/** A little more than each says. */
const SHARE = Math.ceil(countTokens(SAID) * 1.05);

/** Eight agents share what seven of their outputs fill to more than four fifths. */
const flow = (shared: number) => `${TALKER}budget:
  context_budget:
    total_available: 40000
    allocation: { system_prompt: 0, user_context: 20000, agent_outputs: 20000, buffer: 0 }
  workflow: own
  workflows: { own: { agents: [${Array(8).fill("02").join(", ")}], total_budget: ${shared} } }
`;

const log = (lab: Lab) => lab.read(".espalier/orchestrate.log");
const told = (lab: Lab, text: string) => log(lab).split(text).length - 1;

async function levelRead(lab: Lab, task: number): Promise<unknown> {
  const receipt = JSON.parse(
    (await lab.ask("context", "receipt", `T1.${task}`, "--json")).stdout,
  ) as PackageReceipt;
  return receipt.parts.find(({ kind }) => kind === "result")?.level;
}

describe("a budget that fills up", { timeout: 60_000 }, () => {
  itWhole(
    "[BT2] [BT3] [G24] hands outputs on in brief from 80 % on, tells it once, and a resume goes on so",
    async () => {
      await using lab = openLab({ "TASKS.md": chain(8), "said.txt": SAID, "espalier.yaml": flow(8 * SHARE) });
      // Stopped in the middle by its budget, and resumed: what was told is not told again.
      const stopped = await lab.cli(["run", "--yes", "--max-tokens", "8000"]);
      expect(stopped.code).toBe(5);
      const between = JSON.parse((await lab.ask("budget", "--json")).stdout);
      expect(between.shares.length).toBeGreaterThan(0);
      expect(between.next.tokens).toBe(between.shares[0].tokens);
      expect((await lab.cli(["resume", "--yes", "--max-tokens", "900000"])).code).toBe(0);
      const levels: unknown[] = [];
      for (let task = 2; task <= 8; task++) levels.push(await levelRead(lab, task));
      const first = levels.indexOf(2);
      expect(levels).toEqual([...Array(first).fill(0), ...Array(7 - first).fill(2)]);
      expect(first).toBeGreaterThan(2);
      expect(told(lab, "handed on in brief (level 2)")).toBe(1);
      const shown = await lab.ask("budget");
      expect(shown.stdout).toContain("Compression Status: Active: later outputs at level 2");
      expect(shown.stdout).toContain(`Total Budget: ${(8 * SHARE).toLocaleString("en-US")} tokens`);
    },
  );

  it("[RU7] tells 70, 80 and 90 % of what a run may spend once each, across a resume", async () => {
    await using lab = openLab({ "TASKS.md": chain(8), "said.txt": SAID, "espalier.yaml": TALKER });
    expect((await lab.cli(["run", "--yes", "--max-tokens", "7000"])).code).toBe(5);
    expect((await lab.cli(["resume", "--yes"])).code).toBe(5);
    const marks = [70, 80, 90].map(percent => told(lab, `${percent} % of the run's budget is used`));
    expect(marks.every(count => count <= 1)).toBe(true);
    expect(marks[0]).toBe(1);
  });
});
