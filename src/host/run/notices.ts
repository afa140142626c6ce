import {
  createCommandNotifier,
  createSlackNotifier,
  createWebhookNotifier,
} from "../../adapters/notify/index.ts";
import type { Config } from "../../config/index.ts";
import { type EngineOptions, type World, whyNot } from "../../engine/index.ts";
import { because, type Notice, type Notifier, type Reason, type StampedEvent } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { webhookApproval } from "../approval/approvable.ts";
import { type Approvals, isApproved } from "../approval/approval.ts";

/** Milliseconds a notice may keep the program from ending, and one that was told to stop. */
const LAST_WAIT = 20_000;
const HURRIED_WAIT = 2000;
const COMMAND_LIMIT = 30_000;

export interface NotifiersRequest {
  readonly config: Config;
  readonly approvals: Approvals;
  readonly env: NodeJS.ProcessEnv;
  readonly world: Pick<World, "shell" | "env" | "random">;
  readonly options: Pick<EngineOptions, "limits" | "cwd">;
}

/** Everybody who is told: Slack by its secret address, and what the project names and a person approved. */
export function projectNotifiers({ config, approvals, env, world, options }: NotifiersRequest): Notifier[] {
  const { slack, webhook, command } = config.notify;
  const { locale } = config;
  const url = env["SLACK_WEBHOOK_URL"] ?? "";
  const never = new AbortController().signal;
  const run = async (line: string, more: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const end = await world.shell({
      task: "notify",
      name: "notify.command",
      command: line,
      cwd: options.cwd,
      env: { ...world.env, ...more },
      token: world.random(20),
      limits: { ...options.limits, wallMs: COMMAND_LIMIT, idleMs: COMMAND_LIMIT },
      cancel: never,
      kill: never,
    });
    return end.exitCode === 0 ? undefined : whyNot(end);
  };
  return [
    ...(slack === "on" && url !== "" ? [createSlackNotifier({ url, locale })] : []),
    ...(webhook !== undefined && isApproved(webhookApproval(webhook), approvals)
      ? [createWebhookNotifier({ url: webhook, locale })]
      : []),
    ...(command === undefined ? [] : [createCommandNotifier(command, locale, run)]),
  ];
}

/** A view of the run that tells people elsewhere. */
export interface NoticeView {
  event(event: StampedEvent): void;
  /** Resolves when nothing is on its way any more. */
  drained(): Promise<void>;
}

/** What an event means for people elsewhere; undefined for nothing. */
function noticeOf(
  { event, at }: StampedEvent,
  run: RunState,
  began: { readonly run: number; readonly phases: ReadonlyMap<string, number> },
): Notice | undefined {
  const { project } = run.plan;
  if (event.type === "phase-ended") {
    const { phase, completed, counted } = event;
    const ms = at - (began.phases.get(phase) ?? at);
    return { kind: "phase-ended", project, phase, completed, counted, ms };
  }
  if (event.type === "run-ended") {
    const { outcome, reason } = event;
    if (run.spending?.refusal !== undefined && outcome === "waiting")
      return { kind: "budget", project, reason };
    return {
      kind: "run-ended",
      project,
      outcome,
      completed: run.counts.completed,
      ms: at - began.run,
      reason,
    };
  }
  if (event.type === "asked") {
    const { task, id, kind, title } = event;
    return { kind: "asked", project, task, id, wants: `${kind} ${title}` };
  }
  if (event.type !== "paused") return undefined;
  const { task, reason, by } = event;
  if (reason.code === "agent-failed" && reason.args.kind === "budget")
    return { kind: "budget", project, reason };
  return by === "rule" ? { kind: "stuck", project, task, reason } : undefined;
}

/** Tells every notifier; one that fails is warned about once. */
export function createNoticeView(
  notifiers: readonly Notifier[],
  run: RunState,
  warn: (message: Reason) => void,
): NoticeView {
  const under = new Set<Promise<void>>();
  const silent = new Set<string>();
  const phases = new Map<string, number>();
  let began = 0;
  const send = async (notifier: Notifier, notice: Notice): Promise<void> => {
    const told = await notifier.notify(notice);
    if (told.ok || silent.has(notifier.name)) return;
    silent.add(notifier.name);
    warn(because("not-told", { notifier: notifier.name, said: told.failure }));
  };
  return {
    event(stamped) {
      const { event, at } = stamped;
      if (began === 0) began = at;
      if (event.type === "phase-started") phases.set(event.phase, at);
      const notice = noticeOf(stamped, run, { run: began, phases });
      if (notice === undefined) return;
      for (const notifier of notifiers) {
        const sending: Promise<void> = send(notifier, notice).finally(() => under.delete(sending));
        under.add(sending);
      }
    },
    async drained() {
      if (under.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, run.stopping ? HURRIED_WAIT : LAST_WAIT);
      await Promise.race([Promise.all(under), promise]);
      clearTimeout(timer);
    },
  };
}
