import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import {
  cancelShape,
  claimedShape,
  claimShape,
  conductedShape,
  conductShape,
  followedShape,
  followShape,
  HUB_FULL,
  helloShape,
  leaveShape,
  MOST_REQUEST,
  machinesShape,
  receivedShape,
  reportsShape,
  submitShape,
  submittedShape,
  syncShape,
  type Taker,
  tasksShape,
  tellShape,
  WIRE,
  welcomeShape,
} from "../fleet/index.ts";
import { TakenOver } from "./fence.ts";
import { NotThisMachine } from "./for-machines.ts";
import type { GitService } from "./git.ts";
import type { Hub } from "./hub.ts";
import { TAKEN } from "./objects.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import type { KnownToken, Role } from "./tokens.ts";

/** Milliseconds that a request may take to arrive. */
const ARRIVES_IN = 60_000;
/** Bytes that have to be free on the hub's disk so that it takes more work, and so that it takes anything. */
export const LEAST_ROOM = { more: 100 * 1024 ** 2, any: 10 * 1024 ** 2 } as const;
/** What brings more work. */
const BRINGS_MORE: ReadonlySet<string> = new Set(["claim", "submit"]);
/** The code of what fails by a fault of the hub or of its engine. */
const TROUBLE = "trouble";
/** Wrong tokens of one address in a minute, beyond which none is looked at. */
const MOST_WRONG = 30;

/** A request that is refused: status, a code for programs, one line for people. */
class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly by: Taker | undefined;
  constructor(status: number, code: string, message: string, by?: Taker) {
    super(message);
    this.by = by;
    this.status = status;
    this.code = code;
  }
}

export interface ServeOptions {
  readonly hub: Hub;
  readonly patience?: Patience;
  readonly host: string;
  readonly port: number;
  /** PEM; without them it is plain HTTP, which only the loopback may see. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  readonly who: (token: string, now: number) => KnownToken | undefined;
  readonly git?: GitService | undefined;
  readonly now?: () => number;
  /** Bytes that are free on the hub's disk; undefined where that is not known. */
  readonly room?: () => number | undefined;
  /** Hears what could not be answered by a fault of the hub or of its engine. */
  readonly failed?: (call: string, why: Error) => void;
}

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_REQUEST)
      throw new Refused(413, "too-large", `a request has at most ${MOST_REQUEST} bytes`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new Refused(400, "no-json", "the request is no JSON");
  }
}

interface Route {
  readonly role: Role | "any";
  readonly answer: (given: unknown, who: KnownToken) => Promise<unknown>;
}

/** Refuses what the hub's disk has no room for: its engine would wait for some, and nobody would know why. */
function requireRoom(call: string, room: number | undefined): void {
  const least = BRINGS_MORE.has(call) ? LEAST_ROOM.more : LEAST_ROOM.any;
  if (room === undefined || room >= least) return;
  const [has, wants] = [room, least].map(bytes => Math.floor(bytes / 1024 ** 2));
  throw new Refused(507, HUB_FULL, `the hub's disk has ${has} MiB left, and ${wants} are needed`);
}

/** Reads what was sent by its shape, and answers by one. */
function route<I extends z.ZodType, O extends z.ZodType>(
  role: Route["role"],
  input: I,
  output: O,
  answer: (given: z.output<I>, who: KnownToken) => Promise<z.output<O>>,
): Route {
  return {
    role,
    async answer(given, who) {
      const read = z.safeDecode(input, given as z.input<I>);
      if (!read.success) {
        const [issue] = read.error.issues;
        const where = issue?.path.join(".") ?? "";
        throw new Refused(
          400,
          "bad-request",
          `${where === "" ? "" : `${where}: `}${issue?.message ?? "unreadable"}`,
        );
      }
      return z.encode(output, await answer(read.data, who));
    },
  };
}

/** The first that somebody says: whoever speaks another version hears that, whatever else they say in it. */
function greeting(greeted: Route): Route {
  return {
    ...greeted,
    answer(given, who) {
      const { wire } = (given ?? {}) as { readonly wire?: unknown };
      if (wire !== WIRE) {
        const whose = greeted.role === "run" ? "run" : "worker";
        const theirs = typeof wire === "number" ? String(wire) : "an older one";
        throw new Refused(409, "other-version", `this hub speaks version ${WIRE}, the ${whose} ${theirs}`);
      }
      return greeted.answer(given, who);
    },
  };
}

const NOTHING = z.null();

function routesOf({ hub, patience = PATIENCE }: ServeOptions): Readonly<Record<string, Route>> {
  const { beatMs, leaseMs } = patience;
  const longest = 20_000;
  return {
    hello: greeting(
      route("machine", helloShape, welcomeShape, async (given, { pool, name }) => {
        await hub.hello(pool, name, given);
        return { machine: name, beatMs, leaseMs };
      }),
    ),
    sync: route("machine", syncShape, tasksShape, (given, { pool, name }) => hub.sync(pool, name, given)),
    reports: route("machine", reportsShape, receivedShape, (given, { pool, name }) =>
      hub.reports(pool, name, given),
    ),
    leave: route("machine", leaveShape, NOTHING, async ({ boot }, { pool, name }) => {
      await hub.leave(pool, name, boot);
      return null;
    }),
    claim: greeting(
      route("run", claimShape, claimedShape, async ({ run, host, keep }, { pool, name }) => ({
        epoch: await hub.claim(pool, run, { name, host }, keep),
      })),
    ),
    conduct: route("run", conductShape, conductedShape, async (coordinator, { pool }) => {
      await hub.pass(pool, coordinator);
      return { offers: { ...hub.offers(pool) }, stuck: [...hub.stuck(pool, coordinator.run)] };
    }),
    submit: route("run", submitShape, submittedShape, ({ run, epoch, order, counted }, { pool }) =>
      hub.submit(pool, { run, epoch }, order, counted),
    ),
    follow: route("run", followShape, followedShape, ({ run, epoch, wait, ...asked }, { pool }) =>
      hub.follow(pool, { run, epoch }, { ...asked, wait: Math.min(wait, longest) }),
    ),
    tell: route("run", tellShape, NOTHING, async ({ run, epoch, id, message }, { pool }) => {
      await hub.tell(pool, { run, epoch }, id, message);
      return null;
    }),
    cancel: route("run", cancelShape, NOTHING, async ({ run, epoch, id, how }, { pool }) => {
      await hub.cancel(pool, { run, epoch }, id, how);
      return null;
    }),
    machines: route("any", z.strictObject({}), machinesShape, async (_, { pool }) => {
      const { machines, waiting } = await hub.machines(pool);
      return { machines: [...machines], waiting: [...waiting] };
    }),
    drain: route(
      "run",
      z.strictObject({ machine: z.string(), on: z.boolean() }),
      NOTHING,
      async (given, { pool }) => {
        await hub.drain(pool, given.machine, given.on);
        return null;
      },
    ),
    forget: route("run", z.strictObject({ machine: z.string() }), NOTHING, async ({ machine }, { pool }) => {
      await hub.forget(pool, machine);
      return null;
    }),
  };
}

/** The token of a request: workers and coordinators send it as a bearer, git as a password. */
function tokenOf({ headers: { authorization = "" } }: IncomingMessage): string {
  if (authorization.startsWith("Bearer ")) return authorization.slice("Bearer ".length);
  if (!authorization.startsWith("Basic ")) return "";
  const said = Buffer.from(authorization.slice("Basic ".length), "base64").toString("utf8");
  return said.slice(said.indexOf(":") + 1);
}

/** Whether only this machine sees what is served there. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** Serves a hub. Throws where it would be plain HTTP for others, and where it cannot listen. */
export async function serveHub(options: ServeOptions): Promise<Served> {
  const { host, port, tls, who, git, now = Date.now, room = () => undefined, failed } = options;
  if (tls === undefined && !isLoopback(host))
    throw new Error(`plain HTTP is for the loopback, and ${host} is not that`);
  const routes = routesOf(options);
  /** Wrong tokens by address, in the minute that runs. */
  const wrong = new Map<string, number>();
  const forgiving = setInterval(() => wrong.clear(), 60_000);
  forgiving.unref();

  const authorize = (request: IncomingMessage): KnownToken => {
    const address = request.socket.remoteAddress ?? "";
    const token = who(tokenOf(request), now());
    // Behind a proxy all have one address: those who know a token are not shut out by those who do not.
    if (token !== undefined) return token;
    const times = wrong.get(address) ?? 0;
    if (times >= MOST_WRONG) throw new Refused(429, "too-many", "too many wrong tokens from this address");
    if (wrong.size < 10_000) wrong.set(address, times + 1);
    throw new Refused(401, "no-token", "the token is not known, was revoked, or has expired");
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let call = "";
    try {
      const { pathname } = new URL(request.url ?? "/", "http://hub");
      const token = authorize(request);
      call = pathname.slice("/v1/".length);
      requireRoom(call, room());
      if (git !== undefined && /^\/v1\/(?:git|copies)\//.test(pathname)) {
        await git.serve(request, response, token);
        return;
      }
      const found = Object.hasOwn(routes, call) ? routes[call] : undefined;
      if (found === undefined || !pathname.startsWith("/v1/") || request.method !== "POST")
        throw new Refused(404, "no-such-call", "this is an espalier hub; it has no such call");
      if (found.role !== "any" && found.role !== token.role)
        throw new Refused(
          403,
          "wrong-role",
          `the token is for ${token.role === "run" ? "runs" : "a machine"}`,
        );
      const said = JSON.stringify(await found.answer(await bodyOf(request), token));
      response.writeHead(200, { "content-type": "application/json" }).end(said);
    } catch (error) {
      const refused =
        error instanceof Refused
          ? error
          : error instanceof NotThisMachine
            ? new Refused(409, error.code, "another start of this machine has taken its place")
            : error instanceof TakenOver
              ? new Refused(409, "taken", TAKEN.why, error.by)
              : new Refused(503, TROUBLE, "the hub could not do that now");
      // Whoever has hung up is no fault of the hub's.
      if (refused.code === TROUBLE && !response.destroyed) failed?.(call, error as Error);
      if (response.headersSent) response.destroy();
      else {
        const { status, code, message, by } = refused;
        response.writeHead(status, {
          "content-type": "application/json",
          ...(status === 401 ? { "www-authenticate": 'Basic realm="espalier"' } : {}),
          connection: "close",
        });
        response.end(JSON.stringify({ code, message, by }));
      }
    }
  };

  const handle = (request: IncomingMessage, response: ServerResponse) => void answer(request, response);
  const limits = { requestTimeout: 10 * ARRIVES_IN, headersTimeout: ARRIVES_IN, maxHeaderSize: 16_384 };
  const server =
    tls === undefined ? createServer(limits, handle) : createSecureServer({ ...limits, ...tls }, handle);
  server.keepAliveTimeout = 60_000;
  server.listen(port, host);
  await once(server, "listening");
  const at = server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shown}:${at.port}`,
    async close() {
      clearInterval(forgiving);
      server.closeAllConnections();
      server.close();
      await once(server, "close").catch(() => {});
    },
  };
}
