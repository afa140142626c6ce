import { join } from "node:path";
import { readHolder } from "../adapters/lock/index.ts";
import { askControl } from "../engine/control/client.ts";
import type { ControlReply, ControlRequest } from "../engine/control/protocol.ts";
import type { Project } from "./project.ts";

/** Asks the process that holds this project's lock. Undefined when none answers. */
export async function askRunning(
  project: Project,
  request: ControlRequest,
): Promise<ControlReply | undefined> {
  const holder = readHolder(project.stateDir);
  const path = holder?.controlSocket ?? join(project.stateDir, "control.sock");
  return askControl(path, request);
}
