import { spawnSync } from "node:child_process";

// Root without the right to pass over modes is stopped by them like everybody, and still reaches a clone below its own home.
const WITHOUT_RIGHTS = [
  "setpriv",
  "--bounding-set=-dac_override,-dac_read_search,-fowner",
  "--inh-caps=-all",
  "--",
];

function bound(): readonly string[] | undefined {
  if (process.getuid?.() !== 0) return [];
  const [file = "", ...args] = WITHOUT_RIGHTS;
  return spawnSync(file, [...args, "true"]).status === 0 ? WITHOUT_RIGHTS : undefined;
}

/**
 * What stands before a command that is to be bound by the modes of files: nothing, or what takes root's rights away.
 * Undefined where root cannot give them up.
 */
export const UNPRIVILEGED: readonly string[] | undefined = bound();

/** The program and the arguments by which a command is started without rights. */
export function unprivileged(file: string, ...args: string[]): readonly [file: string, args: string[]] {
  const [first, ...more] = UNPRIVILEGED ?? [];
  return first === undefined ? [file, args] : [first, [...more, file, ...args]];
}
