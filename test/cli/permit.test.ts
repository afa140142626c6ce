import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Lab, openLab } from "./lab.ts";

const PUPPET = fileURLToPath(new URL("../adapters/agents/acp-puppet.ts", import.meta.url));
const TASKS = "# Asked\n## Phase 1: Ask\n### [ ] T1.1: Make it\n";

/** A project whose agent needs a permission that only a person can give. */
function askingLab(question: string, more = ""): Lab {
  const acp = JSON.stringify(`${process.execPath} ${PUPPET} needs notes.txt`);
  return openLab({
    "TASKS.md": TASKS,
    "espalier.yaml": `agent: p\nlimits: { question: ${question} }\nagents: { p: { acp: ${acp} } }\n${more}`,
  });
}

describe.concurrent("espalier permit", { timeout: 120_000 }, () => {
  it("[E37] lists what an agent waits for while nobody looks, and answers it once", async () => {
    await using lab = askingLab("5m");
    const run = lab.start(["run", "--yes"]);
    await run.seen("[ASK] T1.1 wants to execute: make it (espalier permit 1");
    const listed = await lab.ask("permit");
    expect(listed.stdout).toContain("1  T1.1 wants to execute: make it\n");
    const wrong = await lab.ask("permit", "2");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("NOBODY_ASKS")]);
    const answered = await lab.ask("permit", "T1.1");
    expect([answered.code, answered.stdout]).toEqual([0, "allowed T1.1: make it\n"]);
    const done = await run.ended;
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1")]);
    expect((await lab.ask("permit")).stdout).toBe("no agent waits for a permission\n");
  });

  it("[E147] a task that nobody answered is paused, goes on once it is allowed for good, and asks no more", async () => {
    await using lab = askingLab("50ms");
    const run = await lab.ask("run", "--yes");
    expect(run.code).toBe(5);
    expect(run.stdout).toContain("[PAUSED] T1.1: it asked to execute make it, and nobody answered");
    expect(run.stdout.match(/\[DISPATCH\] T1\.1/g)).toHaveLength(1);
    expect(run.stdout).toContain("espalier permit T1.1");
    const refused = await lab.ask("permit", "T1.1", "--no");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("NOBODY_WAITS")]);
    const allowed = await lab.ask("permit", "T1.1");
    expect(allowed.stdout).toContain("allowed in this project from now on: make it\n");
    const resumed = await lab.ask("resume", "--yes");
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1")]);
    expect(resumed.stdout).not.toContain("[ASK]");
  });

  it("[E37] speaks Korean, and refuses with --no", async () => {
    await using lab = askingLab("5m", "locale: ko\n");
    const run = lab.start(["run", "--yes"]);
    await run.seen("[ASK] T1.1 허가 요청");
    expect((await lab.ask("permit", "1", "--no")).stdout).toBe("거부 T1.1: make it\n");
    // Who was told no tries again, as after any failure.
    await run.seen("[ASK] T1.1 허가 요청", 2);
    await lab.ask("stop");
    await run.ended;
  });
});
