import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentUsage, McpServer, ToolHook, ToolKind } from "../../../ports/index.ts";
import { defined, type Fields, fields, list, text, tokens } from "../fields.ts";
import { blunt } from "../permissions.ts";
import { foldersUp, repositoryFiles } from "../repository-files.ts";
import { permissionsOf } from "../settings.ts";
import type { CliCommand, CliTurn, Dialect, Tell } from "./dialect.ts";
import { flag } from "./flag.ts";
import { HOOK_SECONDS, hookLine } from "./hook.ts";

/** Codex: `codex exec --json`, its own sandbox around every command. */
export const CODEX: Dialect = {
  program: "codex",
  abilities: {
    followUp: true,
    resume: true,
    usage: true,
    cost: false,
    budget: false,
    sandbox: true,
    asks: false,
    mcp: true,
    hook: true,
  },
  turn: codexTurn,
  hearing: tell => ({
    "thread.started": event => tell.session(text(event["thread_id"])),
    "turn.started": () => tell.progress(),
    "item.started": event => item(fields(event["item"]), false, tell),
    "item.updated": event => item(fields(event["item"]), false, tell),
    "item.completed": event => item(fields(event["item"]), true, tell),
    "turn.completed"(event) {
      tell.usage(usageOf(fields(event["usage"])), "thread");
      tell.finished();
    },
    "turn.failed": event => tell.failed({ said: reasonOf(text(fields(event["error"])["message"])) }),
    // It says so before it tries again, too, and without a network it does so for ever.
    error: event => tell.obstacle({ said: reasonOf(text(event["message"])) }),
  }),
  login: {
    args: ["login", "status"],
    state: (exitCode, said) => {
      // It knows of its own logins, and not of the keys of other services.
      if (/not logged in/i.test(said)) return "unseen";
      return exitCode === 0 && /logged in/i.test(said) ? "in" : "unknown";
    },
  },
};

function codexTurn({ message, settings, request, session, mcp, jailed }: CliTurn): CliCommand {
  const { edit, execute, fetch } = blunt(permissionsOf(settings));
  const folders = [...new Set((request.writable ?? []).map(path => dirname(path)))];
  const free = edit === "allow" && execute === "allow" && fetch === "allow";
  const options = [
    "--json",
    "--skip-git-repo-check",
    // Rules the repository brings along are not the user's.
    "--ignore-rules",
    ...flag(
      "--sandbox",
      edit === "allow" ? (jailed ? "danger-full-access" : "workspace-write") : "read-only",
    ),
    ...config("approval_policy", "never"),
    ...untrusted(request.cwd),
    ...(folders.length > 0 ? config("sandbox_workspace_write.writable_roots", folders) : []),
    ...(free ? config("sandbox_workspace_write.network_access", true) : []),
    ...flag("--model", settings.model),
    ...(settings.effort === undefined ? [] : config("model_reasoning_effort", settings.effort)),
    ...flag("--cd", request.cwd),
    ...mcp.flatMap(serverConfig),
    ...(request.hook === undefined ? [] : hookConfig(request.hook)),
  ];
  const target = session === undefined ? ["-"] : ["resume", session, "-"];
  return { input: message, args: ["exec", ...options, ...target] };
}

/**
 * Even where the user trusts a repository, its servers and hooks are not asked for here. Codex then leaves out its
 * `AGENTS.md` as well: only where there is something to keep out.
 */
function untrusted(cwd: string): readonly string[] {
  if (repositoryFiles(cwd, [".codex"]).length === 0) return [];
  // A folder is looked up under either name.
  const names = new Set(foldersUp(cwd).flatMap(each => [each, existsSync(each) ? realpathSync(each) : each]));
  const folders = [...names].map(name => `${JSON.stringify(name)}={trust_level="untrusted"}`);
  return ["-c", `projects={${folders.join(",")}}`];
}

function config(key: string, value: unknown): readonly string[] {
  // JSON's texts, lists and booleans are TOML's as well.
  return ["-c", `${key}=${JSON.stringify(value)}`];
}

function serverConfig({ name, command, args, env }: McpServer): readonly string[] {
  const key = `mcp_servers.${name}`;
  return [
    ...config(`${key}.command`, command),
    ...config(`${key}.args`, args),
    ...Object.entries(env).flatMap(([variable, value]) => config(`${key}.env.${variable}`, value)),
    ...config(`${key}.default_tools_approval_mode`, "approve"),
    // Else it asks its model before the tools are there.
    ...config(`${key}.required`, true),
    ...config(`${key}.startup_timeout_sec`, 60),
  ];
}

/** By what Codex knows the first hook after tool calls of its own command line. */
const HOOK_KEY = "/<session-flags>/config.toml:post_tool_use:0:0";

/**
 * A hook runs once a person has approved its text. This one is ours and approved here, by the hash that Codex makes of it: those
 * of others stay as they are, and a version that makes another hash leaves it out.
 */
function hookConfig(hook: ToolHook): readonly string[] {
  const [command, timeout] = [hookLine(hook), HOOK_SECONDS];
  const text = JSON.stringify(command);
  const known = {
    event_name: "post_tool_use",
    hooks: [{ async: false, command, timeout, type: "command" }],
    matcher: "*",
  };
  const hash = createHash("sha256").update(JSON.stringify(known)).digest("hex");
  return [
    "-c",
    `hooks.PostToolUse=[{matcher="*",hooks=[{type="command",command=${text},timeout=${timeout}}]}]`,
    "-c",
    `hooks.state={${JSON.stringify(HOOK_KEY)}={trusted_hash="sha256:${hash}"}}`,
  ];
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  command_execution: "execute",
  file_change: "edit",
  web_search: "fetch",
  mcp_tool_call: "other",
  collab_tool_call: "other",
};

function item(fact: Fields, isCompleted: boolean, tell: Tell): void {
  const type = text(fact["type"]);
  if (type === "error") {
    // Warnings, not failures: the turn goes on.
    tell.obstacle({ said: text(fact["message"]) });
    return;
  }
  tell.progress();
  if (type === "agent_message" && isCompleted) {
    tell.line();
    tell.say(text(fact["text"]));
  }
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (kind === undefined) return;
  const status = text(fact["status"]);
  const done = status === "failed" || status === "declined" ? "failed" : "done";
  tell.pause();
  tell.tool({ id: text(fact["id"]), kind, title: titleOf(fact), state: isCompleted ? done : "started" });
  if (status === "declined") tell.rejected(kind, titleOf(fact));
}

function titleOf(fact: Fields): string {
  const paths = list(fact["changes"]).map(change => text(fields(change)["path"]));
  const call = [text(fact["server"]), text(fact["tool"])].filter(part => part !== "").join(".");
  return text(fact["command"]) || paths.join(", ") || text(fact["query"]) || call;
}

/** Errors of the service come as JSON inside the text. */
function reasonOf(message: string): string {
  const brace = message.indexOf("{");
  if (brace < 0) return message;
  try {
    const body = fields(JSON.parse(message.slice(brace)));
    const error = fields(body["error"]);
    return (
      [text(error["message"]), text(error["type"]), text(error["code"])]
        .filter(part => part !== "")
        .join(" · ") || message
    );
  } catch {
    return message;
  }
}

function usageOf(usage: Fields): AgentUsage {
  return defined<AgentUsage>({
    inputTokens: tokens(usage["input_tokens"]),
    outputTokens: tokens(usage["output_tokens"]),
    cachedTokens: tokens(usage["cached_input_tokens"]),
    reasoningTokens: tokens(usage["reasoning_output_tokens"]),
  });
}
