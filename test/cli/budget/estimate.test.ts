import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";

const AGENT = ["#!/bin/sh", "cat > /dev/null", 'echo "DONE:$ESPALIER_SIGNAL_ID"'].join("\n");
const task = (id: string, ...lines: readonly string[]) =>
  [`### [ ] ${id}: x`, ...lines.map(line => `- ${line}`)].join("\n");
const FILES = {
  "agent.sh": AGENT,
  "espalier.yaml":
    "agent: command\ncommand: sh agent.sh\nbudget: { prices: { command: { input: 300, output: 15 } } }\n",
  "TASKS.md": [
    "# J",
    "## Phase 1: a",
    ...["T1.1", "T1.2", "T1.3", "T1.4"].map(id => task(id)),
    task("T1.5", "run: true"),
    "",
  ].join("\n"),
};

describe.concurrent("run --dry-run", () => {
  it("[RU20] says what is known before anything was paid: what the tasks say, and that it is no more", async () => {
    await using lab = openLab(FILES);
    const { stdout } = await lab.ask("run", "--dry-run");
    expect(stdout).toMatch(/Estimate\n {2}command {2}4 tasks {2}at least \d+ tokens\n/);
    expect(stdout).toContain("no past attempts of this agent here: only the texts of the tasks are counted");
    expect(stdout).not.toContain("shell");
    expect(stdout).not.toContain("$");
  });

  itWhole(
    "[RU20] then what completed tasks took, with its spread, in both languages and as JSON",
    async () => {
      await using lab = openLab(FILES);
      expect((await lab.ask("run", "--yes", "--only", "T1.1")).code).toBe(0);
      expect((await lab.ask("run", "--dry-run")).stdout).toContain("how far it may be off is not known");
      expect((await lab.ask("run", "--yes", "--only", "T1.2")).code).toBe(0);
      const { stdout } = await lab.ask("run", "--dry-run");
      expect(stdout).toMatch(
        / {2}command {2}2 tasks {2}~\d+ \(\d+ to \d+\) tokens {2}~\$0\.\d\d \(\$0\.\d\d to \$0\.\d\d\)\n/,
      );
      expect(stdout).toContain("from 2 completed tasks of the last run, 1.0 attempts each");
      const { estimate } = JSON.parse((await lab.ask("run", "--dry-run", "--json")).stdout);
      expect(estimate.agents).toMatchObject([{ agent: "command", tasks: 2, basis: 2 }]);
      lab.write("espalier.yaml", `locale: ko\n${FILES["espalier.yaml"]}`);
      expect((await lab.ask("run", "--dry-run")).stdout).toContain("지난 실행에서 완료된 태스크 2개 기준");
    },
  );

  it("[RU20] says nothing of a run that costs nothing, and refuses an agent that nobody knows as the run would", async () => {
    await using lab = openLab({ "TASKS.md": ["# J", "## Phase 1: a", task("T1.1", "run: true")].join("\n") });
    expect((await lab.ask("run", "--dry-run")).stdout).toBe("   1  T1.1\n");
    lab.write("espalier.yaml", "fallback: [cluade]\n");
    const unknown = await lab.ask("run", "--dry-run");
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain('UNKNOWN_AGENT: no agent named "cluade"');
    expect(unknown.stderr).toContain("did you mean claude?");
  });
});
