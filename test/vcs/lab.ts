import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGitVcs, openRepository, type Repository } from "../../src/adapters/vcs/git/index.ts";
import {
  fail,
  type LandRequest,
  type Reason,
  type Result,
  type Vcs,
  type VcsFailure,
  type WorkFolder,
} from "../../src/ports/index.ts";
import { reasonText } from "../../src/text/index.ts";
import { inEnglish, saidBy } from "../reasons.ts";
import { scratchFolder } from "../scratch.ts";

/** A real repository in a scratch folder, with `project` as its main checkout. */
export interface GitLab extends Disposable {
  /** Where worktrees of `../name` come to lie. */
  readonly folder: string;
  readonly root: string;
  git(...args: readonly string[]): string;
  gitIn(path: string, ...args: readonly string[]): string;
  write(path: string, text: string): void;
  read(path: string): string;
  bytes(path: string): Buffer;
  has(path: string): boolean;
  commit(message: string): string;
  /** Git as Espalier would hold it from now on. */
  /** `project` is a folder below its top. */
  open(path?: string, project?: string): Promise<Repository>;
  /** `path` is where programs are searched instead. */
  vcs(path?: string): Promise<Vcs>;
  place(name: string): string;
}

const AUTHOR = {
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@t",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@t",
};

/** The value of a result that has to be there. */
export function must<T>(result: Result<T, { readonly message: string } | { readonly reason: Reason }>): T {
  if (!result.ok)
    throw new Error("reason" in result.failure ? inEnglish(result.failure.reason) : result.failure.message);
  return result.value;
}

/** Opens a lab with these files committed on `main`. */
export function openGitLab(
  files: Readonly<Record<string, string>> = { "a.txt": "one\n" },
  format: "sha1" | "sha256" = "sha1",
): GitLab {
  const folder = scratchFolder("espalier-git-");
  const root = join(folder, "project");
  mkdirSync(root);
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, LC_ALL: "C", ...AUTHOR };
  const gitIn = (path: string, ...args: readonly string[]) =>
    execFileSync("git", args, {
      cwd: path,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trimEnd();
  const git = (...args: readonly string[]) => gitIn(root, ...args);
  const at = (path: string) => (path.startsWith("/") ? path : join(root, path));
  const lab: GitLab = {
    folder,
    root,
    git,
    gitIn,
    write(path, text) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    read: path => readFileSync(at(path), "utf8"),
    bytes: path => readFileSync(at(path)),
    has: path => existsSync(at(path)),
    commit(message) {
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
      return git("rev-parse", "HEAD");
    },
    async open(path = env.PATH, project = "") {
      const opened = await openRepository({
        root: join(root, project),
        env: { PATH: path, HOME: folder },
        leaveOut: () => ["TASKS.md"],
        rescueDir: join(folder, "rescued"),
        allows: () => false,
      });
      return must(opened);
    },
    vcs: async path => createGitVcs(await lab.open(path)),
    place: name => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
  git("init", "-q", "-b", "main", `--object-format=${format}`);
  for (const [path, text] of Object.entries(files)) lab.write(path, text);
  lab.commit("start");
  return lab;
}

/** The folder of phase 1, begun at what is checked out. */
export async function openPhase(lab: GitLab, vcs: Vcs): Promise<WorkFolder> {
  return must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD" }));
}

/** The folder of a task of phase 1, begun at what the phase has come to. */
export async function openTask(lab: GitLab, vcs: Vcs, n: number): Promise<WorkFolder> {
  return must(await vcs.open({ branch: `task/${n}`, path: lab.place(`t${n}`), from: "phase/1-x" }));
}

/** Git with phase 1 and two of its tasks that begin at once. */
export async function openTeam(lab: GitLab): Promise<{
  readonly vcs: Vcs;
  readonly phase: WorkFolder;
  readonly one: WorkFolder;
  readonly two: WorkFolder;
}> {
  const vcs = await lab.vcs();
  const phase = await openPhase(lab, vcs);
  return { vcs, phase, one: await openTask(lab, vcs, 1), two: await openTask(lab, vcs, 2) };
}

let attempts = 0;

/** Lands what stands in a folder as one attempt's work. */
export async function landAll(
  vcs: Vcs,
  folder: WorkFolder,
  into: WorkFolder,
  more: {
    readonly task?: string;
    readonly attempt?: string;
    /** Says that it stands by default. */
    readonly verify?: ((path: string) => Promise<Reason | undefined>) | "none";
    readonly how?: "rebase" | "merge";
    readonly afresh?: boolean;
    readonly inserts?: LandRequest["inserts"];
    readonly kept?: LandRequest["kept"];
  } = {},
): ReturnType<Vcs["land"]> {
  const { tree } = must(await vcs.snapshot(folder));
  const task = more.task ?? "T1.1";
  return vcs.land({
    folder,
    tree,
    into,
    how: more.how ?? "rebase",
    by: { task, title: `title of ${task}`, attempt: more.attempt ?? `token${++attempts}`, verified: true },
    ...(more.verify === "none" ? {} : { verify: more.verify ?? (async () => undefined) }),
    afresh: more.afresh ?? false,
    ...(more.inserts === undefined ? {} : { inserts: more.inserts }),
    ...(more.kept === undefined ? {} : { kept: more.kept }),
  });
}

/** What stands against a call, in English; empty where nothing does. */
export function whyOf(result: Result<unknown, VcsFailure>): string {
  return result.ok ? "" : reasonText(result.failure.reason, "en");
}

/** A repository whose process dies at the n-th call of git of a kind. */
export function dyingAt(repository: Repository, kind: string, nth: number): Repository {
  let left = nth;
  let isDead = false;
  const { git } = repository;
  const dead = () => fail({ kind: "failed", reason: saidBy("git", "killed") } as const);
  const dies = (args: readonly string[]) => {
    isDead ||= args[0] === kind && --left === 0;
    return isDead;
  };
  return {
    ...repository,
    git: {
      ...git,
      run: async (args, options) => (dies(args) ? dead() : git.run(args, options)),
      text: async (args, options) => (dies(args) ? dead() : git.text(args, options)),
      fields: async (args, options) => (dies(args) ? dead() : git.fields(args, options)),
    },
  };
}
