import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { createServer } from "node:http2";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ownedFileCalls, readBounded, writeAtomic } from "../adapters/file/index.ts";
import { because, EXIT } from "../ports/index.ts";
import { errorFor } from "../text/index.ts";
import { objectsOf } from "./objects.ts";
import type { RestateSdk } from "./sdk.ts";

/** Milliseconds a server has to start in: its data may be large. */
const STARTS_IN = 60_000;
/** Milliseconds until it is started again; longer each time, up to the latest, where it lived no longer than a short life. */
const AGAIN_IN = 200;
const LATEST = 5000;
const SHORT_LIFE = 1000;
/** Milliseconds one call may take before it is made again: calls of one key wait for each other. */
const CALL_MS = 30_000;

/** The user's own copies of the engine. */
export interface EngineParts {
  readonly sdk: RestateSdk;
  /** Absolute path of the server's program. */
  readonly server: string;
}

/** The engine, as the hub speaks with it. */
export interface KeyedEngine {
  /**
   * Calls a handler of a keyed object and waits for its answer; asked again until that is heard. What is done `once` is not done
   * again then. Throws when the engine was closed.
   */
  call<T>(object: string, key: string, handler: string, given?: unknown, once?: boolean): Promise<T>;
  /** Ends when the server has ended by itself, with what it said last. */
  readonly broken: Promise<string>;
  close(): Promise<void>;
}

/** Finds the user's own copies: beside the project, or on `PATH`. Throws EspalierError with what is missing. */
export async function findEngine(folder: string, path = ""): Promise<EngineParts> {
  const from = createRequire(pathToFileURL(join(folder, "package.json")));
  const resolve = (name: string): string | undefined => {
    try {
      return from.resolve(name);
    } catch {
      return undefined;
    }
  };
  const sdk = resolve("@restatedev/restate-sdk");
  const platform = `@restatedev/restate-server-${process.platform}-${process.arch}/package.json`;
  const own =
    resolve(platform) ?? resolveBeside(resolve("@restatedev/restate-server/package.json"), platform);
  const packaged = own === undefined ? undefined : join(dirname(own), "bin", "restate-server");
  const server = [packaged, ...path.split(delimiter).map(one => join(one, "restate-server"))].find(
    one => one !== undefined && one !== "" && existsSync(one),
  );
  const missing = [
    ...(sdk === undefined ? ["@restatedev/restate-sdk"] : []),
    ...(server === undefined ? ["@restatedev/restate-server"] : []),
  ];
  if (sdk === undefined || server === undefined)
    throw errorFor("NO_ENGINE", because("no-engine", { missing, folder }), {
      advice: because("install-engine", { missing }),
      exitCode: EXIT.environment,
    });
  return { sdk: (await import(pathToFileURL(sdk).href)) as RestateSdk, server };
}

function resolveBeside(from: string | undefined, name: string): string | undefined {
  if (from === undefined) return undefined;
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}

const NODE = "hub";
const PID = "server.pid";

/** Ends the server that a killed hub has left: two of them would not share a folder. */
async function endLeftServer(folder: string): Promise<void> {
  const bytes = readBounded(join(folder, PID), { maxBytes: 32, calls: ownedFileCalls });
  const pid = bytes.ok ? Number(Buffer.from(bytes.value).toString("utf8")) : 0;
  const isLeft = (): boolean => {
    try {
      // A number may belong to another program by now.
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    } catch {
      return false;
    }
  };
  if (!Number.isInteger(pid) || pid <= 1 || !isLeft()) return;
  process.kill(pid, "SIGTERM");
  for (let times = 0; isLeft(); times++) {
    if (times === 100) process.kill(pid, "SIGKILL");
    await pause(50);
  }
}

/** Starts the user's own server on sockets of a private folder, where nobody else reaches it. */
function startServer(program: string, data: string): ChildProcess {
  const args = ["--no-logo", "--listen-mode", "unix", "--base-dir", data, "--node-name", NODE];
  return spawn(program, args, {
    // Ctrl+C is for the hub, which ends its server when nobody needs it any more.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env["PATH"],
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_DEFAULT_NUM_PARTITIONS: "4",
      RESTATE_LOG_FILTER: "error",
      RESTATE_LOG_DISABLE_ANSI_CODES: "true",
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MB",
    },
  });
}

interface Heard {
  readonly code: number;
  readonly text: string;
}

interface Asked {
  readonly method?: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly body?: string;
  /** Asked again by this, it is not done again. */
  readonly id?: string;
}

function ask(
  agent: Agent,
  socketPath: string,
  { method = "POST", path, body = "", id = "" }: Asked,
): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const headers = {
    ...(body === "" ? {} : { "content-type": "application/json" }),
    ...(id === "" ? {} : { "idempotency-key": id }),
  };
  const asked = request({ agent, socketPath, path, method, headers, timeout: CALL_MS }, answer => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => (text += part));
    answer.on("end", () => resolve({ code: answer.statusCode ?? 0, text }));
    answer.on("error", reject);
  });
  asked.on("timeout", () => asked.destroy(new Error("no answer")));
  asked.on("error", reject);
  asked.end(body);
  return promise;
}

/**
 * Tells a server where the hub's objects are now. What was on its way when an earlier hub died belongs to where that one was, for
 * good, and its key waits for it: the addresses of all before are this one, too.
 */
async function register(agent: Agent, admin: string, uri: string): Promise<Heard> {
  const listed = await ask(agent, admin, { method: "GET", path: "/deployments" });
  if (listed.code >= 300) return listed;
  const { deployments } = JSON.parse(listed.text) as {
    readonly deployments: readonly { readonly id: string }[];
  };
  const body = JSON.stringify({ uri, overwrite: true });
  const moved = await Promise.all(
    deployments.map(({ id }) =>
      ask(agent, admin, { method: "PATCH", path: `/deployments/${encodeURIComponent(id)}`, body }),
    ),
  );
  const worst = moved.toSorted((one, other) => other.code - one.code)[0];
  // A server of a version that cannot move them takes another one.
  if (worst === undefined || (worst.code >= 400 && worst.code < 500))
    return ask(agent, admin, { path: "/deployments", body: JSON.stringify({ uri, force: true }) });
  return worst;
}

/**
 * Serves the hub's objects to a server that is started for them, with its data in `folder`, and started again whenever it ends, which
 * `ended` hears with the reason. Throws EspalierError.
 */
export async function startEngine(
  { sdk, server }: EngineParts,
  folder: string,
  ended: (why: string) => void = () => {},
): Promise<KeyedEngine> {
  const handler = sdk.createEndpointHandler({ services: objectsOf(sdk), logger: () => {} });
  const endpoint = createServer(handler).listen(0, "127.0.0.1");
  await once(endpoint, "listening");
  const uri = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const socket = (name: string) => join(folder, NODE, `${name}.sock`);
  let isClosed = false;
  let said = "";
  let child: ChildProcess | undefined;
  const broken = Promise.withResolvers<string>();
  let wait = AGAIN_IN;
  // It is killed, or its disk is full: what it has acknowledged is there when it starts again.
  const again = (why: string, lived: number) => {
    if (isClosed) return;
    ended(why);
    wait = lived < SHORT_LIFE ? Math.min(wait * 2, LATEST) : AGAIN_IN;
    setTimeout(() => isClosed || run(), wait);
  };
  const run = () => {
    const since = performance.now();
    let heard = "";
    child = startServer(server, folder);
    child.stderr?.on("data", (part: Buffer) => {
      heard = `${heard}${part.toString()}`.slice(-2000);
      said = heard;
    });
    child.on("error", error => broken.resolve(error.message));
    let unnoted: string | undefined;
    child.on("exit", (code, signal) => {
      const last = heard.trim().split("\n").at(-1) || `exit ${code}`;
      again(unnoted ?? signal ?? last, performance.now() - since);
    });
    if (child.pid === undefined) return;
    try {
      writeAtomic(join(folder, PID), `${child.pid}`, { mode: 0o600, calls: ownedFileCalls });
    } catch (error) {
      // What is not noted would outlive a killed hub.
      unnoted = (error as Error).message;
      child.kill("SIGKILL");
    }
  };
  await endLeftServer(folder);
  run();
  const close = async () => {
    isClosed = true;
    const ended = child?.exitCode === null ? once(child, "exit") : undefined;
    child?.kill("SIGTERM");
    const late = setTimeout(() => child?.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(late);
    agent.destroy();
    endpoint.close();
  };
  const began = performance.now();
  for (;;) {
    const known = await register(agent, socket("admin"), uri).catch(() => undefined);
    if (known !== undefined && known.code < 300) break;
    if (performance.now() - began > STARTS_IN || isClosed) {
      await close();
      const reason = because("engine-not-started", { said: said.trim() || (known?.text ?? "") });
      throw errorFor("NO_ENGINE", reason, { exitCode: EXIT.environment });
    }
    await pause(50);
  }
  return {
    broken: broken.promise,
    close,
    async call<T>(object: string, key: string, name: string, given?: unknown, isOnce = false): Promise<T> {
      const id = isOnce ? randomUUID() : "";
      const path = `/${object}/${encodeURIComponent(key)}/${name}`;
      const body = given === undefined ? "" : JSON.stringify(given);
      for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
        const heard = await ask(agent, socket("ingress"), { path, body, id }).catch(() => undefined);
        if (heard !== undefined && heard.code < 300)
          return (heard.text === "" ? undefined : JSON.parse(heard.text)) as T;
        if (isClosed) throw new Error("the hub is closed");
        if (
          heard !== undefined &&
          heard.code >= 400 &&
          heard.code < 500 &&
          heard.code !== 404 &&
          heard.code !== 429
        )
          throw new Error(`the engine refused ${object}/${name}: ${heard.text.slice(0, 500)}`);
        await pause(wait);
      }
    },
  };
}
