import type { ClientContext, NewSessionRequest } from "@agentclientprotocol/sdk";
import {
  type AgentFailure,
  because,
  fail,
  ok,
  type Result,
  type SessionRequest,
} from "../../../ports/index.ts";
import { failedFor, unsuitable } from "../../../text/index.ts";
import { amount, type Fields, fields, list, oneLine, text } from "../fields.ts";
import type { AgentSettings } from "../settings.ts";
import { answerFailure, isAnswer, loginsIn } from "./failure.ts";

/** The version of the protocol spoken here. */
const PROTOCOL_VERSION = 1;
/** Characters that the name of a session may have. */
const MOST_ID = 1_000;

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
  /** What it means that its process has ended; undefined while it runs. */
  readonly died: () => AgentFailure | undefined;
}

/** What was agreed. */
export interface Agreement {
  readonly session: string;
  /** False when the conversation asked for could not be gone on with. */
  readonly resumed: boolean;
  /** Whether it says that it can go on with a conversation of an earlier process. */
  readonly resumes: boolean;
  /** The ways to log in that it offers. */
  readonly logins: readonly string[];
}

/** Says hello and opens a session, or goes on with an earlier one. */
export async function shakeHands(
  to: ClientContext,
  options: HandshakeOptions,
): Promise<Result<Agreement, AgentFailure>> {
  const { agent, settings } = options;
  let logins: readonly string[] = [];
  try {
    const hello = await to.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      // Files and terminals stay the agent's own: its tools know them better, and its sandbox holds them.
      clientCapabilities: {},
      clientInfo: { name: "espalier", version: options.version },
    });
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      const version = amount(hello.protocolVersion);
      const reason = because("agent-unruly", {
        agent,
        why: version === undefined ? "no-version" : { version },
      });
      return fail(failedFor(reason, { kind: "protocol", retryable: false }));
    }
    logins = loginsIn(fields(hello));
    const can = hello.agentCapabilities;
    const opened = await openSession(to, options, {
      resume: can?.sessionCapabilities?.resume != null,
      load: can?.loadSession === true,
    });
    const { session } = opened;
    if (session === "" || session.length > MOST_ID) {
      const reason = because("agent-unruly", { agent, why: "no-session" });
      return fail(failedFor(reason, { kind: "protocol", retryable: true }));
    }
    const { mode } = options;
    for (const [key, wanted] of [
      ["mode", mode],
      ["model", settings.model],
      ["effort", settings.effort],
    ] as const) {
      const choice = wanted === undefined ? CHOSEN : await choose(to, session, opened.offer, key, wanted);
      if (choice.ok || wanted === undefined) continue;
      return fail(unsuitable(because("agent-offers", { agent, key, wanted, offered: choice.failure })));
    }
    return ok({ ...opened, logins });
  } catch (error) {
    return fail((isAnswer(error) ? undefined : options.died()) ?? answerFailure(agent, error, logins));
  }
}

/** What one of a session's settings can be. */
interface Choice {
  readonly value: string;
  /** What a person reads. */
  readonly name: string;
}

/** What a session lets be chosen. */
interface Offer {
  readonly options: readonly unknown[];
  /** Models, as agents tell them that speak the protocol as it was before it had options. */
  readonly models: readonly Choice[];
  readonly modes: readonly Choice[];
}

interface Opened extends Omit<Agreement, "logins"> {
  readonly offer: Offer;
}

function offerOf(answer: object): Offer {
  const { configOptions, models, modes } = answer as Fields;
  const named = (each: unknown, id: string) =>
    list(each)
      .map(fields)
      .map(one => ({ value: text(one[id]), name: text(one["name"]) }))
      .filter(({ value }) => value !== "");
  return {
    options: list(configOptions),
    models: named(fields(models)["availableModels"], "modelId"),
    modes: named(fields(modes)["availableModes"], "id"),
  };
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
  return {
    session: text(made.sessionId),
    resumed: false,
    resumes: can.resume || can.load,
    offer: offerOf(made),
  };
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

/** What is chosen of a session, by the key of our settings. */
type Key = "mode" | "model" | "effort";

/** What the protocol calls each of them among a session's options. */
const CATEGORIES: Readonly<Record<Key, string>> = { mode: "mode", model: "model", effort: "thought_level" };

const CHOSEN = { ok: true, value: undefined } as const;

/** Sets one of a session's settings; else what is offered, nothing where there is no choice. */
async function choose(
  to: ClientContext,
  sessionId: string,
  { options, models, modes }: Offer,
  key: Key,
  wanted: string,
): Promise<Result<void, string | undefined>> {
  const is = (each: Fields, name: string) => each["category"] === name || each["id"] === name;
  const known = options.map(fields);
  const option = known.find(each => is(each, CATEGORIES[key])) ?? known.find(each => is(each, key));
  const older = key === "model" ? models : key === "mode" ? modes : [];
  const offered = option === undefined ? older : choices(list(option["options"]));
  // Who tells of no modes may have some all the same.
  if (option === undefined && older.length === 0 && key !== "mode") return fail(undefined);
  const value = offered.length === 0 ? wanted : meant(wanted, offered);
  if (value === undefined) return fail(oneLine(offered.map(each => each.value).join(", ")));
  if (option !== undefined)
    await to.request("session/set_config_option", { sessionId, configId: text(option["id"]), value });
  else if (key === "model") await to.request("session/set_model", { sessionId, modelId: value });
  else await to.request("session/set_mode", { sessionId, modeId: value });
  return CHOSEN;
}

/** The choice that a person's word means: its value, what it is called, or the only one that begins with it. */
function meant(word: string, offered: readonly Choice[]): string | undefined {
  const low = word.toLowerCase();
  const called = offered.filter(({ value, name }) => value === word || name.toLowerCase() === low);
  const begun = offered.filter(({ value, name }) =>
    [value, name].some(one => one.toLowerCase().startsWith(low)),
  );
  return called[0]?.value ?? (begun.length === 1 ? begun[0]?.value : undefined);
}

/** Values of a selection, which may stand in groups. */
function choices(options: readonly unknown[]): readonly Choice[] {
  return options.map(fields).flatMap(option => {
    const inner = list(option["options"]);
    if (inner.length > 0) return choices(inner);
    const value = text(option["value"]);
    return value === "" ? [] : [{ value, name: text(option["name"]) }];
  });
}
