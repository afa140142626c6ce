import { setTimeout as pause } from "node:timers/promises";
import { livenessOf, livingHolder } from "../../adapters/lock/index.ts";
import { replyText } from "../../engine/control/protocol.ts";
import { askRunning } from "../../host/control/running.ts";
import type { Project } from "../../host/project/project.ts";
import { because, type EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import { errorFor, reasonText } from "../../text/index.ts";
import { type Io, say } from "../io.ts";
import { projectOf } from "../project.ts";

/** Milliseconds between looks whether the process has left, and how long is looked beyond the grace of its agents. */
const LOOK = 25;
const PATIENCE = 10_000;

type Holder = NonNullable<ReturnType<typeof livingHolder>>["holder"];

/** Whether it holds the project no more, though its process stays: a lead's tools stay with their client. */
function hasLetGo({ stateDir }: Project, { pid, startedAt }: Holder): boolean {
  const now = livingHolder(stateDir)?.holder;
  return now?.pid !== pid || now.startedAt !== startedAt;
}

async function hasLeft(project: Project, holder: Holder, isLead: boolean): Promise<boolean> {
  const until = performance.now() + project.config.limits.grace + PATIENCE;
  while (livenessOf(holder) !== "gone" && !(isLead && hasLetGo(project, holder))) {
    if (performance.now() > until) return false;
    await pause(LOOK);
  }
  return true;
}

function unanswered({ pid }: Holder, isStopped: boolean): EspalierError {
  return errorFor("NO_ANSWER", because("no-answer", { pid, isStopped }), {
    advice: because("kill-it", { pid, isStopped }),
    exitCode: EXIT.locked,
  });
}

/** `espalier stop`: asks the process that runs to end its agents, save, and leave, or a lead to let go; returns when it has. */
export async function stop(io: Io, options: { now?: boolean }): Promise<number> {
  const project = projectOf(io);
  const tell = (reason: Reason) => say(io, reasonText(reason, project.locale));
  const living = livingHolder(project.stateDir);
  const reply = await askRunning(project, { method: "stop", how: options.now === true ? "hard" : "soft" });
  if (living === undefined) {
    tell(because("nothing-runs", {}));
    return EXIT.done;
  }
  const { holder } = living;
  const { pid } = holder;
  if (reply === undefined || !reply.ok) {
    if (livenessOf(holder) === "gone") return stop(io, options);
    throw unanswered(holder, livenessOf(holder) === "stopped");
  }
  say(io, replyText(reply, project.locale));
  const { reason } = reply;
  const isLead = reason?.code === "stopping" && reason.args.lead;
  const left = await hasLeft(project, holder, isLead);
  tell(left ? because("stopped", {}) : because("still-ending", { pid }));
  return EXIT.done;
}
