/**
 * A program, not a module: agents run it after each of their tool calls, with the socket to ask at. It prints what has become due for
 * their attempt, as hooks say it, and nothing where nothing has or nobody answers. It never fails: the tool call has been made.
 */

// Asked for like this they come from Node alone: an import would load the files that this program shares with the commands.
const { readFileSync } = process.getBuiltinModule("node:fs");
const { connect } = process.getBuiltinModule("node:net");

/** Milliseconds that the agent is kept waiting. */
const PATIENCE = 2_000;
/** Characters of an answer. */
const MOST = 1 << 20;

interface ToolCall {
  readonly hook_event_name?: unknown;
  /** Whose call it was, where it was a sub-agent's. */
  readonly agent_id?: unknown;
}

function toolCall(): ToolCall {
  try {
    return (JSON.parse(readFileSync(0, "utf8")) as ToolCall | null) ?? {};
  } catch {
    return {};
  }
}

function told(answer: string): string {
  try {
    const { ok, message } = JSON.parse(answer) as { ok?: unknown; message?: unknown };
    return ok === true && typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}

function ask(path: string, hookEventName: unknown): void {
  const { ESPALIER_TASK: task, ESPALIER_ATTEMPT: token } = process.env;
  const socket = connect(path);
  let answer = "";
  socket.setEncoding("utf8");
  socket.setTimeout(PATIENCE, () => socket.destroy());
  socket.on("error", () => {});
  socket.on("connect", () => {
    socket.write(`${JSON.stringify({ method: "worker", task, token, ask: { op: "due" } })}\n`);
  });
  socket.on("data", (chunk: string) => {
    answer += chunk;
    if (answer.length > MOST) socket.destroy();
  });
  socket.on("close", () => {
    const additionalContext = told(answer);
    if (additionalContext === "") return;
    process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } }));
  });
}

const [, , path] = process.argv;
const { hook_event_name: name = "PostToolUse", agent_id: other } = toolCall();
// A sub-agent keeps what it is told to itself.
if (path !== undefined && other === undefined) ask(path, name);
