import { realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { DEFAULT_PATH, findProgram } from "../adapters/process/index.ts";
import { PROGRAM, PROGRAM_FOLDER } from "./package.ts";

/** Whether a PATH leads to this very program by the name that people type. */
export function leadsHere(path: string | undefined): boolean {
  const found = findProgram("espalier", { path });
  if (!found.ok) return false;
  const real = realpathSync(found.value);
  return [PROGRAM, join(PROGRAM_FOLDER, "espalier")].some(own => real === realpathSync(own));
}

/**
 * An environment in which the commands work that prompts name, wherever this program was started from: its folder stands first on
 * PATH, and last the one of this Node, as that which PATH has may be none, or too old. No PATH can name a folder with a colon.
 */
export function withOwnProgram(env: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH: path = DEFAULT_PATH } = env;
  if (leadsHere(path) || PROGRAM_FOLDER.includes(delimiter)) return { ...env };
  const node = dirname(process.execPath);
  const folders = [PROGRAM_FOLDER, path, node.includes(delimiter) ? "" : node];
  return { ...env, PATH: folders.filter(folder => folder !== "").join(delimiter) };
}
