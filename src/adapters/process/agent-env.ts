/** Names an agent always gets when they are set: what a program needs to find itself, its user and its language. */
const NAMES: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TERM",
  "TMPDIR",
  "TZ",
]);

const PREFIXES = ["LC_", "XDG_"] as const;

/**
 * Settings of git in the environment: a branch must not name a commit that a power cut takes, whoever made it, and an agent's git
 * moves the branch that others' work stands on. Gits before 2.36 do not know them.
 */
const DURABLE: readonly (readonly [key: string, value: string])[] = [
  ["core.fsync", "committed,reference"],
  ["core.fsyncMethod", "batch"],
];

/** Adds settings of git behind those that an environment has already. */
function configureGit(env: Record<string, string>): void {
  const given = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  const first = Number.isSafeInteger(given) && given > 0 ? given : 0;
  for (const [at, [key, value]] of DURABLE.entries()) {
    env[`GIT_CONFIG_KEY_${first + at}`] = key;
    env[`GIT_CONFIG_VALUE_${first + at}`] = value;
  }
  env["GIT_CONFIG_COUNT"] = `${first + DURABLE.length}`;
}

/**
 * The environment of an agent: the fixed allow-list plus what the config allows, never the rest, and a git that waits for the disk.
 * An entry of `allow` is a name, or a prefix followed by `*` (`ANTHROPIC_*`); a lone `*` allows nothing.
 * Names beginning with `ESPALIER_` never pass: they would make one run's processes look like another's.
 */
export function agentEnv(
  base: Readonly<Record<string, string | undefined>>,
  allow: readonly string[] = [],
): Record<string, string> {
  const names = new Set(NAMES);
  const prefixes: string[] = [...PREFIXES];
  for (const entry of allow) {
    if (!entry.endsWith("*")) names.add(entry);
    else if (entry.length > 1) prefixes.push(entry.slice(0, -1));
  }
  const env: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || name.startsWith("ESPALIER_")) continue;
    if (names.has(name) || prefixes.some(prefix => name.startsWith(prefix))) env[name] = value;
  }
  configureGit(env);
  return env;
}
