import type { KnownMachine } from "./wire.ts";

/** Milliseconds after which a machine that beats was missed more than once. */
const SILENT = 15_000;

/** How a machine of a hub stands to it. */
export function standOf({
  silent,
  draining,
}: Pick<KnownMachine, "silent" | "draining">): "draining" | "silent" | "there" {
  if (draining) return "draining";
  return silent > SILENT ? "silent" : "there";
}
