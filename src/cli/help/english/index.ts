import type { HelpWords } from "../shapes.ts";
import { DOCUMENTS } from "./documents.ts";
import { MACHINES } from "./machines.ts";
import { SHARED, USAGE } from "./usage.ts";
import { WORK } from "./work.ts";

/** Help in English. */
export const ENGLISH_HELP: HelpWords = {
  about: "Runs a task list with teams of coding agents.",
  commands: { ...WORK, ...DOCUMENTS, ...MACHINES },
  shared: SHARED,
  usage: USAGE,
};
