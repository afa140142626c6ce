import { existsSync } from "node:fs";
import type { AwayBook } from "../../adapters/fleet/away-book.ts";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import {
  type Agent,
  type AgentFacts,
  because,
  type EspalierError,
  EXIT,
  type Fleet,
  fail,
  type Machine,
} from "../../ports/index.ts";
import { isEnded, type RunState } from "../../run/index.ts";
import { errorFor, reasonText } from "../../text/index.ts";
import { type Approvals, isApproved } from "../approval/approval.ts";
import { awayFolder, hubNote, isElsewhere } from "../project/invocation.ts";
import type { Session } from "../session/open.ts";
import type { Conducted } from "./conducted.ts";
import type { StateCopies } from "./state-copy.ts";
import { hubToLeave } from "./state-hubs.ts";
import { createStop } from "./stop-elsewhere.ts";
import { createWaiting } from "./waiting.ts";

/** Milliseconds between two questions to the hub whether the run is this process's still: none of its agents may be at work there. */
const ASKED_EVERY = 2000;

/** The machines of a hub, and their agents as a run knows them. */
export interface Machines {
  readonly fleet: Fleet;
  readonly agents: ReadonlyMap<string, Agent>;
  /** How many of a resource all machines together offer, as was heard last. */
  offers(name: string): number;
  /** Where what is known of the run is copied to. */
  readonly copies: StateCopies;
  /** The run is to end: where its hub is away, it does not wait for that. */
  stopping(): void;
  /** Why this process conducts the run no more: somebody else does, or the hub does not let it, or is away while it is to end. Undefined as long as it does. */
  ended(): EspalierError | undefined;
}

/** Labels of machines that tasks which have not ended ask for, each once. */
export function labelsAsked({ tasks }: RunState): readonly string[] {
  return [...new Set(tasks.flatMap(({ task, status }) => (isEnded(status) ? [] : (task.machine ?? []))))];
}

/** An agent of other machines: nothing of it is here. */
function elsewhere({ name, reports, abilities }: Machine["agents"][number]): Agent {
  return {
    portVersion: 1,
    name,
    reports,
    ...(abilities === undefined ? {} : { abilities }),
    probe: async () => ({ found: true }),
    open: async () => fail({ kind: "not-found", message: `${name} is on other machines`, retryable: false }),
  };
}

/**
 * The agents of machines, each once; one asks the run while it works where it can on all machines that have it, and has
 * sessions to go on with where it keeps them on any.
 */
export function agentsOf(machines: readonly Machine[]): readonly AgentFacts[] {
  const found = new Map<string, AgentFacts>();
  for (const facts of machines.flatMap(({ agents }) => agents)) {
    const known = found.get(facts.name) ?? facts;
    const [one, other] = [known.abilities, facts.abilities];
    if (one === undefined) found.set(facts.name, known);
    else {
      const mcp = one.mcp && other?.mcp === true;
      const hook = one.hook === true && other?.hook === true;
      const resumesThere = one.resumesThere === true || other?.resumesThere === true;
      found.set(facts.name, { ...known, abilities: { ...one, mcp, hook, resumesThere } });
    }
  }
  return [...found.values()];
}

/** What joining a hub, or leaving it, takes besides the run. */
interface Joining {
  readonly env: NodeJS.ProcessEnv;
  readonly trusts: boolean;
  readonly approvals: Approvals;
}

/** A run that machines of a hub worked on is this one's alone from now on. Throws EspalierError. */
async function comeBack(
  session: Session,
  repository: Repository | undefined,
  { env, trusts, approvals }: Joining,
  warn: (code: string, message: ReturnType<typeof because>) => void,
): Promise<void> {
  const { runId, project } = session;
  const { stateDir, locale } = project;
  if (!existsSync(hubNote(stateDir))) return;
  const unknown = await hubToLeave(session, env);
  // What was noted since a person was asked: nobody has seen that address.
  if (unknown !== undefined && !isApproved(unknown, approvals)) {
    warn("HUB_NOT_LEFT", because("hub-not-left", { said: reasonText(because("hub-not-known", {}), locale) }));
    return;
  }
  const { leaveHub } = await import("./hub-copies.ts");
  const said = await leaveHub(repository, { stateDir, run: runId, env, trusts, locale });
  if (said !== undefined) warn("HUB_NOT_LEFT", because("hub-not-left", said));
}

/**
 * Joins the hub that a run is to be carried out by; undefined where this machine does it. What another machine did of it since is not
 * known here, which is refused unless the state `trusts` its own. From then on no other coordinator of
 * the run hands anything over. Throws EspalierError.
 */
export async function joinMachines(
  session: Session,
  given: Repository | undefined,
  joining: Joining,
  warn: (code: string, message: ReturnType<typeof because>) => void,
): Promise<Machines | undefined> {
  const { invocation, runId, project, underWay } = session;
  const { on } = invocation;
  if (on === undefined || !isElsewhere(invocation)) {
    await comeBack(session, given, joining, warn);
    return undefined;
  }
  const { env, trusts } = joining;
  const { openHub } = await import("../../adapters/fleet/hub-client.ts");
  const { openAwayBook, tellsMore } = await import("../../adapters/fleet/away-book.ts");
  const { hubError, openHubFleet } = await import("../../adapters/fleet/hub.ts");
  const { createTravellingFleet } = await import("./travelling.ts");
  const { hubAccess } = await import("./hub-access.ts");
  const { requireNewest } = await import("./hub-copies.ts");
  const { requireOnlyRun } = await import("./take-over.ts");
  const { noteConducted } = await import("./conducted.ts");
  const { keepCopies } = await import("./state-copy.ts");
  const access = await hubAccess(on, given, env);
  const { url, token, repository, first } = access;
  if (!trusts) {
    await requireNewest(access, project.stateDir, runId, project.locale);
    await requireOnlyRun(access, session, warn);
  }
  const client = openHub(url, token);
  const tokens = underWay.map(row => row.token);
  const book = openAwayBook(awayFolder(project.stateDir));
  book.forgetOthers(tokens);
  let copies: StateCopies | undefined;
  const noted: AwayBook = {
    ...book,
    note(id, note) {
      book.note(id, note);
      if (tellsMore(note)) copies?.changed();
      else copies?.heard();
    },
  };
  const taken = { book: noted, tokens };
  let ended: EspalierError | undefined;
  let own: Conducted | undefined;
  const end = (why: EspalierError): void => {
    ended ??= why;
    hub.giveUp();
  };
  const waiting = createWaiting(url, warn);
  const hub = await openHubFleet({
    client,
    run: runId,
    taken,
    isCopied: true,
    counts: name => Object.hasOwn(project.config.resources, name),
    waits: ({ id }, resource, machines) => waiting.inUse(id, resource, machines),
    stuck: waiting.stuck,
    lost({ name, host } = { name: "", host: "" }) {
      if (own !== undefined) noteConducted(project.stateDir, { ...own, by: { name, host } });
      const advice = because("go-on-there", { host });
      end(errorFor("TAKEN_OVER", because("taken-over", { name, host }), { advice, exitCode: EXIT.locked }));
    },
    refused(failure) {
      end(hubError(failure));
    },
    full: failure =>
      failure === undefined
        ? warn("HUB_ROOM", because("hub-has-room", { url }))
        : warn("HUB_FULL", because("hub-full", failure.said)),
    reach: failure =>
      failure === undefined
        ? warn("HUB_REACHED", because("hub-reached", { url }))
        : warn("HUB_AWAY", because("hub-away", failure.said)),
  });
  own = { run: runId, epoch: hub.epoch, url };
  noteConducted(project.stateDir, own);
  await hub.check();
  const agents = new Map<string, Agent>();
  for (const facts of agentsOf(await hub.machines())) agents.set(facts.name, elsewhere(facts));
  if (agents.size === 0)
    throw errorFor("NO_MACHINE", because("nobody-works", { url }), {
      advice: because("start-worker", { url }),
      exitCode: EXIT.environment,
    });
  const fleet = createTravellingFleet({
    fleet: hub,
    client,
    repository,
    first,
    taken,
    waiting,
    locale: project.locale,
  });
  let isOver = false;
  const stopping = createStop({ hub, url, isOver: () => isOver || ended !== undefined, end });
  const stillOurs = () => ended === undefined;
  const asking = setInterval(() => void hub.check(), ASKED_EVERY);
  asking.unref();
  const kept = keepCopies({ session, hub: access, fleet: hub, warn, stillOurs });
  copies = {
    ...kept,
    end(isDone) {
      isOver = true;
      clearInterval(asking);
      return kept.end(isDone);
    },
  };
  return { fleet, agents, offers: hub.offers, copies, stopping, ended: () => ended };
}
