import { type Marks, markedEnv } from "./markers.ts";

/**
 * Settings of git: a branch must not name a commit that a power cut takes, whoever made it, and an agent's git moves the
 * branch that others' work stands on. Gits before 2.36 do not know them.
 */
const DURABLE: readonly (readonly [key: string, value: string])[] = [
  ["core.fsync", "committed,reference"],
  ["core.fsyncMethod", "batch"],
];

/** The environment of a process of an attempt: `env` with its marks, and a git that waits for the disk. */
export function attemptEnv(env: Readonly<Record<string, string>>, marks: Marks): Record<string, string> {
  const own = markedEnv(env, marks);
  const given = Number(own["GIT_CONFIG_COUNT"] ?? 0);
  // Settings that the environment has already stay before these.
  const first = Number.isSafeInteger(given) && given > 0 ? given : 0;
  for (const [at, [key, value]] of DURABLE.entries()) {
    own[`GIT_CONFIG_KEY_${first + at}`] = key;
    own[`GIT_CONFIG_VALUE_${first + at}`] = value;
  }
  own["GIT_CONFIG_COUNT"] = `${first + DURABLE.length}`;
  return own;
}
