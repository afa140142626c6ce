import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where a person's own state of this program lies, outside of every repository. */
export function homeState(env: Readonly<Record<string, string | undefined>>): string {
  const named = env["XDG_STATE_HOME"] ?? "";
  return join(isAbsolute(named) ? named : join(homedir(), ".local", "state"), "espalier");
}

/** What is kept of one project outside of it: its key, how far it has come, and when it was worked on. */
export function projectHome(env: Readonly<Record<string, string | undefined>>, stateDir: string): string {
  const name = createHash("sha256").update(stateDir).digest("hex").slice(0, 32);
  return join(homeState(env), "projects", name);
}

/** Makes a folder of ours alone; throws what the system throws, or where somebody else could write there. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const facts = lstatSync(folder);
  const isOurs = process.getuid === undefined || facts.uid === process.getuid();
  if (!facts.isDirectory() || !isOurs || (facts.mode & 0o022) !== 0)
    throw new Error(`${folder} is not a folder of ours alone`);
}
