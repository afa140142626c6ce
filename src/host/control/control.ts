import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ControlHandler,
  type ControlServer,
  type KeptOpen,
  startControl,
} from "../../engine/control/server.ts";
import { fail, ok, type Result } from "../../ports/index.ts";
import { CONTROL_SOCKET, type Project } from "../project/project.ts";
import { temporarySocket } from "./running.ts";

/** Longest path a Unix socket can be bound to everywhere (104 bytes on macOS, with the final NUL). */
const LONGEST = 100;

/** A folder in the temp directory that nobody but us can write to; throws when somebody else made it first. */
function privateFolder(name: string): string {
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const facts = lstatSync(folder);
  if (!facts.isDirectory() || facts.uid !== uid || (facts.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of ours alone`);
  return folder;
}

/** Where the control socket may lie: in the state directory, or in the temp folder where that cannot hold one. */
const PLACES: readonly ((at: Pick<Project, "stateDir">, name: string) => string)[] = [
  ({ stateDir }, name) => {
    const path = join(stateDir, name);
    if (Buffer.byteLength(path) > LONGEST) throw new Error(`${path} is too long for a socket`);
    return path;
  },
  ({ stateDir }, name) => {
    const { folder, name: short } = temporarySocket(join(stateDir, name));
    return join(privateFolder(folder), short);
  },
];

/** Opens a socket, by default the control socket, in the first place that can hold it; the failure says why none can. */
export async function openControl(
  project: Pick<Project, "stateDir">,
  handle: ControlHandler,
  kept: KeptOpen,
  name: string = CONTROL_SOCKET,
): Promise<Result<ControlServer, string>> {
  const problems: string[] = [];
  for (const place of PLACES) {
    try {
      return ok(await startControl(place(project, name), handle, kept));
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  return fail(problems.join("; "));
}
