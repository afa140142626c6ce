import {
  type AgentFailure,
  type AgentUsage,
  type AttemptRow,
  fail,
  type Order,
  ok,
  type Result,
  type TurnEnd,
} from "../../ports/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { addUsage, spentBy } from "../spent.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { Execution } from "./execution.ts";
import type { AttemptRequest, StopSignals } from "./types.ts";

type Turn = Promise<Result<TurnEnd, AgentFailure>>;

/** Sessions of an attempt after its first: each is an order of its own in the same place, and has one turn. */
export interface MoreSessions {
  /** What the attempt's row keeps by now. */
  readonly kept: Partial<AttemptRow>;
  /** Its agent again, in the session that it had where it can go on with that: `message` is told whether it does. */
  again(message: (goesOn: boolean) => string): Turn;
  /** Another agent, whose signal goes by an id of its own; what it takes is charged beside what the attempt takes. */
  other(agent: string, message: string, signalId: string): Turn;
}

/** Who hears what an agent tells in its turn besides the end. */
interface Ears {
  readonly usage: (usage: AgentUsage) => void;
  readonly session: (id: string) => void;
  readonly line: (text: string) => void;
}

const CANCELLED = { kind: "cancelled", message: "cancelled", retryable: true } as const;

/** The sessions that may follow the first one of an attempt, of which the row keeps `first`. */
export function moreSessions(
  request: AttemptRequest,
  order: Order,
  begin: (order: Order) => Execution,
  first: Partial<AttemptRow>,
  world: Pick<HeardWorld, "env">,
  { prices }: Pick<EngineOptions, "prices">,
  stop: StopSignals,
): MoreSessions {
  const { task, row, agent } = request;
  const about = { task: task.id, attempt: row.number };
  let kept = first;
  let count = 1;
  const keep = (part: Partial<AttemptRow>) => {
    kept = { ...kept, ...part };
    request.keep(part);
  };

  async function turn(given: Omit<Order, "id">, { usage, session, line }: Ears): Turn {
    if (stop.cancel.aborted) return fail(CANCELLED);
    count++;
    const execution = begin({ ...given, id: `${row.token}/${count}` });
    try {
      const opened = await execution.opened();
      if (!opened.ok) return opened;
      for await (const event of execution.turn(given.message)) {
        if (event.type === "ended") return ok(event.end);
        if (event.type === "usage") {
          const { type: _, ...told } = event;
          usage(told);
        } else if (event.type === "session") session(event.id);
        else if (event.type === "line") line(event.text);
        else if (event.type === "tool" && event.state === "started") line(`→ ${event.title}`);
        else if (event.type === "permission") request.emit({ ...event, ...about });
      }
      throw new Error(`agent ${given.agent} ended its turn without an 'ended' event`);
    } finally {
      await execution.close();
    }
  }

  return {
    get kept() {
      return kept;
    },
    async again(message) {
      const { resume: _, ...rest } = order;
      const resume = agent.abilities?.resume === true ? kept.session : undefined;
      // Another session counts from nothing again.
      const before = kept.usage;
      const done = await turn(
        {
          ...rest,
          message: message(resume !== undefined),
          ...(resume === undefined ? {} : { resume }),
        },
        {
          usage: more => keep({ usage: addUsage(before, more) }),
          session: session => keep({ session }),
          line: text => request.emit({ type: "attempt-line", ...about, text }),
        },
      );
      if (done.ok && done.value.kind === "completed") return done;
      // Nobody goes on with what has failed.
      const { session: ____, ...others } = kept;
      kept = others;
      return done;
    },
    async other(name, message, signalId) {
      const { resume: _, script: __, mcp: ___, ...rest } = order;
      let usage: AgentUsage | undefined;
      const env = { ...world.env, ESPALIER_TASK: task.id, ESPALIER_SIGNAL_ID: signalId };
      try {
        return await turn(
          { ...rest, agent: name, message, env, writable: [], asks: false },
          {
            usage(told) {
              usage = { ...usage, ...told };
            },
            session: () => {},
            line: text => request.emit({ type: "attempt-line", ...about, text: `${name}: ${text}` }),
          },
        );
      } finally {
        const spent = spentBy(
          { agent: name, estimate: countTokens(message), ...(usage === undefined ? {} : { usage }) },
          prices,
        );
        if (spent !== undefined) request.charge(spent);
      }
    },
  };
}
