import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJail } from "../../src/adapters/agent/index.ts";
import { setupFor } from "../../src/mcp/index.ts";
import { CLIENTS, openPlace, type Place, programOf, TEAMS } from "./clients.ts";
import { CONFIG, openTestProject, type TestProject } from "./project.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/espalier.js", import.meta.url));

let place: Place;
let project: TestProject;
beforeEach(async () => {
  place = await openPlace();
  project = openTestProject(place);
});
afterEach(() => place.dispose());

describe("our tools in the hands of real agents", async () => {
  /** One takes servers from its settings files only, of which none is ours to write; the other starts none offline. */
  const WITHOUT = ["gemini", "copilot"];

  const JAILS = (await openJail(process.env["PATH"])).ok ? ["off", "on"] : ["off"];

  const teams = TEAMS.map(team => team.filter(name => !WITHOUT.includes(name)))
    .filter(team => team.length > 0)
    .flatMap(team => JAILS.map(use => ({ team, use })));

  it.each(teams)(
    "$team: each pulls a document, adds one, and both arrive (jail: $use)",
    async ({ team, use }) => {
      project.write("docs/spec.md", "# Spec\n\n- gate: oak\n");
      project.write("espalier.yaml", `${CONFIG}jail: { use: ${use} }\n`);
      const tasks = team.map(
        (name, index) =>
          `### [ ] T1.${index + 1}: ask ${name}\n- agent: ${name}\n- context: ctx-${name}\n- verify: "true # SCENARIO:tools NODE:${name} "\n`,
      );
      // Each adds to a node of its own: on a shared one every addition would be an update for the others.
      const own = team.map(name => `  - ctx-${name}\n`).join("");
      const tree = `## Context\n\n- ctx-root: docs/spec.md (shared)\n${own}`;
      project.write("TASKS.md", `# Tools\n## Phase 1: ask\n${tasks.join("\n")}\n${tree}`);
      project.commit();
      const { said } = await project.espalier("run", "--yes");
      expect(said).toContain(`(${team.length}/${team.length} succeeded)`);
      const answered = place.model.asked.filter(({ results }) => results.at(-1)?.includes("HANDED"));
      expect(answered).toHaveLength(team.length);
      for (const { results } of answered) {
        expect(results.at(-3)).toContain("gate: oak");
      }
      const { nodes } = JSON.parse((await project.espalier("context", "tree", "--json")).said);
      for (const [index, name] of team.entries()) {
        const node = nodes.find(({ id }: { id: string }) => id === `ctx-${name}`);
        expect(JSON.stringify(node.documents)).toContain(`T1.${index + 1}`);
      }
    },
  );
});

/** Starts a client as a person would, connected as `espalier mcp --setup` says; resolves with all it said. */
function lead(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: place.folder,
      // A scripted model does not search for tools.
      env: {
        ...project.env,
        ENABLE_TOOL_SEARCH: "false",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        MCP_TIMEOUT: "60000",
      },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 240_000,
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (said += chunk));
    child.once("error", reject);
    child.once("close", () => resolve(said));
  });
}

/** Two phases of ten; the tasks of the second wait for one another. */
function twentyTasks(): string {
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  const first = numbers.map(n => `### [ ] T1.${n}: part ${n}\n`);
  const second = numbers.map(n => {
    const before = n === 1 ? "" : `- depends_on: [T2.${n - 1}]\n`;
    return `### [ ] T2.${n}: part ${n}\n${before}- verify: "true"\n`;
  });
  return `# Lead\n## Phase 1: one\n${first.join("")}## Phase 2: two\n${second.join("")}`;
}

describe("a real agent leads a run", () => {
  beforeEach(() => {
    // What `npm install espalier` leaves in a project.
    const bin = join(place.folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(PROGRAM, join(bin, "espalier"));
    writeFileSync(join(place.folder, ".gitignore"), "node_modules\n");
    project.write("TASKS.md", twentyTasks());
  });

  /** A lead sits at no terminal: whoever connects it says beforehand which proofs may be run. */
  const approve = async () => expect((await project.espalier("mcp", "--approve", "--yes")).code).toBe(0);

  /** Every task was started once, the one that failed twice: its failure is answered with what is ready again. */
  const isDone = () => {
    const file = readFileSync(join(place.folder, "TASKS.md"), "utf8");
    expect(file.match(/\[x\]/g)).toHaveLength(20);
    const answers = place.model.asked.at(-1)?.results ?? [];
    const kinds = answers.map(
      answer => /READY|PROMPT|COMPLETED|PHASE_DONE|ALL_DONE/.exec(answer)?.[0] ?? "read",
    );
    const count = Object.fromEntries(
      [...new Set(kinds)].map(kind => [kind, kinds.filter(one => one === kind).length]),
    );
    expect(count).toEqual({ READY: 21, PROMPT: 21, read: 21, COMPLETED: 20, PHASE_DONE: 1, ALL_DONE: 1 });
  };

  it("as Claude Code, connected by --setup", async () => {
    project.commit();
    await approve();
    expect((await project.espalier("mcp", "--setup", "claude", "--write")).code).toBe(0);
    const flags = ["--mcp-config", ".mcp.json", "--allowedTools", "mcp__espalier", "Bash"];
    const said = await lead(programOf("claude"), ["-p", "SCENARIO:lead FAILS:T2.4 ", ...flags]);
    expect(said).toContain("Everything is done.");
    isDone();
  });

  it("as Codex, connected by --setup", async () => {
    project.commit();
    await approve();
    const [config] = setupFor("codex", [process.execPath, PROGRAM, "mcp"]);
    appendFileSync(join(place.home, ".codex", "config.toml"), config?.text ?? "");
    const flags = ["--sandbox", "danger-full-access", "-c", 'approval_policy="never"'];
    const said = await lead(programOf("codex"), ["exec", ...flags, "SCENARIO:lead FAILS:T2.4 "]);
    expect(said).toContain("Everything is done.");
    isDone();
  });

  it.runIf(CLIENTS.includes("opencode"))("as OpenCode, connected by --setup", async () => {
    project.commit();
    await approve();
    expect((await project.espalier("mcp", "--setup", "opencode", "--write")).code).toBe(0);
    const said = await lead(programOf("opencode"), ["run", "SCENARIO:lead FAILS:T2.4 "]);
    expect(said).toContain("Everything is done.");
    isDone();
  });

  it.runIf(CLIENTS.includes("gemini"))("as Gemini CLI, connected by --setup", async () => {
    project.commit();
    await approve();
    expect((await project.espalier("mcp", "--setup", "gemini", "--write")).code).toBe(0);
    const said = await lead(programOf("gemini"), ["--yolo", "-p", "SCENARIO:lead FAILS:T2.4 "]);
    expect(said).toContain("Everything is done.");
    isDone();
  });
});
