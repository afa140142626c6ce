import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { isCheckpointId, parseCheckpoint, rebuild, taskClaims } from "../../checkpoint/index.ts";
import { decodeUtf8 } from "../../delta/index.ts";
import type { Plan } from "../../plan/index.ts";
import { because, EspalierError, EXIT, type RunEvent } from "../../ports/index.ts";
import { asSaid, errorFor, messageIn, reasonText, told, toldText, visible } from "../../text/index.ts";
import { checkpointsOf } from "../project/checkpoint-place.ts";
import type { Project } from "../project/project.ts";
import { type Imported, importedRows } from "./imported.ts";

/** What a new run begins with, and the event that tells where it comes from. */
export interface CheckpointOrigin extends Imported {
  readonly event: RunEvent;
}

const MAX_BYTES = 32 * 1024 ** 2;

/** A checkpoint's text, and what it is called: one of another history has no id here, though it may bear one of ours. */
function checkpointAt(project: Project, cwd: string, named: string): { text: string; id: string } {
  const path = resolve(cwd, named);
  const { history, texts } = checkpointsOf(project).read();
  if (!isCheckpointId(named) || existsSync(path)) {
    const bytes = readBounded(path, { maxBytes: MAX_BYTES, follow: true });
    const text = bytes.ok ? decodeUtf8(bytes.value) : bytes;
    if (!text.ok) {
      const { failure } = text;
      const why = "said" in failure ? failure.said : asSaid(failure.message);
      const isMissing = "kind" in failure && failure.kind === "missing";
      const said = isMissing ? told`There is no ${named}` : told`${named} cannot be read: ${why}`;
      const message = visible(toldText(said, project.locale), 800);
      throw new EspalierError("CHECKPOINT_UNREADABLE", message, { exitCode: EXIT.usage });
    }
    const own = parseCheckpoint(text.value).head.checkpoint ?? named;
    const ours = rebuild(history, own, texts);
    return { text: text.value, id: ours.ok && ours.value.text !== text.value ? named : own };
  }
  const rebuilt = rebuild(history, named, texts);
  if (rebuilt.ok) return { text: rebuilt.value.text, id: named };
  const advice = because("list-checkpoints", {});
  throw new EspalierError("NO_CHECKPOINT", visible(messageIn(project.locale, rebuilt.failure)), {
    hint: reasonText(advice, "en"),
    advice,
    exitCode: EXIT.usage,
  });
}

/**
 * What a checkpoint says of a plan's tasks: completed and skipped ones stay so, unverified, as no seal
 * tells who wrote it; all others begin anew. Throws EspalierError.
 */
export function fromCheckpoint(project: Project, cwd: string, named: string, plan: Plan): CheckpointOrigin {
  const { text, id } = checkpointAt(project, cwd, named);
  const { statuses, unknown, conflict } = taskClaims(text, new Set(plan.tasks.map(({ id }) => id)));
  if (conflict !== undefined) {
    throw errorFor("CONFLICT_MARKERS", because("half-merged", { id: visible(id, 80), line: conflict }), {
      advice: because("finish-the-merge", {}),
      exitCode: EXIT.usage,
    });
  }
  if (statuses.size === 0) {
    throw errorFor("CHECKPOINT_WITHOUT_TASKS", because("names-no-task", { id: visible(id, 80) }), {
      advice: because("names-tasks-so", {}),
      exitCode: EXIT.usage,
    });
  }
  const claims = new Map(
    [...statuses].flatMap(([task, { status }]) =>
      status === "completed" || status === "skipped"
        ? [[task, { status, retries: 0, verified: false } as const] as const]
        : [],
    ),
  );
  const from = visible(id, 80);
  const { rows } = importedRows(claims, from);
  const completed = rows.filter(({ status }) => status === "completed").length;
  const why = because("from-checkpoint", { completed, tasks: plan.tasks.length, gone: unknown.length });
  return {
    rows,
    note: because("completions-taken-over", {
      from,
      tasks: completed,
      checkpoint: { gone: unknown.length },
    }),
    event: { type: "checkpoint", action: "resumed", id, why },
  };
}
