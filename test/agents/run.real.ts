import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLIENTS, openPlace, type Place, programOf } from "./clients.ts";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).href;
const START = `const { main } = await import(${JSON.stringify(MAIN)}); await main(["node", "espalier", ...process.argv.slice(1)]);`;
const TIER_1 = ["claude", "codex", "claude-acp", "codex-acp"];

let place: Place;
let env: Record<string, string>;
beforeEach(async () => {
  place = await openPlace();
  const bin = join(dirname(place.folder), "bin");
  mkdirSync(bin);
  for (const name of CLIENTS) {
    const program = programOf(name);
    const link = join(bin, program.slice(program.lastIndexOf("/") + 1));
    try {
      symlinkSync(program, link);
    } catch {
      // Two clients of one program.
    }
  }
  env = { ...place.env, PATH: `${bin}:${place.env["PATH"]}` };
  execFileSync("git", ["init", "-q", place.folder]);
});
afterEach(() => place.dispose());

function write(name: string, text: string): void {
  mkdirSync(dirname(join(place.folder, name)), { recursive: true });
  writeFileSync(join(place.folder, name), text);
}

/** Runs a command line in the project, in a process of its own. */
function espalier(...args: string[]): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise(resolve => {
    const node = ["--no-warnings", "--input-type=module", "-e", START, "--", ...args];
    const child = spawn(process.execPath, node, {
      cwd: place.folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (said += chunk));
    child.once("close", code => resolve({ code, said }));
  });
}

function commit(): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.folder });
  git("add", "-A");
  git("-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "-m", "start");
  git("config", "user.name", "n");
  git("config", "user.email", "e@x");
}

const CONFIG = `env: [MOCK_KEY, DISABLE_*, IS_SANDBOX]
agents:
  claude: { permissions: { execute: allow } }
  claude-acp: { permissions: { execute: allow } }
`;

describe("espalier run with real agents", () => {
  it("has four of them write, prove and bring home a file each, with their notes", async () => {
    write("espalier.yaml", CONFIG);
    const tasks = TIER_1.map(
      (name, index) =>
        `### [ ] T1.${index + 1}: file ${name}\n- agent: ${name}\n- verify: test -f ${name}.txt # SCENARIO:notes FILE:${name}.txt\n`,
    );
    write("TASKS.md", `# Files\n## Phase 1: write\n${tasks.join("\n")}`);
    commit();
    const { code, said } = await espalier("run", "--yes");
    expect(said).toContain("[ULTRA-THIN] Phase 1 done (4/4 succeeded)");
    expect(code).toBe(0);
    const log = execFileSync("git", ["log", "--all", "--name-only", "--format="], {
      cwd: place.folder,
      encoding: "utf8",
    });
    for (const name of TIER_1) expect(log).toContain(`${name}.txt`);
    const told = JSON.parse((await espalier("status", "--json")).said);
    expect(JSON.stringify(told)).toContain("completed");
  });

  it("keeps all four in step when a document changes while they work", async () => {
    const rules = Array.from({ length: 60 }, (_, index) => `- rule ${index}: walls are painted white`).join(
      "\n",
    );
    write("docs/spec.md", `# Spec\n\n## Gates\n\n- gate: oak\n\n## Rules\n\n${rules}\n`);
    write("espalier.yaml", CONFIG);
    const tasks = TIER_1.map(
      (name, index) =>
        `### [ ] T1.${index + 1}: think ${name}\n- agent: ${name}\n- context: ctx-root\n- verify: "true # SCENARIO:team"\n`,
    );
    const tree = "## Context\n\n- ctx-root: docs/spec.md (shared)\n";
    write("TASKS.md", `# Team\n## Phase 1: think\n${tasks.join("\n")}\n${tree}`);
    commit();
    const run = espalier("run", "--yes");
    for (
      let tries = 0;
      tries < 600 && place.model.asked.filter(({ tools }) => tools.length > 0).length < 4;
      tries++
    )
      await new Promise(resolve => setTimeout(resolve, 50));
    write("docs/new.md", `# Spec\n\n## Gates\n\n- gate: iron\n\n## Rules\n\n${rules}\n`);
    const published = await espalier("context", "publish", "docs-spec.md", "docs/new.md");
    expect(published.code).toBe(0);
    place.model.release();
    const { said } = await run;
    expect(said).toContain("(4/4 succeeded)");
    const updates = place.model.asked.filter(
      ({ last, tools }) =>
        tools.length > 0 && last.includes("[CONTEXT-UPDATE] docs-spec.md-v1 → docs-spec.md-v2"),
    );
    expect(updates.length).toBe(4);
    expect(updates.every(({ last }) => last.includes("iron") && !last.includes("rule 30"))).toBe(true);
    const log = (await espalier("context", "log", "--json")).said;
    expect(log.match(/"verdict": ?"confirmed"/g)?.length).toBeGreaterThanOrEqual(8);
  });
});
