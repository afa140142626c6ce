import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isReplaced, projectHome } from "../../adapters/home/index.ts";
import { livingHolder, readHolder } from "../../adapters/lock/index.ts";
import { show } from "../../adapters/process/index.ts";
import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import { because, EspalierError, EXIT } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { notAPerson } from "../approval/decider.ts";
import { deciderWords } from "../approval/decider-words.ts";
import { CONTROL_SOCKET, type Project } from "../project/project.ts";

/** A socket of our own: what stands in the holder's file came with the folder and is not taken on trust. */
function isOurSocket(path: string): boolean {
  try {
    const facts = lstatSync(path);
    return facts.isSocket() && (process.getuid === undefined || facts.uid === process.getuid());
  } catch {
    return false;
  }
}

/** The folder for sockets in the temp folder, and the name there of one that its own place cannot hold. */
export function temporarySocket(place: string): { readonly folder: string; readonly name: string } {
  const hash = createHash("sha256").update(place).digest("hex").slice(0, 16);
  return { folder: `espalier-${process.getuid?.() ?? 0}`, name: `${hash}.sock` };
}

function isTemporary(told: string, place: string): boolean {
  const { folder, name } = temporarySocket(place);
  return basename(told) === name && basename(dirname(told)) === folder;
}

/** Where the process that runs this project may listen; undefined when nothing of ours is there. */
export function controlPath(project: Project): string | undefined {
  const place = join(project.stateDir, CONTROL_SOCKET);
  const told = readHolder(project.stateDir)?.controlSocket ?? place;
  return (told === place || isTemporary(told, place)) && isOurSocket(told) ? told : undefined;
}

/** Milliseconds that a large document may take on its way and back. */
const LONG = 60_000;

/** And phases whose checks run before they are merged. */
const MERGES = 3_600_000;

/** Asks the process that runs this project. Undefined when none listens; throws EspalierError where only a person may ask. */
export async function askRunning(
  project: Project,
  request: ControlRequest,
): Promise<ControlReply | undefined> {
  const path = controlPath(project);
  if (path !== undefined && isReplaced(projectHome(process.env, project.stateDir), path)) {
    const { replaced } = deciderWords(project.locale);
    throw new EspalierError("SOCKET_REPLACED", replaced.message(visible(path)), {
      hint: replaced.hint(readHolder(project.stateDir)?.pid),
      exitCode: EXIT.locked,
    });
  }
  const living = path === undefined ? undefined : livingHolder(project.stateDir);
  if (living?.liveness === "stopped") {
    // Whoever waited for it would wait for as long as a merge may take.
    const { replyWith } = await import("../../engine/control/protocol.ts");
    return replyWith(false, because("run-silent", { stopped: living.holder.pid }));
  }
  const reply = path === undefined ? undefined : await askAt(path, request);
  if (reply?.ok !== false || reply.decider === undefined || reply.decider.kind === "person") return reply;
  throw notAPerson(reply.decider, project.locale, true);
}

/** Asks whoever listens at a socket of ours. Undefined when nobody does. */
export async function askAt(path: string, request: ControlRequest): Promise<ControlReply | undefined> {
  if (!isOurSocket(path)) return undefined;
  // What a request and an answer look like is known to few commands: mostly nobody runs.
  const { askControl } = await import("../../engine/control/client.ts");
  const isLarge = request.method === "context" || request.method === "worker";
  const patience = request.method === "merge" ? MERGES : isLarge ? LONG : undefined;
  return askControl(path, request, { show, patience });
}
