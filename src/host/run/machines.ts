import type { Repository } from "../../adapters/vcs/git/index.ts";
import { firstCommit } from "../../adapters/vcs/git/index.ts";
import {
  type Agent,
  because,
  EspalierError,
  EXIT,
  type Fleet,
  fail,
  type Machine,
} from "../../ports/index.ts";
import { isEnded, type RunState } from "../../run/index.ts";
import { errorFor } from "../../text/index.ts";
import { awayFolder, isElsewhere } from "../project/invocation.ts";
import type { Session } from "../session/open.ts";

/** The machines of a hub, and their agents as a run knows them. */
export interface Machines {
  readonly fleet: Fleet;
  readonly agents: ReadonlyMap<string, Agent>;
  /** Why this process conducts the run no more: somebody else does. Undefined as long as it does. */
  takenOver(): EspalierError | undefined;
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
 * Joins the hub that a run is to be carried out by; undefined where this machine does it. From then on no other coordinator of
 * the run hands anything over. Throws EspalierError.
 */
export async function joinMachines(
  { invocation, runId, project, underWay }: Session,
  repository: Repository | undefined,
  env: NodeJS.ProcessEnv,
  warn: (code: string, message: ReturnType<typeof because>) => void,
): Promise<Machines | undefined> {
  const { on } = invocation;
  if (on === undefined || !isElsewhere(invocation)) return undefined;
  const { hubAddress, openHub } = await import("../../adapters/fleet/hub-client.ts");
  const { openAwayBook } = await import("../../adapters/fleet/away-book.ts");
  const { openHubFleet } = await import("../../adapters/fleet/hub.ts");
  const { createTravellingFleet } = await import("./travelling.ts");
  const environment = (code: string, message: string, hint: string) =>
    new EspalierError(code, message, { hint, exitCode: EXIT.environment });
  const { url } = hubAddress(on);
  if (repository === undefined)
    throw environment(
      "HUB_NEEDS_GIT",
      "work travels to other machines by git, and this run has no repository",
      "run git init and commit, or leave --on away",
    );
  const first = await firstCommit(repository);
  if (!first.ok) throw environment("HUB_NEEDS_GIT", first.failure.message, "");
  const token = env["ESPALIER_HUB_TOKEN"] ?? "";
  if (token === "")
    throw environment(
      "HUB",
      "ESPALIER_HUB_TOKEN is not set",
      "whoever keeps the hub makes a token: espalier hub token add NAME --run",
    );
  const client = openHub(url, token);
  const tokens = underWay.map(row => row.token);
  const book = openAwayBook(awayFolder(project.stateDir));
  book.forgetOthers(tokens);
  const taken = { book, tokens };
  let takenOver: EspalierError | undefined;
  const hub = await openHubFleet({
    client,
    run: runId,
    taken,
    lost({ name, host } = { name: "", host: "" }) {
      takenOver ??= errorFor("TAKEN_OVER", because("taken-over", { name, host }), {
        advice: because("go-on-there", { host }),
        exitCode: EXIT.locked,
      });
    },
    reach: failure =>
      failure === undefined
        ? warn("HUB_REACHED", because("hub-reached", { url }))
        : warn("HUB_AWAY", because("hub-away", { said: failure.message })),
  });
  const agents = new Map<string, Agent>();
  for (const machine of await hub.machines())
    for (const facts of machine.agents) if (!agents.has(facts.name)) agents.set(facts.name, elsewhere(facts));
  if (agents.size === 0)
    throw environment(
      "NO_MACHINE",
      `no machine works for ${url}`,
      `on another one: espalier worker start --hub ${url}`,
    );
  const told = new Set<string>();
  const fleet = createTravellingFleet({
    fleet: hub,
    client,
    repository,
    first: first.value,
    root: repository.facts.top,
    taken,
    waits({ agent, labels }) {
      const wanted = [agent, ...(labels ?? [])].join(" ");
      if (told.has(wanted)) return;
      told.add(wanted);
      warn("NO_MACHINE", because("no-machine", { agent, ...(labels === undefined ? {} : { labels }) }));
    },
  });
  return { fleet, agents, takenOver: () => takenOver };
}
