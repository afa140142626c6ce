import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { because, fail, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Git } from "../call/call.ts";
import { failed } from "../call/failure.ts";
import type { RepositoryFacts } from "./facts.ts";
import { temporaryObject } from "./loose-object.ts";

/** Who stands in commits: `Name <mail>` each, as git itself writes it. */
export interface Signature {
  readonly author: string;
  readonly committer: string;
}

const NAME = "Espalier";
const MAIL = "espalier@localhost";
const OWN = `${NAME} <${MAIL}>`;
/** Who commits what no person has a part in. */
export const OURSELVES: Signature = { author: OWN, committer: OWN };

/** The same as git is told it where it makes the commit; what it knows itself needs no telling. */
export function signedBy(by: Signature | undefined): Readonly<Record<string, string>> {
  if (by?.author !== OWN) return {};
  return {
    GIT_AUTHOR_NAME: NAME,
    GIT_AUTHOR_EMAIL: MAIL,
    GIT_COMMITTER_NAME: NAME,
    GIT_COMMITTER_EMAIL: MAIL,
  };
}

/** Who commits: whom git knows, else we; undefined where git has to be asked every time. */
export async function readSignature(git: Git): Promise<Signature | undefined> {
  const known = await git.text(["config", "user.email"]);
  if (!known.ok || known.value === "") return OURSELVES;
  const author = await git.text(["var", "GIT_AUTHOR_IDENT"]);
  const committer = await git.text(["var", "GIT_COMMITTER_IDENT"]);
  if (!author.ok || !committer.ok) return undefined;
  return { author: withoutTime(author.value), committer: withoutTime(committer.value) };
}

function withoutTime(ident: string): string {
  return ident.slice(0, ident.lastIndexOf(">") + 1);
}

/** What a commit is made of. */
export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Ends with a line break. */
  readonly message: string;
}

/** The time of a commit: seconds, and how far the clock on the wall is from Greenwich. */
function timeOf(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const zone = `${minutes < 0 ? "-" : "+"}${`${hours}`.padStart(2, "0")}${`${rest}`.padStart(2, "0")}`;
  return `${Math.floor(now.getTime() / 1000)} ${zone}`;
}

/** A commit as git stores it. */
export function commitText({ tree, parents, message }: CommitParts, by: Signature, now: Date): string {
  const time = timeOf(now);
  const lines = [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${by.author} ${time}`,
    `committer ${by.committer} ${time}`,
  ];
  return `${lines.join("\n")}\n\n${message}`;
}

/** Whether a commit may be stored without git: objects are named by SHA-1 and are files of one person's. */
export function storesPlainly({ head, shared }: RepositoryFacts): boolean {
  return head.length === 40 && !shared;
}

/**
 * Stores a commit as git does, without starting it: two of them are made for every task. Git looks at the object itself
 * before any ref names it, and it is brought to the disk with all others then.
 */
export function storeCommit(common: string, text: string): Result<string, VcsFailure> {
  if (text.includes("\0")) return failed(because("message-nul", {}));
  const bytes = Buffer.from(text);
  const object = Buffer.concat([Buffer.from(`commit ${bytes.length}\0`), bytes]);
  const id = createHash("sha1").update(object).digest("hex");
  const folder = join(common, "objects", id.slice(0, 2));
  const path = join(folder, id.slice(2));
  const temporary = temporaryObject(folder);
  try {
    if (existsSync(path)) return ok(id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(temporary, deflateSync(object, { level: 1 }), { flag: "wx", mode: 0o444 });
    renameSync(temporary, path);
    return ok(id);
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = because("said", { by: "system", text: message });
    return fail({ kind: code === "ENOSPC" || code === "EDQUOT" ? "full" : "failed", reason });
  }
}
