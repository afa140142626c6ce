import type { Chronicle } from "../../engine/chronicle/index.ts";
import { FOLLOWING } from "../../engine/control/feed.ts";
import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import { carryOut, type Engine, type Questions, textHash } from "../../engine/index.ts";
import { settleNodeIn } from "../../engine/tree/index.ts";
import { isEnded } from "../../run/index.ts";
import { nodeReply, nodeWish } from "./node-wish.ts";
import type { WorkerDesk } from "./worker-desk.ts";

const DONE_BY: Readonly<Record<string, string>> = {
  retry: "starts afresh",
  skip: "is skipped",
  done: "counts as completed (unverified)",
  pause: "is paused",
  resume: "goes on",
  cancel: "is cancelled",
};

/** Who decided, where the request does not say. */
const PERSON = "a person";

const HOLD = {
  held: "nothing new starts; what runs goes on",
  released: "the run goes on",
} as const;

/** What an action made of a task, in one line. */
export function actMessage(task: string, action: string): string {
  return `${task} ${DONE_BY[action] ?? action}`;
}

/** What stands beside the engine of a process that answers; what is absent is refused in words. */
export interface Beside {
  readonly chronicle?: Pick<Chronicle, "write">;
  readonly questions?: Questions;
  readonly workers?: WorkerDesk;
}

/** Carries out what another process asks of a running engine; undefined when the engine has left meanwhile. */
export async function answer(
  engine: Engine,
  asked: ControlRequest,
  { chronicle, questions, workers }: Beside = {},
): Promise<ControlReply | undefined> {
  const request = engine.heard(asked);
  switch (request.method) {
    case "ping":
      return { ok: true, message: "running" };
    case "stop":
      // Not waited for: on a full disk the stop itself cannot be made durable.
      void engine.send({ type: "stop", by: request.by ?? "espalier stop", how: request.how });
      return { ok: true, message: "stopping: agents are ended, their tasks become ready again" };
    case "force-phase": {
      const out = await engine.send({ type: "force-phase", phase: request.phase, by: request.by ?? PERSON });
      if (out === undefined) return undefined;
      return { ok: out.refused === undefined, message: out.refused ?? `phase ${request.phase} may start` };
    }
    case "hold": {
      const { held, by } = request;
      const out = await engine.send({ type: "hold", held, by: by ?? PERSON });
      if (out === undefined) return undefined;
      return { ok: out.refused === undefined, message: out.refused ?? HOLD[held ? "held" : "released"] };
    }
    case "context": {
      const reply = await carryOut(engine.desk, request.command);
      return reply.kind === "closed" ? undefined : { ok: true, message: reply.kind, context: reply };
    }
    case "worker":
      return workers?.answer(engine, request) ?? { ok: false, message: "this process serves no workers" };
    case "revert": {
      const labels = await engine.library.revert(request.task, request.attempt);
      return labels === undefined ? undefined : { ok: true, message: labels.join(" ") };
    }
    case "node": {
      const isOver = (task: string) => isEnded(engine.run.byId.get(task)?.status ?? "cancelled");
      return nodeReply(await settleNodeIn(engine.library, nodeWish(request), isOver));
    }
    case "checkpoint": {
      const written = chronicle?.write(request.why, request.shift);
      if (written === undefined) return { ok: false, message: "this process keeps no checkpoints" };
      return written.ok ? { ok: true, message: written.value.id } : { ok: false, message: written.failure };
    }
    case "permit": {
      const { id, allowed, by } = request;
      const known = questions?.answer(id, allowed, by ?? PERSON) === true;
      const message = allowed ? "allowed" : "rejected";
      return known ? { ok: true, message } : { ok: false, message: "nobody waits for this answer any more" };
    }
    case "attend":
      return { ok: true, message: "attending" };
    case "follow":
      return { ok: true, message: FOLLOWING[engine.run.held ? "held" : "free"] };
    case "act": {
      const { task, action, note, by } = request;
      const hash = textHash(engine.run.byId.get(task)?.task.text ?? "");
      const out = await engine.send({
        type: "act",
        action,
        task,
        note,
        textHash: hash,
        ...(by === undefined ? {} : { by }),
      });
      if (out === undefined) return undefined;
      return { ok: out.refused === undefined, message: out.refused ?? actMessage(task, action) };
    }
    default: {
      const never: never = request;
      throw new Error(`unknown request ${JSON.stringify(never)}`);
    }
  }
}
