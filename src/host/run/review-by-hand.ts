import { join } from "node:path";
import { createLocalFleet } from "../../adapters/fleet/index.ts";
import { randomName } from "../../adapters/local/random.ts";
import {
  agentEnv,
  instanceAt,
  runShellCommand,
  startWarden,
  type Warden,
} from "../../adapters/process/index.ts";
import { diffText, inThrowaway, type Repository } from "../../adapters/vcs/git/index.ts";
import {
  type Answer,
  answerOf,
  askAgent,
  execute,
  maskedFleet,
  onlyTurn,
  phaseNames,
  type Reviewer,
  reviewEnv,
  spentBy,
} from "../../engine/index.ts";
import type { Task } from "../../plan/index.ts";
import {
  type AgentFailure,
  type AgentUsage,
  addUsage,
  type Result,
  type TurnEnd,
} from "../../ports/index.ts";
import type { AttemptSpend } from "../../run/index.ts";
import { agentFiles } from "../approval/agent-files.ts";
import { configCommands } from "../approval/approvable.ts";
import { type Approvals, requireApproval } from "../approval/approval.ts";
import { beginWork } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { gitError } from "../project/errors.ts";
import { lastTaskFile, type Project } from "../project/project.ts";
import type { RunReading } from "../project/reader.ts";
import { redactorOf } from "../project/secrets.ts";
import { whileIdle } from "../session/idle-repository.ts";
import { approvedRepository, nameRules, repositoryCommands } from "../session/repository.ts";
import { projectAgents } from "./agents.ts";
import { projectJail } from "./jail.ts";
import { requireReviewer } from "./require-agents.ts";
import { type TaskWork, workOfTask } from "./task-work.ts";
import { shellEnd } from "./world.ts";

/** A review that a person asks for while no run is under way. */
export interface HandReview {
  readonly caller: Caller;
  readonly project: Project;
  readonly repository: Repository;
  readonly reading: RunReading;
  readonly task: Task;
  readonly reviewer: Reviewer;
  /** Everything that the repository wants executed is approved. */
  readonly yes: boolean;
  /** Ends it. */
  readonly stop: { readonly cancel: AbortSignal; readonly kill: AbortSignal };
}

/** What a review by hand came to; its words are masked, and foreign all the same. */
export interface HandReviewed {
  readonly answer: Answer;
  /** What the reviewer took, as far as it tells. */
  readonly spent: AttemptSpend | undefined;
}

/** One turn of an agent that tells nothing but its end and what it took. */
async function turnOf(
  agent: string,
  message: string,
  id: string,
  cwd: string,
  { caller, project, task, stop }: HandReview,
  { approvals, warden }: { readonly approvals: Approvals; readonly warden: Warden },
  hear: (usage: AgentUsage) => void,
): Promise<Result<TurnEnd, AgentFailure>> {
  const { config, root, stateDir } = project;
  const { env } = caller;
  const jail = await projectJail(config, env["PATH"]);
  const agents = projectAgents({ config, invocation: {}, approvals, warden, jail, env, root, stateDir });
  await requireReviewer(agent, "espalier review", agents);
  const redact = redactorOf(env, root);
  const fleet = maskedFleet(createLocalFleet({ agents, mask: () => redact.stream() }), redact);
  const { limits } = config;
  const token = randomName(20);
  const session = execute(
    fleet,
    {
      version: 1,
      id: `${token}/1`,
      agent,
      message,
      task: task.id,
      attempt: 1,
      token,
      cwd,
      env: { ...agentEnv(env, config.env), ESPALIER_TASK: task.id, ESPALIER_SIGNAL_ID: id },
      limits: { wallMs: limits.wall, idleMs: limits.idle, graceMs: limits.grace, logBytes: limits.log },
      asks: false,
    },
    { log: () => {} },
  );
  stop.cancel.addEventListener("abort", () => session.cancel("soft"), { once: true });
  stop.kill.addEventListener("abort", () => session.cancel("hard"), { once: true });
  return onlyTurn(session, message, event => {
    if (event.type !== "usage") return;
    const { type: _, ...usage } = event;
    hear(usage);
  });
}

/** Has the work judged in a folder in which it stands. */
async function judge(
  request: HandReview,
  { from, to, proof, sentBack }: TaskWork,
  cwd: string,
  tools: { readonly approvals: Approvals; readonly warden: Warden },
): Promise<HandReviewed> {
  const { caller, project, repository, task, reviewer, stop } = request;
  const { config, root } = project;
  const redact = redactorOf(caller.env, root);
  const tree = to.tree ?? to.commit;
  const found = await diffText(repository, from, tree);
  if (!found.ok) throw gitError(found.failure);
  const diff = redact(found.value);
  if ("agent" in reviewer) {
    const id = `${task.id}#${randomName(6)}`;
    let usage: AgentUsage | undefined;
    const { answer } = await askAgent(
      reviewer.agent,
      { task, sentBack, proof, diff },
      config.locale,
      id,
      Date.now(),
      message => {
        // Another session counts from nothing again.
        const before = usage;
        let own: AgentUsage = {};
        return turnOf(reviewer.agent, message, id, cwd, request, tools, told => {
          own = { ...own, ...told };
          usage = addUsage(before, own);
        });
      },
    );
    const row = { agent: reviewer.agent, ...(usage === undefined ? {} : { usage }) };
    return { answer, spent: spentBy(row, config.budget.prices) };
  }
  const { command } = reviewer;
  const { limits } = config;
  const end = await runShellCommand({
    task: task.id,
    title: "review.command",
    command,
    cwd,
    env: { ...agentEnv(caller.env, config.env), ...reviewEnv({ task, sentBack }, from, tree) },
    input: diff,
    token: randomName(20),
    warden: tools.warden,
    limits: { wallMs: limits.wall, idleMs: limits.idle, graceMs: limits.grace, logBytes: limits.log },
    log: () => {},
    ...stop,
    mask: () => redact.stream(),
  });
  const told = shellEnd(end);
  return { answer: answerOf({ ...told, tail: redact(told.tail) }), spent: undefined };
}

/**
 * Has a task's work reviewed, landed or not, in a worktree of its own that is gone afterwards. No run is changed by it. Only what a
 * person has approved is started. Undefined where there is nothing to review. Throws EspalierError, also while a run is under way.
 */
export async function reviewByHand(request: HandReview): Promise<HandReviewed | undefined> {
  const { caller, project, repository, reading, task, yes } = request;
  const { env } = caller;
  const { config, root } = project;
  const wanted = [
    ...configCommands(config),
    ...repositoryCommands(project, repository, env),
    ...agentFiles(root),
  ];
  const work = await workOfTask(repository, reading.attempts(task.id));
  if (work === undefined) return undefined;
  const approvals = await requireApproval(caller, project, wanted, { yes });
  const file = lastTaskFile(project, reading.stored.run);
  const approved = await approvedRepository(project, file, env, { known: repository, approvals });
  const { prefix } = repository.facts;
  const { path } = phaseNames(nameRules(project, repository), { label: "review", feature: "work" });
  return whileIdle(project, async () => {
    await beginWork(project, env);
    const warden = startWarden(instanceAt(project.stateDir, randomName(16)));
    try {
      const use = () => judge(request, work, join(path, prefix), { approvals, warden });
      const done = await inThrowaway(approved ?? repository, path, use, work.to);
      if (!done.ok) throw gitError(done.failure);
      return done.value;
    } finally {
      await warden.close();
    }
  });
}
