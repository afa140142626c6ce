import {
  type AgentFailure,
  type AgentUsage,
  type AttemptRow,
  addUsage,
  fail,
  type Order,
  type Result,
  type TurnEnd,
} from "../../ports/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { resumable } from "../earlier.ts";
import { spentBy } from "../spent.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { Execution } from "./execution.ts";
import { type Ears, onlyTurn, tellWork } from "./follow.ts";
import type { AttemptRequest, StopSignals } from "./types.ts";

type Turn = Promise<Result<TurnEnd, AgentFailure>>;

/** Sessions of an attempt after its first: each is an order of its own in the same place, and has one turn. */
export interface MoreSessions {
  /** What the attempt's row keeps by now. */
  readonly kept: Partial<AttemptRow>;
  /** Its agent again, in the session that it had; where it cannot go on with that, its `assignment` stands before the message. */
  again(message: string, assignment: () => string | Promise<string>, corrects?: boolean): Turn;
  /** Another agent, whose signal goes by an id of its own; what it takes is charged beside what the attempt takes. */
  other(agent: string, message: string, signalId: string): Turn;
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
  let kept = first;
  /** The machine that has the session by now. */
  let had = first.machine ?? order.prefers;
  let count = 1;
  const keep = (part: Partial<AttemptRow>) => {
    kept = { ...kept, ...part };
    request.keep(part);
  };

  async function turn(
    given: Omit<Order, "id">,
    ears: Ears,
    by?: string,
    opens?: (machine: string) => void,
  ): Turn {
    if (stop.cancel.aborted) return fail(CANCELLED);
    count++;
    return onlyTurn(
      begin({ ...given, id: `${row.token}/${count}` }),
      given.message,
      tellWork(request, ears, by),
      opens,
    );
  }

  return {
    get kept() {
      return kept;
    },
    async again(message, assignment, corrects = true) {
      const { resume: _, prefers: __, ...rest } = order;
      const { session: open } = kept;
      const asked =
        open === undefined ? {} : resumable({ agent: agent.name, session: open, machine: had }, agent);
      const { session: resume, prefers } = asked;
      // Another session counts from nothing again.
      const before = kept.usage;
      // Another machine than the one that had the session hears of it for the first time.
      const isKnown = resume !== undefined && prefers === undefined;
      const told = {
        message: isKnown ? message : `${await assignment()}\n${message}`,
        ...(resume === undefined ? {} : { resume }),
        ...(prefers === undefined ? {} : { prefers }),
      };
      if (corrects) request.keep({}, request.shared.reach("IP-008", task.id));
      const done = await turn(
        { ...rest, ...told },
        {
          usage: more => keep({ usage: addUsage(before, more) }),
          session: session => keep({ session }),
        },
        undefined,
        machine => (had = machine),
      );
      if (done.ok && done.value.kind === "completed") return done;
      // Nobody goes on with what has failed.
      const { session: ___, ...others } = kept;
      kept = others;
      return done;
    },
    async other(name, message, signalId) {
      const { resume: _, script: __, mcp: ___, hook: ____, prefers: _____, ...rest } = order;
      let usage: AgentUsage | undefined;
      const env = { ...world.env, ESPALIER_TASK: task.id, ESPALIER_SIGNAL_ID: signalId };
      try {
        return await turn(
          { ...rest, agent: name, message, env, writable: [], asks: false },
          {
            usage(told) {
              usage = { ...usage, ...told };
            },
          },
          `${name}: `,
        );
      } finally {
        const spent = spentBy(
          { agent: name, estimate: countTokens(message), ...(usage === undefined ? {} : { usage }) },
          prices,
        );
        if (spent !== undefined) request.charge(spent, name);
      }
    },
  };
}
