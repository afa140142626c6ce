import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/index.ts";
import { EXIT, type TaskStatus } from "../../src/ports/index.ts";
import { judgeMessage } from "../../src/run/index.ts";
import { messagesFor } from "../../src/text/index.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/running.md");
const agent = blocksOf(page).find(({ lang, text }) => lang === "sh" && text.startsWith("#!"))?.text ?? "";
const rules = { task: "T1.2", nonce: "yjfa2", signals: "nonce" } as const;
const facts = {
  task: "T1.2",
  phase: "1",
  title: "Write notes/two.md",
  file: "TASKS.md",
  line: 5,
  learnings: ".espalier/memory/attempts/t1-2-d15dca.1.md",
  signalId: "T1.2#yjfa2",
  kind: "worker",
  verify: "test -s notes/two.md",
  handover: "en",
  attempt: 1,
  maxAttempts: 10,
} as const;

function runAgent(folder: string, prompt: string): string {
  const env = { PATH: process.env["PATH"], ESPALIER_TASK: "T1.2", ESPALIER_SIGNAL_ID: "T1.2#yjfa2" };
  const { stdout, status } = spawnSync("sh", ["-c", agent], { cwd: folder, env, input: prompt });
  expect(status).toBe(0);
  return stdout.toString();
}

describe("docs/running.md", () => {
  it("shows the prompt as it is, which proves nothing when echoed", () => {
    const prompt = messagesFor("en").prompt(facts);
    expect(blocksOf(page).map(({ text }) => text)).toContain(prompt);
    expect(judgeMessage(prompt, rules)).toEqual({ claim: { kind: "none" }, foreign: [] });
  });

  it("shows an agent in about ten lines that works", () => {
    expect(agent.trimEnd().split("\n").length).toBeLessThanOrEqual(11);
    const folder = mkdtempSync(join(tmpdir(), "espalier-docs-"));
    try {
      const prompt = messagesFor("ko").prompt(facts);
      expect(judgeMessage(runAgent(folder, prompt), rules).claim).toEqual({ kind: "done" });
      expect(readFileSync(join(folder, "notes", "T1.2.txt"), "utf8").trim()).toBe(prompt.trim());
      rmSync(join(folder, "notes", "T1.2.txt"));
      spawnSync("mkdir", [join(folder, "notes", "T1.2.txt")]);
      expect(judgeMessage(runAgent(folder, prompt), rules).claim).toEqual({
        kind: "fail",
        reason: "could not write the note",
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("says of signals what is so", () => {
    const claim = (message: string) => judgeMessage(message, rules).claim.kind;
    expect(claim("All good.\nDONE:T1.2#yjfa2\n")).toBe("done");
    expect(claim("FAIL:T1.2#yjfa2:no\nDONE:T1.2#yjfa2")).toBe("fail");
    const refused = [
      "DONE:T1.2#yjfa2\nbye",
      "```\nDONE:T1.2#yjfa2\n```",
      "    DONE:T1.2#yjfa2",
      "> DONE:T1.2#yjfa2",
      "- DONE:T1.2#yjfa2",
      "**DONE:T1.2#yjfa2**",
      "not DONE:T1.2#yjfa2",
      "DONE:T1.2",
      "DONE:T1.3#yjfa2",
      "DONE:T1.2#other",
    ];
    expect(refused.filter(message => claim(message) !== "none")).toEqual([]);
    for (const message of ["DONE:T1.3#yjfa2", "DONE:T1.2#other"])
      expect(judgeMessage(message, rules).foreign).toEqual([message]);
    expect(judgeMessage("DONE:T1.2", { ...rules, signals: "plain" }).claim.kind).toBe("done");
  });

  it("lists every exit code", () => {
    const listed = tableOf(page, "code", "name").map(([code, name]) => [
      spansOf(name ?? "")[0],
      Number(code),
    ]);
    expect(Object.fromEntries(listed)).toEqual(EXIT);
    expect(listed).toHaveLength(Object.keys(EXIT).length);
  });

  it("names every state of a task and every default it speaks of", () => {
    const states: Record<TaskStatus, true> = {
      pending: true,
      ready: true,
      in_progress: true,
      completed: true,
      failed: true,
      blocked: true,
      paused: true,
      waiting: true,
      cancelled: true,
      skipped: true,
    };
    const diagram = blocksOf(page).find(({ text }) => text.startsWith("pending"))?.text ?? "";
    for (const state of Object.keys(states)) expect(diagram).toContain(state);
    const { maxAttempts, sameError, phaseGate, backoff, limits } = defaultConfig();
    expect({ maxAttempts, sameError, phaseGate }).toEqual({ maxAttempts: 10, sameError: 3, phaseGate: 0.9 });
    expect(backoff).toEqual({ first: 1000, max: 60_000 });
    expect(limits).toEqual({
      wall: 3_600_000,
      idle: 600_000,
      grace: 10_000,
      question: 300_000,
      log: 200 * 1024 ** 2,
    });
  });
});
