import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { readBounded, writeAtomic } from "../../adapters/file/index.ts";
import { makeFolders } from "../../adapters/home/index.ts";
import { acquireLock } from "../../adapters/lock/index.ts";
import {
  EspalierError,
  EXIT,
  type PermissionQuestion,
  type ReasonCode,
  type TaskRow,
} from "../../ports/index.ts";
import { type Locale, reasonText, visible } from "../../text/index.ts";
import type { Caller } from "../caller.ts";
import { VERSION } from "../package.ts";
import type { Project } from "../project/project.ts";
import type { Approvable, ApprovalKind } from "./approvable.ts";
import { approvalWords } from "./approval-words.ts";
import { BUNDLED } from "./bundled.ts";
import { requirePerson } from "./decider.ts";

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

/** Kept by the person, outside the repository: a repository must not bring its own approval. */
function approvalsPath(env: NodeJS.ProcessEnv): string {
  const named = env["XDG_STATE_HOME"] ?? "";
  const base = isAbsolute(named) ? named : join(homedir(), ".local", "state");
  return join(base, "espalier", "approvals.json");
}

/** No command holds the byte behind the kind: nothing of another kind has a command's hash. */
function hash(text: string, kind: ApprovalKind | "permission" = "command"): string {
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

/** What a person has approved of a project so far. Nobody is asked. */
export function approvalsKept(env: NodeJS.ProcessEnv, root: string): Approvals {
  const approved = new Set([...BUNDLED, ...(readApproved(approvalsPath(env))[root] ?? [])]);
  return { allows: (text, kind) => approved.has(hash(text, kind)) };
}

/** Commands remembered for one project; with a hundred thousand tasks the file stays within what is read. */
const MOST_REMEMBERED = 200_000;

/** Returns why it could not be remembered. One file is for all projects: those that add to it do so one after the other. */
function remember(path: string, root: string, hashes: readonly string[], locale: Locale): string | undefined {
  try {
    makeFolders(dirname(path));
  } catch (error) {
    return (error as Error).message;
  }
  const locked = acquireLock(join(dirname(path), "approvals"), { version: VERSION, waitMs: 2000 });
  if (!locked.ok) {
    const { failure } = locked;
    return failure.kind === "held" ? reasonText(failure.reason, locale) : failure.message;
  }
  try {
    const stored = readApproved(path);
    stored[root] = [...new Set([...(stored[root] ?? []), ...hashes])].slice(-MOST_REMEMBERED);
    const written = writeAtomic(path, `${JSON.stringify(stored)}\n`);
    return written.ok ? undefined : written.failure.message;
  } finally {
    locked.value.release();
  }
}

/** What a person has allowed the agents of a project for good, call by call. */
export interface PermissionsKept {
  /** Looks it up anew: a person may have said so a moment ago, from elsewhere. */
  allows(question: PermissionQuestion): boolean;
  /** Returns why it could not be kept; undefined when it is. */
  keep(question: PermissionQuestion): string | undefined;
}

/** Kept as approvals are: by the person, outside the repository, for this project. */
export function permissionsKept(env: NodeJS.ProcessEnv, root: string, locale: Locale): PermissionsKept {
  const path = approvalsPath(env);
  const hashOf = ({ kind, title }: PermissionQuestion) => hash(`${kind}\n${title}`, "permission");
  return {
    allows: question => readApproved(path)[root]?.includes(hashOf(question)) === true,
    keep: question => remember(path, root, [hashOf(question)], locale),
  };
}

/** How a person answers: `yes` approves everything, `typed` is a command line they have just given themselves. */
export interface ApprovalAnswer {
  readonly yes: boolean;
  readonly typed?: string | undefined;
}

/**
 * Makes sure a person has seen what the repository wants executed, once per content. With `yes` everything is
 * approved; only a person approves, also on a terminal; where nobody can be asked and without `yes` it throws (exit 5).
 */
export async function requireApproval(
  caller: Caller,
  { root, stateDir, config, locale }: Pick<Project, "root" | "stateDir" | "config" | "locale">,
  wanted: readonly Approvable[],
  { yes, typed }: ApprovalAnswer,
): Promise<Approvals> {
  const words = approvalWords(locale);
  const path = approvalsPath(caller.env);
  const approved = new Set([...BUNDLED, ...(readApproved(path)[root] ?? [])]);
  const allows: Approvals["allows"] = (text, kind) => approved.has(hash(text, kind));
  const byHash = new Map(wanted.map(item => [hash(counted(item), item.kind), item]));
  for (const one of approved) byHash.delete(one);
  const distinct = [...byHash.values()];
  const given = [...byHash.keys(), ...(typed === undefined ? [] : [hash(typed)])];
  const isAsked = !yes && distinct.length > 0;
  const { show, ask } = caller.approval;
  if (isAsked) show(distinct, locale);
  if (isAsked && ask === undefined) {
    const { message, hint } = words.needed(distinct.length);
    throw new EspalierError("APPROVAL_NEEDED", message, { hint, exitCode: EXIT.waitingForPerson });
  }
  // Before anything is asked: an agent can open a terminal and answer there.
  const { isOwnScratch } = given.every(one => approved.has(one))
    ? { isOwnScratch: false }
    : await requirePerson(caller, { root, stateDir, config, locale });
  if (isAsked && !(await ask?.(distinct, locale)))
    throw new EspalierError("APPROVAL_REFUSED", words.refused, {
      hint: words.askedAgain,
      exitCode: EXIT.waitingForPerson,
    });
  const hashes = given.filter(one => !approved.has(one));
  // What an agent approves in a scratch project of its own counts for that one process.
  const problem = hashes.length === 0 || isOwnScratch ? undefined : remember(path, root, hashes, locale);
  if (problem !== undefined) caller.tell(words.notRemembered(visible(problem)));
  for (const one of hashes) approved.add(one);
  return { allows };
}
