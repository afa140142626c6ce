/**
 * Stands in for a coding agent: `stand-in.ts DIALECT SCRIPT-FILE [flags …]` runs the shell script for every message and
 * tells its output in the shapes of that agent.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const [dialect = "", file = ""] = process.argv.slice(2);
if (process.argv.includes("--version")) {
  process.stdout.write("1.0.0\n");
  process.exit(0);
}
const script = readFileSync(file, "utf8");
const session = "session-1";
process.on("SIGTERM", () => {});

function emit(value: unknown): void {
  let bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}

interface End {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  readonly tail: string;
}

/** Runs the script; `say` receives whole lines, many at a time. */
function run(
  message: string,
  say: (text: string) => void,
  started: (kill: () => void) => void,
): Promise<End> {
  const child = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  const decoder = new TextDecoder();
  let rest = "";
  let tail = "";
  const told = (text: string) => {
    if (text === "") return;
    say(text);
    tail = (tail + text).slice(-(1 << 16));
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const text = rest + decoder.decode(chunk, { stream: true });
    const cut = text.lastIndexOf("\n") + 1;
    told(text.slice(0, cut));
    rest = text.slice(cut);
  });
  child.stdin.on("error", () => {});
  child.stdin.end(message);
  started(() => child.kill("SIGTERM"));
  return new Promise(resolve => {
    child.once("exit", (code, signal) => {
      const finish = () => {
        told(rest + decoder.decode());
        rest = "";
        resolve({ code: code ?? 0, signal, tail });
      };
      const late = setTimeout(finish, 300);
      child.once("close", () => {
        clearTimeout(late);
        finish();
      });
    });
  });
}

interface Shapes {
  begin(): void;
  say(text: string): void;
  end(end: End): void;
}

const SHAPES: Record<string, Shapes> = {
  claude: {
    begin: () => emit({ type: "system", subtype: "init", session_id: session }),
    say: text =>
      emit({ type: "assistant", message: { content: [{ type: "text", text }] }, parent_tool_use_id: null }),
    end: ({ tail }) =>
      emit({
        type: "result",
        subtype: "success",
        is_error: false,
        result: tail,
        total_cost_usd: 0.25,
        usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 },
      }),
  },
  codex: {
    begin: () => {
      emit({ type: "thread.started", thread_id: session });
      emit({ type: "turn.started" });
    },
    say: text => emit({ type: "item.completed", item: { id: "item_0", type: "agent_message", text } }),
    end: () =>
      emit({
        type: "turn.completed",
        usage: { input_tokens: 100, cached_input_tokens: 90, output_tokens: 5 },
      }),
  },
  gemini: {
    begin: () => emit({ type: "init", session_id: session, model: "m" }),
    say: text => emit({ type: "message", role: "assistant", content: text, delta: true }),
    end: () =>
      emit({
        type: "result",
        status: "success",
        stats: { input_tokens: 100, cached: 90, output_tokens: 5 },
      }),
  },
  opencode: {
    begin: () => emit({ type: "step_start", sessionID: session, part: {} }),
    say: text => emit({ type: "text", sessionID: session, part: { type: "text", text } }),
    end: () =>
      emit({
        type: "step_finish",
        sessionID: session,
        part: { reason: "stop", cost: 0.25, tokens: { input: 10, output: 5, cache: { read: 90, write: 0 } } },
      }),
  },
};

function die(signal: NodeJS.Signals): void {
  process.removeAllListeners("SIGTERM");
  process.kill(process.pid, signal);
}

/** The first message on a channel that stays open for more. */
function firstLine(): Promise<string> {
  return new Promise(resolve => {
    createInterface({ input: process.stdin }).once("line", resolve);
  });
}

async function commandLine(shapes: Shapes): Promise<void> {
  const message =
    dialect === "claude" ? JSON.parse(await firstLine()).message.content : readFileSync(0, "utf8");
  shapes.begin();
  const end = await run(message, shapes.say, () => {});
  if (end.signal !== null) return die(end.signal);
  shapes.end(end);
  process.exit(end.code);
}

function acp(): void {
  let kill = (): void => {};
  let cancelled = false;
  let running = 0;
  // As agents do: what a script does not hold up is not waited for.
  process.on("SIGTERM", () => running === 0 && process.exit(0));
  const answer = (id: unknown, result: unknown) => emit({ jsonrpc: "2.0", id, result });
  const update = (body: object) =>
    emit({ jsonrpc: "2.0", method: "session/update", params: { sessionId: session, update: body } });
  createInterface({ input: process.stdin }).on("line", line => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") {
      answer(id, { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] });
    } else if (method === "session/new" || method === "session/load") {
      answer(id, { sessionId: session });
    } else if (method === "session/cancel") {
      cancelled = true;
      kill();
    } else if (method === "session/prompt") {
      cancelled = false;
      const text = params.prompt[0].text;
      const say = (said: string) =>
        update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } });
      running += 1;
      void run(text, say, stop => (kill = stop)).then(end => {
        running -= 1;
        if (end.signal === "SIGKILL") return die(end.signal);
        update({
          sessionUpdate: "usage_update",
          used: 105,
          size: 1000,
          cost: { amount: 0.25, currency: "USD" },
        });
        answer(id, {
          stopReason: cancelled ? "cancelled" : "end_turn",
          usage: { inputTokens: 10, cachedReadTokens: 90, outputTokens: 5 },
        });
      });
    }
  });
  process.stdin.once("end", () => process.exit(0));
}

const shapes = SHAPES[dialect];
if (shapes === undefined) acp();
else await commandLine(shapes);
