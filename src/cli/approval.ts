import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { UNAPPROVED_FILES } from "../adapters/agent/index.ts";
import { readBounded, writeAtomic } from "../adapters/file/index.ts";
import type { Config } from "../engine/config/index.ts";
import type { Plan } from "../plan/index.ts";
import { EspalierError, EXIT } from "../ports/index.ts";
import { visible } from "../text/index.ts";
import { BUNDLED } from "./bundled.ts";
import { type Io, isInteractive, say, warn } from "./io.ts";

/** Something a repository wants executed, or handed to agents. */
export interface Approvable {
  /** Where it stands, e.g. `T1.1 run` or `espalier.yaml verify`. */
  readonly where: string;
  readonly text: string;
}

/** The commands this person has approved, by content. Whatever else a repository names is not executed. */
export interface Approvals {
  allows(text: string): boolean;
}

/** Why a task is paused whose command nobody has seen yet. Once everything is approved it goes on by itself. */
export const UNAPPROVED = {
  run: "its run: block is not approved yet; espalier resume asks",
  verify: "a command that proves it is not approved yet; espalier resume asks",
} as const;

/** Whether a task is paused for want of an approval. */
export function awaitsApproval(row: { readonly status: string; readonly reason: string }): boolean {
  const { status, reason } = row;
  if (status !== "paused") return false;
  return reason === UNAPPROVED.run || reason === UNAPPROVED.verify || reason.startsWith(UNAPPROVED_FILES);
}

const Stored = z.record(z.string(), z.array(z.string()));

/** Everything a task file names that would be executed. */
export function planCommands(plan: Plan): Approvable[] {
  return plan.tasks.flatMap(task =>
    (["run", "test", "verify"] as const).flatMap(field => {
      const text = task[field];
      return text === undefined ? [] : [{ where: `${task.id} ${field}`, text }];
    }),
  );
}

/** What is sent to a model that the project names: agents' outputs, and a key of the person's. */
export function modelApproval({ budget: { model } }: Config): Approvable[] {
  if (model?.base_url === undefined) return [];
  const key = model.api_key_env === undefined ? "" : ` with the key in ${model.api_key_env}`;
  return [{ where: "espalier.yaml budget.model", text: `send outputs of agents to ${model.base_url}${key}` }];
}

/** Everything the project's configuration names that would be executed, or lets agents see. */
export function configCommands(config: Config): Approvable[] {
  const named = (where: string, text: string | undefined) => (text === undefined ? [] : [{ where, text }]);
  return [
    ...named("espalier.yaml verify", config.verify),
    ...named("espalier.yaml test", config.test),
    ...named("espalier.yaml command", config.command),
    ...named("espalier.yaml phase.verify", config.phase.verify),
    ...named("espalier.yaml notify.command", config.notify.command),
    ...config.worktree.setup.map(text => ({ where: "espalier.yaml worktree.setup", text })),
    ...(["copy", "link"] as const).flatMap(how =>
      config.worktree[how].map(path => ({
        where: `espalier.yaml worktree.${how}`,
        text: `${how} ${path} into worktrees`,
      })),
    ),
    ...(config.notify.webhook === undefined
      ? []
      : [{ where: "espalier.yaml notify.webhook", text: `tell ${config.notify.webhook} what happens` }]),
    ...Object.entries(config.agents).flatMap(([name, agent]) =>
      agentCommands(`espalier.yaml agents.${name}`, agent),
    ),
    ...modelApproval(config),
    ...config.env.map(name => ({ where: "espalier.yaml env", text: `pass ${name} to agents` })),
  ];
}

/** What a repository's settings of an agent have executed, or let it do unasked. */
function agentCommands(where: string, agent: Config["agents"][string]): Approvable[] {
  const { command, acp, program, permissions } = agent;
  const lines = [command, acp, program].flatMap(text => (text === undefined ? [] : [{ where, text }]));
  if (permissions === undefined) return lines;
  const text = `permissions ${JSON.stringify(permissions)}`;
  return [...lines, { where, text }];
}

/** Kept by the person, outside the repository: a repository must not bring its own approval. */
function approvalsPath(env: NodeJS.ProcessEnv): string {
  const named = env["XDG_STATE_HOME"] ?? "";
  const base = isAbsolute(named) ? named : join(homedir(), ".local", "state");
  return join(base, "espalier", "approvals.json");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readApproved(path: string): Record<string, string[]> {
  const bytes = readBounded(path, { maxBytes: 64 * 1024 ** 2 });
  if (!bytes.ok) return {};
  try {
    return Stored.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
  } catch {
    return {};
  }
}

/** Commands remembered for one project; with a hundred thousand tasks the file stays within what is read. */
const MOST_REMEMBERED = 200_000;

/** Lines shown of one command; the hash covers all of it. */
const SHOWN_LINES = 40;

function show(io: Io, items: readonly Approvable[]): void {
  warn(io, "These commands come from the repository and have not been approved yet:");
  for (const { where, text } of items) {
    const lines = text.split("\n").map(line => visible(line));
    warn(io, `  ${visible(where)}:`);
    for (const line of lines.slice(0, SHOWN_LINES)) warn(io, `    ${line}`);
    if (lines.length > SHOWN_LINES) warn(io, `    … ${lines.length - SHOWN_LINES} more lines in the file`);
  }
}

async function ask(io: Io, items: readonly Approvable[]): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: `Run ${items.length === 1 ? "this command" : `these ${items.length} commands`} when their tasks are due?`,
    initialValue: false,
    input: io.stdin,
    output: io.stdout,
  });
  return !isCancel(answer) && answer;
}

/** Returns why it could not be remembered. */
function remember(path: string, root: string, hashes: readonly string[]): string | undefined {
  const stored = readApproved(path);
  stored[root] = [...new Set([...(stored[root] ?? []), ...hashes])].slice(-MOST_REMEMBERED);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    return (error as Error).message;
  }
  const written = writeAtomic(path, `${JSON.stringify(stored)}\n`);
  return written.ok ? undefined : written.failure.message;
}

/** How a person answers: `yes` approves everything, `typed` is a command line they have just given themselves. */
export interface ApprovalAnswer {
  readonly yes: boolean;
  readonly typed?: string | undefined;
}

/**
 * Makes sure a person has seen what the repository wants executed, once per content. With `yes` everything is
 * approved; without a terminal and without `yes` it throws (exit 5).
 */
export async function requireApproval(
  io: Io,
  root: string,
  wanted: readonly Approvable[],
  { yes, typed }: ApprovalAnswer,
): Promise<Approvals> {
  const path = approvalsPath(io.env);
  const approved = new Set([...BUNDLED, ...(readApproved(path)[root] ?? [])]);
  const allows = (text: string) => approved.has(hash(text));
  const fresh = wanted.filter(({ text }) => !allows(text));
  const distinct = [...new Map(fresh.map(item => [item.text, item])).values()];
  if (!yes && distinct.length > 0) {
    show(io, distinct);
    if (!isInteractive(io)) {
      throw new EspalierError(
        "APPROVAL_NEEDED",
        distinct.length === 1
          ? "1 command named by the repository is not approved"
          : `${distinct.length} commands named by the repository are not approved`,
        {
          hint: "read them above, then run the same command with --yes, or in a terminal",
          exitCode: EXIT.waitingForPerson,
        },
      );
    }
    if (!(await ask(io, distinct))) {
      throw new EspalierError("APPROVAL_REFUSED", "not approved; nothing was started", {
        exitCode: EXIT.waitingForPerson,
      });
    }
    say(io, "Approved for this content; a change is asked for again.");
  }
  const texts = [...distinct.map(({ text }) => text), ...(typed === undefined ? [] : [typed])];
  const hashes = texts.map(hash).filter(one => !approved.has(one));
  const problem = hashes.length === 0 ? undefined : remember(path, root, hashes);
  if (problem !== undefined) warn(io, `the approval counts for this run only: ${visible(problem)}`);
  for (const one of hashes) approved.add(one);
  return { allows };
}
