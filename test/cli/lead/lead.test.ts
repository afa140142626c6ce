import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../../src/tokens/index.ts";
import { itWhole } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = `# Lead
## Phase 1: Build
### [ ] T1.1: one
- files: a.txt
### [ ] T1.2: two
- files: a.txt
### [ ] T1.3: three
- depends_on: [T1.1]
- verify: test -e proof || { echo no proof; false; }
## Phase 2: Ship
### [ ] T2.1: ship
`;

/** One answer of a lead-mode command, which must be the one line of stdout. */
async function ask(lab: Lab, ...args: string[]): Promise<string> {
  const { code, stdout } = await lab.ask(...args);
  return `${code} ${stdout.trimEnd()}`;
}

/** Starts a task and returns the signal its prompt describes. */
async function start(lab: Lab, id: string): Promise<string> {
  const { code, stdout } = await lab.ask("start", "--print", id);
  expect(code).toBe(0);
  expect(stdout).not.toContain(`DONE:${id}`);
  return /`DONE:`[^`]*`([^`]+)`/.exec(stdout)?.[1] ?? "";
}

describe.concurrent("lead mode", { timeout: 120_000 }, () => {
  it("leads from next over start and report to ALL_DONE", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "backoff: { first: 0s }\n" });
    expect(await ask(lab, "next")).toBe("0 READY:T1.1|T1.2");
    const one = await start(lab, "T1.1");
    expect(await ask(lab, "next")).toBe("0 WAIT:T1.1");
    const shared = await lab.ask("start", "--print", "T1.2");
    expect([shared.code, shared.stderr]).toEqual([
      2,
      "NOT_READY: T1.2 shares a.txt with a running task\n  espalier next says what is ready\n",
    ]);
    expect((await lab.ask("start", "--print", "T9.9")).stderr).toContain("no task T9.9 in this plan");
    const foreign = await lab.ask("report", "T1.1", "DONE:T1.1#zzzzz");
    expect(foreign.code).toBe(2);
    expect(foreign.stderr).toContain(
      'FOREIGN_SIGNAL: "DONE:T1.1#zzzzz" is not the signal of this attempt; nothing changed\n  hand in the agent',
    );
    expect(await ask(lab, "report", "T1.1", `DONE:${one}`)).toBe("0 COMPLETED:T1.1");
    expect(lab.read("TASKS.md")).toContain("[x] T1.1");
    const late = await lab.ask("report", "T1.1", "DONE:T1.1#zzzzz");
    expect([late.code, late.stderr]).toEqual([
      2,
      "NOT_STARTED: T1.1 is not in progress here\n  espalier next says what is ready\n",
    ]);
    expect(await ask(lab, "next")).toBe("0 READY:T1.2,T1.3");
    expect(await ask(lab, "report", "T1.2", `FAIL:${await start(lab, "T1.2")}:no network`)).toBe(
      "0 READY:T1.2 1/10: no network",
    );
    const again = await lab.ask("start", "--print", "T1.2");
    expect(again.stdout).toContain("This is attempt 2 of 10.");
    expect(again.stdout).toContain("  | no network");
    const two = /`DONE:`[^`]*`([^`]+)`/.exec(again.stdout)?.[1] ?? "";
    expect(await ask(lab, "report", "T1.2", `DONE:${two}`)).toBe("0 COMPLETED:T1.2");

    const three = await start(lab, "T1.3");
    const asked = await lab.ask("report", "T1.3", `DONE:${three}`);
    expect([asked.code, asked.stdout]).toEqual([5, ""]);
    expect(asked.stderr).toContain("  T1.3 verify:\n    test -e proof");
    expect(await ask(lab, "report", "T1.3", `DONE:${three}`, "--yes")).toBe(
      "0 READY:T1.3 1/10: verify exit 1: no proof",
    );
    lab.write("proof", "");
    expect(await ask(lab, "report", "T1.3", `DONE:${await start(lab, "T1.3")}`)).toBe("0 COMPLETED:T1.3");
    const { tasks } = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(tasks[2]).toMatchObject({ id: "T1.3", status: "completed", retries: 1, verified: true });

    expect(await ask(lab, "next")).toBe("0 PHASE_DONE:1");
    expect(await ask(lab, "next")).toBe("0 READY:T2.1");
    expect(await ask(lab, "report", "T2.1", `DONE:${await start(lab, "T2.1")}`)).toBe("0 COMPLETED:T2.1");
    expect(await ask(lab, "next")).toBe("0 ALL_DONE");
    expect(await ask(lab, "next")).toBe("0 ALL_DONE");
    const log = lab.read(".espalier/orchestrate.log");
    expect(log).toContain("[FOREIGN] T1.1 said");
    expect(log.match(/\[DONE\]/g)).toHaveLength(4);
  });

  it("answers in at most 60 tokens, however large the plan", async () => {
    const many = Array.from({ length: 3000 }, (_, n) => `### [ ] T1.${n + 1}: t\n`).join("");
    await using lab = openLab({ "TASKS.md": `# Big\n## Phase 1: p\n${many}` });
    const { stdout } = await lab.ask("next");
    expect(stdout).toMatch(/^READY:T1\.1,T1\.2,.*\+\d+\n$/);
    expect(countTokens(stdout)).toBeLessThanOrEqual(60);
  });

  it("tells when the lead's window fills up, once for each mark, and stops it at 90 %", async () => {
    const many = Array.from({ length: 40 }, (_, n) => `### [ ] T1.${n + 1}: t\n`).join("");
    await using lab = openLab({
      "TASKS.md": `# S\n## Phase 1: p\n${many}`,
      "espalier.yaml": "contextWindow: 1500\nparallel: 50\n",
    });
    let told = "";
    let started = 0;
    for (; started < 40 && !told.includes("(stop)"); started++)
      told += (await lab.ask("start", `T1.${started + 1}`)).stderr;
    expect(
      told.match(/the lead's window is \d+ % full \((warn|save|stop)\)/g)?.length,
    ).toBeGreaterThanOrEqual(1);
    expect(new Set(told.match(/\(\w+\)/g)).size).toBe(told.match(/\(\w+\)/g)?.length);
    expect(await ask(lab, "next")).toBe(
      "0 STOP:CONTEXT_FULL\nstart a new session, then: espalier next --new-session",
    );
    expect(await ask(lab, "next", "--new-session")).toMatch(/^0 (READY|WAIT):/);
    expect(await ask(lab, "next")).toMatch(/^0 (READY|WAIT):/);
  });

  it("names what holds the lead up: failures, pauses, the gate", async () => {
    const text = "# E\n## Phase 1: p\n### [ ] T1.1: a\n### [ ] T1.2: b\n## Phase 2: q\n### [ ] T2.1: c\n";
    await using lab = openLab({ "TASKS.md": text, "espalier.yaml": "maxAttempts: 1\n" });
    const one = await start(lab, "T1.1");
    expect(await ask(lab, "report", "T1.1", `FAIL:${one}:broken`)).toBe("0 FAILED:T1.1");
    expect(await ask(lab, "task", "pause", "T1.2")).toMatch(/^0 T1\.2 is paused/);
    expect(await ask(lab, "next")).toBe("0 ASK:T1.2");
    expect(await ask(lab, "task", "done", "T1.2")).toMatch(/^0 /);
    expect(await ask(lab, "next")).toBe("0 ERROR:PHASE_GATE:1");
  });

  it("keeps a lead's claim through a person's act, and takes it back when espalier run takes over", async () => {
    const text = "# K\n## Phase 1: p\n### [ ] T1.1: a\n- run: touch a\n### [ ] T1.2: b\n- run: touch b\n";
    await using lab = openLab({ "TASKS.md": text });
    const one = await start(lab, "T1.1");
    expect(await ask(lab, "task", "pause", "T1.2")).toMatch(/^0 /);
    expect(await ask(lab, "task", "resume", "T1.2")).toMatch(/^0 /);
    expect(await ask(lab, "next")).toBe("0 READY:T1.2");
    expect(await ask(lab, "report", "T1.1", `DONE:${one}`)).toBe("0 COMPLETED:T1.1");
    const two = await start(lab, "T1.2");
    const run = await lab.cli(["run", "--yes"]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("[DISPATCH] T1.2");
    expect([existsSync(lab.path("a")), existsSync(lab.path("b"))]).toEqual([false, true]);
    expect((await lab.ask("report", "T1.2", `DONE:${two}`)).code).toBe(2);
  });

  itWhole("masks secrets in what a lead hands in", async () => {
    await using lab = openLab({ "TASKS.md": "# R\n## Phase 1: p\n### [ ] T1.1: a\n" });
    const env = { MY_TOKEN: "hunter2-hunter2-hunter2" };
    const one = await start(lab, "T1.1");
    const foreign = await lab.cli(["report", "T1.1", `DONE:T9#${env.MY_TOKEN}`], { env });
    expect(foreign.code).toBe(2);
    const failed = await lab.cli(["report", "T1.1", `FAIL:${one}:no ${env.MY_TOKEN}`], { env });
    expect(failed.stdout).toBe("READY:T1.1 1/10: no [redacted]\n");
    expect(lab.read(".espalier/orchestrate.log")).toContain('[FOREIGN] T1.1 said "DONE:T9#[redacted]"');
    expect((await lab.ask("task", "show", "T1.1", "--json")).stdout).not.toContain(env.MY_TOKEN);
  });

  itWhole("takes several commands at once, one after the other", async () => {
    const tasks = [1, 2, 3, 4].map(n => `### [ ] T1.${n}: t\n`).join("");
    await using lab = openLab({ "TASKS.md": `# P\n## Phase 1: p\n${tasks}` });
    const started = await Promise.all([1, 2, 3, 4].map(n => lab.cli(["start", "--print", `T1.${n}`])));
    expect(started.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      started.map(() => ({ code: 0, stderr: "" })),
    );
    const signals = started.map(({ stdout }) => /`DONE:`[^`]*`([^`]+)`/.exec(stdout)?.[1] ?? "");
    expect(await ask(lab, "next")).toBe("0 WAIT:T1.1,T1.2,T1.3,T1.4");
    const reports = signals.map((id, at) => lab.cli(["report", `T1.${at + 1}`, `DONE:${id}`]));
    const answers = (await Promise.all(reports)).map(({ code, stdout }) => `${code} ${stdout.trim()}`);
    expect(answers).toEqual([1, 2, 3, 4].map(n => `0 COMPLETED:T1.${n}`));
    expect(await ask(lab, "next")).toBe("0 ALL_DONE");
  });

  it("starts several tasks with one call, and reads none of their prompts", async () => {
    await using lab = openLab({ "TASKS.md": TASKS.replaceAll("- files: a.txt\n", "") });
    const { code, stdout } = await lab.ask("start", "T1.1", "T1.2");
    expect(code).toBe(0);
    const files = stdout
      .trimEnd()
      .split("\n")
      .map(line => line.slice("PROMPT:".length));
    expect(files).toHaveLength(2);
    expect(countTokens(stdout)).toBeLessThan(60);
    for (const [at, file] of files.entries()) expect(lab.read(file)).toContain(`Task ID: T1.${at + 1}`);
    // What comes before one that cannot start is taken and told.
    const mixed = await lab.ask("start", "T2.1", "T1.3");
    expect([mixed.code, mixed.stdout]).toEqual([2, ""]);
    expect(mixed.stderr).toContain("NOT_READY");
    expect(await ask(lab, "next")).toBe("0 WAIT:T1.1,T1.2");
  });

  it("refuses what it cannot lead: an invalid plan, no file", async () => {
    await using lab = openLab();
    expect((await lab.ask("next")).code).toBe(2);
    lab.write("TASKS.md", "# X\n## Phase 1: p\n### [ ] T1.1: a\n- depends_on: [T1.1]\n");
    const { code, stderr } = await lab.ask("next");
    expect(code).toBe(3);
    expect(stderr).toContain("ERROR:CIRCULAR_DEP:T1.1->T1.1");
  });
});
