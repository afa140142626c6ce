import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { findProgram } from "../../src/adapters/process/index.ts";
import {
  createGitService,
  createHub,
  type GitService,
  type KeyedEngine,
  serveHub,
} from "../../src/hub/index.ts";
import { openWorker, readRules, type Worker } from "../../src/worker/index.ts";
import { COMPILED } from "../scratch.ts";
import { type GitLab, must, openGitLab } from "../vcs/lab.ts";
import { who } from "./bench.ts";

const PROGRAM = fileURLToPath(new URL("./coordinator.ts", import.meta.url));
const PATIENCE = { beatMs: 200, leaseMs: 60_000, orphanMs: 600_000 };
export const TASKS = ["T1.1", "T1.2", "T1.3"];
/** Where the hub's repository keeps copies of runs. */
export const COPIES = "refs/namespaces/copies/refs/heads";

/** Another checkout of the project. */
export interface Place {
  readonly root: string;
  git(...args: string[]): string;
  start(...args: string[]): Coordinator;
  /** The same with somebody at a terminal, which is its standard input and output. */
  ask(...args: string[]): Coordinator;
}

/** A process that conducts a run, and what it has said. */
export interface Coordinator {
  readonly child: ChildProcess;
  said(): string;
  /** Resolves with the exit code, null where it was killed. */
  readonly ended: Promise<number | null>;
}

export interface Site extends AsyncDisposable {
  readonly lab: GitLab;
  start(...args: string[]): Coordinator;
  /** A clone on another machine, as far as one can tell: with a home of its own. */
  clone(role?: "run" | "machine"): Place;
  /** The hub's repository of the project, once there is one. */
  readonly store: string;
  /** The copies of runs that the hub has, as `RUN/EPOCH`. */
  copies(): readonly string[];
  readonly work: GitService;
  /** The hub, and what its tokens begin with. */
  readonly url: string;
  readonly pool: string;
  /** Ids of tasks in the order their agents began, each as often as it did. */
  begun(): readonly string[];
  release(name: "work" | "proof"): void;
  /** The hub lets nobody of this name in any more, or does again. */
  shutOut(name: string, isOut: boolean): void;
  /** Nobody answers where the hub was, until it is served again. */
  leave(): Promise<void>;
  serveAgain(): Promise<void>;
}

let sites = 0;

/** Each task writes to it as well; its first line is theirs, its last one a person's. */
export const SHARED = `first\n${"between\n".repeat(20)}last\n`;

/** A project whose tasks wait in their agents, and in their proofs, until they are let go on; a hub, and a worker with two slots more. */
export async function openSite(
  engine: KeyedEngine,
  tasks: readonly string[] = TASKS,
  edit = ":",
  rules?: string,
): Promise<Site> {
  const lab = openGitLab();
  const pool = `t${++sites}`;
  const [began, work, proof, home] = ["began", "work", "proof", "home"].map(name => lab.place(name));
  mkdirSync(home!);
  const wait = (file: string) => `while [ ! -e ${file} ]; do sleep 0.3; done`;
  const task = (id: string) =>
    [
      `### [ ] ${id}: Write ${id}`,
      "- run: |",
      `    echo ${id} >> ${began}`,
      `    ${wait(work!)}`,
      `    echo ${id} > ${id}.txt`,
      `    ${edit}`,
      "- verify: |",
      `    test -e ${id}.txt && ${wait(proof!)}`,
    ].join("\n");
  lab.write("TASKS.md", `# Plan\n\n## Phase 1: All\n\n${tasks.map(task).join("\n\n")}\n`);
  lab.write("shared.txt", SHARED);
  lab.git("add", "--all");
  lab.git("commit", "--quiet", "-m", "plan");
  const hub = createHub(engine, PATIENCE);
  const git = must(findProgram("git", { path: process.env["PATH"] }));
  const service = createGitService(hub, lab.place("hub"), git);
  const out = new Set<string>();
  const serve = (port: number) =>
    serveHub({
      hub,
      patience: PATIENCE,
      host: "127.0.0.1",
      port,
      who: token => (out.has(who(token)?.name ?? "") ? undefined : who(token)),
      git: service,
    });
  let served = await serve(0);
  const { url } = served;
  const ruled = lab.place("rules.yaml");
  if (rules !== undefined) writeFileSync(ruled, rules);
  const joined = Promise.withResolvers<void>();
  const client = openHub(url, `machine:${pool}:m1`);
  const worker: Worker = await openWorker({
    client,
    rules: readRules(rules === undefined ? undefined : ruled, lab.root, true),
    slots: tasks.length + 2,
    labels: [],
    folder: lab.place("machine"),
    env: { PATH: process.env["PATH"], HOME: home },
    tell: news => news.type === "joined" && joined.resolve(),
    kept: () => {},
  });
  await joined.promise;
  const children: ChildProcess[] = [];
  let clones = 0;
  const first = lab.git("rev-list", "--max-parents=0", "HEAD");
  const store = join(lab.place("hub"), pool, `${first}.git`);
  const start = (
    at: { cwd: string; home: string; name: string; role?: string; isTerminal?: boolean },
    args: readonly string[],
  ): Coordinator => {
    const on =
      args.includes("--on") || ["task", "status", "checkpoint"].includes(args[0] ?? "") ? [] : ["--on", url];
    const child = spawn(process.execPath, [PROGRAM, ...args, ...on], {
      cwd: at.cwd,
      env: {
        PATH: process.env["PATH"],
        HOME: at.home,
        NODE_COMPILE_CACHE: COMPILED,
        ESPALIER_HUB_TOKEN: `${at.role ?? "run"}:${pool}:${at.name}`,
        TEST_TERMINAL: at.isTerminal === true ? "1" : "0",
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    children.push(child);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", part => (said += `${part}`));
    return { child, said: () => said, ended: once(child, "close").then(([code]) => code as number | null) };
  };
  return {
    lab,
    pool,
    url,
    start: (...args) => start({ cwd: lab.root, home: home!, name: "me" }, args),
    clone(role = "run") {
      const name = `clone${++clones}`;
      const root = lab.place(name);
      const own = lab.place(`${name}-home`);
      mkdirSync(own);
      lab.git("clone", "--quiet", lab.root, root);
      return {
        root,
        git: (...args) => lab.gitIn(root, ...args),
        start: (...args) => start({ cwd: root, home: own, name, role }, args),
        ask: (...args) => start({ cwd: root, home: own, name, role, isTerminal: true }, args),
      };
    },
    store,
    copies() {
      if (!existsSync(join(store, "HEAD"))) return [];
      const listed = lab.git("--git-dir", store, "for-each-ref", "--format=%(refname)", COPIES);
      return listed.split("\n").flatMap(ref => (ref === "" ? [] : [ref.slice(COPIES.length + 1)]));
    },
    work: service,
    begun: () => {
      appendFileSync(began!, "");
      return readFileSync(began!, "utf8").split("\n").filter(Boolean);
    },
    release: name => writeFileSync(name === "work" ? work! : proof!, ""),
    leave: () => served.close(),
    async serveAgain() {
      served = await serve(Number(new URL(url).port));
    },
    shutOut: (name, isOut) => void (isOut ? out.add(name) : out.delete(name)),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      worker.stop("hard");
      await worker.ended.catch(() => {});
      client.close();
      hub.close();
      await served.close();
      lab[Symbol.dispose]();
    },
  };
}

export async function kill({ child, ended }: Coordinator): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

/** What the newest copy holds in files whose names begin so. */
function copied({ lab, store, copies }: Site, begins: string): string {
  const [name] = copies();
  if (name === undefined) return "";
  const files = lab.git("--git-dir", store, "ls-tree", "--name-only", `${COPIES}/${name}`).split("\n");
  return files
    .filter(file => file.startsWith(`file:state%2F${begins}`))
    .map(file => lab.git("--git-dir", store, "cat-file", "blob", `${COPIES}/${name}:${file}`))
    .join("\n");
}

/** What it says of orders on their way. */
export const booksOf = (site: Site): string => copied(site, "away");

/** Its database, in which texts are found. */
export const stateOf = (site: Site): string => copied(site, "espalier.db");

export const times = (text: string, word: string): number => text.split(word).length - 1;
