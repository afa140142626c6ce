import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

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

/** Makes a folder and what it lies in, one by one: asked for all at once, Node never ends where the system makes none. */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Whether a folder is there, or hidden from us: only one that was never made has nothing to lose. */
export function isKept(folder: string): boolean {
  try {
    lstatSync(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

/** Makes a folder of ours alone; throws what the system throws, or where somebody else could write there. */
export function makePrivate(folder: string): void {
  makeFolders(folder);
  const facts = lstatSync(folder);
  const isOurs = process.getuid === undefined || facts.uid === process.getuid();
  if (!facts.isDirectory() || !isOurs || (facts.mode & 0o022) !== 0)
    throw new Error(`${folder} is not a folder of ours alone`);
}
