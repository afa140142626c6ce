import { lstatSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentFailure,
  type AgentUsage,
  because,
  type ToolHook,
  type ToolKind,
} from "../../../ports/index.ts";
import { amount, defined, dollars, type Fields, fields, list, text, tokens } from "../fields.ts";
import { foldersUp } from "../repository-files.ts";
import { permissionsOf } from "../settings.ts";
import { kindIn, toolTitle } from "../tool-calls.ts";
import { leftOff } from "../turns.ts";
import { claudeRules } from "./claude-rules.ts";
import type { AskedCall, CliCommand, CliTurn, Dialect, Tell } from "./dialect.ts";
import { flag } from "./flag.ts";
import { HOOK_SECONDS, hookLine } from "./hook.ts";

/** Claude Code: `claude -p` with stream-json. */
export const CLAUDE: Dialect = {
  program: "claude",
  abilities: {
    followUp: true,
    resume: true,
    usage: true,
    cost: true,
    budget: true,
    sandbox: false,
    asks: true,
    mcp: true,
    hook: true,
  },
  turn: claudeTurn,
  broker: {
    prompt: message => JSON.stringify({ type: "user", message: { role: "user", content: message } }),
    asked: askedIn,
    answer: answerTo,
    refused: event =>
      event["type"] === "control_request"
        ? response({ subtype: "error", request_id: event["request_id"], error: "nobody answers this here" })
        : undefined,
  },
  hearing: tell => ({
    system: event => system(event, tell),
    assistant: event => assistant(event, tell),
    user: event => results(fields(event["message"]), tell),
    stream_event: () => tell.progress(),
    rate_limit_event: event => rateLimit(fields(event["rate_limit_info"]), tell),
    result: event => result(event, tell),
  }),
  login: {
    args: ["auth", "status"],
    // It counts every way in: keys, tokens, helpers, clouds.
    state: (_exitCode, said) => {
      if (/"loggedIn"\s?:\s?true/.test(said)) return "in";
      return /"loggedIn"\s?:\s?false/.test(said) ? "out" : "unknown";
    },
  },
};

function claudeTurn({ message, settings, request, session, mcp }: CliTurn): CliCommand {
  const { mode, forbidden } = claudeRules(permissionsOf(settings));
  // The task file and other documents may lie outside of the folder it works in.
  const allowed = ["Read", "Glob", "Grep", ...mcp.map(({ name }) => `mcp__${name}`)];
  const servers = Object.fromEntries(mcp.map(({ name, ...server }) => [name, server]));
  return {
    input: message,
    args: [
      "-p",
      ...flag("--output-format", "stream-json"),
      ...flag("--input-format", "stream-json"),
      "--verbose",
      // Hooks, servers and permissions that the repository brings along are not the user's.
      ...flag("--setting-sources", "user"),
      "--strict-mcp-config",
      ...flag("--permission-mode", mode),
      ...flag("--permission-prompt-tool", "stdio"),
      ...flag("--mcp-config", mcp.length === 0 ? undefined : JSON.stringify({ mcpServers: servers })),
      ...flag("--allowedTools", allowed.join(",")),
      ...flag("--disallowedTools", forbidden.length === 0 ? undefined : forbidden.join(",")),
      ...flag("--settings", request.hook === undefined ? undefined : hooks(request.hook)),
      ...flag("--append-system-prompt-file", instructions(request.cwd)),
      ...flag("--model", settings.model),
      ...flag("--effort", settings.effort),
      ...flag("--max-turns", settings.maxTurns),
      ...flag("--max-budget-usd", settings.budgetUsd),
      ...flag("--resume", session),
    ],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // By itself it tries again for minutes; the run knows better what to do with the time.
      CLAUDE_CODE_MAX_RETRIES: "2",
      ...(mcp.length === 0 ? {} : { ENABLE_TOOL_SEARCH: "false" }),
    },
  };
}

/** A question of Claude Code's: may it make this call of a tool? */
function askedIn(event: Fields): AskedCall | undefined {
  const request = fields(event["request"]);
  if (event["type"] !== "control_request" || request["subtype"] !== "can_use_tool") return undefined;
  const name = text(request["tool_name"]);
  const input = fields(request["input"]);
  const id = text(request["tool_use_id"]);
  const path = text(input["notebook_path"]) || text(input["file_path"]);
  const kind = kindIn(KINDS, name);
  return {
    id,
    call: {
      toolCallId: id,
      kind,
      name,
      title: titleOf(name, input),
      rawInput: { ...input, ...(path === "" ? {} : { file_path: path }) },
    },
    isDelicate: text(request["decision_reason_type"]) === "safetyCheck",
  };
}

function answerTo(event: Fields, isAllowed: boolean): string {
  const { input } = fields(event["request"]);
  const answer = isAllowed
    ? { behavior: "allow", updatedInput: input }
    : { behavior: "deny", message: "This is not allowed here: go on without it." };
  return response({ subtype: "success", request_id: event["request_id"], response: answer });
}

function response(told: Fields): string {
  return JSON.stringify({ type: "control_response", response: told });
}

/** Settings of this session alone, beside the user's own: a hook for each tool call, whether it went well or not. */
function hooks(hook: ToolHook): string {
  const each = [
    { matcher: "*", hooks: [{ type: "command", command: hookLine(hook), timeout: HOOK_SECONDS }] },
  ];
  return JSON.stringify({ hooks: { PostToolUse: each, PostToolUseFailure: each } });
}

/** The limit that the program was started with: its account has more. */
function moneySpent(message: string): AgentFailure {
  const reason = because("agent-failed", { kind: "budget", said: message });
  return { kind: "budget", message, reason, retryable: false };
}

/** The instructions of the repository, which it leaves out together with the settings there. */
function instructions(cwd: string): string | undefined {
  const files = foldersUp(cwd).map(folder => join(folder, "CLAUDE.md"));
  // A link could bring in any file.
  return files.find(file => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

function system(event: Fields, tell: Tell): void {
  if (event["subtype"] === "init") tell.session(text(event["session_id"]));
  if (event["subtype"] !== "api_retry") return;
  const status = amount(event["error_status"]);
  tell.obstacle({ said: text(event["error"]) || "the service does not answer", status });
}

function rateLimit(info: Fields, tell: Tell): void {
  if (info["status"] !== "rejected") return;
  const resetsAt = (amount(info["resetsAt"]) ?? 0) * 1_000;
  tell.obstacle({ said: "usage limit reached", status: 429, ...(resetsAt > 0 ? { resetsAt } : {}) });
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  Glob: "read",
  Grep: "read",
  LS: "read",
  TodoWrite: "read",
  Edit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Bash: "execute",
  WebFetch: "fetch",
  WebSearch: "fetch",
};

function titleOf(name: string, input: Fields): string {
  const about =
    text(input["command"]) || text(input["file_path"]) || text(input["path"]) || text(input["url"]);
  return toolTitle(name, about);
}

function assistant(event: Fields, tell: Tell): void {
  tell.progress();
  // What sub-agents say belongs to the tool call that started them.
  if (text(event["parent_tool_use_id"]) !== "") return;
  const message = fields(event["message"]);
  const { inputTokens = 0, outputTokens = 0 } = usageOf(message);
  if (inputTokens > 0) tell.context(inputTokens + outputTokens);
  for (const block of list(message["content"]).map(fields)) {
    if (block["type"] === "text") {
      tell.line();
      tell.say(text(block["text"]));
    }
    if (block["type"] !== "tool_use") continue;
    const name = text(block["name"]);
    tell.pause();
    tell.tool({
      id: text(block["id"]),
      kind: kindIn(KINDS, name),
      title: titleOf(name, fields(block["input"])),
      state: "started",
    });
  }
}

function results(message: Fields, tell: Tell): void {
  for (const block of list(message["content"]).map(fields)) {
    if (block["type"] !== "tool_result") continue;
    const state = block["is_error"] === true ? "failed" : "done";
    tell.tool({ id: text(block["tool_use_id"]), state });
  }
}

function result(event: Fields, tell: Tell): void {
  for (const denial of list(event["permission_denials"]).map(fields)) {
    const name = text(denial["tool_name"]);
    tell.rejected(
      kindIn(KINDS, name),
      titleOf(name, fields(denial["tool_input"])),
      text(denial["tool_use_id"]),
    );
  }
  tell.usage(usageOf(event));
  const said = text(event["result"]);
  if (event["is_error"] !== true && event["subtype"] === "success") {
    tell.final(said);
    tell.finished();
    return;
  }
  const agent = "claude";
  if (event["subtype"] === "error_max_turns") tell.failed(leftOff(agent, "turns", "max-turns"));
  else if (event["subtype"] === "error_max_budget_usd")
    tell.failed(moneySpent(`${agent} came to its limit of money`));
  else {
    const errors = list(event["errors"]).map(text).join("; ");
    tell.failed({
      said: said || errors || text(event["subtype"]),
      status: amount(event["api_error_status"]),
    });
  }
}

/** `modelUsage` counts sub-agents too, `usage` only the conversation itself. */
function usageOf(event: Fields): AgentUsage {
  const models = Object.values(fields(event["modelUsage"])).map(fields);
  const costUsd = dollars(event["total_cost_usd"]);
  if (models.length > 0) {
    const sum = (name: string) => models.reduce((total, model) => total + (tokens(model[name]) ?? 0), 0);
    const cachedTokens = sum("cacheReadInputTokens");
    const inputTokens = sum("inputTokens") + cachedTokens + sum("cacheCreationInputTokens");
    return defined<AgentUsage>({ inputTokens, outputTokens: sum("outputTokens"), cachedTokens, costUsd });
  }
  const usage = fields(event["usage"]);
  const cachedTokens = tokens(usage["cache_read_input_tokens"]);
  const fresh = tokens(usage["input_tokens"]);
  const made = tokens(usage["cache_creation_input_tokens"]) ?? 0;
  const inputTokens = fresh === undefined ? undefined : fresh + (cachedTokens ?? 0) + made;
  return defined<AgentUsage>({
    inputTokens,
    outputTokens: tokens(usage["output_tokens"]),
    cachedTokens,
    costUsd,
  });
}
