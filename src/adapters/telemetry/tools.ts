import type { Order, OrderEvent } from "../../ports/index.ts";
import type { Words } from "./attempts.ts";
import { ERROR_TYPE, GEN_AI, OWN } from "./names.ts";
import type { Attributes, Span } from "./otlp.ts";

/** Tool calls that may be open at once; a call that an agent never ends is forgotten. */
const MOST_OPEN = 10_000;

export interface ToolCallsOptions {
  readonly words: Words;
  /** The span of the attempt that an order belongs to. */
  readonly parent: (order: Order) => string;
  /** `key` names the call among all of the run. */
  readonly tell: (key: string, span: Omit<Span, "traceId" | "spanId">) => void;
}

/** Makes a span of each tool call that an agent begins and ends. */
export function toolCalls({ words, parent, tell }: ToolCallsOptions) {
  const open = new Map<string, { readonly startMs: number; readonly attributes: Attributes }>();
  return (order: Order, event: OrderEvent, at: number): void => {
    if (event.type !== "tool") return;
    const { id, kind, title, state } = event;
    const key = `${order.id}\0${id}`;
    if (state === "started") {
      const attributes = {
        [GEN_AI.operation]: "execute_tool",
        [GEN_AI.tool]: kind,
        [GEN_AI.toolCall]: id,
        [GEN_AI.toolArguments]: words(title),
        [OWN.task]: order.task,
      };
      if (open.size < MOST_OPEN) open.set(key, { startMs: at, attributes });
      return;
    }
    const call = open.get(key);
    if (call === undefined) return;
    open.delete(key);
    const isError = state === "failed";
    tell(key, {
      parentId: parent(order),
      name: `execute_tool ${kind}`,
      kind: "internal",
      startMs: call.startMs,
      endMs: at,
      attributes: isError ? { ...call.attributes, [ERROR_TYPE]: "failed" } : call.attributes,
      isError,
    });
  };
}
