import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { presetOf } from "../../src/adapters/agent/catalogue.ts";
import { type Permissions, POLICIES } from "../../src/adapters/agent/permissions.ts";
import type { AgentJail } from "../../src/adapters/agent/settings.ts";
import type {
  Agent,
  AgentEvent,
  AgentLimits,
  AgentSession,
  AgentUsage,
  SessionRequest,
  TurnEnd,
} from "../../src/ports/index.ts";
import { type ModelServer, startModel, type Used } from "./model/server.ts";

const HERE = import.meta.dirname;
/** Codex refuses to keep its helpers below the system's folder for temporary files. */
const SCRATCH = "/var/tmp";

/** The programs by the presets that drive them; those of the second tier are large and slow. */
const PROGRAMS: Readonly<Record<string, string>> = {
  claude: "node_modules/.bin/claude",
  codex: "node_modules/.bin/codex",
  "claude-acp": "node_modules/.bin/claude-agent-acp",
  "codex-acp": "node_modules/.bin/codex-acp",
  gemini: "tier2/node_modules/.bin/gemini",
  "gemini-acp": "tier2/node_modules/.bin/gemini",
  opencode: "tier2/node_modules/.bin/opencode",
  "opencode-acp": "tier2/node_modules/.bin/opencode",
  qwen: "tier2/node_modules/.bin/qwen",
  copilot: "tier2/node_modules/.bin/copilot",
};

/** The clients that are installed. */
export const CLIENTS: readonly string[] = Object.keys(PROGRAMS).filter(name => existsSync(programOf(name)));

/** The clients that are installed, as many together as may work at once: those of the second tier take gigabytes. */
export const TEAMS: readonly (readonly string[])[] = [
  CLIENTS.filter(name => !isLarge(name)),
  ...inTwos(CLIENTS.filter(isLarge)),
];

function isLarge(name: string): boolean {
  return PROGRAMS[name]?.startsWith("tier2/") === true;
}

function inTwos(names: readonly string[]): string[][] {
  return names.flatMap((name, at) => (at % 2 === 0 ? [[name, ...names.slice(at + 1, at + 2)]] : []));
}

/** How often longer than the others a client may take for everything: the large ones need many seconds to begin. */
export function patience(name: string): number {
  return isLarge(name) ? 3 : 1;
}

/** A program that was installed beside the pinned ones to be tried in its newest version, where that is wanted. */
export function newestProgram(program: string): string | undefined {
  const isWanted = process.env["ESPALIER_NEWEST"] === "1";
  return isWanted ? globSync(join(HERE, "newest", "*", "node_modules", ".bin", program))[0] : undefined;
}

/** The path of a client's program. */
export function programOf(name: string): string {
  const pinned = join(HERE, PROGRAMS[name] ?? "");
  return newestProgram(basename(pinned)) ?? pinned;
}

/** A model, a home and a folder to work in, for one client. */
export interface Place {
  readonly model: ModelServer;
  readonly home: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/** Makes a place in which nothing of this machine's user is to be found. */
export async function openPlace(): Promise<Place> {
  const model = await startModel();
  const root = mkdtempSync(join(SCRATCH, "espalier-real-"));
  const home = join(root, "home");
  const folder = join(root, "work");
  for (const path of [folder, join(home, ".codex"), join(home, ".gemini")])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(home, ".codex", "config.toml"), codexConfig(model));
  writeFileSync(
    join(home, ".gemini", "settings.json"),
    JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  );
  writeFileSync(join(home, "opencode.json"), opencodeConfig(model));
  return {
    model,
    home,
    folder,
    env: environment(home, model),
    async dispose() {
      await model.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function environment(home: string, { url }: ModelServer): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "test-key-of-nobody",
    MOCK_KEY: "test",
    GEMINI_API_KEY: "test",
    GOOGLE_GEMINI_BASE_URL: url,
    OPENAI_API_KEY: "test",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_MODEL: "mock",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "test",
    COPILOT_MODEL: "mock",
    OPENCODE_CONFIG: join(home, "opencode.json"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    // Claude refuses to let go of all permissions as root, unless told that it sits in a box of its own.
    IS_SANDBOX: "1",
  };
}

function codexConfig({ url }: ModelServer): string {
  return `model = "mock"
model_provider = "mock"
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 8000
supports_websockets = false
`;
}

function opencodeConfig({ url }: ModelServer): string {
  const mock = {
    npm: "@ai-sdk/openai-compatible",
    name: "mock",
    options: { baseURL: `${url}/v1`, apiKey: "test" },
    models: {
      mock: {
        name: "mock",
        limit: { context: 200_000, output: 8_000 },
        cost: { input: 1, output: 2, cache_read: 0.1 },
      },
    },
  };
  return JSON.stringify({ model: "mock/mock", provider: { mock }, enabled_providers: ["mock"] });
}

/** The client as Espalier drives it. */
export function clientOf(
  name: string,
  place: Place,
  permissions: Permissions = TRUSTED,
  walls?: Omit<AgentJail, "keeps">,
  approves?: (text: string) => boolean,
): Agent {
  const preset = presetOf(name);
  if (preset === undefined) throw new Error(`no preset ${name}`);
  const jail = walls === undefined ? undefined : { ...walls, keeps: preset.keeps };
  const surroundings = { name, path: place.env["PATH"], env: place.env, jail, approves };
  return preset.make(surroundings, { permissions }, programOf(name));
}

/** Edits and commands, and nothing else. */
export const TRUSTED: Permissions = { ...POLICIES["allow-edits"], execute: "allow" };

let attempts = 0;

/** A session of a client in its place. */
export async function openSession(
  agent: Agent,
  place: Place,
  given: Partial<Omit<SessionRequest, "limits">> & { readonly limits?: Partial<AgentLimits> } = {},
): Promise<AgentSession> {
  attempts += 1;
  const opened = await agent.open({
    task: "T1.3",
    attempt: 1,
    token: `real-${process.pid}-${attempts}`,
    cwd: place.folder,
    env: place.env,
    log: () => {},
    ...given,
    limits: { wallMs: 90_000, idleMs: 45_000, graceMs: 4_000, logBytes: 1 << 20, ...given.limits },
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  return opened.value;
}

/** All that a turn told. */
export interface Told {
  readonly events: readonly AgentEvent[];
  readonly end: TurnEnd;
  readonly ms: number;
}

/** Takes in a whole turn. */
export async function hear(turn: AsyncIterable<AgentEvent>): Promise<Told> {
  const began = performance.now();
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error("no end");
  return { events, end: last.end, ms: performance.now() - began };
}

/** The events of one type. */
export function ofType<T extends AgentEvent["type"]>(
  told: Told,
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return told.events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** One turn in a session of its own. */
export async function oneTurn(
  name: string,
  place: Place,
  message: string,
  given: Parameters<typeof openSession>[2] & { readonly permissions?: Permissions } = {},
): Promise<Told> {
  const { permissions, ...request } = given;
  const session = await openSession(clientOf(name, place, permissions), place, request);
  try {
    return await hear(session.turn(message));
  } finally {
    await session.close();
  }
}

/** What the model served and what was counted of it, in one line. */
export function besideEachOther(name: string, served: Used, counted: AgentUsage): string {
  const {
    inputTokens = 0,
    outputTokens = 0,
    cachedTokens = 0,
    reasoningTokens = 0,
    estimatedTokens,
  } = counted;
  const told = [inputTokens, cachedTokens, outputTokens, reasoningTokens].join(" ");
  const truth = [served.input, served.cached, served.output, served.thought].join(" ");
  return `${name}: served ${truth} | counted ${told} (read, cached, written, thought; ${estimatedTokens ?? 0} estimated)\n`;
}

/** The text of a file in the folder; undefined when there is none. */
export function fileIn(place: Place, name: string): string | undefined {
  const path = join(place.folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
