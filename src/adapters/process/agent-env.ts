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
 * The environment of an agent: the fixed allow-list plus what the config allows, never the rest.
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
  return env;
}
