import { roomIn } from "../adapters/file/index.ts";
import type { HubClient } from "../adapters/fleet/hub-client.ts";
import { createLocalFleet } from "../adapters/fleet/index.ts";
import { agentEnv, findProgram, type Warden } from "../adapters/process/index.ts";
import { labelShape } from "../fleet/index.ts";
import { redactorOf } from "../host/machine.ts";
import { type Agent, type AgentFacts, because, EXIT, fail, ok } from "../ports/index.ts";
import { errorFor, visible } from "../text/index.ts";
import { type Calls, openCalls } from "./calls.ts";
import { createCells } from "./cell.ts";
import { openHere } from "./here.ts";
import { sweep } from "./late-work.ts";
import type { Rules } from "./rules.ts";
import { createSessions } from "./sessions.ts";
import { type Placed, startCommand } from "./spawn-command.ts";
import { createSpawnedFleet } from "./spawned.ts";
import { startWorker, type Worker, type WorkerNews } from "./worker.ts";
import { createWorkerGit } from "./worker-git.ts";

/** Bytes that have to be free on a machine's disk so that it takes more. */
export const LEAST_ROOM = 100 * 1024 ** 2;

export interface WorkerRequest {
  readonly client: HubClient;
  readonly rules: Rules;
  readonly slots: number;
  /** Beside those of its rules, and of what it is: `os=linux`, `arch=x64`. */
  readonly labels: readonly string[];
  /** Beside those of its rules, and in their place. */
  readonly resources?: Readonly<Record<string, number>>;
  /** Starts an environment of its own for each order, which carries that out. */
  readonly spawn?: { readonly command: string; readonly startsInMs: number } | undefined;
  /** The worker's own folder. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (news: WorkerNews) => void;
  readonly kept: (task: string, where: string) => void;
}

/** What a hub is told of an agent: what hangs on this machine alone is left out. */
function factsOf({ name, reports, abilities }: Agent, isServed: boolean, keepsSessions: boolean): AgentFacts {
  if (abilities === undefined) return { name, reports };
  const { mcp, hook = false, resume } = abilities;
  return {
    name,
    reports,
    abilities: {
      ...abilities,
      resume: false,
      resumesThere: resume && keepsSessions,
      mcp: mcp && isServed,
      hook: hook && isServed,
    },
  };
}

/** What this machine has that tasks ask for, each once. Throws EspalierError where a label can be none. */
function labelsOf({ rules, labels }: WorkerRequest): readonly string[] {
  const odd = labels.find(label => !labelShape.safeParse(label).success);
  if (odd !== undefined)
    throw errorFor("LABEL", because("no-label", { label: visible(odd, 60) }), {
      advice: because("label-shape", {}),
      exitCode: EXIT.usage,
    });
  return [...new Set([`os=${process.platform}`, `arch=${process.arch}`, ...rules.labels, ...labels])];
}

/** Milliseconds that nothing is taken after an environment was not there: at first, and at most. */
const RESTS = [1000, 60_000] as const;

/** What cannot be started now is not tried as often as it fails. */
function createRest() {
  let [until, ms] = [0, 0];
  return {
    rests: () => performance.now() < until,
    heard(isThere: boolean) {
      ms = isThere ? 0 : Math.min(Math.max(ms * 2, RESTS[0]), RESTS[1]);
      until = performance.now() + ms;
    },
  };
}

/** Waits for a worker, and for what watches over its agents and serves them. */
async function ended(worker: Worker, warden: Warden, calls: Calls | undefined): Promise<void> {
  try {
    await worker.ended;
  } finally {
    await calls?.close();
    await warden.close();
  }
}

/** Opens this machine as a worker of a hub. Throws EspalierError where something is missing that its rules ask for. */
export async function openWorker(request: WorkerRequest): Promise<Worker> {
  const { client, rules, slots, folder, env, tell, kept, spawn } = request;
  const labels = labelsOf(request);
  const git = findProgram("git", { path: env["PATH"] });
  if (!git.ok)
    throw errorFor("NO_GIT", because("needs-git", { by: "worker" }), { exitCode: EXIT.environment });
  const here = await openHere(request);
  const { warden } = here;
  // What stands in an environment of an order's own is known to the owner alone.
  const isKnown = spawn !== undefined && rules.only !== undefined;
  // The others are known by what they are for, and need not be here.
  const isNamed = (name: string) => rules.only?.includes(name) ?? Object.hasOwn(rules.config.agents, name);
  const agents = isKnown
    ? here.agents
    : await here.installed((agent, probe) => isNamed(agent) && tell({ type: "missing", agent, probe }));
  if (agents.size === 0)
    throw errorFor("NO_AGENT", because("no-agent-here", {}), {
      advice: because("see-agents", {}),
      exitCode: EXIT.environment,
    });
  const redact = redactorOf(env);
  const workerGit = createWorkerGit({ client, folder, git: git.value, env });
  await sweep(workerGit, folder, kept);
  let worker: Worker | undefined;
  // Its socket is of no use to what runs elsewhere.
  const calls =
    spawn === undefined ? await openCalls(folder, async call => worker?.call(call), redact) : undefined;
  const facts = [...agents.values()].map(agent => factsOf(agent, calls !== undefined, spawn === undefined));
  const places = new Map<string, Placed>();
  const rest = createRest();
  const bench = createCells({
    client,
    folder,
    git: workerGit,
    admit({ base, agent }) {
      const lets = "its owner does not let";
      if (!agents.has(agent)) return fail({ said: `${lets} ${agent} run here`, how: "agent", of: agent });
      if (base === undefined) return fail({ said: "it comes without a repository", how: "bare" });
      const [{ repositories }, { repository: of }] = [rules, base];
      if (repositories !== undefined && !repositories.includes(of))
        return fail({ said: `${lets} repository ${of} be worked in here`, how: "repository", of });
      return ok(spawn === undefined ? agentEnv(env, rules.config.env) : {});
    },
    means: order => calls?.meansFor(order) ?? {},
    ...(spawn === undefined ? { sessions: createSessions(folder) } : {}),
    placed: ({ id }, place) => void places.set(id, place),
    prepare: spawn === undefined ? here.prepare : async () => undefined,
    kept: ({ task }, where) => kept(task, where),
  });
  worker = startWorker({
    client,
    fleet:
      spawn === undefined
        ? createLocalFleet({ agents, mask: () => redact.stream() })
        : createSpawnedFleet({
            agents: facts,
            startsInMs: spawn.startsInMs,
            start: (order, hear) =>
              startCommand(
                {
                  command: spawn.command,
                  env,
                  folder,
                  warden,
                  placed({ id }) {
                    const place = places.get(id);
                    places.delete(id);
                    return place;
                  },
                },
                order,
                hear,
              ),
            began({ task }, why) {
              rest.heard(why === undefined);
              if (why !== undefined) tell({ type: "not-spawned", task, message: why });
            },
          }),
    rests: rest.rests,
    agents: facts,
    labels,
    resources: { ...rules.resources, ...request.resources },
    ...(rules.repositories === undefined ? {} : { repositories: rules.repositories }),
    slots,
    bench,
    // Whatever is wrong with a disk that does not say is told by the next order.
    hasRoom: () => (roomIn(folder) ?? LEAST_ROOM) >= LEAST_ROOM,
    tell,
  });
  return { ...worker, ended: ended(worker, warden, calls) };
}
