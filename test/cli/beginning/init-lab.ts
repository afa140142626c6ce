import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lab } from "../lab.ts";

export const TASKS = "# I\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n";

/** The environment of a lab on a machine without any coding agent. */
export function withoutAgents({ env }: Lab) {
  return { ...env, PATH: "/usr/bin:/bin" };
}

/** A program of a few lines of shell, to be found first on the PATH. */
export function program(bin: string, name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}
