import type { AgentUsage, ToolKind } from "../../../ports/index.ts";
import { amount, dollars, type Fields, fields, text, tokens } from "../fields.ts";
import type { Decision, PatternRules } from "../permissions.ts";
import { permissionsOf } from "../settings.ts";
import { kindIn, toolTitle } from "../tool-calls.ts";
import type { CliCommand, CliTurn, Dialect, Tell } from "./dialect.ts";
import { flag } from "./flag.ts";

/** OpenCode: `opencode run --format json`. */
export const OPENCODE: Dialect = {
  program: "opencode",
  abilities: {
    followUp: true,
    resume: true,
    usage: true,
    cost: true,
    budget: false,
    sandbox: false,
    asks: false,
    mcp: true,
  },
  turn: opencodeTurn,
  hearing(tell) {
    const usage: Usage = {
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      reasoningTokens: 0,
      costUsd: 0,
    };
    return {
      step_start: event => tell.session(text(event["sessionID"])),
      text(event) {
        tell.line();
        tell.say(text(fields(event["part"])["text"]));
      },
      reasoning: () => tell.progress(),
      tool_use: event => toolUse(fields(event["part"]), tell),
      step_finish: event => stepFinish(fields(event["part"]), tell, usage),
      error: event => failed(fields(event["error"]), tell),
    };
  },
};

/** What its steps used so far: each tells its own. */
type Usage = {
  -readonly [K in "inputTokens" | "outputTokens" | "cachedTokens" | "reasoningTokens" | "costUsd"]: number;
};

function opencodeTurn({ message, settings, request, session, mcp }: CliTurn): CliCommand {
  const { edit, execute, fetch } = permissionsOf(settings);
  const permission = {
    edit: unasked(edit),
    bash: unasked(execute),
    webfetch: unasked(fetch),
    external_directory: "deny",
    doom_loop: "deny",
  };
  const servers = mcp.map(({ name, command, args, env }) => [
    name,
    { type: "local", command: [command, ...args], environment: env, enabled: true },
  ]);
  return {
    input: message,
    args: [
      "run",
      ...flag("--format", "json"),
      "--pure",
      // On its events it is silent while it tries again.
      "--print-logs",
      ...flag("--log-level", "ERROR"),
      ...flag("--dir", request.cwd),
      ...flag("--model", settings.model),
      ...flag("--variant", settings.effort),
      ...flag("--session", session),
    ],
    rules: { OPENCODE_PERMISSION: JSON.stringify(permission) },
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_SHARE: "1",
      ...(servers.length === 0
        ? {}
        : { OPENCODE_CONFIG_CONTENT: JSON.stringify({ mcp: Object.fromEntries(servers) }) }),
    },
  };
}

/** Where it would have to ask and cannot, it gives its whole turn up without a word. Of its patterns the last that fits counts. */
function unasked(rules: Decision | PatternRules): Decision | Readonly<Record<string, Decision>> {
  const certain = (decision: Decision): Decision => (decision === "ask" ? "deny" : decision);
  if (typeof rules === "string") return certain(rules);
  const { allow = [], ask = [], deny = [] } = rules;
  const each = (list: readonly string[], decision: Decision) => list.map(pattern => [pattern, decision]);
  return Object.fromEntries([
    ["*", certain(rules.else)],
    ...each(allow, "allow"),
    ...each([...ask, ...deny], "deny"),
  ]);
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: "read",
  list: "read",
  glob: "read",
  grep: "read",
  todowrite: "read",
  edit: "edit",
  write: "edit",
  patch: "edit",
  bash: "execute",
  webfetch: "fetch",
  websearch: "fetch",
};

function toolUse(part: Fields, tell: Tell): void {
  const name = text(part["tool"]);
  const state = fields(part["state"]);
  const input = fields(state["input"]);
  const about = text(input["command"]) || text(input["filePath"]) || text(state["title"]);
  const kind = kindIn(KINDS, name);
  const title = toolTitle(name, about);
  tell.pause();
  tell.tool({
    id: text(part["callID"]),
    kind,
    title,
    state: state["status"] === "error" ? "failed" : "done",
  });
  if (/reject|permission/i.test(text(state["error"]).slice(0, 300))) tell.rejected(kind, title);
}

function stepFinish(part: Fields, tell: Tell, usage: Usage): void {
  const told = fields(part["tokens"]);
  const cached = tokens(fields(told["cache"])["read"]) ?? 0;
  usage.inputTokens += (tokens(told["input"]) ?? 0) + cached + (tokens(fields(told["cache"])["write"]) ?? 0);
  const thought = tokens(told["reasoning"]) ?? 0;
  usage.outputTokens += (tokens(told["output"]) ?? 0) + thought;
  usage.reasoningTokens += thought;
  usage.cachedTokens += cached;
  usage.costUsd += dollars(part["cost"]) ?? 0;
  tell.usage({ ...usage } satisfies AgentUsage);
  // Each round of tool calls is a step; the last one calls none.
  if (part["reason"] !== "tool-calls") tell.finished();
}

function failed(error: Fields, tell: Tell): void {
  const data = fields(error["data"]);
  tell.failed({
    said: text(data["message"]) || text(error["message"]) || text(error["name"]),
    status: amount(data["statusCode"]),
    code: text(error["name"]),
  });
}
