import type { AgentUsage, ToolKind } from "../../../ports/index.ts";
import { defined, type Fields, fields, text, tokens } from "../fields.ts";
import { blunt } from "../permissions.ts";
import { permissionsOf } from "../settings.ts";
import { kindIn, toolTitle } from "../tool-calls.ts";
import type { CliCommand, CliTurn, Dialect, Tell } from "./dialect.ts";
import { flag } from "./flag.ts";

/** Gemini CLI: `gemini -o stream-json`. */
export const GEMINI: Dialect = {
  program: "gemini",
  abilities: {
    followUp: true,
    resume: true,
    usage: true,
    cost: false,
    budget: false,
    sandbox: false,
    asks: false,
    mcp: false,
  },
  turn: geminiTurn,
  hearing: tell => ({
    init: event => tell.session(text(event["session_id"])),
    message(event) {
      if (event["role"] === "assistant") tell.say(text(event["content"]));
    },
    tool_use: event => toolUse(event, tell),
    tool_result(event) {
      tell.tool({ id: text(event["tool_id"]), state: event["status"] === "success" ? "done" : "failed" });
    },
    error: event => tell.obstacle({ said: text(event["message"]) }),
    result: event => result(event, tell),
  }),
  // 144 and 145 are the service's 400 and 401, cut to eight bits.
  exits: { 41: "auth", 42: "unsuitable", 53: "max-turns", 145: "auth" },
};

function geminiTurn({ message, settings, session, mcp }: CliTurn): CliCommand {
  const { edit, execute } = blunt(permissionsOf(settings));
  const editing = execute === "allow" ? "yolo" : "auto_edit";
  return {
    input: message,
    args: [
      ...flag("--output-format", "stream-json"),
      // `auto_edit` takes the shell away where nobody can be asked.
      ...flag("--approval-mode", edit === "allow" ? editing : "plan"),
      // In a folder it does not trust it refuses to work without a terminal.
      "--skip-trust",
      // Extensions and servers that the repository brings along are not the user's.
      ...flag("--extensions", "none"),
      ...flag("--allowed-mcp-server-names", mcp[0]?.name ?? "none"),
      ...flag("--model", settings.model),
      ...flag("--resume", session),
    ],
    // Read before `--skip-trust` is: the repository's settings and variables stay out, even where the user trusts it.
    rules: { GEMINI_CLI_TRUST_WORKSPACE: "false" },
  };
}

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  read_many_files: "read",
  list_directory: "read",
  glob: "read",
  grep_search: "read",
  search_file_content: "read",
  write_file: "edit",
  replace: "edit",
  run_shell_command: "execute",
  web_fetch: "fetch",
  google_web_search: "fetch",
};

function toolUse(event: Fields, tell: Tell): void {
  const name = text(event["tool_name"]);
  const input = fields(event["parameters"]);
  const about = text(input["command"]) || text(input["file_path"]) || text(input["path"]);
  tell.pause();
  tell.tool({
    id: text(event["tool_id"]),
    kind: kindIn(KINDS, name),
    title: toolTitle(name, about),
    state: "started",
  });
}

function result(event: Fields, tell: Tell): void {
  const stats = fields(event["stats"]);
  const [read, written, all] = ["input_tokens", "output_tokens", "total_tokens"].map(key =>
    tokens(stats[key]),
  );
  // What was thought stands in the sum alone.
  const thought = Math.max(0, (all ?? 0) - (read ?? 0) - (written ?? 0));
  const usage = defined<AgentUsage>({
    inputTokens: read,
    outputTokens: written === undefined ? undefined : written + thought,
    cachedTokens: tokens(stats["cached"]),
    reasoningTokens: thought === 0 ? undefined : thought,
  });
  if (Object.keys(usage).length > 0) tell.usage(usage);
  const error = fields(event["error"]);
  if (event["status"] === "success") tell.finished();
  else tell.failed({ said: text(error["message"]) || text(error["type"]), code: text(error["type"]) });
}
