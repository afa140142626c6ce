import { describe, expect, it } from "vitest";
import { callerOf } from "../../../src/cli/caller.ts";
import type { Io } from "../../../src/cli/io.ts";
import { findProject } from "../../../src/host/project/project.ts";
import { call } from "../../../src/mcp/index.ts";
import { leadDuties } from "../../../src/mcp/lead.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = [
  "# Garden",
  "",
  "## Phase 1: Build",
  "",
  "### [ ] T1.1: Describe the API",
  "- fills: ctx-api",
  "",
  "### [ ] T1.2: Client",
  "- context: ctx-api",
  "",
].join("\n");

/** The tools of a lead in this process. */
function lead(lab: Lab) {
  const stream = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;
  const io: Io = { cwd: lab.root, env: lab.env, stdin: process.stdin, stdout: stream, stderr: stream };
  const { duties, close } = leadDuties(callerOf(io), findProject(lab.root), undefined);
  const ask = async (name: string, input: unknown = {}) => (await call("lead", duties, name, input)).text;
  /** Starts a task; what its agent reads, its signal id, and the file it answers in. */
  const start = async (id: string) => {
    const prompt = lab.read((await ask("start_task", { id })).slice("PROMPT:".length));
    return {
      prompt,
      signal: /`DONE:`[^`]*`([^`]+)`/.exec(prompt)?.[1] ?? "",
      file: /(\.espalier\/attempts\/\S+\.document\.md)/.exec(prompt)?.[1] ?? "",
    };
  };
  return { ask, start, [Symbol.asyncDispose]: close };
}

describe("the context tree of a lead that uses tools", { timeout: 120_000 }, () => {
  it("[G15] [G9] takes documents, discoveries and questions from the agent's file, and stays thin", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    expect(await one.ask("next_tasks")).toBe("READY:T1.1");
    const fill = await one.start("T1.1");
    // Nothing to read yet, but how to hand something over.
    expect(fill.prompt).toContain("# Role: Context Preparer");
    expect(fill.prompt).toContain("[ADD_CONTEXT:ctx-api]");
    expect(await one.ask("report", { id: "T1.1", signal: `DONE:${fill.signal}` })).toContain(
      "NO_DOCUMENT: no document for ctx-api",
    );
    lab.write(fill.file, "# API\n\n- route: /trees\n");
    expect(await one.ask("report", { id: "T1.1", signal: `DONE:${fill.signal}` })).toBe("COMPLETED:T1.1");

    const client = await one.start("T1.2");
    expect(client.prompt).toContain("- route: /trees\n</document");
    lab.write(client.file, "[SPAWN:research] which header?\n");
    expect(await one.ask("report", { id: "T1.2", signal: `FAIL:${client.signal}:needs research` })).toBe(
      "PENDING:T1.2 waits for T1.2-R1",
    );
    expect(await one.ask("next_tasks")).toBe("READY:T1.2-R1");
    const research = await one.start("T1.2-R1");
    lab.write(research.file, "- header: Authorization\n");
    await one.ask("report", { id: "T1.2-R1", signal: `DONE:${research.signal}` });
    const again = await one.start("T1.2");
    expect(again.prompt).toContain("- header: Authorization");
    expect(await one.ask("report", { id: "T1.2", signal: `DONE:${again.signal}` })).toBe("COMPLETED:T1.2");
    expect(await one.ask("next_tasks")).toMatch(/ALL_DONE|PHASE_DONE/);
  });

  it("[G13] [G17] answers other commands that take back or end something", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    const fill = await one.start("T1.1");
    lab.write(fill.file, "# API\n");
    await one.ask("report", { id: "T1.1", signal: `DONE:${fill.signal}` });
    expect((await lab.ask("context", "revert", "T1.1#1")).stdout).toContain("taken back fill-T1.1");
    const early = await lab.ask("context", "node", "complete", "api");
    expect(early.stderr).toContain("ctx-api still has tasks that have not ended: T1.2");
    expect((await lab.ask("context", "node", "abandon", "api")).stdout).toContain("ctx-api is abandoned");
    const client = await one.start("T1.2");
    expect(client.prompt).not.toContain('label="fill-T1.1"');
  });
});
