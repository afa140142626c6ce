import { join, resolve } from "node:path";
import { readBounded, roomIn } from "../../adapters/file/index.ts";
import { homeState } from "../../adapters/home/index.ts";
import { acquireLock, type Lock } from "../../adapters/lock/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { ownFolder } from "../../host/own-folder.ts";
import { VERSION } from "../../host/package.ts";
import { because, EXIT } from "../../ports/index.ts";
import { errorFor, firstLine, visible } from "../../text/index.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { localeOf } from "../project.ts";
import { onSignals } from "../signals.ts";
import { machinesWords } from "../views/words/machines-words.ts";

export interface HubFlags {
  readonly listen: string;
  readonly cert?: string;
  readonly key?: string;
  readonly state?: string;
}

export interface TokenFlags {
  readonly pool: string;
  readonly run?: boolean;
  readonly expires: number;
  readonly state?: string;
}

/** Bytes that a certificate with those before it may have. */
const MOST_PEM = 1024 ** 2;

/** Milliseconds between two looks for work that nobody needs any more. */
const TIDY_MS = 600_000;

/** Milliseconds after which the same failure is told again, and different ones that are told in that time. */
const TOLD_AGAIN_MS = 60_000;
const MOST_TOLD = 20;

function stateOf({ state }: { readonly state?: string }, { cwd, env }: Io): string {
  const folder = state === undefined ? join(homeState(env), "hub") : resolve(cwd, state);
  return ownFolder(folder);
}

/** Holds a hub's folder for as long as this process lives: two would end each other's engine. Throws EspalierError. */
function holdFolder(folder: string): Lock {
  const locked = acquireLock(folder, { version: VERSION });
  if (locked.ok) return locked.value;
  const { failure } = locked;
  const exitCode = EXIT.environment;
  if (failure.kind !== "held")
    throw errorFor("FOLDER", because("folder-unmade", { path: failure.path, said: failure.message }), {
      advice: because("room-or-rights", {}),
      exitCode,
    });
  const pid = failure.holder === undefined ? {} : { pid: failure.holder.pid };
  throw errorFor("HUB_RUNS", because("hub-runs", { folder, ...pid }), {
    advice: because("hub-runs-then", {}),
    exitCode,
  });
}

/** A host and a port; the port may stand alone. */
function listening(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(":");
  const port = Number(text.slice(at + 1));
  const host = at < 0 ? "127.0.0.1" : text.slice(0, at).replace(/^\[/, "").replace(/\]$/, "");
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || host === "")
    throw errorFor("USAGE", because("listen-shape", { text }), { exitCode: EXIT.usage });
  return { host, port };
}

/** A certificate, or its key. Throws EspalierError. */
function pemOf(path: string): Buffer {
  const bytes = readBounded(path, { maxBytes: MOST_PEM });
  if (bytes.ok) return Buffer.from(bytes.value);
  throw errorFor("USAGE", because("pem-unreadable", { said: bytes.failure.message }), {
    exitCode: EXIT.usage,
  });
}

/** Tells of failures, of the same one once a minute. */
function oftenTold(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>();
  return text => {
    if (told.has(text)) return;
    if (told.size === 0) setTimeout(() => told.clear(), TOLD_AGAIN_MS).unref();
    if (told.size < MOST_TOLD) tell(text);
    told.add(text);
  };
}

/** `espalier hub start`: serves workers and runs until it is stopped. */
export async function hubStart(io: Io, flags: HubFlags): Promise<number> {
  const {
    createGitService,
    createHub,
    createTokenBook,
    findEngine,
    isLoopback,
    LEAST_ROOM,
    PATIENCE,
    serveHub,
    startEngine,
  } = await import("../../hub/index.ts");
  const words = machinesWords(localeOf(io));
  const { host, port } = listening(flags.listen);
  const { cert, key } = flags;
  if ((cert === undefined) !== (key === undefined))
    throw errorFor("USAGE", because("cert-with-key", {}), { exitCode: EXIT.usage });
  if (cert === undefined && !isLoopback(host))
    throw errorFor("HUB_PLAIN", because("plain-for-others", { host }), {
      advice: because("serve-https", {}),
      exitCode: EXIT.usage,
    });
  const pem = (path: string) => pemOf(resolve(io.cwd, path));
  const tls = cert === undefined || key === undefined ? undefined : { cert: pem(cert), key: pem(key) };
  const state = stateOf(flags, io);
  const lock = holdFolder(state);
  const git = findProgram("git", { path: io.env["PATH"] });
  if (!git.ok) throw errorFor("NO_GIT", because("needs-git", { by: "hub" }), { exitCode: EXIT.environment });
  const parts = await findEngine(io.cwd, io.env["PATH"]);
  const data = join(state, "engine");
  ownFolder(data);
  const tell = oftenTold(text => warn(io, text));
  const engine = await startEngine(parts, data, why => tell(words.engineEnded(firstLine(why, 200))));
  const tokens = createTokenBook(state);
  const hub = createHub(engine, PATIENCE, (pool, machine) => tokens.lets(pool, machine, Date.now()));
  const work = createGitService(hub, join(state, "git"), git.value);
  let isFull = false;
  const room = () => {
    const left = roomIn(state);
    const wasFull = isFull;
    isFull = left !== undefined && left < LEAST_ROOM.more;
    if (isFull && !wasFull) {
      warn(io, words.hubFull(state, LEAST_ROOM.more / 1024 ** 2));
    }
    return left;
  };
  const served = await serveHub({
    hub,
    host,
    port,
    tls,
    who: tokens.find,
    git: work,
    room,
    failed: (call, { message }) => tell(words.hubFailed(visible(call, 80), firstLine(message, 200))),
  }).catch(async (error: NodeJS.ErrnoException) => {
    hub.close();
    await engine.close();
    throw errorFor("HUB_LISTEN", because("no-listening", { at: flags.listen, said: error.message }), {
      advice: because("listen-elsewhere", {}),
      exitCode: EXIT.environment,
    });
  });
  say(io, words.serves(served.url, state));
  warn(io, words.licence);
  const stopped = Promise.withResolvers<void>();
  const ignore = onSignals(() => stopped.resolve());
  const tidying = setInterval(() => void work.tidy(), TIDY_MS);
  await stopped.promise;
  clearInterval(tidying);
  ignore();
  hub.close();
  await served.close();
  await engine.close();
  lock.release();
  return EXIT.done;
}

const DAY = 24 * 3_600_000;

/** `espalier hub token add`: prints a token, which stands nowhere else. */
export async function tokenAdd(io: Io, name: string, flags: TokenFlags): Promise<number> {
  const { addToken } = await import("../../hub/index.ts");
  const { pool, run, expires } = flags;
  for (const [what, text] of [
    ["NAME", name],
    ["--pool", pool],
  ] as const)
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text))
      throw errorFor("USAGE", because("name-shape", { of: what, text: visible(text, 80) }), {
        exitCode: EXIT.usage,
      });
  const token = addToken(stateOf(flags, io), {
    name,
    pool,
    role: run === true ? "run" : "machine",
    expires: Date.now() + expires * DAY,
  });
  say(io, token);
  warn(io, machinesWords(localeOf(io)).tokenFor(name, expires, run === true));
  return EXIT.done;
}

/** `espalier hub token list`. */
export async function tokenList(
  io: Io,
  flags: { readonly state?: string; readonly json?: boolean },
): Promise<number> {
  const { readTokens } = await import("../../hub/index.ts");
  const tokens = readTokens(stateOf(flags, io)).map(({ name, pool, role, expires }) => ({
    name,
    pool,
    role,
    expires,
  }));
  if (flags.json === true) {
    sayJson(io, tokens);
    return EXIT.done;
  }
  const words = machinesWords(localeOf(io));
  if (tokens.length === 0) say(io, words.noTokens);
  for (const { name, pool, role, expires } of tokens) {
    const ends = words.until(new Date(expires).toISOString().slice(0, 10));
    say(io, [name, pool, role, expires < Date.now() ? words.expired : ends].join("  "));
  }
  return EXIT.done;
}

/** `espalier hub token revoke`: whoever has it is refused from the next request on. */
export async function tokenRevoke(io: Io, name: string, flags: { readonly state?: string }): Promise<number> {
  const { revokeToken } = await import("../../hub/index.ts");
  const count = revokeToken(stateOf(flags, io), name);
  if (count === 0)
    throw errorFor("NO_TOKEN", because("no-token-of", { name: visible(name, 80) }), {
      advice: because("list-tokens", {}),
      exitCode: EXIT.usage,
    });
  say(io, machinesWords(localeOf(io)).revoked(count));
  return EXIT.done;
}
