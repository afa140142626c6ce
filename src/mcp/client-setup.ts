import type { KnownAgent } from "../ports/index.ts";

/** Clients whose configuration is known. */
export const CLIENTS = ["claude", "codex", "gemini", "opencode"] as const satisfies readonly KnownAgent[];

export type ClientName = (typeof CLIENTS)[number];

/** A file that connects a client, as it is when there was none before. */
export interface SetupFile {
  /** Relative to the project; one that begins with `~` belongs to the user and is only shown. */
  readonly path: string;
  readonly text: string;
  /** Where it is JSON: the key under which the client keeps its servers. */
  readonly servers?: string;
}

/** A program and its arguments. */
export type StartLine = readonly [program: string, ...args: string[]];

/** What earlier versions wrote. Where the package is not installed npx takes whatever the registry has under this name. */
const UNSAFE: StartLine = ["npx", "espalier", "mcp"];

/** Seconds that a call may take where a client has a limit of its own: a report lasts as long as the proof of its task. */
const LONGEST_CALL = 3600;

/** What a lead is told in the clients that read skills. */
const SKILL = `---
name: espalier-lead
description: Work through this project's task file with Espalier, as a lead that stays thin
---

Repeat until \`next_tasks\` answers ALL_DONE or STOP:

1. Call \`next_tasks\`. READY names tasks: a comma joins what goes now, \`|\` separates what waits.
2. For each task that is ready call \`start_task\`. It answers PROMPT:file. Give a subagent this one line, with the file's name:
   "Read this file and do what it says; answer with its last line only." Do not read the file, the task or any log yourself.
3. Hand the subagent's last line in with \`report\`, as it is. COMPLETED, READY or PENDING (it will be tried again) or
   FAILED is all you need to know.

PHASE_DONE: call \`next_tasks\` again. WAIT: wait for your subagents; for a task of it that none of them works on, as after a
restart, \`start_task\` says which file to give to a new one. ERROR, PAUSED or STOP: tell the person what it says.
`;

/** The files that connect a client to this project, and let it lead; `start` starts the server. */
export function setupFor(client: ClientName, start: StartLine): SetupFile[] {
  const [command, ...args] = start;
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  switch (client) {
    case "claude":
      return [
        {
          path: ".mcp.json",
          text: json({ mcpServers: { espalier: { command, args } } }),
          servers: "mcpServers",
        },
        { path: ".claude/skills/espalier-lead/SKILL.md", text: SKILL },
      ];
    case "codex":
      return [
        {
          path: "~/.codex/config.toml",
          // Without `required` Codex asks its model before the tools are there.
          text: `[mcp_servers.espalier]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nrequired = true\nstartup_timeout_sec = 60\ntool_timeout_sec = ${LONGEST_CALL}\ndefault_tools_approval_mode = "approve"\n`,
        },
        { path: ".agents/skills/espalier-lead/SKILL.md", text: SKILL },
      ];
    case "gemini":
      return [
        {
          path: ".gemini/settings.json",
          text: json({ mcpServers: { espalier: { command, args, timeout: LONGEST_CALL * 1000 } } }),
          servers: "mcpServers",
        },
        {
          path: ".gemini/commands/espalier-lead.toml",
          text: `description = "Work through the task file with Espalier"\nprompt = '''\n${SKILL.split("---\n\n")[1] ?? ""}'''\n`,
        },
      ];
    case "opencode":
      return [
        {
          path: "opencode.json",
          text: json({ mcp: { espalier: { type: "local", command: start, enabled: true } } }),
          servers: "mcp",
        },
        { path: ".opencode/command/espalier-lead.md", text: SKILL },
      ];
    default:
      throw new Error(`unknown client ${JSON.stringify(client satisfies never)}`);
  }
}

/**
 * The text of a setup file that is there already with our server added to it; the same text where it is connected.
 * Undefined where that is for a person to decide: no plain JSON, or a server of that name that is another one.
 */
export function joined({ text, servers }: SetupFile, there: string): string | undefined {
  if (there === text) return there;
  const file = objectIn(there);
  if (servers === undefined || file === undefined) return undefined;
  const before = file[servers] ?? {};
  if (!isObject(before)) return undefined;
  const own = objectIn(text)?.[servers];
  const ours = isObject(own) ? own["espalier"] : undefined;
  const theirs = before["espalier"];
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return there;
  if (theirs !== undefined && !isUnsafe(theirs)) return undefined;
  const merged = { ...file, [servers]: { ...before, espalier: ours } };
  return `${JSON.stringify(merged, null, indentOf(there))}${there.endsWith("\n") ? "\n" : ""}`;
}

function isUnsafe(server: unknown): boolean {
  const { command, args = [] } = isObject(server) ? server : {};
  const line: unknown = Array.isArray(command) ? command : Array.isArray(args) ? [command, ...args] : [];
  return JSON.stringify(line) === JSON.stringify(UNSAFE);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How the first line below the opening brace is indented. */
function indentOf(text: string): string {
  return /^[^\n]{0,100}\n([ \t]{1,8})"/.exec(text)?.[1] ?? "  ";
}
