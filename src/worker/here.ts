import { randomUUID } from "node:crypto";
import { agentEnv, runShellCommand, startWarden, type Warden } from "../adapters/process/index.ts";
import { CACHES, jailOf, projectAgents, projectJail } from "../host/machine.ts";
import { ownFolder } from "../host/own-folder.ts";
import type { Agent, AgentProbe, MachineRefusal, Order } from "../ports/index.ts";
import type { Rules } from "./rules.ts";

/** What setting a folder up may take. */
const SETUP = { wallMs: 1_800_000, idleMs: 600_000, graceMs: 5000, logBytes: 0 } as const;

/** What carries orders out in this process. */
export interface Here {
  readonly warden: Warden;
  /** Agents that its owner lets run, whether they are there or not. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Those of them that are installed and logged in; the others are told. */
  installed(missing?: Missing): Promise<ReadonlyMap<string, Agent>>;
  /** Makes a new folder fit to work in; why that failed. */
  prepare(cwd: string, order: Order): Promise<MachineRefusal | undefined>;
}

/** Hears of an agent that is not there, or not fit to work, and what was found. */
export type Missing = (agent: string, probe: AgentProbe) => void;

export interface HereRequest {
  readonly rules: Rules;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

async function installed(
  agents: ReadonlyMap<string, Agent>,
  missing: Missing = () => {},
): Promise<Map<string, Agent>> {
  const probes = await Promise.all(
    [...agents.values()].map(async agent => ({ agent, probe: await agent.probe() })),
  );
  const isFit = ({ found, needs, login }: AgentProbe) => found && needs === undefined && login !== "out";
  const there = probes.filter(({ probe }) => isFit(probe));
  for (const { agent, probe } of probes) if (!isFit(probe)) missing(agent.name, probe);
  return new Map(there.map(({ agent }) => [agent.name, agent]));
}

/** Opens the agents of this machine by what its owner lets them do. Throws EspalierError. */
export async function openHere({ rules, folder, env }: HereRequest): Promise<Here> {
  const { config, only } = rules;
  ownFolder(folder);
  const jail = await projectJail(config, env["PATH"]);
  const warden: Warden = startWarden(randomUUID().slice(0, 16));
  // Whoever runs a plan has approved its commands; the owner of this machine says by its rules what they may.
  const approvals = { allows: () => true };
  const request = { jail, config, invocation: {}, approvals, warden, env, root: folder };
  const all = projectAgents({ ...request, isElsewhere: true });
  const agents = new Map([...all].filter(([name]) => only === undefined || only.includes(name)));
  const cell = jailOf({ jail, config }, CACHES);
  const prepare = async (cwd: string, { task, token }: Order): Promise<MachineRefusal | undefined> => {
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
      if (end.kind !== "exited" || end.exitCode !== 0) {
        const last = end.tail.trim().split("\n").at(-1) ?? end.kind;
        return { said: `setup "${command}" did not pass: ${last}`, how: "setup", of: `${command}: ${last}` };
      }
    }
    return undefined;
  };
  return { warden, agents, prepare, installed: missing => installed(agents, missing) };
}
