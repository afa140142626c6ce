import type { KnownMachine } from "./wire.ts";

/** Milliseconds after which a machine that beats was missed more than once. */
const SILENT = 15_000;

/** How a machine of a hub stands to it. */
export function standOf({
  silent,
  draining,
  full,
}: Pick<KnownMachine, "silent" | "draining" | "full">): "draining" | "silent" | "full" | "there" {
  if (draining) return "draining";
  if (silent > SILENT) return "silent";
  return full === true ? "full" : "there";
}
