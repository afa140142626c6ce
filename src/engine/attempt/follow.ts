import {
  type AgentEvent,
  type AgentFailure,
  type AgentUsage,
  amountsOf,
  because,
  ok,
  type PermissionQuestion,
  type Result,
  type RunEvent,
  type TurnEnd,
} from "../../ports/index.ts";
import type { Execution } from "./execution.ts";
import type { AttemptRequest } from "./types.ts";

/** What an agent tells of a turn before its end. */
export type Told = Exclude<AgentEvent, { readonly type: "ended" }>;

/** Follows a turn to its end; whoever hears of it may take its time. */
export async function followTurn(
  turn: AsyncIterable<AgentEvent>,
  hear: (told: Told) => Promise<void> | void,
): Promise<TurnEnd> {
  for await (const event of turn) {
    if (event.type === "ended") return event.end;
    await hear(event);
  }
  throw new Error("a turn ended without an 'ended' event");
}

/** The only turn of a session, to its end; no process of it is left then. */
export async function onlyTurn(
  session: Execution,
  message: string,
  hear: (told: Told) => void,
  opens?: (machine: string) => void,
): Promise<Result<TurnEnd, AgentFailure>> {
  try {
    const opened = await session.opened();
    if (opened.ok) opens?.(opened.value);
    return opened.ok ? ok(await followTurn(session.turn(message), hear)) : opened;
  } finally {
    await session.close();
  }
}

/** Who keeps what an agent tells of itself. */
export interface Ears {
  readonly usage: (usage: AgentUsage) => void;
  readonly session?: (id: string) => void;
}

/** An agent has done what a person was to be asked for. */
function unasked(agent: string, task: string, { kind, title }: PermissionQuestion): RunEvent {
  const message = because("does-not-ask", { agent, kind, said: title });
  return { type: "warning", code: "NOT_ASKED", message, task };
}

/** Tells whoever watches the run what an agent does; `by` stands in front of its lines where it is not the attempt's own. */
export function tellWork(
  { task, row, emit }: Pick<AttemptRequest, "task" | "row" | "emit">,
  { usage, session }: Ears,
  by = "",
): (told: Told) => void {
  const about = { task: task.id, attempt: row.number };
  const line = (text: string) => emit({ type: "attempt-line", ...about, text: `${by}${text}` });
  return event => {
    switch (event.type) {
      case "line":
        line(event.text);
        break;
      case "tool":
        if (event.state === "started") line(`→ ${event.title}`);
        if (event.state === "failed") line(`✗ ${event.title}`);
        break;
      case "permission": {
        const { type, ...asked } = event;
        if (asked.answer === "allowed" && asked.by === "nobody") emit(unasked(row.agent, task.id, asked));
        else emit({ type, ...about, ...asked });
        break;
      }
      case "usage": {
        const { type: _, ...told } = event;
        usage(amountsOf(told));
        break;
      }
      case "session":
        session?.(event.id);
        break;
      case "process":
        break;
      default:
        event satisfies never;
    }
  };
}
