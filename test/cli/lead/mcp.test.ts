import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, vi } from "vitest";
import { countTokens } from "../../../src/tokens/index.ts";
import { type Lab, openLab } from "../lab.ts";

const WAIT = { timeout: 60_000, interval: 50 };

const TASKS = `# Lead
## Phase 1: Build
### [ ] T1.1: one
### [ ] T1.2: two
- depends_on: [T1.1]
`;

/** A client at the other end of a real \`espalier mcp\`. */
interface Lead extends AsyncDisposable {
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The same, expecting a refusal. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
}

/** A lead's program: it starts the server and, once a file says so, a command of its own. */
const PROGRAM = `
const { spawn, spawnSync } = require("node:child_process");
const { existsSync, writeFileSync } = require("node:fs");
const [server, command] = process.argv.slice(1);
spawn("sh", ["-c", server], { stdio: "inherit" }).on("exit", code => process.exit(code ?? 1));
const timer = setInterval(() => {
  if (!existsSync("go")) return;
  clearInterval(timer);
  const { status, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  writeFileSync("said.txt", status + " " + stderr);
}, 20);
`;

async function leadOf(lab: Lab): Promise<Lead> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["-e", PROGRAM, `exec ${lab.line(["mcp"])}`, lab.line(["task", "done", "T1.1"])],
      cwd: lab.root,
      env: Object.fromEntries(
        Object.entries(lab.env).filter((one): one is [string, string] => one[1] !== undefined),
      ),
      stderr: "pipe",
    }),
  );
  const ask = async (name: string, args: Record<string, unknown>, isError: boolean) => {
    const answer = await client.callTool({ name, arguments: args });
    const [first] = answer.content;
    const text = first?.type === "text" ? first.text : "";
    expect([answer.isError === true, text]).toEqual([isError, text]);
    return text;
  };
  return {
    call: (name, args = {}) => ask(name, args, false),
    refused: (name, args = {}) => ask(name, args, true),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The prompt that start_task points to. */
function promptIn(lab: Lab, answer: string): string {
  expect(answer).toMatch(/^PROMPT:\.espalier\/attempts\/[A-Z0-9.]+\.md$/);
  return lab.read(answer.slice("PROMPT:".length));
}

/** The signal that it describes. */
function signalIn(lab: Lab, answer: string): string {
  return /`DONE:`[^`]*`([^`]+)`/.exec(promptIn(lab, answer))?.[1] ?? "";
}

const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

/** A shell line that calls tools, as an agent's own process would, and keeps the answers in a file. */
function callsLine(
  lab: Lab,
  out: string,
  calls: readonly (readonly [string, unknown])[],
  prefix = "",
): string {
  const messages = calls.map(([name, args], at) => ({
    jsonrpc: "2.0",
    id: at + 1,
    method: "tools/call",
    params: { name, arguments: args },
  }));
  const quoted = [HELLO, ...messages].map(message => `'${JSON.stringify(message)}'`).join(" ");
  return `printf '%s\\n' ${quoted} | ${prefix}${lab.line(["mcp"])} > ${out}`;
}

/** The answers in such a file, by the place of the call. */
function answersIn(lab: Lab, file: string): string[] {
  const lines = lab.read(file).trim().split("\n");
  return lines.slice(1).map(line => {
    const { result } = JSON.parse(line) as { result: { content: { text: string }[]; isError?: boolean } };
    return `${result.isError === true ? "! " : ""}${result.content[0]!.text}`;
  });
}

describe.concurrent("espalier mcp", { timeout: 120_000 }, () => {
  it("leads a run from next_tasks over start_task and report to the end", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using lead = await leadOf(lab);
    expect(await lead.refused("status")).toBe("NO_RUN: next_tasks begins one");
    expect(await lead.call("next_tasks")).toBe("READY:T1.1");
    const prompt = await lead.call("start_task", { id: "T1.1" });
    expect(await lead.refused("start_task", { id: "T1.2" })).toContain("NOT_READY");
    expect(await lead.call("next_tasks")).toBe("WAIT:T1.1");
    expect(await lead.refused("report", { id: "T1.1", signal: "DONE:T1.1#zzzz" })).toContain(
      "FOREIGN_SIGNAL",
    );
    expect(await lead.call("report", { id: "T1.1", signal: `DONE:${signalIn(lab, prompt)}` })).toBe(
      "COMPLETED:T1.1",
    );
    expect(lab.read("TASKS.md")).toContain("[x] T1.1");
    expect(await lead.call("status")).toBe("phase 1: 1 completed, 1 ready");
    expect(await lead.call("next_tasks")).toBe("READY:T1.2");
    const again = await lead.call("start_task", { id: "T1.2" });
    expect(
      await lead.call("report", { id: "T1.2", signal: `FAIL:${signalIn(lab, again)}:no network` }),
    ).toContain("1/10: no network");
    expect(await lead.call("status", { id: "T1.2" })).toContain("no network");
    expect(await lead.call("checkpoint", { why: "halfway" })).toBe("chk-001");
  });

  it("tells the next attempt what the one before failed of", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "backoff: { first: 0s }\n" });
    await using lead = await leadOf(lab);
    const prompt = await lead.call("start_task", { id: "T1.1" });
    await lead.call("report", { id: "T1.1", signal: `FAIL:${signalIn(lab, prompt)}:the cat sat on it` });
    expect(promptIn(lab, await lead.call("start_task", { id: "T1.1" }))).toContain("the cat sat on it");
  });

  it("sees a task file that was edited meanwhile", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using lead = await leadOf(lab);
    expect(await lead.call("next_tasks")).toBe("READY:T1.1");
    lab.write("TASKS.md", `${TASKS}### [ ] T1.3: three\n`);
    expect(await lead.call("next_tasks")).toBe("READY:T1.1,T1.3");
  });

  it("lets one lead hold the run and answers other commands", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "gc.md": "# GC\n\nOne.\n" });
    await using lead = await leadOf(lab);
    await using other = await leadOf(lab);
    await lead.call("next_tasks");
    expect(await other.refused("next_tasks")).toContain("LOCKED");
    expect(await other.call("status")).toBe("phase 1: 1 ready, 1 pending");
    expect((await lab.cli(["next"])).code).toBe(4);
    expect((await lab.cli(["context", "publish", "GC", "gc.md"])).code).toBe(0);
    expect(await lead.call("get_context", { name: "GC" })).toMatch(
      /^GC-v1 [0-9a-f]{12,64}\n# GC\n\nOne\.\n$/,
    );
    expect((await lab.cli(["task", "skip", "T1.1"])).code).toBe(0);
    expect(await lead.call("next_tasks")).toBe("READY:T1.2");
    expect(await lead.call("stop")).toContain("STOPPED");
    expect(await other.call("next_tasks")).toBe("READY:T1.2");
  });

  it("[E44] lets the lead decide nothing, not by a command either", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using lead = await leadOf(lab);
    expect(await lead.call("next_tasks")).toBe("READY:T1.1");
    expect(await lead.refused("next_tasks", { force_phase: "2" })).toContain("BAD_INPUT");
    lab.write("go", "");
    await vi.waitFor(
      () => expect(lab.read("said.txt")).toMatch(/^5 NOT_A_PERSON: .*the lead of this run/),
      WAIT,
    );
    expect(await lead.call("next_tasks")).toBe("READY:T1.1");
    expect(lab.read(".espalier/orchestrate.log")).toContain("NOT_A_PERSON");
  });

  it("lets go of the run when its client leaves", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    {
      await using lead = await leadOf(lab);
      await lead.call("next_tasks");
    }
    expect(await lab.cli(["next"])).toMatchObject({ code: 0, stdout: "READY:T1.1\n" });
  });

  it("gives a document's changes since a version, and all of it without proof", async () => {
    const text = `# GC\n\n${Array.from({ length: 30 }, (_, at) => `- Decision ${at} stands as it was written down`).join("\n")}\n`;
    await using lab = openLab({ "TASKS.md": TASKS, "gc.md": text });
    await using lead = await leadOf(lab);
    await lead.call("next_tasks");
    await lab.cli(["context", "publish", "GC", "gc.md"]);
    const first = await lead.call("context_pull", { label: "GC" });
    const [, hash = ""] = first.split("\n")[0]!.split(" ");
    lab.write("gc.md", text.replace("Decision 7 stands", "Decision 7 falls"));
    await lab.cli(["context", "publish", "GC", "gc.md"]);
    const delta = await lead.call("context_pull", { label: "GC", since: 1, hash });
    expect(delta).toContain("[CONTEXT-UPDATE] GC-v1→2");
    expect(countTokens(delta)).toBeLessThan(0.3 * countTokens(first));
    expect(await lead.call("context_pull", { label: "GC", since: 1, hash: "ffff" })).toContain("Decision 29");
    expect(await lead.call("context_pull", { label: "GC", since: 2 })).toBe("UP_TO_DATE GC-v2");
    expect(await lead.refused("context_pull", { label: "GD" })).toBe("NO_SUCH_LABEL: GD; did you mean GC?");
    expect(await lead.call("get_context")).toBe("GC-v2");
    expect(await lead.refused("context_ack", { text: "fine with me" })).toContain("NO_ACK");
  });

  it("takes documents for nodes that exist", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using lead = await leadOf(lab);
    expect(await lead.refused("add_context", { node: "nowhere", text: "x" })).toContain(
      "there is no context node",
    );
    const added = await lead.call("add_context", { node: "ctx-root", text: "Prices are in cents." });
    const label = added.split(" ")[1]!;
    expect(await lead.call("get_context", { name: label })).toContain("Prices are in cents.");
    expect((await lab.cli(["context", "tree"])).stdout).toContain(label);
  });

  it("shows a broken plan and a missing one as refusals", async () => {
    await using lab = openLab({ "TASKS.md": TASKS.replace("[T1.1]", "[T9.9]") });
    await using lead = await leadOf(lab);
    expect(await lead.refused("next_tasks")).toContain("MISSING_DEP");
    lab.write("TASKS.md", TASKS);
    expect(await lead.call("next_tasks")).toBe("READY:T1.1");
  });

  it("serves a running attempt its own documents and takes what it hands over", async () => {
    await using lab = openLab({ "gc.md": "# GC\n\nShared words.\n" });
    const calls = callsLine(lab, "one.txt", [
      ["status", {}],
      ["get_context", {}],
      ["get_context", { name: "GC" }],
      ["context_pull", { label: "GC" }],
      ["status", { id: "T1.2" }],
      ["get_context", { name: "secret" }],
      ["add_context", { node: "nowhere", text: "x" }],
      ["add_context", { node: "ctx-root", text: "Learnt: cents." }],
      ["next_tasks", {}],
    ]);
    lab.write("one.sh", calls);
    lab.write("two.sh", callsLine(lab, "two.txt", [["status", {}]], "env ESPALIER_TASK=T1.1 "));
    const run = (id: string, script: string, more = "") =>
      `### [ ] ${id}: task\n- run: sh ${script}\n${more}`;
    lab.write(
      "TASKS.md",
      `# W\n## Phase 1: A\n${run("T1.1", "one.sh")}${run("T1.2", "two.sh", "- depends_on: [T1.1]\n")}`,
    );
    await lab.cli(["context", "publish", "GC", "gc.md"]);
    const done = await lab.cli(["run", "--yes"]);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    const [status, list, document, pulled, foreign, secret, nowhere, handed, next] = answersIn(
      lab,
      "one.txt",
    );
    expect(status).toContain("T1.1 1 in_progress");
    expect(list).toBe("GC-v1");
    expect(document).toContain("Shared words.");
    expect(pulled).toContain("Shared words.");
    expect(foreign).toBe("! NOT_YOURS: you are at work on T1.1, not on T1.2");
    expect(secret).toContain("! NOT_YOURS: your node does not read secret");
    expect(nowhere).toContain("! NO_SUCH_NODE: nowhere; there are ctx-root");
    expect(handed).toContain("HANDED");
    expect(next).toContain("! NOT_YOURS: next_tasks is for the lead");
    expect((await lab.cli(["context", "tree"])).stdout).toContain("T1.1");
    expect(answersIn(lab, "two.txt")[0]).toBe(
      "! NOT_YOURS: no attempt of T1.1 that is under way has this token",
    );
  });

  it("refuses a worker whose run has left", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const line = callsLine(lab, "out.txt", [["status", {}]], "env ESPALIER_TASK=T1.1 ESPALIER_ATTEMPT=abc ");
    const { execFileSync } = await import("node:child_process");
    execFileSync("sh", ["-c", line], { cwd: lab.root, env: lab.env as NodeJS.ProcessEnv });
    expect(answersIn(lab, "out.txt")).toEqual([
      "! NOTHING_RUNS: the process that started this task has left",
    ]);
  });
});

describe("espalier mcp --setup", () => {
  it("shows what belongs where and writes nothing", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { code, stdout } = await lab.ask("mcp", "--setup", "claude");
    expect(code).toBe(0);
    expect(stdout).toContain('.mcp.json:\n  {\n    "mcpServers"');
    expect(stdout).toContain("--write");
    expect(() => lab.read(".mcp.json")).toThrow("ENOENT");
  });

  it("writes what is not there and leaves the rest alone", async () => {
    const theirs = '{ "mcpServers": { "espalier": { "command": "mine" } } }\n';
    await using lab = openLab({ "TASKS.md": TASKS, ".mcp.json": theirs, "espalier.yaml": "locale: ko\n" });
    const { stdout } = await lab.ask("mcp", "--setup", "claude", "--write");
    expect(lab.read(".mcp.json")).toBe(theirs);
    expect(stdout).toContain(".mcp.json 파일이 이미 있어 건드리지 않았습니다");
    expect(stdout).toContain(".claude/skills/espalier-lead/SKILL.md 파일을 썼습니다");
    expect(lab.read(".claude/skills/espalier-lead/SKILL.md")).toContain("name: espalier-lead");
  });

  it("adds itself to settings that are there, and changes nothing the second time", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      ".gemini/settings.json": '{\n\t"theme": "Dracula",\n\t"mcpServers": { "other": { "command": "x" } }\n}',
    });
    const first = await lab.ask("mcp", "--setup", "gemini", "--write");
    expect(first.stdout).toContain("added espalier to .gemini/settings.json\nwrote .gemini/commands");
    const settings = lab.read(".gemini/settings.json");
    expect(JSON.parse(settings)).toEqual({
      theme: "Dracula",
      mcpServers: {
        other: { command: "x" },
        espalier: {
          command: process.execPath,
          args: [join(import.meta.dirname, "../../../bin/espalier.js"), "mcp"],
          timeout: 3_600_000,
        },
      },
    });
    expect(first.stdout).toContain("tried: the server starts and answers with 10 tools");
    const again = await lab.ask("mcp", "--setup", "gemini", "--write");
    expect(again.stdout).toContain(".gemini/settings.json is as it should be\n.gemini/commands");
    expect(lab.read(".gemini/settings.json")).toBe(settings);
  });

  it.each(["{}", undefined])(
    "[OF10] neither makes nor changes anything through a link that came with the project: %s",
    async settings => {
      await using lab = openLab({ "TASKS.md": TASKS });
      const victim = mkdtempSync(join(tmpdir(), "espalier-victim-"));
      if (settings !== undefined) writeFileSync(join(victim, "settings.json"), settings);
      symlinkSync(victim, join(lab.root, ".gemini"));
      const { stdout } = await lab.ask("mcp", "--setup", "gemini", "--write");
      expect(stdout).toContain(".gemini/settings.json is there already and was left alone");
      const texts = readdirSync(victim).map(name => readFileSync(join(victim, name), "utf8"));
      expect(texts).toEqual(settings === undefined ? [] : [settings]);
      rmSync(victim, { recursive: true });
    },
  );

  it("never writes outside of the project, and knows its clients", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { stdout } = await lab.ask("mcp", "--setup", "codex", "--write");
    expect(stdout).toContain("~/.codex/config.toml:\n  [mcp_servers.espalier]");
    expect((await lab.ask("mcp", "--setup", "emacs")).code).toBe(2);
  });
});
