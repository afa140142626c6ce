import { settleNodeIn } from "../../context/library/index.ts";
import { carryOut } from "../../context/shared/index.ts";
import type { Chronicle } from "../../engine/chronicle/index.ts";
import { type ControlReply, type ControlRequest, replyWith } from "../../engine/control/protocol.ts";
import type { Engine, Questions } from "../../engine/index.ts";
import { because, type Reason } from "../../ports/index.ts";
import { isEnded, type StepResult } from "../../run/index.ts";
import { textHash } from "../../text/index.ts";
import type { AttemptService } from "./attempt-service.ts";
import { nodeReply, nodeWish } from "./node-wish.ts";

/** Who decided, where the request does not say. */
const PERSON = "a person";

/** Answers what a run has carried out, or has refused. */
export function answerOf({ refused }: Pick<StepResult, "refused">, done: Reason): ControlReply {
  return replyWith(refused === undefined, refused ?? done);
}

/** What stands beside the engine of a process that answers; what is absent is refused in words. */
export interface Beside {
  readonly chronicle?: Pick<Chronicle, "write">;
  readonly questions?: Questions;
  readonly workers?: AttemptService;
  /** Merges phases once the run is over. */
  readonly merge?: (phase: string | undefined) => Promise<ControlReply>;
}

/** Carries out what another process asks of a running engine; undefined when the engine has left meanwhile. */
export async function answer(
  engine: Engine,
  asked: ControlRequest,
  { chronicle, questions, workers, merge }: Beside = {},
): Promise<ControlReply | undefined> {
  const request = engine.heard(asked);
  switch (request.method) {
    case "ping":
      return { ok: true, message: "running" };
    case "stop":
      // Not waited for: on a full disk the stop itself cannot be made durable.
      void engine.send({ type: "stop", by: request.by ?? "espalier stop", how: request.how });
      return replyWith(true, because("stopping", { lead: false }));
    case "force-phase": {
      const out = await engine.send({ type: "force-phase", phase: request.phase, by: request.by ?? PERSON });
      if (out === undefined) return undefined;
      return answerOf(out, because("phase-may-start", { phase: request.phase, resume: false }));
    }
    case "merge":
      return (await merge?.(request.phase)) ?? replyWith(false, because("no-branches", {}));
    case "hold": {
      const { held, by } = request;
      const out = await engine.send({ type: "hold", held, by: by ?? PERSON });
      if (out === undefined) return undefined;
      return answerOf(out, because(held ? "run-held" : "run-not-held", { asked: true }));
    }
    case "context": {
      const reply = await carryOut(engine.shared, request.command);
      return reply.kind === "closed" ? undefined : { ok: true, message: reply.kind, context: reply };
    }
    case "worker":
      return (
        workers?.answer(engine, request) ?? replyWith(false, because("no-such-service", { what: "workers" }))
      );
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
      if (written === undefined) return replyWith(false, because("no-such-service", { what: "checkpoints" }));
      return written.ok ? { ok: true, message: written.value.id } : { ok: false, message: written.failure };
    }
    case "permit": {
      const { id, allowed, by } = request;
      const known = questions?.answer(id, allowed, by ?? PERSON) !== undefined;
      if (!known) return replyWith(false, because("nobody-waits", {}));
      return { ok: true, message: allowed ? "allowed" : "rejected" };
    }
    case "attend":
      return { ok: true, message: "attending" };
    case "follow":
      return { ok: true, message: "following", held: engine.run.held };
    case "tell": {
      const { task, text, by } = request;
      const refused = engine.say(task, text, by ?? PERSON);
      return answerOf({ refused }, because("word-taken", { task }));
    }
    case "act": {
      const { task, action, note, by } = request;
      const hash = textHash(engine.run.byId.get(task)?.task.text ?? "");
      const out = await engine.send({
        type: "act",
        action,
        task,
        note,
        textHash: hash,
        awaitsReview: engine.awaitsReview(task),
        ...(by === undefined ? {} : { by }),
      });
      if (out === undefined) return undefined;
      return answerOf(out, because("acted", { task, action, resume: false }));
    }
    default: {
      const never: never = request;
      throw new Error(`unknown request ${JSON.stringify(never)}`);
    }
  }
}
