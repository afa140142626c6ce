import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import { carryOut, textHash } from "../../engine/index.ts";
import { actMessage } from "./answer.ts";
import type { Lead } from "./lead.ts";

/** What other commands ask of a lead's hold on the run. */
export async function answerForLead(
  lead: Lead,
  request: ControlRequest,
  leave: () => void,
): Promise<ControlReply> {
  const { offline, session } = lead;
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
    case "checkpoint":
      return lead.checkpoint(request.why, request.shift);
    case "attend":
    case "follow":
    case "hold":
    case "permit":
    case "revert":
    case "worker":
      return { ok: false, message: `a lead holds this run: ${request.method} has to wait until it has left` };
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}
