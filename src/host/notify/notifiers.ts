import {
  createCommandNotifier,
  createDesktopNotifier,
  createSlackNotifier,
  createTerminalNotifier,
  createWebhookNotifier,
} from "../../adapters/notify/index.ts";
import type { Config } from "../../config/index.ts";
import { type EngineOptions, type World, whyFailed } from "../../engine/index.ts";
import { because, fail, type Notifier, type Reason } from "../../ports/index.ts";
import type { Locale } from "../../text/index.ts";
import { type Approvable, webhookApproval } from "../approval/approvable.ts";
import { type Approvals, isApproved } from "../approval/approval.ts";
import type { Caller } from "../caller.ts";
import type { Project } from "../project/project.ts";

const COMMAND_LIMIT = 30_000;

export interface NotifiersRequest {
  readonly project: Pick<Project, "config" | "locale">;
  readonly approvals: Approvals;
  readonly caller: Pick<Caller, "env" | "isTerminal" | "ring">;
  readonly world: Pick<World, "shell" | "env" | "random">;
  readonly options: Pick<EngineOptions, "limits" | "cwd">;
}

/** What a project wants told, as far as that has to be approved. */
export function noticeCommands(config: Config): Approvable[] {
  const { command } = config.notify;
  const webhook = webhookApproval(config);
  return [
    ...(command === undefined ? [] : [{ where: "espalier.yaml notify.command", text: command }]),
    ...(webhook === undefined ? [] : [webhook]),
  ];
}

/** The person's own screen: their desktop, or where there is none, the bell of the terminal they sit at. */
function ofScreen({ notify }: Config, locale: Locale, caller: NotifiersRequest["caller"]): Notifier[] {
  const { env, isTerminal, ring } = caller;
  if (notify.desktop === "off" || (notify.desktop === "auto" && !isTerminal)) return [];
  const desktop = createDesktopNotifier({ env, locale });
  if (desktop !== undefined) return [desktop];
  return ring === undefined ? [] : [createTerminalNotifier(bytes => ring(bytes), env, locale)];
}

/** The address that the project names, where a person has approved it. */
function ofWebhook(config: Config, locale: Locale, approvals: Approvals, env: NodeJS.ProcessEnv): Notifier[] {
  const { webhook, webhookEnv, tokenEnv } = config.notify;
  const wanted = webhookApproval(config);
  if (wanted === undefined || !isApproved(wanted, approvals)) return [];
  const missing = [webhookEnv, tokenEnv].find(name => name !== undefined && (env[name] ?? "") === "");
  if (missing !== undefined) {
    const notify = async () => fail(because("notice-failed", { at: missing, why: "unset" }));
    return [{ portVersion: 2, name: "webhook", notify }];
  }
  const url = webhookEnv === undefined ? webhook! : env[webhookEnv]!;
  const token = tokenEnv === undefined ? undefined : env[tokenEnv]!.trim();
  return [createWebhookNotifier({ url, token, locale })];
}

/** The project's own command, run by the shell that asks for the approval itself. */
function ofCommand(command: string | undefined, { project, world, options }: NotifiersRequest): Notifier[] {
  if (command === undefined) return [];
  const never = new AbortController().signal;
  const run = async (
    line: string,
    more: Readonly<Record<string, string>>,
    input: string,
    over: AbortSignal = never,
  ): Promise<Reason | undefined> => {
    const end = await world.shell({
      task: "notify",
      name: "notify.command",
      command: line,
      cwd: options.cwd,
      env: { ...world.env, ...more },
      input,
      token: world.random(20),
      limits: { ...options.limits, wallMs: COMMAND_LIMIT, idleMs: COMMAND_LIMIT },
      cancel: never,
      kill: over,
    });
    if (over.aborted) return because("notice-failed", { at: "notify.command", why: "no-time" });
    return end.exitCode === 0 ? undefined : whyFailed("notify.command", end);
  };
  return [createCommandNotifier(command, project.locale, run)];
}

/** Everybody who is told: the person's screen, Slack by its secret address, what the project names and a person approved. */
export function projectNotifiers(request: NotifiersRequest): Notifier[] {
  const { project, approvals, caller } = request;
  const { config, locale } = project;
  const { env } = caller;
  const url = env["SLACK_WEBHOOK_URL"] ?? "";
  return [
    ...ofScreen(config, locale, caller),
    ...(config.notify.slack === "on" && url !== "" ? [createSlackNotifier({ url, locale })] : []),
    ...ofWebhook(config, locale, approvals, env),
    ...ofCommand(config.notify.command, request),
  ];
}
