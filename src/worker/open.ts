import { randomUUID } from "node:crypto";
import { roomIn } from "../adapters/file/index.ts";
import type { HubClient } from "../adapters/fleet/hub-client.ts";
import { createLocalFleet } from "../adapters/fleet/index.ts";
import { makeFolders } from "../adapters/home/index.ts";
import {
  agentEnv,
  findProgram,
  runShellCommand,
  startWarden,
  type Warden,
} from "../adapters/process/index.ts";
import { labelShape } from "../fleet/index.ts";
import { CACHES, jailOf, projectAgents, projectJail, redactorOf } from "../host/machine.ts";
import { type Agent, type AgentFacts, because, EXIT, fail, type Order, ok } from "../ports/index.ts";
import { errorFor, visible } from "../text/index.ts";
import { type Calls, openCalls } from "./calls.ts";
import { createCells } from "./cell.ts";
import { sweep } from "./late-work.ts";
import type { Rules } from "./rules.ts";
import { startWorker, type Worker, type WorkerNews } from "./worker.ts";
import { createWorkerGit } from "./worker-git.ts";

/** What setting a folder up may take. */
const SETUP = { wallMs: 1_800_000, idleMs: 600_000, graceMs: 5000, logBytes: 0 } as const;

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
  /** The worker's own folder. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (news: WorkerNews) => void;
  readonly kept: (task: string, where: string) => void;
}

/** What a hub is told of an agent: what hangs on this machine alone is left out. */
function factsOf({ name, reports, abilities }: Agent, isServed: boolean): AgentFacts {
  if (abilities === undefined) return { name, reports };
  const { mcp, hook = false } = abilities;
  return {
    name,
    reports,
    abilities: { ...abilities, resume: false, mcp: mcp && isServed, hook: hook && isServed },
  };
}

async function installed(agents: ReadonlyMap<string, Agent>, { only }: Rules): Promise<Map<string, Agent>> {
  const wanted = [...agents.values()].filter(({ name }) => only === undefined || only.includes(name));
  const probes = await Promise.all(wanted.map(async agent => ({ agent, probe: await agent.probe() })));
  const there = probes.filter(
    ({ probe }) => probe.found && probe.needs === undefined && probe.login !== "out",
  );
  return new Map(there.map(({ agent }) => [agent.name, agent]));
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
  const { client, rules, slots, folder, env, tell, kept } = request;
  const labels = labelsOf(request);
  const { config } = rules;
  const git = findProgram("git", { path: env["PATH"] });
  if (!git.ok)
    throw errorFor("NO_GIT", because("needs-git", { by: "worker" }), { exitCode: EXIT.environment });
  makeFolders(folder);
  const jail = await projectJail(config, env["PATH"]);
  const warden: Warden = startWarden(randomUUID().slice(0, 16));
  // Whoever runs a plan has approved its commands; the owner of this machine says by its rules what they may.
  const approvals = { allows: () => true };
  const agents = await installed(
    projectAgents({ jail, config, invocation: {}, approvals, warden, env, root: folder }),
    rules,
  );
  if (agents.size === 0)
    throw errorFor("NO_AGENT", because("no-agent-here", {}), {
      advice: because("see-agents", {}),
      exitCode: EXIT.environment,
    });
  const cell = jailOf({ jail, config }, CACHES);
  const prepare = async (cwd: string, { task, token }: Order): Promise<string | undefined> => {
    for (const command of rules.setup) {
      const end = await runShellCommand({
        command,
        title: "setup",
        cwd,
        task,
        token,
        warden,
        env: agentEnv(env, config.env),
        limits: SETUP,
        log: () => {},
        ...(cell === undefined
          ? {}
          : { confine: program => cell.jail.wrap(program, { ...cell, writable: [] }) }),
      });
      if (end.kind !== "exited" || end.exitCode !== 0)
        return `setup "${command}" did not pass: ${end.tail.trim().split("\n").at(-1) ?? end.kind}`;
    }
    return undefined;
  };
  const redact = redactorOf(env);
  const workerGit = createWorkerGit({ client, folder, git: git.value, env });
  await sweep(workerGit, folder, kept);
  let worker: Worker | undefined;
  const calls = await openCalls(folder, async call => worker?.call(call), redact);
  const bench = createCells({
    client,
    folder,
    git: workerGit,
    admit({ base, agent }) {
      if (!agents.has(agent)) return fail(`its owner does not let ${agent} run here`);
      const { repositories } = rules;
      if (base === undefined) return fail("it comes without a repository");
      if (repositories !== undefined && !repositories.includes(base.repository))
        return fail(`its owner does not let repository ${base.repository} be worked in here`);
      return ok(agentEnv(env, config.env));
    },
    means: order => calls?.meansFor(order) ?? {},
    prepare,
    kept: ({ task }, where) => kept(task, where),
  });
  worker = startWorker({
    client,
    fleet: createLocalFleet({ agents, mask: () => redact.stream() }),
    agents: [...agents.values()].map(agent => factsOf(agent, calls !== undefined)),
    labels,
    resources: { ...rules.resources, ...request.resources },
    slots,
    bench,
    // Whatever is wrong with a disk that does not say is told by the next order.
    hasRoom: () => (roomIn(folder) ?? LEAST_ROOM) >= LEAST_ROOM,
    tell,
  });
  return { ...worker, ended: ended(worker, warden, calls) };
}
