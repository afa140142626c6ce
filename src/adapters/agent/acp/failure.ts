import { type AgentFailure, because } from "../../../ports/index.ts";
import type { ProcessEnd } from "../../process/index.ts";
import { complaintFailure } from "../complaint.ts";
import { amount, type Fields, fields, list, oneLine, text } from "../fields.ts";
import { lastOwnLine, tellingLine } from "../telling-line.ts";
import { killedBy, leftOff } from "../turns.ts";

/** The protocol's code for "log in first". */
const AUTH_REQUIRED = -32_000;

/** Logins that are told, and characters of each. */
const MOST_LOGINS = 4;
const MOST_LOGIN = 120;

/** The ways to log in that a hello offers, as an agent names them. */
export function loginsIn(hello: Fields): readonly string[] {
  return list(hello["authMethods"])
    .map(fields)
    .map(({ name, description }) => {
      const how = oneLine(text(description), MOST_LOGIN);
      return `${oneLine(text(name), MOST_LOGIN)}${how === "" ? "" : ` (${how})`}`.trim();
    })
    .filter(login => login !== "")
    .slice(0, MOST_LOGINS);
}

/** What an error answer means; where a login is missing, `logins` are those that the agent offers. */
export function answerFailure(agent: string, error: unknown, logins: readonly string[] = []): AgentFailure {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const facts = fields(data);
  const details = text(facts["details"]) || text(facts["message"]) || text(data);
  const said = [text(message), details].filter(part => part !== "").join(": ");
  if (code === AUTH_REQUIRED && !looksLikeService(said)) {
    const others = logins.filter(login => !said.includes(login)).join("; ");
    const what = said || "login required";
    const told = (words: string) => [agent, words, others].filter(part => part !== "").join(": ");
    const failure = { kind: "auth", message: told(what), retryable: false } as const;
    // Of an agent's words a line is kept, and its beginning: the logins stand behind that.
    return others === ""
      ? failure
      : { ...failure, reason: because("agent-failed", { kind: "auth", said: told(oneLine(what)) }) };
  }
  const status = amount(facts["status"]) ?? amount(facts["statusCode"]) ?? amount(code);
  return complaintFailure({ agent, said, status, code: text(facts["errorKind"]) }, Date.now());
}

function looksLikeService(said: string): boolean {
  return /rate.?limit|quota|overloaded/i.test(said);
}

/** What it means that the agent's process ended: by default in the middle of a turn. */
export function deathFailure(
  agent: string,
  end: ProcessEnd,
  errors: string,
  when = "in the middle of a turn",
): AgentFailure {
  if (end.exitCode === null) return killedBy(end.signal ?? "a signal", agent);
  const said = tellingLine(errors) || lastOwnLine(errors);
  const failure = complaintFailure({ agent, said, exitCode: end.exitCode }, Date.now());
  return failure.kind === "exit"
    ? { ...failure, message: `${failure.message} (its process ended ${when})` }
    : failure;
}

/** Whether an error is an answer of the agent's, and no broken connection. */
export function isAnswer(error: unknown): boolean {
  return typeof (error as { code?: unknown } | undefined)?.code === "number";
}

/** What a turn that stopped for another reason than its end came to; undefined for an ordinary end. */
export function stopFailure(agent: string, reason: Fields[string]): AgentFailure | undefined {
  switch (reason) {
    case "end_turn":
      return undefined;
    case "max_tokens":
      return leftOff(agent, "tokens", "exit");
    case "max_turn_requests":
      return leftOff(agent, "turns", "max-turns");
    case "refusal":
      return leftOff(agent, "refused", "exit");
    case "cancelled":
      return leftOff(agent, "gave-up", "exit");
    default:
      return leftOff(agent, "no-reason", "protocol");
  }
}

/** What it means that an agent ended a turn in order after it had told of an error: its last words are the error. */
export function brokenTurn(agent: string, message: string): AgentFailure {
  return complaintFailure({ agent, said: message.trim().split("\n").at(-1) ?? "" }, Date.now());
}

/**
 * What it means that a turn ended in order, without a count of tokens and with nothing but the words of an error: Copilot
 * tells of its service's refusals like that. Undefined for any other end.
 */
export function wordedFailure(agent: string, message: string, result: Fields): AgentFailure | undefined {
  const at = message.lastIndexOf("Error: ");
  const said = message.slice(at + "Error: ".length);
  const isNotice = /^(?:Error|Info): /.test(message) || said.startsWith("Failed to get response from");
  if (at < 0 || !isNotice || result["usage"] !== undefined || result["stopReason"] !== "end_turn")
    return undefined;
  return complaintFailure({ agent, said }, Date.now());
}
