import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "../src/tokens/index.ts";

/**
 * What a lead reads through MCP, in o200k tokens: the tools' definitions, `next_tasks` of a plan of 1,000 tasks, and a whole
 * run of 200 tasks; beside the definitions of task-master-ai 0.43.1. `npx node bench/mcp.ts`
 */
const LIMITS = { definitions: 900, next: 60, run: 8000 };
const PARALLEL = 5;
const PEER = join(
  import.meta.dirname,
  "peers",
  "task-master",
  "node_modules",
  "task-master-ai",
  "dist",
  "mcp-server.js",
);
const MAIN = new URL("../src/cli/main.ts", import.meta.url).href;
const START = `const { main } = await import(${JSON.stringify(MAIN)}); await main(["node", "espalier", "mcp"]);`;

let failed = false;

function report(what: string, tokens: number, limit: number): void {
  console.log(`| ${what} | ${tokens} | ${limit} |`);
  if (tokens > limit) failed = true;
}

/** A plan of layers of ten: each task needs three of the layer before. */
function tasksOf(count: number): string {
  const lines = ["# Shop", "## Phase 1: Build"];
  for (let at = 0; at < count; at++) {
    const layer = Math.floor(at / 10);
    lines.push(`### [ ] T${layer}.${at % 10}: Piece ${at}`);
    if (layer > 0)
      lines.push(`- depends_on: [${[0, 1, 2].map(by => `T${layer - 1}.${(at + by) % 10}`).join(", ")}]`);
  }
  return `${lines.join("\n")}\n`;
}

async function withClient<T>(
  command: string,
  args: readonly string[],
  cwd: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "bench", version: "1" });
  const env = Object.fromEntries(
    Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined),
  );
  await client.connect(new StdioClientTransport({ command, args: [...args], cwd, env, stderr: "ignore" }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

async function inProject<T>(count: number, use: (client: Client, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  try {
    writeFileSync(join(folder, "TASKS.md"), tasksOf(count));
    return await withClient(
      process.execPath,
      ["--no-warnings", "--input-type=module", "-e", START],
      folder,
      client => use(client, folder),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const [first] = (await client.callTool({ name, arguments: args })).content;
  if (first?.type !== "text") throw new Error(`${name} answered no text`);
  return first.text;
}

/** Leads a run to its end and returns the tokens of everything that was answered. */
async function lead(
  client: Client,
  folder: string,
): Promise<{ readonly tokens: number; readonly done: number }> {
  const { readFileSync } = await import("node:fs");
  let tokens = 0;
  let done = 0;
  const say = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await ask(client, name, args);
    tokens += countTokens(answer);
    return answer;
  };
  for (let round = 0; round < 2000; round++) {
    const next = await say("next_tasks");
    if (next === "ALL_DONE") break;
    if (!next.startsWith("READY:")) continue;
    const ready = next.slice(6).split("|")[0]!.split("+")[0]!.split(",").slice(0, PARALLEL);
    const prompts: string[] = [];
    for (const id of ready) prompts.push(await say("start_task", { id }));
    for (const [at, id] of ready.entries()) {
      // Not read by the lead: its subagent does.
      const prompt = readFileSync(join(folder, prompts[at]!.slice("PROMPT:".length)), "utf8");
      const signal = /`DONE:`[^`]*`([^`]+)`/.exec(prompt)?.[1] ?? "";
      if ((await say("report", { id, signal: `DONE:${signal}` })).startsWith("COMPLETED")) done++;
    }
  }
  return { tokens, done };
}

console.log("| what | tokens | at most |\n|---|---:|---:|");
await inProject(1000, async client => {
  const { tools } = await client.listTools();
  report(`definitions of ${tools.length} tools`, countTokens(JSON.stringify(tools)), LIMITS.definitions);
  report("next_tasks at 1,000 tasks", countTokens(await ask(client, "next_tasks")), LIMITS.next);
});
const began = performance.now();
const { tokens, done } = await inProject(200, lead);
if (done !== 200) throw new Error(`only ${done} of 200 tasks were completed`);
report("a run of 200 tasks, all answers", tokens, LIMITS.run);
console.log(`\n200 tasks led in ${((performance.now() - began) / 1000).toFixed(1)} s`);
if (existsSync(PEER)) {
  const sizes = await withClient(process.execPath, [PEER], tmpdir(), async client => {
    const { tools } = await client.listTools();
    return { count: tools.length, tokens: countTokens(JSON.stringify(tools)) };
  });
  console.log(`task-master-ai: definitions of ${sizes.count} tools ${sizes.tokens} tokens`);
} else console.log("task-master-ai is not installed: npm ci --prefix bench/peers/task-master");
if (failed) process.exitCode = 1;
