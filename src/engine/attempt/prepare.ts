import { resolve } from "node:path";
import { fail, type McpServer, type Order, ok, type Result, type ToolHook } from "../../ports/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { type Briefing, brief } from "./briefing.ts";
import { openPlace, seenFrom } from "./place.ts";
import { provedBefore } from "./proved.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** Everything of an attempt that is settled before its agent hears of it. */
export interface Prepared {
  readonly place: Place;
  readonly proved?: undefined;
  readonly briefing: Briefing;
  /** What its agent is asked for: data alone. */
  readonly order: Order;
}

/** Work of an earlier attempt that only has to be reviewed, where it was not, and to come home. */
export interface AlreadyProved {
  readonly place: Place;
  readonly proved: Verdict & { readonly finalMessage: string };
  /** What its agent would be asked for, were a review to find anything. */
  readonly order: Order;
  readonly assignment: () => Promise<string>;
}

/** Tools by which the agent of an attempt reaches its own documents, where it takes any. */
function toolsFor({ task, row, agent }: AttemptRequest, { tools }: HeardWorld): { mcp?: McpServer[] } {
  return agent.abilities?.mcp !== true || tools === undefined ? {} : { mcp: [tools(task.id, row.token)] };
}

/** What its agent runs after each tool call, where it does that and is told of changes. */
function hookFor({ agent, candidate }: AttemptRequest, world: HeardWorld): { hook?: ToolHook } {
  const { hook, followUp } = agent.abilities ?? {};
  const program = hook === true && followUp === true && candidate === undefined ? world.hook?.() : undefined;
  return program === undefined ? {} : { hook: program };
}

/** The session to go on with: nothing that it made may have been taken out of its folder. */
function sessionFor(
  { session, prefers }: AttemptRequest,
  { left, workspace }: Place,
): Pick<Order, "resume" | "prefers"> {
  const isThere = workspace?.proved !== undefined || (left !== undefined && left.kind !== "kept");
  if (session === undefined || !isThere) return {};
  return { resume: session, ...(prefers === undefined ? {} : { prefers }) };
}

/** The order for the first session of an attempt. */
function orderOf(
  request: AttemptRequest,
  place: Place,
  briefing: Pick<Briefing, "message" | "env" | "writable">,
  world: HeardWorld,
  options: EngineOptions,
): Order {
  const { task, row, agent } = request;
  const lessons = seenFrom(place, world, options).files.learningsPath(task.id, row.number);
  return {
    version: 1,
    id: `${row.token}/1`,
    agent: agent.name,
    message: briefing.message,
    task: task.id,
    attempt: row.number,
    token: row.token,
    cwd: place.cwd,
    env: {
      ...world.env,
      ...briefing.env,
      ESPALIER_TASK: task.id,
      ESPALIER_SIGNAL_ID: `${task.id}#${row.nonce}`,
    },
    limits: options.limits,
    ...(task.run === undefined ? {} : { script: task.run }),
    ...(task.machine === undefined ? {} : { labels: task.machine }),
    ...(task.uses === undefined ? {} : { uses: task.uses }),
    writable: [resolve(options.cwd, lessons), ...briefing.writable],
    asks: world.questions !== undefined,
    ...sessionFor(request, place),
    ...toolsFor(request, world),
    ...hookFor(request, world),
  };
}

/**
 * Makes an attempt ready: its folder, what it reads, the order. Where it is not to begin, the verdict says why, and nothing is
 * held any more.
 */
export async function prepare(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Result<Prepared | AlreadyProved, Verdict>> {
  const opening = await openPlace(request, world, options, stop);
  if (!opening.ok) return opening;
  const place = opening.value;
  const proved = provedBefore(request, place);
  if (proved !== undefined) {
    const order = orderOf(request, place, { message: "", env: {}, writable: [] }, world, options);
    const assignment = async () => {
      const briefing = await brief(request, place, seenFrom(place, world, options), options);
      briefing.handOver();
      return briefing.message;
    };
    return ok({ place, proved, order, assignment });
  }
  let isReady = false;
  try {
    const briefing = await brief(request, place, seenFrom(place, world, options), options);
    const unaffordable = request.refuses(briefing.likely);
    if (unaffordable !== undefined && !request.isTakenUp) {
      const { reason } = unaffordable;
      return fail(verdict({ kind: "unaffordable", ...unaffordable }, "cancelled", { reason }));
    }
    if (!request.isTakenUp) briefing.handOver();
    isReady = true;
    return ok({ place, briefing, order: orderOf(request, place, briefing, world, options) });
  } finally {
    if (!isReady) await place.leave();
  }
}
