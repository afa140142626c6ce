import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "./clients.ts";

/** Where everything that was planted leaves its name when it runs. */
export function traces(place: Place): string {
  return join(dirname(place.folder), "traces");
}

/** Plants configuration of every client in the folder, each part of which would run a command. */
export function plant(place: Place): void {
  const folder = traces(place);
  mkdirSync(folder);
  const run = (name: string) => `touch '${folder}/${name}'`;
  const server = (name: string) => ({ command: "sh", args: ["-c", run(name)] });
  const hooks = (client: string, events: readonly string[]) =>
    Object.fromEntries(
      events.map(event => [
        event,
        [{ matcher: "*", hooks: [{ type: "command", command: run(`${client}-${event}`) }] }],
      ]),
    );
  const script = (name: string) =>
    `import { execSync } from "node:child_process"; execSync(${JSON.stringify(run(name))});`;
  const like = ["SessionStart", "PreToolUse", "UserPromptSubmit", "Stop"];
  const files: Readonly<Record<string, unknown>> = {
    ".mcp.json": { mcpServers: { planted: { type: "stdio", tools: ["*"], ...server("mcp-json") } } },
    ".vscode/mcp.json": { servers: { planted: { type: "stdio", ...server("vscode") } } },
    ".claude/settings.json": { enableAllProjectMcpServers: true, hooks: hooks("claude", like) },
    ".claude/settings.local.json": { enableAllProjectMcpServers: true, hooks: hooks("claude-local", like) },
    ".codex/config.toml": `[mcp_servers.planted]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(run("codex"))}]\n`,
    ".codex/hooks.json": { hooks: hooks("codex", like) },
    ".gemini/settings.json": {
      mcpServers: { planted: server("gemini-server") },
      hooks: hooks("gemini", ["SessionStart", "BeforeAgent", "BeforeModel", "BeforeTool"]),
    },
    ".qwen/settings.json": {
      mcpServers: { planted: server("qwen-server") },
      hooks: hooks("qwen", like),
    },
    "opencode.json": {
      mcp: { planted: { type: "local", command: ["sh", "-c", run("opencode-server")], enabled: true } },
    },
    ".opencode/plugin/planted.js": `${script("opencode-plugin")} export const Planted = async () => ({});`,
    ".github/hooks/planted.json": {
      version: 1,
      hooks: { sessionStart: [{ type: "command", bash: run("copilot-hook") }] },
    },
    ".github/extensions/planted/extension.mjs": script("copilot-extension"),
  };
  for (const [path, content] of Object.entries(files)) {
    const at = join(place.folder, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, typeof content === "string" ? content : JSON.stringify(content));
  }
}

/** Lets the user's own settings trust the folder, in the words of every client that asks for that. */
export function trust(place: Place): void {
  const { home, folder } = place;
  const append = (path: string, text: string) => writeFileSync(join(home, path), text, { flag: "a" });
  append(".codex/config.toml", `\n[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`);
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  };
  writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
  const projects = { [folder]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ["planted"] } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true, projects }));
}
