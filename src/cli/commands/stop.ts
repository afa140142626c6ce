import { EXIT } from "../../ports/index.ts";
import { type Io, say } from "../io.ts";
import { openProject } from "../project.ts";
import { askRunning } from "../running.ts";

/** `espalier stop`: asks the process that runs to end its agents, save, and leave. */
export async function stop(io: Io, options: { now?: boolean }): Promise<number> {
  const project = openProject(io.cwd);
  const reply = await askRunning(project, { method: "stop", how: options.now === true ? "hard" : "soft" });
  say(io, reply === undefined ? "nothing runs here" : reply.message);
  return EXIT.done;
}
