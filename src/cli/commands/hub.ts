import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { roomIn } from "../../adapters/file/index.ts";
import { homeState, makeFolders } from "../../adapters/home/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { onSignals } from "../signals.ts";

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

/** Milliseconds between two looks for work that nobody needs any more. */
const TIDY_MS = 600_000;

function stateOf({ state }: { readonly state?: string }, { cwd, env }: Io): string {
  const folder = state === undefined ? join(homeState(env), "hub") : resolve(cwd, state);
  makeFolders(folder);
  return folder;
}

/** A host and a port; the port may stand alone. */
function listening(text: string): { readonly host: string; readonly port: number } {
  const at = text.lastIndexOf(":");
  const port = Number(text.slice(at + 1));
  const host = at < 0 ? "127.0.0.1" : text.slice(0, at).replace(/^\[/, "").replace(/\]$/, "");
  if (!Number.isInteger(port) || port < 0 || port > 65_535 || host === "")
    throw new EspalierError("USAGE", `--listen takes HOST:PORT, not ${text}`, { exitCode: EXIT.usage });
  return { host, port };
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
  const { host, port } = listening(flags.listen);
  const { cert, key } = flags;
  if ((cert === undefined) !== (key === undefined))
    throw new EspalierError("USAGE", "--cert and --key go together", { exitCode: EXIT.usage });
  if (cert === undefined && !isLoopback(host))
    throw new EspalierError("HUB_PLAIN", `${host} is seen by others: a hub there speaks HTTPS only`, {
      hint: "give --cert and --key, or listen on 127.0.0.1 behind a proxy or a tunnel that has them",
      exitCode: EXIT.usage,
    });
  const pem = (path: string) => readFileSync(resolve(io.cwd, path));
  const tls = cert === undefined || key === undefined ? undefined : { cert: pem(cert), key: pem(key) };
  const state = stateOf(flags, io);
  const git = findProgram("git", { path: io.env["PATH"] });
  if (!git.ok)
    throw new EspalierError("NO_GIT", "a hub needs git, which is not on PATH", {
      exitCode: EXIT.environment,
    });
  const parts = await findEngine(io.cwd, io.env["PATH"]);
  const data = join(state, "engine");
  makeFolders(data);
  const engine = await startEngine(parts, data);
  const tokens = createTokenBook(state);
  const hub = createHub(engine, PATIENCE, (pool, machine) => tokens.lets(pool, machine, Date.now()));
  const work = createGitService(hub, join(state, "git"), git.value);
  let isFull = false;
  const room = () => {
    const left = roomIn(state);
    const wasFull = isFull;
    isFull = left !== undefined && left < LEAST_ROOM.more;
    if (isFull && !wasFull) {
      const least = LEAST_ROOM.more / 1024 ** 2;
      warn(io, `${state} has less than ${least} MiB free: no more work is taken until it has`);
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
  }).catch(async (error: NodeJS.ErrnoException) => {
    hub.close();
    await engine.close();
    throw new EspalierError("HUB_LISTEN", `${flags.listen} cannot be listened on: ${error.message}`, {
      hint: "another hub may run there: --listen HOST:PORT takes another place",
      exitCode: EXIT.environment,
    });
  });
  say(io, `hub ${served.url} (state in ${state}; Ctrl+C stops it, nothing is lost)`);
  warn(io, "Its engine is your own copy of Restate, whose server is under the Business Source License 1.1.");
  const stopped = Promise.withResolvers<void>();
  const ignore = onSignals(() => stopped.resolve());
  const tidying = setInterval(() => void work.tidy(), TIDY_MS);
  await stopped.promise;
  clearInterval(tidying);
  ignore();
  hub.close();
  await served.close();
  await engine.close();
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
      throw new EspalierError(
        "USAGE",
        `${what} has letters, digits, dots and dashes, 64 at most: ${text.slice(0, 80)}`,
        {
          exitCode: EXIT.usage,
        },
      );
  const token = addToken(stateOf(flags, io), {
    name,
    pool,
    role: run === true ? "run" : "machine",
    expires: Date.now() + expires * DAY,
  });
  say(io, token);
  warn(
    io,
    run === true
      ? `for ${name}: ESPALIER_HUB_TOKEN in the environment of espalier run --on; it ends in ${expires} days`
      : `for machine ${name}: ESPALIER_HUB_TOKEN in the environment of espalier worker start; it ends in ${expires} days`,
  );
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
  if (flags.json === true) sayJson(io, tokens);
  else
    for (const { name, pool, role, expires } of tokens)
      say(
        io,
        `${name}  ${pool}  ${role}  ${expires < Date.now() ? "expired" : `until ${new Date(expires).toISOString().slice(0, 10)}`}`,
      );
  return EXIT.done;
}

/** `espalier hub token revoke`: whoever has it is refused from the next request on. */
export async function tokenRevoke(io: Io, name: string, flags: { readonly state?: string }): Promise<number> {
  const { revokeToken } = await import("../../hub/index.ts");
  const count = revokeToken(stateOf(flags, io), name);
  if (count === 0)
    throw new EspalierError("NO_TOKEN", `there is no token of ${name}`, {
      hint: "espalier hub token list shows those there are",
      exitCode: EXIT.usage,
    });
  say(io, `revoked ${count}`);
  return EXIT.done;
}
