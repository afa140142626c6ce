import type { ToolKind } from "../../ports/index.ts";
import type { EventQueue } from "./event-queue.ts";
import { oneLine } from "./fields.ts";

/** Calls that are remembered: a turn that makes more has forgotten the oldest. */
const MOST_OPEN = 1_000;

/** The kind of a tool by its foreign name. */
export function kindIn(kinds: Readonly<Record<string, ToolKind>>, name: string): ToolKind {
  return (Object.hasOwn(kinds, name) ? kinds[name] : undefined) ?? "other";
}

/** A tool's name and what it is about, where that is known. */
export function toolTitle(name: string, about: string): string {
  return about === "" ? name : `${name} ${about}`;
}

/** What is told about a tool call, piece by piece. */
export interface ToolCall {
  /** The agent's own name for it. */
  readonly id: string;
  readonly kind?: ToolKind | undefined;
  /** Foreign text. */
  readonly title?: string | undefined;
  readonly state?: "started" | "done" | "failed" | undefined;
  /** Bytes of what it was given and of what it returned, where that is told. */
  readonly bytes?: { readonly given: number; readonly returned: number } | undefined;
}

/** The tool calls of a turn. */
export interface ToolCalls {
  /** Puts the pieces together: the end of a call is told with the kind and title of its beginning. */
  hear(call: ToolCall): void;
  /** Learns a better title than the call was announced with. */
  rename(id: string, title: string): void;
}

/** What is told piece by piece is told anew each time. */
function larger(before: ToolCall["bytes"], now: ToolCall["bytes"]): ToolCall["bytes"] {
  if (before === undefined || now === undefined) return now ?? before;
  return {
    given: Math.max(before.given, now.given),
    returned: Math.max(before.returned, now.returned),
  };
}

/** Tool calls that are told to this queue. */
export function createToolCalls(queue: EventQueue): ToolCalls {
  const open = new Map<string, { kind: ToolKind; title: string; bytes: ToolCall["bytes"] }>();
  return {
    hear({ id, kind, title, state, bytes }) {
      const known = open.get(id);
      const call = {
        kind: kind ?? known?.kind ?? "other",
        title: oneLine(title || known?.title || ""),
      };
      const size = larger(known?.bytes, bytes);
      if (state === "done" || state === "failed") open.delete(id);
      else {
        open.set(id, { ...call, bytes: size });
        const [oldest] = open.keys();
        if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
      }
      if (state === undefined) return;
      const isEnd = state !== "started" && size !== undefined;
      queue.push({
        type: "tool",
        id,
        ...call,
        state,
        ...(isEnd ? { bytes: size.given + size.returned } : {}),
      });
    },
    rename(id, title) {
      const known = open.get(id);
      if (known !== undefined && title !== "") open.set(id, { ...known, title });
    },
  };
}
