import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import { carryOut, textHash } from "../../engine/index.ts";
import { settleNodeIn } from "../../engine/tree/index.ts";
import { isEnded } from "../../run/index.ts";
import { actMessage } from "./answer.ts";
import type { Lead } from "./lead.ts";
import { leadLibrary } from "./lead-library.ts";
import { nodeReply, nodeWish } from "./node-wish.ts";

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
      return { ok: true, message: "the lead lets go of the run" };
    case "context": {
      const reply = await carryOut(offline.desk, request.command);
      return { ok: true, message: reply.kind, context: reply };
    }
    case "force-phase": {
      const out = offline.apply({ type: "force-phase", phase: request.phase, by: request.by ?? "a person" });
      return { ok: out.refused === undefined, message: out.refused ?? `phase ${request.phase} may start` };
    }
    case "act": {
      const { task, action, note } = request;
      const hash = textHash(session.run.byId.get(task)?.task.text ?? "");
      const out = offline.apply({ type: "act", action, task, note, textHash: hash });
      return { ok: out.refused === undefined, message: out.refused ?? actMessage(task, action) };
    }
    case "revert": {
      const labels = await leadLibrary(lead).revert(request.task, request.attempt);
      return { ok: true, message: labels?.join(" ") ?? "" };
    }
    case "node": {
      const isOver = (task: string) => isEnded(session.run.byId.get(task)?.status ?? "cancelled");
      const reply = nodeReply(await settleNodeIn(leadLibrary(lead), nodeWish(request), isOver));
      return reply ?? { ok: false, message: "the lead is leaving" };
    }
    case "checkpoint":
      return lead.checkpoint(request.why, request.shift);
    case "attend":
    case "follow":
    case "hold":
    case "permit":
    case "worker":
      return { ok: false, message: `a lead holds this run: ${request.method} has to wait until it has left` };
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}
