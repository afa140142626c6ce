import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findProgram } from "../adapters/process/index.ts";
import { PROGRAM, PROGRAM_FOLDER } from "./package.ts";

/** Whether a PATH leads to this very program by the name that people type. */
export function leadsHere(path: string | undefined): boolean {
  const found = findProgram("espalier", { path });
  if (!found.ok) return false;
  const real = realpathSync(found.value);
  return [PROGRAM, join(PROGRAM_FOLDER, "espalier")].some(own => real === realpathSync(own));
}

/** An environment in which the commands work that prompts name, wherever this program was started from. */
export function withOwnProgram(env: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH: path } = env;
  if (leadsHere(path)) return { ...env };
  const folders = path === undefined || path === "" ? [] : [path];
  return { ...env, PATH: [PROGRAM_FOLDER, ...folders].join(delimiter) };
}
