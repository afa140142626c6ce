import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "../src/tokens/index.ts";
import { byCommandLine, espalier, inFolder, type Lead, leadToTheEnd, tasksOf } from "./led-run.ts";

/**
 * What a lead reads, in o200k tokens: the tools' definitions, `next_tasks` of a plan of 1,000 tasks, and a whole run of 200 tasks
 * by tools and by command line, with what it writes; beside the definitions of task-master-ai 0.43.1. `npm run build && npx node bench/mcp.ts`
 */
const LIMITS = { definitions: 900, next: 60, run: 8000 };
const TASKS = 200;
const PEER = join(
  import.meta.dirname,
  "peers",
  "task-master",
  "node_modules",
  "task-master-ai",
  "dist",
  "mcp-server.js",
);

let failed = false;

function report(what: string, tokens: number, limit = Number.POSITIVE_INFINITY): void {
  console.log(`| ${what} | ${tokens} | ${Number.isFinite(limit) ? limit : "–"} |`);
  if (tokens > limit) failed = true;
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

function inProject<T>(plan: string, use: (client: Client, folder: string) => Promise<T>): Promise<T> {
  return inFolder(plan, folder =>
    withClient(process.execPath, espalier("mcp"), folder, client => use(client, folder)),
  );
}

async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const [first] = (await client.callTool({ name, arguments: args })).content;
  if (first?.type !== "text") throw new Error(`${name} answered no text`);
  return first.text;
}

/** The lead's calls as tools, each as its client writes it: a name and arguments. */
function byTools(client: Client): Lead {
  const call = async (name: string, args: Record<string, unknown> = {}) => ({
    wrote: `${name} ${JSON.stringify(args)}`,
    read: await ask(client, name, args),
  });
  return {
    next: () => call("next_tasks"),
    start: ids => Promise.all(ids.map(id => call("start_task", { id }))),
    report: (id, signal) => call("report", { id, signal }),
  };
}

console.log("| what | tokens | at most |\n|---|---:|---:|");
await inProject(tasksOf(1000), async client => {
  const { tools } = await client.listTools();
  report(`definitions of ${tools.length} tools`, countTokens(JSON.stringify(tools)), LIMITS.definitions);
  report("next_tasks at 1,000 tasks", countTokens(await ask(client, "next_tasks")), LIMITS.next);
});
const plan = tasksOf(TASKS);
const led = {
  "by tools": () => inProject(plan, (client, folder) => leadToTheEnd(byTools(client), folder)),
  "by command line": () => inFolder(plan, folder => leadToTheEnd(byCommandLine(folder), folder)),
};
for (const [how, run] of Object.entries(led)) {
  const began = performance.now();
  const { read, heard, wrote, done } = await run();
  if (done !== TASKS) throw new Error(`only ${done} of ${TASKS} tasks were completed`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  report(`a run of ${TASKS} tasks led ${how} in ${seconds} s: read`, read, LIMITS.run);
  report("– and heard from its agents, their last lines", heard);
  report("– and written, the line to each agent among it", wrote);
}
if (existsSync(PEER)) {
  const sizes = await withClient(process.execPath, [PEER], tmpdir(), async client => {
    const { tools } = await client.listTools();
    return { count: tools.length, tokens: countTokens(JSON.stringify(tools)) };
  });
  console.log(`task-master-ai: definitions of ${sizes.count} tools ${sizes.tokens} tokens`);
} else console.log("task-master-ai is not installed: npm ci --prefix bench/peers/task-master");
if (failed) process.exitCode = 1;
