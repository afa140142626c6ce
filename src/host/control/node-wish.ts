import type { NodeAnswer, NodeWish } from "../../context/library/index.ts";
import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";

type NodeRequest = Extract<ControlRequest, { method: "node" }>;

/** What a request wants of a node. */
export function nodeWish({ action, node, into }: Pick<NodeRequest, "action" | "node" | "into">): NodeWish {
  // The command asks for it before it sends anything; nothing merges into a node without a name.
  return action === "merge" ? { action, node, into: into ?? "" } : { action, node };
}

/** An answer on its way to another process; undefined where this one is leaving. */
export function nodeReply(answer: NodeAnswer | undefined): ControlReply | undefined {
  return answer === undefined ? undefined : { ok: true, message: JSON.stringify(answer) };
}
