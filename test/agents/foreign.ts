import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createAcpAgent } from "../../src/adapters/agent/acp/acp-agent.ts";
import type { Permissions } from "../../src/adapters/agent/permissions.ts";
import type { Agent } from "../../src/ports/index.ts";
import { CLIENTS, clientOf, newestProgram, type Place, TRUSTED } from "./clients.ts";

const HERE = import.meta.dirname;

/** An agent as a person configures it who has only its command: `agents: { NAME: { acp: LINE } }`. */
interface Foreign {
  readonly name: string;
  /** Where it is installed. */
  readonly from: "foreign" | "tier2";
  readonly line: string;
  /** The mode it is to work in, where its own choice is to change nothing. */
  readonly mode?: string;
  /** It cannot be tried further without an account of its vendor's. */
  readonly needsLogin?: true;
}

const FOREIGN: readonly Foreign[] = [
  { name: "claude-code-acp", from: "foreign", line: "claude-code-acp" },
  { name: "zed-codex", from: "foreign", line: "codex-acp", mode: "auto" },
  { name: "kilo", from: "foreign", line: "kilo acp" },
  { name: "pi", from: "foreign", line: "pi-acp" },
  { name: "opencode-line", from: "tier2", line: "opencode acp" },
  { name: "gemini-line", from: "tier2", line: "gemini --acp --skip-trust" },
  { name: "qwen-line", from: "tier2", line: "qwen --acp" },
  { name: "copilot-line", from: "tier2", line: "copilot --acp" },
  { name: "cline", from: "foreign", line: "cline --acp", needsLogin: true },
  { name: "auggie", from: "foreign", line: "auggie --acp", needsLogin: true },
  { name: "qoder", from: "foreign", line: "qodercli --acp", needsLogin: true },
  { name: "droid", from: "foreign", line: "droid exec --output-format acp", needsLogin: true },
];

/** What the contract is tried on. */
export interface Subject {
  readonly name: string;
  /** What a person writes to have it: a command line, or the name of a known agent. */
  readonly line: string;
  readonly needsLogin: boolean;
  agent(place: Place, permissions?: Permissions): Agent;
  /** What its processes find in their environment. */
  env(place: Place): Readonly<Record<string, string>>;
}

function programOf({ from, line }: Foreign): string {
  const program = line.split(" ")[0] ?? "";
  return newestProgram(program) ?? join(HERE, from, "node_modules", ".bin", program);
}

/** What they need to find their programs and the model of a place: each in its own words. */
function envOf(foreign: Foreign, { env, home, model }: Place): Readonly<Record<string, string>> {
  const pi = join(home, ".pi", "agent");
  mkdirSync(pi, { recursive: true });
  const mock = { id: "mock", name: "mock", contextWindow: 200_000, maxTokens: 8_000 };
  const provider = { baseUrl: `${model.url}/v1`, api: "openai-completions", apiKey: "test", models: [mock] };
  writeFileSync(join(pi, "models.json"), JSON.stringify({ providers: { mock: provider } }));
  const settings = { defaultProvider: "mock", defaultModel: "mock", quietStartup: true };
  writeFileSync(join(pi, "settings.json"), JSON.stringify(settings));
  return {
    ...env,
    PATH: `${dirname(programOf(foreign))}:${env["PATH"]}`,
    KILO_CONFIG: join(home, "opencode.json"),
    KILO_DISABLE_MODELS_FETCH: "1",
    KILO_DISABLE_AUTOUPDATE: "1",
    PI_OFFLINE: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
  };
}

/** As a run employs one of which it knows nothing but its command. */
function asSubject(foreign: Foreign): Subject {
  const { name, line, mode, needsLogin = false } = foreign;
  const [, ...args] = line.split(" ");
  return {
    name,
    line,
    needsLogin,
    env: place => envOf(foreign, place),
    agent(place, permissions = TRUSTED) {
      const env = envOf(foreign, place);
      return createAcpAgent({
        name,
        command: [programOf(foreign), ...args],
        isUnknown: true,
        mode,
        settings: { permissions },
        path: env["PATH"],
        env,
      });
    },
  };
}

const foreign = FOREIGN.filter(each => existsSync(programOf(each)));

/** Those that are installed; the known ones beside them, where all are. */
export const SUBJECTS: readonly Subject[] = [
  ...foreign.map(asSubject),
  ...(foreign.length === 0 ? [] : CLIENTS).map(name => ({
    name,
    line: "known",
    needsLogin: false,
    env: ({ env }: Place) => env,
    agent: (place: Place, permissions?: Permissions) => clientOf(name, place, permissions),
  })),
];
