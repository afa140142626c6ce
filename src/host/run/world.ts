import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Jail } from "../../adapters/agent/index.ts";
import { isBelow } from "../../adapters/file/index.ts";
import { createLocalFleet } from "../../adapters/fleet/index.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { localDocuments } from "../../adapters/local/documents.ts";
import { randomName } from "../../adapters/local/random.ts";
import { localStateFiles } from "../../adapters/local/state-files.ts";
import { localTaskFile } from "../../adapters/local/task-file.ts";
import { createAiSdkModel } from "../../adapters/model/index.ts";
import {
  agentEnv,
  type Program,
  runShellCommand,
  type ShellCommandEnd,
  type Warden,
} from "../../adapters/process/index.ts";
import { sealThin } from "../../adapters/store/index.ts";
import type { Config } from "../../config/index.ts";
import type { Summarizer } from "../../context/library/index.ts";
import type { ShellEnd, World } from "../../engine/index.ts";
import { type Agent, because, fail, ok } from "../../ports/index.ts";
import { modelApproval } from "../approval/approvable.ts";
import { type Approvals, isApproved } from "../approval/approval.ts";
import { withOwnProgram } from "../own-path.ts";
import { redactorOf } from "../project/secrets.ts";
import type { Session } from "../session/open.ts";
import { CACHES, jailOf } from "./agents.ts";

/** Whether a path of the repository exists. Paths that leave it, in words or through a link, do not. */
function existsInside(root: string, path: string): boolean {
  const absolute = resolve(root, path);
  try {
    const folder = realpathSync(dirname(absolute));
    if (!isBelow(realpathSync(root), join(folder, basename(absolute)))) return false;
    const facts = lstatSync(absolute, { throwIfNoEntry: false });
    return facts !== undefined && !facts.isSymbolicLink();
  } catch {
    return false;
  }
}

/** How a command ended, as the engine hears it. */
export function shellEnd(end: ShellCommandEnd): ShellEnd {
  const { tail, ms } = end;
  switch (end.kind) {
    case "exited":
      return { exitCode: end.exitCode, killed: undefined, tail, ms };
    case "killed":
      return { exitCode: undefined, killed: end.signal, tail, ms };
    case "not-started":
      return { exitCode: undefined, killed: undefined, notStarted: end.failure.message, tail, ms };
    case "wall-clock":
    case "idle":
    case "cancelled":
      return { exitCode: undefined, killed: end.kind, tail, ms };
    default: {
      const never: never = end;
      throw new Error(`unknown end ${JSON.stringify(never)}`);
    }
  }
}

/** The model that the configuration names for summaries, where a person has approved it. */
function summarizerOf(
  config: Config,
  approvals: Approvals,
  env: NodeJS.ProcessEnv,
): { readonly summarizer?: Summarizer } {
  const { model } = config.budget;
  const wanted = modelApproval(config);
  if (model?.base_url === undefined || !wanted.every(one => isApproved(one, approvals))) return {};
  const apiKey = model.api_key_env === undefined ? undefined : env[model.api_key_env];
  const made = createAiSdkModel({
    baseUrl: model.base_url,
    name: model.name,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return { summarizer: { model: made, maxInputTokens: model.max_input, timeoutMs: model.timeout * 1000 } };
}

export interface WorldParts {
  readonly session: Session;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly approvals: Approvals;
  readonly warden: Warden;
  readonly env: NodeJS.ProcessEnv;
  /** Around what runs the work of jailed agents. */
  readonly jail?: Jail | undefined;
}

/** Puts what runs an agent's work where the agent is; undefined where that one is in no jail. */
function checkJail(
  { session: { project }, jail }: Pick<WorldParts, "session" | "jail">,
  agent: string | undefined,
): ((program: Program) => Program) | undefined {
  const { config, stateDir } = project;
  const given = jailOf({ jail, config, stateDir }, CACHES);
  const isFree = agent === undefined || (agent === "shell" && !config.jail.shell);
  if (given === undefined || isFree || !config.jail.checks) return undefined;
  const { jail: walls, ...cell } = given;
  return program => walls.wrap(program, { ...cell, writable: [] });
}

/** The real world of a run: this machine's files, processes and clocks. */
export function localWorld({ session, agents, approvals, warden, env, jail }: WorldParts): World {
  const { project, store, file } = session;
  const redact = redactorOf(env, project.root);
  return {
    clock: SYSTEM_CLOCK,
    store,
    epoch: session.epoch,
    stillOurs: () => session.lock.intact(),
    taskFile: localTaskFile(file.path, file.display, project.stateDir),
    files: localStateFiles({
      root: project.root,
      stateDir: project.stateDir,
      redact,
      seal: session.seal === undefined ? undefined : json => sealThin(session.seal!, json),
      backup: async () => {
        const done = await store.backup(join(project.stateDir, "espalier.db.bak"));
        return done.ok
          ? ok(undefined)
          : fail("message" in done.failure ? done.failure.message : done.failure.kind);
      },
    }),
    agent: name => agents.get(name),
    fleet: createLocalFleet({ agents, mask: () => redact.stream() }),
    async shell({
      task,
      agent,
      name: title,
      command,
      cwd,
      env: commandEnv,
      input,
      token,
      limits,
      cancel,
      kill,
    }) {
      if (!approvals.allows(command)) {
        return {
          exitCode: undefined,
          killed: undefined,
          tail: "",
          ms: 0,
          refused: because("proof-unapproved", {}),
        };
      }
      const log = () => {};
      return shellEnd(
        await runShellCommand({
          task,
          title,
          command,
          cwd,
          env: commandEnv,
          input,
          token,
          warden,
          limits,
          log,
          cancel,
          kill,
          mask: () => redact.stream(),
          confine: checkJail({ session, jail }, agent),
        }),
      );
    },
    exists: (path, folder) => existsInside(folder ?? project.root, path),
    ...summarizerOf(project.config, approvals, env),
    documents: localDocuments(project.root),
    documentsIn: folder => localDocuments(folder),
    random: randomName,
    env: withOwnProgram(agentEnv(env, project.config.env)),
    redact,
  };
}
