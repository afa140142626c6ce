import type { ToolHook } from "../../../ports/index.ts";

/** Seconds that a hook may take before its agent goes on without it. */
export const HOOK_SECONDS = 5;

/** A hook as vendors' settings name it: a line for the shell. */
export function hookLine({ command, args }: ToolHook): string {
  return [command, ...args].map(word => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}
