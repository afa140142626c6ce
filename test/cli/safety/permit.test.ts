import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";
import { conversed, HAS_TERMINAL } from "../terminal.ts";

const PUPPET = fileURLToPath(new URL("../../adapters/agents/acp-puppet.ts", import.meta.url));
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

  it("[CL26] status tells what an agent waits for, and how it is answered", async () => {
    await using lab = askingLab("5m");
    const run = lab.start(["run", "--yes"]);
    await run.seen("[ASK] T1.1");
    const { stdout } = await lab.cli(["status"]);
    expect(stdout).toMatch(/T1\.1 {2}Make it .* {2}wants to execute: make it\n/);
    expect(stdout).toContain("espalier permit 1   allow once what it asks for; with --no refuse it\n");
    expect((await lab.ask("permit", "1")).code).toBe(0);
    expect((await run.ended).code).toBe(0);
    expect((await lab.cli(["status"])).stdout).not.toMatch(/wants to|permit/);
  });

  it.skipIf(!HAS_TERMINAL)("[VK15] watch shows what an agent asks for, and a key answers it", async () => {
    await using lab = askingLab("5m");
    const run = lab.start(["run", "--yes"]);
    await run.seen("[ASK] T1.1");
    const { shown } = await conversed(
      lab,
      ["watch"],
      [
        [["T1.1 wants to execute: make it", "y allow once"], "y", 1],
        [["T1.1: allowed"], "q"],
      ],
    );
    expect(shown).toContain("n refuse");
    const { code, stdout } = await run.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("[ASK] T1.1: allowed by espalier watch")]);
  });

  it.skipIf(!HAS_TERMINAL)("[VK15] the live view does so, too", async () => {
    await using lab = askingLab("5m");
    const { code } = await conversed(
      lab,
      ["run", "--yes"],
      [
        [["T1.1 wants to execute: make it", "n refuse"], "n", 1],
        [["T1.1: refused"], "\\x03"],
      ],
    );
    expect(code).not.toBe(0);
    expect(lab.read(".espalier/orchestrate.log")).toContain("[ASK] T1.1: rejected by the live view");
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

  itWhole("[E37] speaks Korean, and refuses with --no", async () => {
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
