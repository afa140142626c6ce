import { PRESETS } from "../../adapters/agent/index.ts";
import { findProgram } from "../../adapters/process/index.ts";

/** How people get the agents that are driven by command lines of their own, a command for each. */
export const INSTALL_LINES: readonly string[] = PRESETS.filter(({ driven }) => driven === "cli").map(
  ({ title, install }) => `${install}  # ${title}`,
);

/** Coding agents whose programs a PATH leads to: each program once, by the first name that it is known by. Starts none. */
export function installedAgents(path: string | undefined): readonly { name: string; path: string }[] {
  const seen = new Set<string>();
  return PRESETS.flatMap(({ name, program }) => {
    const found = seen.has(program) ? undefined : findProgram(program, { path });
    seen.add(program);
    return found?.ok === true ? [{ name, path: found.value }] : [];
  });
}
