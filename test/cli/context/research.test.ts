import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const AGENT = [
  "#!/bin/sh",
  "prompt=$(cat)",
  "id=$(printf '%s' \"$prompt\" | sed -n 's/.*followed at once by `\\([^`]*\\)`$/\\1/p' | head -1)",
  "case $prompt in",
  "*'Research this question'*)",
  "  if [ -e known ]; then printf '# Headers\\n\\n- token: Authorization\\nDONE:%s\\n' \"$id\"",
  "  else printf 'FAIL:%s:nobody knows\\n' \"$id\"; fi ;;",
  "*'token: Authorization'*) printf 'built\\nDONE:%s\\n' \"$id\" ;;",
  "*) printf '[SPAWN:research] which header?\\nFAIL:%s:needs research\\n' \"$id\" ;;",
  "esac",
  "",
].join("\n");

const FILES = {
  "TASKS.md": "# Garden\n\n- [ ] T1: Client\n  - context: ctx-api\n",
  "agent.sh": AGENT,
  "espalier.yaml": "maxAttempts: 2\nsameError: 0\nbackoff: { first: 0s }\n",
};
const AGENT_FLAGS = ["--agent", "command", "--command", "sh agent.sh", "--yes"];

describe("research that a worker asks for", { timeout: 120_000 }, () => {
  it("[RS69] answers it, and survives a run that ended, a resume and an edited task file", async () => {
    await using lab = openLab(FILES);
    const run = await lab.cli(["run", ...AGENT_FLAGS]);
    expect((run.stdout + run.stderr).match(/^.*research: .*which header\?$/gm)).toHaveLength(1);
    expect(run.stdout).toContain("[PLAN] research: T1-R1: which header?\n");
    expect(run.stdout).not.toContain("ask file changed");
    const shown = (await lab.ask("task", "show", "T1-R1")).stdout;
    expect(shown).toMatch(/asked by +T1\n/);
    expect(shown).toContain("What it is to answer\n      │ which header?\n");
    expect(shown).not.toMatch(/TASKS\.md|task file/);
    expect(run.code).toBe(1);
    const status = await lab.ask("status", "--thin");
    expect(status.stdout).toContain("T1-R1 1 failed");

    lab.write("known", "");
    lab.write("TASKS.md", `${FILES["TASKS.md"]}- [ ] T2: Docs\n  - run: true\n`);
    expect((await lab.ask("task", "retry", "T1-R1")).code).toBe(0);
    const resumed = await lab.cli(["resume", "--yes"]);
    expect(resumed.stdout).toContain("[DONE] T1-R1");
    expect(resumed.code).toBe(0);
    expect((await lab.ask("context", "tree")).stdout).toContain("fill-T1-R1 v1");
    expect(lab.read("TASKS.md")).toContain("- [x] T1: Client");
    expect(lab.read("TASKS.md")).not.toContain("T1-R1");
  });
});
