import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Two folders up from here, and from every file that the build makes of this one.
const inPackage = (path: string) => new URL(`../../${path}`, import.meta.url);

/** The version of this package, as package.json says it. */
export const VERSION: string = (
  JSON.parse(readFileSync(inPackage("package.json"), "utf8")) as { version: string }
).version;

/** What agents run after each of their tool calls. */
export const TOOL_HOOK: string = fileURLToPath(inPackage("dist/process/tool-hook.js"));

/** The program that is running, for whoever has to start it again. */
export const PROGRAM: string = fileURLToPath(inPackage("bin/espalier.js"));

/** A folder that holds nothing but the program, under the name that people type. */
export const PROGRAM_FOLDER: string = fileURLToPath(inPackage("bin/path"));

/** The folder of the package: its examples and its documentation stand there. */
export const PACKAGE_ROOT: string = fileURLToPath(inPackage(".")).replace(/\/$/, "");
