import { settleNodeIn } from "../../context/library/index.ts";
import { carryOut } from "../../context/shared/index.ts";
import { type ControlReply, type ControlRequest, replyWith } from "../../engine/control/protocol.ts";
import { awaitsReviewOf } from "../../engine/index.ts";
import { because } from "../../ports/index.ts";
import { isEnded } from "../../run/index.ts";
import { textHash } from "../../text/index.ts";
import { answerOf } from "../control/answer.ts";
import { nodeReply, nodeWish } from "../control/node-wish.ts";
import type { Lead } from "./lead.ts";
import { leadLibrary } from "./lead-library.ts";

/** What other commands ask of a lead's hold on the run. */
export async function answerForLead(
  lead: Lead,
  asked: ControlRequest,
  leave: () => void,
): Promise<ControlReply> {
  const { offline, session } = lead;
  const request = offline.heard(asked);
  switch (request.method) {
    case "ping":
      return { ok: true, message: "running" };
    case "stop":
      leave();
      return replyWith(true, because("stopping", { lead: true }));
    case "context": {
      const reply = await carryOut(await offline.shared(), request.command);
      return { ok: true, message: reply.kind, context: reply };
    }
    case "force-phase": {
      const out = offline.apply({ type: "force-phase", phase: request.phase, by: request.by ?? "a person" });
      return answerOf(out, because("phase-may-start", { phase: request.phase, resume: false }));
    }
    case "act": {
      const { task, action, note } = request;
      const hash = textHash(session.run.byId.get(task)?.task.text ?? "");
      const awaitsReview = awaitsReviewOf(session.kept.find(row => row.task === task));
      const out = offline.apply({ type: "act", action, task, note, textHash: hash, awaitsReview });
      return answerOf(out, because("acted", { task, action, resume: false }));
    }
    case "revert": {
      const labels = await (await leadLibrary(lead)).revert(request.task, request.attempt);
      return { ok: true, message: labels?.join(" ") ?? "" };
    }
    case "node": {
      const isOver = (task: string) => isEnded(session.run.byId.get(task)?.status ?? "cancelled");
      const reply = nodeReply(await settleNodeIn(await leadLibrary(lead), nodeWish(request), isOver));
      return reply ?? replyWith(false, because("lead-leaving", {}));
    }
    case "checkpoint":
      return lead.checkpoint(request.why, request.shift);
    case "attend":
    case "follow":
    case "hold":
    case "merge":
    case "tell":
    case "permit":
    case "worker":
      return replyWith(false, because("lead-holds", { method: request.method }));
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}
