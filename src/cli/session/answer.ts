import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import { type Engine, textHash } from "../../engine/index.ts";

const DONE_BY: Readonly<Record<string, string>> = {
  retry: "starts afresh",
  skip: "is skipped",
  done: "counts as completed (unverified)",
  pause: "is paused",
  resume: "goes on",
  cancel: "is cancelled",
};

/** What an action made of a task, in one line. */
export function actMessage(task: string, action: string): string {
  return `${task} ${DONE_BY[action] ?? action}`;
}

/** Carries out what another process asks of a running engine; undefined when the engine has left meanwhile. */
export async function answer(engine: Engine, request: ControlRequest): Promise<ControlReply | undefined> {
  switch (request.method) {
    case "ping":
      return { ok: true, message: "running" };
    case "stop":
      // Not waited for: on a full disk the stop itself cannot be made durable.
      void engine.send({ type: "stop", by: "espalier stop", how: request.how });
      return { ok: true, message: "stopping: agents are ended, their tasks become ready again" };
    case "force-phase": {
      const out = await engine.send({ type: "force-phase", phase: request.phase, by: "a person" });
      if (out === undefined) return undefined;
      return { ok: out.refused === undefined, message: out.refused ?? `phase ${request.phase} may start` };
    }
    case "act": {
      const { task, action, note } = request;
      const hash = textHash(engine.run.byId.get(task)?.task.text ?? "");
      const out = await engine.send({ type: "act", action, task, note, textHash: hash });
      if (out === undefined) return undefined;
      return { ok: out.refused === undefined, message: out.refused ?? actMessage(task, action) };
    }
    default: {
      const never: never = request;
      throw new Error(`unknown request ${JSON.stringify(never)}`);
    }
  }
}
