import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { unprivileged } from "../unprivileged.ts";

const LOCK = new URL("../../src/adapters/lock/index.ts", import.meta.url).href;

/** What a starter reports of its attempt to take a lock. */
export interface Report {
  readonly got: boolean;
  readonly ms: number;
  readonly kind?: string;
  readonly message?: string;
  readonly pid?: number;
}

/** A process that takes a lock when told and keeps it until its input ends. */
export interface Starter {
  readonly child: ChildProcess;
  /** Tells it to try; answers with what came of it. */
  attempt(): Promise<Report>;
  /** Ends its input and waits for its end. */
  end(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const PROGRAM = `
  import { acquireLock } from ${JSON.stringify(LOCK)};
  let lock;
  const attempt = () => {
    const start = performance.now();
    const result = acquireLock(process.argv[1], { version: "0.0.1-test", ...(process.argv[3] === undefined ? {} : { waitMs: Number(process.argv[3]) }) });
    const ms = performance.now() - start;
    if (result.ok) lock = result.value;
    const failure = result.ok ? {} : { kind: result.failure.kind, message: result.failure.message, pid: result.failure.holder?.pid };
    console.log(JSON.stringify({ got: result.ok, ms, ...failure }));
    if (process.argv[2] === "forget") { lock = undefined; for (let i = 0; i < 20; i++) globalThis.gc(); }
  };
  process.stdin.on("data", attempt).on("end", () => process.argv[2] === "exit" ? process.exit(0) : lock?.release());
  console.log("up");
`;

/** Starts a process that waits to be told to take the lock of `directory`. */
export async function starter(
  directory: string,
  way: "release" | "exit" | "forget" = "release",
  isPowerless = false,
  waitMs?: number,
): Promise<Starter> {
  const args = ["--expose-gc", "--input-type=module-typescript", "--eval", PROGRAM, directory, way];
  if (waitMs !== undefined) args.push(String(waitMs));
  const command = isPowerless ? unprivileged(process.execPath, ...args) : ([process.execPath, args] as const);
  const child = spawn(...command, { stdio: ["pipe", "pipe", "inherit"], cwd: "/" });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const gone = new Promise<void>(resolve => child.once("exit", () => resolve()));
  const next = async (): Promise<string> => String((await lines.next()).value);
  if ((await next()) !== "up") throw new Error("the starter did not start");
  return {
    child,
    attempt: async () => {
      child.stdin.write("try\n");
      return JSON.parse(await next()) as Report;
    },
    end: () => {
      child.stdin.end();
      return gone;
    },
    kill: signal => {
      child.kill(signal);
      return signal === "SIGSTOP" || signal === "SIGCONT" ? Promise.resolve() : gone;
    },
  };
}
