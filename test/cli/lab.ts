/**
 * A project in a scratch folder, and the real command line run in it: every call is a process of its own, with a home
 * of its own. `await using lab = openLab({ "TASKS.md": … })` removes everything at the end and ends what still runs.
 * What a command prints with `--json` is held to what is published of it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { livenessOf } from "../../src/adapters/lock/index.ts";
import type { Io } from "../../src/cli/io.ts";
import { runCommandLine } from "../../src/cli/main.ts";
import { COMPILED, scratchFolder } from "../scratch.ts";
import { requirePublished } from "./published.ts";

/** Bundled, with its parts and the programs that it starts, by `test/bundle.ts`. */
const MAIN = new URL("../../dist/cli/main.js", import.meta.url).href;
/** Milliseconds a test waits for a text: only to say what came instead. */
const PATIENCE = 100_000;
/** What `bin/espalier.js` does, with the compiled code of all labs in one place. */
const START = `const { main } = await import(${JSON.stringify(MAIN)}); await main(["node", "espalier", ...process.argv.slice(1)]);`;

/** Whether a process lives; one that is dead and not buried does not. */
export function isAlive(pid: number): boolean {
  return livenessOf({ pid, startTime: "", bootId: "" }) !== "gone";
}

/** How a call ended. */
export interface Done {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A call that is still going on. */
export interface Running {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<Done>;
  /** Resolves once stdout and stderr together contain the text, `times` times; rejects when it ends without. */
  seen(text: string, times?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

export interface CallOptions {
  /** Relative to the project. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For another user, e.g. through `setpriv`: stands before the call. */
  readonly via?: readonly string[];
}

export interface Lab extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  path(name: string): string;
  write(name: string, text: string | Uint8Array): void;
  read(name: string): string;
  /** Resolves once something in the state folder has made `check` true; it is asked after every change there. */
  until(check: () => boolean): Promise<void>;
  /** A call as a line for `sh`, and the environment it needs. */
  line(args: readonly string[]): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a command line to its end, in a process of its own. */
  cli(args: readonly string[], options?: CallOptions): Promise<Done>;
  start(args: readonly string[], options?: CallOptions): Running;
  /** The same inside this process, which costs a tenth: for what surrounds the call a test is about. */
  ask(...args: readonly string[]): Promise<Omit<Done, "signal">>;
  /** The same with more environment. */
  askIn(more: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Omit<Done, "signal">>;
}

/** As much of a stream as the commands use. */
function collector(): { readonly stream: NodeJS.WriteStream; text(): string } {
  let text = "";
  const write = (piece: string) => {
    text += piece;
    return true;
  };
  return { stream: { write, isTTY: false } as unknown as NodeJS.WriteStream, text: () => text };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function follow(child: ChildProcess): Running {
  const out = { stdout: "", stderr: "" };
  const waiters = new Set<() => void>();
  const collect = (name: "stdout" | "stderr") => (chunk: Buffer) => {
    out[name] += chunk.toString();
    for (const look of waiters) look();
  };
  child.stdout?.on("data", collect("stdout"));
  child.stderr?.on("data", collect("stderr"));
  const ended = new Promise<Done>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...out }));
  });
  return {
    pid: child.pid ?? 0,
    child,
    ended,
    signal: name => void child.kill(name),
    seen: (text, times = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if ((out.stdout + out.stderr).split(text).length <= times) return;
          waiters.delete(look);
          clearTimeout(timer);
          resolve();
        };
        const give = (why: string) => reject(new Error(`${why} "${text}":\n${out.stdout}${out.stderr}`));
        const timer = setTimeout(() => give("nobody said"), PATIENCE);
        waiters.add(look);
        look();
        void ended.then(() => {
          clearTimeout(timer);
          give("it ended without");
        });
      }),
  };
}

/** Opens a lab with these files. */
export function openLab(files: Readonly<Record<string, string | Uint8Array>> = {}): Lab {
  const folder = scratchFolder("espalier-lab-");
  const root = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(root);
  mkdirSync(home);
  const running = new Set<Running>();
  const path = (name: string) => join(root, name);
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);

  const words = (args: readonly string[]) => [
    process.execPath,
    "--no-warnings",
    "--input-type=module",
    "-e",
    START,
    "--",
    ...args,
  ];
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    NODE_COMPILE_CACHE: COMPILED,
  };
  const start: Lab["start"] = (args, options = {}) => {
    const [file = "", ...given] = [...(options.via ?? []), ...words(args)];
    const child = spawn(file, given, {
      cwd: join(root, options.cwd ?? "."),
      env: { ...env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const one = follow(child);
    running.add(one);
    void one.ended.then(() => running.delete(one));
    return one;
  };

  const askIn: Lab["askIn"] = async (more, ...args) => {
    const [stdout, stderr] = [collector(), collector()];
    const streams = { stdin: process.stdin, stdout: stdout.stream, stderr: stderr.stream };
    const io: Io = { cwd: root, env: { ...env, ...more }, ...streams };
    const code = await runCommandLine(io, ["node", "espalier", ...args]);
    requirePublished(args, stdout.text());
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  const cli: Lab["cli"] = async (args, options) => {
    const done = await start(args, options).ended;
    requirePublished(args, done.stdout);
    return done;
  };

  return {
    root,
    home,
    path,
    write,
    read: name => readFileSync(path(name), "utf8"),
    start,
    env,
    line: args => words(args).map(quoted).join(" "),
    cli,
    ask: (...args) => askIn({}, ...args),
    askIn,
    until: check =>
      new Promise(resolve => {
        const look = () => {
          if (!check()) return;
          watcher.close();
          resolve();
        };
        const watcher = watch(path(".espalier"), look);
        look();
      }),
    async [Symbol.asyncDispose]() {
      for (const { child } of running) child.kill("SIGKILL");
      await Promise.all([...running].map(one => one.ended));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
