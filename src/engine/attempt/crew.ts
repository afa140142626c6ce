import { type AgentFacts, type AttemptRow, candidateToken } from "../../ports/index.ts";
import { type PartSpent, usageTogether } from "../spent.ts";
import type { EngineOptions } from "../world.ts";
import type { AttemptRequest, Place } from "./types.ts";

/** The agents that are to work on one attempt at once. */
export interface Crew {
  /** What each is asked for, the attempt's own agent first. */
  readonly requests: readonly [AttemptRequest, ...AttemptRequest[]];
  /** What they have taken until now, together. */
  spent(): Partial<AttemptRow>;
}

/** Whether an agent hears what a person says between its turns. */
const hears = ({ abilities }: AgentFacts): boolean => abilities?.followUp === true;

/** Everything that agents on one attempt share: its row, what a person says to it, its part of the budget. */
export function createCrew(request: AttemptRequest, { prices }: Pick<EngineOptions, "prices">): Crew {
  const { row, others } = request;
  if (others.length === 0) return { requests: [request], spent: () => ({}) };
  const parts = new Map<number, PartSpent>();
  const said: string[] = [];
  let packaged = 0;

  const spent = () => usageTogether([...parts.values()], prices);

  function requestOf(number: number, agent: AgentFacts): AttemptRequest {
    let heard = 0;
    return {
      ...request,
      agent,
      row: { ...row, agent: agent.name, token: candidateToken(row.token, number) },
      // Nobody else may be given the folder of a phase.
      alone: false,
      refuses(tokens) {
        const refused = request.refuses(packaged + tokens);
        if (refused === undefined) packaged += tokens;
        return refused;
      },
      keep(part, context) {
        const { usage, estimate, ...rest } = part;
        parts.set(number, {
          agent: agent.name,
          ...parts.get(number),
          ...(usage === undefined ? {} : { usage }),
          ...(estimate === undefined ? {} : { estimate }),
        });
        if (number === 1) request.keep({ ...rest, ...spent() }, context);
        else request.keep(spent());
      },
      words() {
        if (!hears(agent)) return [];
        said.push(...request.words());
        const news = said.slice(heard);
        heard = said.length;
        return news;
      },
      emit(event) {
        if (event.type !== "attempt-line") request.emit(event);
        else request.emit({ ...event, text: `[${number} ${agent.name}] ${event.text}` });
      },
    };
  }

  const further = others.map(({ agent, reader }, at) => {
    const { session: _, proved: __, ...asked } = requestOf(at + 2, agent);
    return { ...asked, reader };
  });
  return { requests: [requestOf(1, request.agent), ...further], spent };
}

/** Whether they all go to work: each needs a folder of its own, and what a conflict gave back is for one to resolve. */
export function mayBeTried({ requests }: Crew, { workspace, left }: Place): boolean {
  return requests.length > 1 && workspace !== undefined && left?.kind !== "given";
}
