import { join } from "node:path";
import { bringOver } from "../../adapters/local/bring-over.ts";
import { randomName } from "../../adapters/local/random.ts";
import { setUp } from "../../adapters/local/set-up-worktree.ts";
import {
  agentEnv,
  instanceAt,
  runShellCommand,
  startWarden,
  type Warden,
} from "../../adapters/process/index.ts";
import { inThrowaway, type Repository } from "../../adapters/vcs/git/index.ts";
import { failedCheck, phaseNames, type ShellEnd } from "../../engine/index.ts";
import { because, type Reason } from "../../ports/index.ts";
import { configCommands } from "../approval/approvable.ts";
import { requireApproval } from "../approval/approval.ts";
import type { Caller } from "../caller.ts";
import { gitError } from "../project/errors.ts";
import type { Project, TaskPath } from "../project/project.ts";
import { hasState } from "../project/reader.ts";
import { redactorOf } from "../project/secrets.ts";
import { whileIdle } from "../session/idle-repository.ts";
import {
  approvedRepository,
  nameRules,
  projectRepository,
  repositoryCommands,
} from "../session/repository.ts";
import { shellEnd } from "./world.ts";

/** A check that is tried as attempts would run it. */
export interface TrialRequest {
  readonly caller: Caller;
  readonly project: Project;
  readonly command: string;
  /** What sets up a new worktree first. */
  readonly setup: readonly string[];
  /** A person has said that it may run. */
  readonly yes: boolean;
  /** Ends it, softly and hard; what was made for it goes all the same. */
  readonly stop?: { readonly cancel: AbortSignal; readonly kill: AbortSignal };
}

/** How a check ended that was tried. */
export interface Trial {
  /** Where it ran: in a new worktree, or, where tasks work in the checkout, there. */
  readonly where: "worktree" | "checkout";
  /** What stands against it; undefined where it passed. */
  readonly problem: Reason | undefined;
}

type Shell = (name: string, command: string, cwd: string) => Promise<ShellEnd>;

function shellOf({ caller, project, stop }: TrialRequest, warden: Warden): Shell {
  const { limits, env } = project.config;
  const redact = redactorOf(caller.env, project.root);
  return async (title, command, cwd) =>
    shellEnd(
      await runShellCommand({
        task: "trial",
        title,
        command,
        cwd,
        env: { ...agentEnv(caller.env, env), ESPALIER_WORKTREE: cwd },
        token: randomName(20),
        warden,
        limits: { wallMs: limits.wall, idleMs: limits.idle, graceMs: limits.grace, logBytes: limits.log },
        log: () => {},
        mask: () => redact.stream(),
        ...stop,
      }),
    );
}

function problemOf(name: string, end: ShellEnd): Reason | undefined {
  if (end.notStarted !== undefined) return because("said", { by: "system", text: end.notStarted });
  return end.exitCode === 0 ? undefined : failedCheck(name, end, 160);
}

/** Sets a worktree up, and runs the check in it. */
async function checkIn(
  request: TrialRequest,
  path: string,
  prefix: string,
  shell: Shell,
): Promise<Reason | undefined> {
  const { project, command, setup } = request;
  const { root, stateDir, config } = project;
  const cwd = join(path, prefix);
  const run = async (one: string, at: string) =>
    problemOf(`worktree.setup ${one}`, await shell("worktree.setup", one, at));
  const cache = join(stateDir, "cache");
  const brought = bringOver({ ...config.worktree, from: root, to: cwd });
  const unready = brought.ok ? await setUp({ setup, to: cwd, run, cache }) : brought.failure;
  return unready ?? problemOf(command, await shell("verify", command, cwd));
}

async function inWorktree(request: TrialRequest, repository: Repository, shell: Shell): Promise<Trial> {
  const { prefix } = repository.facts;
  const { path } = phaseNames(nameRules(request.project, repository), { label: "trial", feature: "check" });
  const done = await inThrowaway(repository, path, () => checkIn(request, path, prefix, shell));
  if (done.ok) return { where: "worktree", problem: done.value };
  throw gitError(done.failure);
}

/**
 * Runs a check once where attempts would: in a new worktree, set up as theirs are and removed afterwards; in the checkout where
 * tasks work there. Only what a person has approved is run. Throws EspalierError.
 */
export async function tryCheck(request: TrialRequest, file: TaskPath): Promise<Trial> {
  const { caller, project, command, setup, yes } = request;
  const repository = await projectRepository(project, file, caller.env);
  const settings = configCommands(project.config).filter(({ where }) =>
    where.startsWith("espalier.yaml worktree."),
  );
  const commands = [command, ...setup].map(text => ({ where: "trial", text }));
  const ofGit = repository === undefined ? [] : repositoryCommands(project, repository, caller.env);
  const approvals = await requireApproval(caller, project, [...commands, ...settings, ...ofGit], { yes });
  const approved = await approvedRepository(project, file, caller.env, { known: repository, approvals });
  const warden = startWarden(instanceAt(project.stateDir, randomName(16)));
  const shell = shellOf(request, warden);
  const attempt = async (): Promise<Trial> =>
    approved === undefined
      ? { where: "checkout", problem: problemOf(command, await shell("verify", command, project.root)) }
      : inWorktree(request, approved, shell);
  try {
    return await (hasState(project) ? whileIdle(project, attempt) : attempt());
  } finally {
    await warden.close();
  }
}
