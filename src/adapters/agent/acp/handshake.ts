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
  /** The mode the session is put into; its own choice without. */
  readonly mode: string | undefined;
  readonly version: string;
}

/** What was agreed. */
export interface Agreement {
  readonly session: string;
  /** False when the conversation asked for could not be gone on with. */
  readonly resumed: boolean;
  /** Whether it says that it can go on with a conversation of an earlier process. */
  readonly resumes: boolean;
}

/** Says hello and opens a session, or goes on with an earlier one. */
export async function shakeHands(
  to: ClientContext,
  options: HandshakeOptions,
): Promise<Result<Agreement, AgentFailure>> {
  const { agent, settings } = options;
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
    const can = hello.agentCapabilities;
    const opened = await openSession(to, options, {
      resume: can?.sessionCapabilities?.resume != null,
      load: can?.loadSession === true,
    });
    const { session } = opened;
    const { mode } = options;
    if (mode !== undefined) await to.request("session/set_mode", { sessionId: session, modeId: mode });
    const problem = await chooseModel(to, session, opened.offer, agent, settings.model);
    return problem === undefined ? ok(opened) : fail(problem);
  } catch (error) {
    return fail(answerFailure(agent, error));
  }
}

/** What a session lets be chosen. */
interface Offer {
  readonly options: readonly unknown[];
  /** Models, as agents tell them that speak the protocol as it was before it had options. */
  readonly models: readonly string[];
}

interface Opened extends Agreement {
  readonly offer: Offer;
}

function offerOf(answer: object): Offer {
  const { configOptions, models } = answer as Fields;
  const known = list(fields(models)["availableModels"]).map(model => text(fields(model)["modelId"]));
  return { options: list(configOptions), models: known.filter(model => model !== "") };
}

/** Goes on with the conversation asked for where the agent can, else begins one. */
async function openSession(
  to: ClientContext,
  { request, session, meta }: HandshakeOptions,
  can: { readonly resume: boolean; readonly load: boolean },
): Promise<Opened> {
  // Strict agents refuse a field that is null.
  const extras = meta === undefined ? {} : { _meta: meta };
  const where: NewSessionRequest = { cwd: request.cwd, mcpServers: serversOf(request), ...extras };
  if (session !== undefined && (can.resume || can.load)) {
    const known = { ...where, sessionId: session };
    const going = can.resume ? to.request("session/resume", known) : to.request("session/load", known);
    // One that is not kept any more is begun anew.
    const again = await going.catch(() => undefined);
    if (again !== undefined) return { session, resumed: true, resumes: true, offer: offerOf(again) };
  }
  const made = await to.request("session/new", where);
  return { session: made.sessionId, resumed: false, resumes: can.resume || can.load, offer: offerOf(made) };
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
  { options, models }: Offer,
  agent: string,
  model: string | undefined,
): Promise<AgentFailure | undefined> {
  if (model === undefined) return undefined;
  const option = options.map(fields).find(each => each["category"] === "model" || each["id"] === "model");
  const offered = option === undefined ? models : choices(list(option["options"]));
  const unsuitable = (why: string): AgentFailure => ({
    kind: "unsuitable",
    message: `${agent} ${why}`,
    retryable: false,
  });
  if (option === undefined && models.length === 0)
    return unsuitable(`offers no choice of models: leave out \`model: ${model}\``);
  if (offered.length > 0 && !offered.includes(model)) {
    return unsuitable(`does not offer the model ${model}; it offers ${oneLine(offered.join(", "))}`);
  }
  if (option === undefined) await to.request("session/set_model", { sessionId, modelId: model });
  else
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
