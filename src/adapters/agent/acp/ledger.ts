import { execFile } from "node:child_process";
import type { AgentUsage } from "../../../ports/index.ts";
import { amount, dollars, type Fields, fields, list, tokens } from "../fields.ts";
import { RESULT_TOKENS } from "../tally.ts";

/** Milliseconds it may take to print a session, on a machine that has much else to do. */
const LEDGER_MS = 30_000;
/** Bytes of a printed session that are read: it holds all that was said in it. */
const LEDGER_BYTES = 64 << 20;

export interface LedgerOptions {
  readonly file: string;
  /** What prints a session: its id follows. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Epoch milliseconds: calls that began before belong to an earlier attempt. */
  readonly since: number;
}

/** What a session's calls of the model used, by the program's own books; undefined when it does not show them. */
export function readLedger(session: string, options: LedgerOptions): Promise<AgentUsage | undefined> {
  const { file, args, env, since } = options;
  // An id that begins like an option would be one.
  if (!/^\w+$/.test(session)) return Promise.resolve(undefined);
  return new Promise(resolve => {
    const limits = { timeout: LEDGER_MS, maxBuffer: LEDGER_BYTES, killSignal: "SIGKILL", cwd: "/" } as const;
    const child = execFile(file, [...args, session], { ...limits, env }, (_error, out) =>
      resolve(usageIn(out, since)),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}

/** The sum of all calls of the model since then in a session as OpenCode prints it; undefined when there is none. */
export function usageIn(printed: string, since: number): AgentUsage | undefined {
  let session: Fields;
  try {
    session = fields(JSON.parse(printed));
  } catch {
    return undefined;
  }
  const sum = {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    reasoningTokens: 0,
    estimatedTokens: 0,
    costUsd: 0,
  };
  let before = 0;
  for (const { info } of list(session["messages"]).map(fields)) {
    const { role, time, tokens: told, cost } = fields(info);
    if (role !== "assistant" || (amount(fields(time)["created"]) ?? 0) < since) continue;
    const call = callIn(fields(told));
    const size = call.inputTokens + call.outputTokens;
    if (size === 0) {
      // A call that was cut off is not counted: it read what the one before it had, and what a tool returned.
      sum.inputTokens += before + RESULT_TOKENS;
      sum.estimatedTokens += before + RESULT_TOKENS;
      continue;
    }
    before = size;
    sum.inputTokens += call.inputTokens;
    sum.outputTokens += call.outputTokens;
    sum.cachedTokens += call.cachedTokens;
    sum.reasoningTokens += call.reasoningTokens;
    sum.costUsd += dollars(cost) ?? 0;
  }
  return before === 0 ? undefined : sum;
}

/** What one call of the model used, with what came from its cache and what it thought among them. */
function callIn(told: Fields) {
  const { read, write } = fields(told["cache"]);
  const cachedTokens = tokens(read) ?? 0;
  const reasoningTokens = tokens(told["reasoning"]) ?? 0;
  return {
    inputTokens: (tokens(told["input"]) ?? 0) + cachedTokens + (tokens(write) ?? 0),
    outputTokens: (tokens(told["output"]) ?? 0) + reasoningTokens,
    cachedTokens,
    reasoningTokens,
  };
}
