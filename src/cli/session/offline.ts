import type { ControlReply } from "../../engine/control/protocol.ts";
import { textHash } from "../../engine/index.ts";
import type { TaskAction } from "../../run/index.ts";
import type { Io } from "../io.ts";
import { loadPlan, requireUsable } from "../plan-file.ts";
import { findTaskFile, type Project } from "../project.ts";
import { requireRun } from "../reader.ts";
import { actMessage } from "./answer.ts";
import { offlineRun } from "./offline-run.ts";
import { openSession } from "./open.ts";

/** Applies what a person decided about a task while no process runs: takes the lock, writes, leaves. */
export async function actOffline(
  io: Io,
  project: Project,
  action: TaskAction,
  task: string,
  note: string,
): Promise<ControlReply> {
  const file = findTaskFile(project, io.cwd, requireRun(project).stored.run.file);
  const plan = loadPlan(file, true);
  requireUsable(file, plan);
  const session = await openSession(project, file, plan, { invocation: {}, advance: "asked" });
  try {
    const hash = textHash(session.run.byId.get(task)?.task.text ?? "");
    const out = offlineRun(session).apply({ type: "act", action, task, note, textHash: hash });
    if (out.refused !== undefined) return { ok: false, message: out.refused };
    return { ok: true, message: `${actMessage(task, action)}; "espalier resume" goes on` };
  } finally {
    session.close();
  }
}
