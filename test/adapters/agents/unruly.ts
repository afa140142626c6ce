import { fileURLToPath } from "node:url";

/** The command of an agent that breaks the rules of its protocol: the way in which it does follows. */
export const UNRULY = [
  process.execPath,
  "--no-warnings",
  fileURLToPath(new URL("acp-unruly.ts", import.meta.url)),
] as const;
