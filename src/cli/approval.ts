import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { readBounded, writeAtomic } from "../adapters/file/index.ts";
import { makeFolders } from "../adapters/home/index.ts";
import type { Config } from "../engine/config/index.ts";
import type { Plan } from "../plan/index.ts";
import { EspalierError, EXIT, type ReasonCode, type TaskRow } from "../ports/index.ts";
import { visible } from "../text/index.ts";
import { BUNDLED } from "./bundled.ts";
import { type Io, isInteractive, say, warn } from "./io.ts";
import type { Project } from "./project.ts";
import { requirePerson } from "./session/decider.ts";
import { type ApprovalWords, approvalWords } from "./views/approval-words.ts";

/** What an approval is for. A setting or a file that reads like a command approves no command. */
export type ApprovalKind = "command" | "setting" | "agent file";

/** What is read before it is approved. */
interface Shown {
  /** Where it stands, e.g. `T1.1 run` or `espalier.yaml verify`. */
  readonly where: string;
  readonly text: string;
}

/** Something a repository wants executed, or handed to agents. Its kind and text are what an approval counts for. */
export interface Approvable extends Shown {
  /** A command where nothing else is said. */
  readonly kind?: ApprovalKind;
  /** The same in a person's language, where it is not the repository's own words. */
  readonly told?: (words: ApprovalWords) => Shown;
}

/** Something to approve that has words of ours. An approval holds in every language, so it counts for the English ones. */
export function inWords(kind: ApprovalKind, told: (words: ApprovalWords) => Shown): Approvable {
  return { ...told(approvalWords("en")), kind, told };
}

/** A setting that lets something be done, to be approved for where it stands. */
export function setting(where: string, text: (words: ApprovalWords) => string): Approvable {
  return inWords("setting", words => ({ where, text: text(words) }));
}

/** Sending what happens to an address that the project names. */
export function webhookApproval(url: string): Approvable {
  return setting("espalier.yaml notify.webhook", words => words.notify(url));
}

/** The commands this person has approved, by content. Whatever else a repository names is not executed. */
export interface Approvals {
  allows(text: string, kind?: ApprovalKind): boolean;
}

/** Whether a person has approved something that is wanted. */
export function isApproved(wanted: Approvable, approvals: Approvals): boolean {
  return approvals.allows(counted(wanted), wanted.kind);
}

/** What an approval counts for: of a command its words wherever they stand, of a setting also where it stands. */
function counted({ where, text, kind }: Approvable): string {
  return kind === "setting" ? `${where}\n${text}` : text;
}

/** Why a task is paused whose command or agent's file nobody has seen yet. Once all is approved it goes on by itself. */
const UNAPPROVED: ReadonlySet<ReasonCode> = new Set([
  "run-block-unapproved",
  "proof-unapproved",
  "file-unapproved",
]);

/** Whether a task is paused for want of an approval. */
export function awaitsApproval({ status, reason }: Pick<TaskRow, "status" | "reason">): boolean {
  return status === "paused" && reason !== undefined && UNAPPROVED.has(reason.code);
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

/** Tasks that the file asks less of than before, to be approved as they stand there now. */
export function weakerProofs({ tasks }: Plan, weaker: ReadonlyMap<string, readonly string[]>): Approvable[] {
  return tasks.flatMap(({ id, text }) => {
    const fields = weaker.get(id);
    return fields === undefined ? [] : [setting(id, words => `${words.weaker(fields.join(", "))}\n${text}`)];
  });
}

/** What is sent to a model that the project names: agents' outputs, and a key of the person's. */
export function modelApproval({ budget: { model } }: Config): Approvable[] {
  if (model?.base_url === undefined) return [];
  const { base_url: url, api_key_env: key } = model;
  return [setting("espalier.yaml budget.model", words => words.send(url, key))];
}

/** Everything the project's configuration names that would be executed, or lets agents see. */
export function configCommands(config: Config): Approvable[] {
  const { webhook } = config.notify;
  const named = (where: string, text: string | undefined) => (text === undefined ? [] : [{ where, text }]);
  return [
    ...named("espalier.yaml verify", config.verify),
    ...named("espalier.yaml test", config.test),
    ...named("espalier.yaml command", config.command),
    ...named("espalier.yaml phase.verify", config.phase.verify),
    ...named("espalier.yaml notify.command", config.notify.command),
    ...config.worktree.setup.map(text => ({ where: "espalier.yaml worktree.setup", text })),
    ...(["copy", "link"] as const).flatMap(how =>
      config.worktree[how].map(path =>
        setting(`espalier.yaml worktree.${how}`, words => words.bring(how, path)),
      ),
    ),
    ...config.jail.show.map(name =>
      setting("espalier.yaml jail.show", words => words.reveal(join(homedir(), name))),
    ),
    ...(webhook === undefined ? [] : [webhookApproval(webhook)]),
    ...Object.entries(config.agents).flatMap(([name, agent]) =>
      agentCommands(`espalier.yaml agents.${name}`, agent),
    ),
    ...modelApproval(config),
    ...config.env.map(name => setting("espalier.yaml env", words => words.pass(name))),
  ];
}

/** What a repository's settings of an agent have executed, or let it do unasked. */
function agentCommands(where: string, agent: Config["agents"][string]): Approvable[] {
  const { command, acp, program, permissions } = agent;
  const lines = [command, acp, program].flatMap(text => (text === undefined ? [] : [{ where, text }]));
  if (permissions === undefined) return lines;
  const stated = JSON.stringify(permissions);
  return [...lines, setting(where, words => words.permit(stated))];
}

/** Kept by the person, outside the repository: a repository must not bring its own approval. */
function approvalsPath(env: NodeJS.ProcessEnv): string {
  const named = env["XDG_STATE_HOME"] ?? "";
  const base = isAbsolute(named) ? named : join(homedir(), ".local", "state");
  return join(base, "espalier", "approvals.json");
}

/** No command holds the byte behind the kind: nothing of another kind has a command's hash. */
function hash(text: string, kind: ApprovalKind = "command"): string {
  return createHash("sha256")
    .update(kind === "command" ? text : `${kind}\0${text}`)
    .digest("hex");
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

function show(io: Io, items: readonly Approvable[], words: ApprovalWords): void {
  warn(io, words.shown);
  for (const item of items) {
    const { where, text } = item.told?.(words) ?? item;
    const lines = text.split("\n").map(line => visible(line));
    warn(io, `  ${visible(where)}:`);
    for (const line of lines.slice(0, SHOWN_LINES)) warn(io, `    ${line}`);
    if (lines.length > SHOWN_LINES) warn(io, `    ${words.moreLines(lines.length - SHOWN_LINES)}`);
  }
}

async function ask(io: Io, commands: number, words: ApprovalWords): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({
    message: words.question(commands),
    active: words.yes,
    inactive: words.no,
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
    makeFolders(dirname(path));
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
 * approved; only a person approves, also on a terminal; without a terminal and without `yes` it throws (exit 5).
 */
export async function requireApproval(
  io: Io,
  { root, stateDir, config }: Pick<Project, "root" | "stateDir" | "config">,
  wanted: readonly Approvable[],
  { yes, typed }: ApprovalAnswer,
): Promise<Approvals> {
  const words = approvalWords(config.locale);
  const path = approvalsPath(io.env);
  const approved = new Set([...BUNDLED, ...(readApproved(path)[root] ?? [])]);
  const allows: Approvals["allows"] = (text, kind) => approved.has(hash(text, kind));
  const byHash = new Map(wanted.map(item => [hash(counted(item), item.kind), item]));
  for (const one of approved) byHash.delete(one);
  const distinct = [...byHash.values()];
  const given = [...byHash.keys(), ...(typed === undefined ? [] : [hash(typed)])];
  const isAsked = !yes && distinct.length > 0;
  if (isAsked) show(io, distinct, words);
  if (isAsked && !isInteractive(io)) {
    const { message, hint } = words.needed(distinct.length);
    throw new EspalierError("APPROVAL_NEEDED", message, { hint, exitCode: EXIT.waitingForPerson });
  }
  // Before anything is asked: an agent can open a terminal and answer there.
  const { isOwnScratch } = given.every(one => approved.has(one))
    ? { isOwnScratch: false }
    : await requirePerson(io, { root, stateDir, config });
  if (isAsked) {
    if (!(await ask(io, distinct.length, words)))
      throw new EspalierError("APPROVAL_REFUSED", words.refused, { exitCode: EXIT.waitingForPerson });
    say(io, words.approved);
  }
  const hashes = given.filter(one => !approved.has(one));
  // What an agent approves in a scratch project of its own counts for that one process.
  const problem = hashes.length === 0 || isOwnScratch ? undefined : remember(path, root, hashes);
  if (problem !== undefined) warn(io, words.notRemembered(visible(problem)));
  for (const one of hashes) approved.add(one);
  return { allows };
}
