import type { ClientContext, NewSessionRequest } from "@agentclientprotocol/sdk";
import { type AgentFailure, fail, ok, type Result, type SessionRequest } from "../../../ports/index.ts";
import { type Fields, fields, list, oneLine, text } from "../fields.ts";
import type { AgentSettings } from "../settings.ts";
import { answerFailure } from "./failure.ts";

/** The version of the protocol spoken here. */
const PROTOCOL_VERSION = 1;

export interface HandshakeOptions {
  /** The agent's name, for messages. */
  readonly agent: string;
  readonly request: SessionRequest;
  readonly settings: AgentSettings;
  /** The conversation to go on with, where the agent can. */
  readonly session: string | undefined;
  /** What an agent takes with a new session beyond the protocol. */
  readonly meta: Fields | undefined;
  readonly version: string;
}

/** What was agreed. */
export interface Agreement {
  readonly session: string;
  /** False when the conversation asked for could not be gone on with. */
  readonly resumed: boolean;
}

/** Says hello and opens a session, or goes on with an earlier one. */
export async function shakeHands(
  to: ClientContext,
  options: HandshakeOptions,
): Promise<Result<Agreement, AgentFailure>> {
  const { agent, request, settings } = options;
  try {
    const hello = await to.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      // Files and terminals stay the agent's own: its tools know them better, and its sandbox holds them.
      clientCapabilities: {},
      clientInfo: { name: "espalier", version: options.version },
    });
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      const message = `${agent} speaks version ${hello.protocolVersion} of the Agent Client Protocol, not ${PROTOCOL_VERSION}`;
      return fail({ kind: "protocol", message, retryable: false });
    }
    const where = { cwd: request.cwd, mcpServers: serversOf(request) };
    const { session } = options;
    const can = hello.agentCapabilities;
    if (session !== undefined && can?.sessionCapabilities?.resume) {
      await to.request("session/resume", { ...where, sessionId: session });
      return ok({ session, resumed: true });
    }
    if (session !== undefined && can?.loadSession === true) {
      await to.request("session/load", { ...where, sessionId: session });
      return ok({ session, resumed: true });
    }
    const wish: NewSessionRequest = { ...where, _meta: options.meta ?? null };
    const made = await to.request("session/new", wish);
    const problem = await chooseModel(to, made.sessionId, list(made.configOptions), agent, settings.model);
    return problem === undefined ? ok({ session: made.sessionId, resumed: false }) : fail(problem);
  } catch (error) {
    return fail(answerFailure(agent, error));
  }
}

type Servers = { name: string; command: string; args: string[]; env: { name: string; value: string }[] }[];

function serversOf({ mcp = [] }: SessionRequest): Servers {
  return mcp.map(({ name, command, args, env }) => ({
    name,
    command,
    args: [...args],
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
  }));
}

/** Sets the session's model; a failure names what is offered. */
async function chooseModel(
  to: ClientContext,
  sessionId: string,
  options: readonly unknown[],
  agent: string,
  model: string | undefined,
): Promise<AgentFailure | undefined> {
  if (model === undefined) return undefined;
  const option = options.map(fields).find(each => each["category"] === "model" || each["id"] === "model");
  const offered = choices(list(option?.["options"]));
  const unsuitable = (why: string): AgentFailure => ({
    kind: "unsuitable",
    message: `${agent} ${why}`,
    retryable: false,
  });
  if (option === undefined) return unsuitable(`offers no choice of models: leave out \`model: ${model}\``);
  if (offered.length > 0 && !offered.includes(model)) {
    return unsuitable(`does not offer the model ${model}; it offers ${oneLine(offered.join(", "))}`);
  }
  await to.request("session/set_config_option", { sessionId, configId: text(option["id"]), value: model });
  return undefined;
}

/** Values of a selection, which may stand in groups. */
function choices(options: readonly unknown[]): readonly string[] {
  return options.map(fields).flatMap(option => {
    const inner = list(option["options"]);
    return inner.length > 0 ? choices(inner) : [text(option["value"])].filter(value => value !== "");
  });
}
