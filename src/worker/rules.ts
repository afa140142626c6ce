import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { readBounded } from "../adapters/file/index.ts";
import { type Config, type ConfigProblem, configSchema, openYaml, problemIn } from "../config/index.ts";
import { labelShape, repositoriesShape, resourcesShape } from "../fleet/index.ts";
import { AGENT_NAMES, agentCalled, because, EXIT } from "../ports/index.ts";
import { errorFor } from "../text/index.ts";

const MOST_BYTES = 256 * 1024;

/** The keys of espalier.yaml that a machine has, too: what its agents are, and the walls around them. */
const SHARED = ["agents", "command", "env", "jail", "quota"] as const;

const own = {
  /** First commits of the repositories that are worked in here; absent: those of the pool. */
  repositories: repositoriesShape.optional(),
  /** Agents that may run here; absent: all that are installed. */
  only: z.array(z.string().min(1).max(100)).max(100).optional(),
  /** What this machine has that tasks ask for by `machine:`. */
  labels: z.array(labelShape).max(32).default([]),
  /** Named things that only so many tasks use here at once, which ask for them by `uses:`. */
  resources: resourcesShape.default({}),
  /** Commands that make a new folder fit to work in, such as `npm ci`. */
  setup: z.array(z.string().min(1).max(4000)).max(20).default([]),
};

/** What is wrong with a file of rules. */
type Refused = Pick<ConfigProblem, "message"> & Partial<ConfigProblem> & { readonly isUnknownKey?: boolean };

/** What the owner of a machine lets it do. */
export interface Rules {
  readonly repositories?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly labels: readonly string[];
  readonly resources: Readonly<Record<string, number>>;
  readonly setup: readonly string[];
  readonly config: Config;
}

/**
 * Reads the rules of a machine. Its agents stand in a jail unless the file or whoever starts it says otherwise. Throws
 * EspalierError that names the key.
 */
export function readRules(path: string | undefined, cwd: string, withoutJail: boolean): Rules {
  const text = path === undefined ? "" : textOf(isAbsolute(path) ? path : resolve(cwd, path));
  const opened = openYaml(text);
  const refuse = ({ message, korean, line, column, isUnknownKey, hint }: Refused) => {
    const told = korean === undefined ? {} : { korean: korean.message };
    const at = line === undefined ? {} : { at: `${line}:${column ?? 1}` };
    // What the values of a key may be stands in another page than that of espalier.yaml.
    const then = isUnknownKey === true ? { hint, korean: korean?.hint } : {};
    return errorFor(
      "WORKER_RULES",
      because("rules-refused", { path: path ?? "", ...at, said: message, ...told }),
      {
        advice: because("rules-keys", then),
        exitCode: EXIT.usage,
      },
    );
  };
  if (!opened.ok) throw refuse(opened.failure[0] ?? { message: "it cannot be read" });
  const { value } = opened.value;
  const given = value ?? {};
  if (typeof given !== "object" || Array.isArray(given))
    throw refuse({
      message: "it has to be a list of keys with values",
      korean: { message: "키와 값의 목록이 아닙니다", hint: "" },
    });
  const shared = Object.fromEntries(Object.entries(given).filter(([key]) => isShared(key)));
  const rest = Object.fromEntries(Object.entries(given).filter(([key]) => !isShared(key)));
  const mine = z.strictObject(own).safeParse(rest);
  const config = configSchema().safeParse({ jail: {}, ...shared });
  const issue =
    (mine.success ? undefined : mine.error.issues[0]) ??
    (config.success ? undefined : config.error.issues[0]);
  if (!mine.success || !config.success) {
    if (issue === undefined) throw refuse({ message: "it cannot be read" });
    const known = issue.path.length === 0 ? [...Object.keys(own), ...SHARED] : undefined;
    throw refuse({
      ...problemIn(opened.value, issue, known),
      isUnknownKey: issue.code === "unrecognized_keys",
    });
  }
  const only = mine.data.only?.map(name => named(name, config.data));
  const unknown = only?.indexOf(undefined) ?? -1;
  if (unknown >= 0)
    throw refuse(problemIn(opened.value, unknownAgent(mine.data.only ?? [], unknown, config.data)));
  const saysJail =
    "jail" in shared &&
    typeof shared["jail"] === "object" &&
    shared["jail"] !== null &&
    "use" in shared["jail"];
  const { jail } = config.data;
  const use = withoutJail ? "off" : saysJail ? jail.use : "on";
  const lets = only === undefined ? {} : { only: only.filter(name => name !== undefined) };
  return { ...mine.data, ...lets, config: { ...config.data, jail: { ...jail, use, shell: use !== "off" } } };
}

/** The agent that a word names on this machine: its owner's own, or a known one by any of its names. */
const named = (word: string, { agents }: Config): string | undefined =>
  Object.hasOwn(agents, word) ? word : agentCalled(word);

function unknownAgent(only: readonly string[], at: number, { agents }: Config): z.core.$ZodIssueInvalidValue {
  const values = [...Object.keys(agents), ...AGENT_NAMES];
  const message = `no agent is called "${only[at]}" here; there are ${values.join(", ")}`;
  return { code: "invalid_value", values, path: ["only", at], input: only[at], message };
}

function isShared(key: string): boolean {
  return SHARED.some(one => one === key);
}

function textOf(path: string): string {
  const bytes = readBounded(path, { maxBytes: MOST_BYTES });
  if (bytes.ok) return Buffer.from(bytes.value).toString("utf8");
  throw errorFor("WORKER_RULES", because("rules-unreadable", { path, said: bytes.failure.message }), {
    advice: because("rules-keys", {}),
    exitCode: EXIT.usage,
  });
}
