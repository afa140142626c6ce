import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { copiesOf, formatOf } from "../adapters/fleet/by-git.ts";
import { makeFolders } from "../adapters/home/index.ts";
import { OBJECT_ID } from "../ports/index.ts";
import type { Coordinator } from "./fence.ts";
import type { Hub } from "./hub.ts";
import { COPIES, createStoredWork, type StoredWork } from "./stored-work.ts";
import type { KnownToken } from "./tokens.ts";

/** The work of orders and the copies of runs, by git's own protocol. */
export interface GitService extends Pick<StoredWork, "tidy"> {
  serve(request: IncomingMessage, response: ServerResponse, who: KnownToken): Promise<void>;
}

/** Bytes of one push. */
const MOST_PUSHED = 2 * 1024 ** 3;
/** Bytes of the headers with which git's program begins its answer. */
const MOST_HEAD = 16_384;

const SETTINGS: Readonly<Record<string, string>> = {
  "http.receivepack": "true",
  "receive.denyDeletes": "true",
  "receive.denyNonFastForwards": "true",
  "receive.maxInputSize": `${MOST_PUSHED}`,
  "receive.autogc": "false",
  "receive.unpackLimit": "1",
  "core.hooksPath": "/dev/null",
  "core.fsync": "all",
};

/** A copy takes the place of the one before it, and its coordinator removes those of its run; nobody changes another run's. */
function settingsOfCopy({ run }: Coordinator): readonly (readonly [string, string])[] {
  return [
    ["receive.denyDeletes", "false"],
    ["receive.denyNonFastForwards", "false"],
    ["receive.hideRefs", "refs"],
    ["receive.hideRefs", `!${copiesOf(run)}`],
  ];
}

function settings(more: readonly (readonly [string, string])[]): Record<string, string> {
  const all = [...Object.entries(SETTINGS), ...more];
  const pairs = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: `${all.length}`, ...Object.fromEntries(pairs) };
}

const CALLS: ReadonlySet<string> = new Set(["info/refs", "git-upload-pack", "git-receive-pack"]);

interface Wanted {
  readonly repository: string;
  /** The order whose work it is; undefined for copies of runs. */
  readonly id?: string;
  /** Whose copy it is, where one is brought. */
  readonly coordinator?: Coordinator;
  readonly call: string;
}

function copyWanted(words: readonly string[]): Pick<Wanted, "call" | "coordinator"> | undefined {
  const whole = words.join("/");
  if (CALLS.has(whole)) return { call: whole };
  const [run = "", epoch = "", ...rest] = words;
  const call = rest.join("/");
  if (!CALLS.has(call) || !/^[A-Za-z0-9_-]{1,64}$/.test(run) || !/^[0-9]{1,15}$/.test(epoch))
    return undefined;
  return { call, coordinator: { run, epoch: Number(epoch) } };
}

/** `/v1/git/REPOSITORY/ORDER/CALL`, `/v1/copies/REPOSITORY/CALL`, `/v1/copies/REPOSITORY/RUN/EPOCH/CALL`; undefined for anything else. */
function wantedBy(pathname: string): Wanted | undefined {
  const [, , kind, repository = "", ...rest] = pathname.split("/");
  if (!OBJECT_ID.test(repository)) return undefined;
  if (kind === "copies") {
    const wanted = copyWanted(rest);
    return wanted && { repository, ...wanted };
  }
  const [order = "", ...words] = rest;
  const call = words.join("/");
  if (!CALLS.has(call)) return undefined;
  try {
    const id = decodeURIComponent(order);
    return id === "" || id.length > 256 ? undefined : { repository, id, call };
  } catch {
    return undefined;
  }
}

/** The name under which the refs of an order lie: whoever works on one sees those of no other. */
function namespaceOf(pool: string, id: string): string {
  return createHash("sha256").update(`${pool}/${id}`).digest("hex").slice(0, 40);
}

/**
 * Keeps a bare repository for each project of a pool below `folder`; `git` is the absolute path of the program. Work that nobody
 * asks for is kept for `keptMs` after its order was over.
 */
export function createGitService(
  hub: Pick<Hub, "holder" | "isOver" | "pass">,
  folder: string,
  git: string,
  keptMs?: number,
): GitService {
  const making = new Map<string, Promise<void>>();
  const path = process.env["PATH"] ?? "";
  const plain = { PATH: path, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const stored = createStoredWork(hub, folder, git, plain, keptMs);

  function make(project: string, repository: string): Promise<void> {
    const place = join(project, `${repository}.git`);
    if (existsSync(join(place, "HEAD"))) return Promise.resolve();
    const known = making.get(place);
    if (known !== undefined) return known;
    makeFolders(place);
    const args = ["init", "--quiet", "--bare", "--template=", ...formatOf(repository), "--", place];
    const made = promisify(execFile)(git, args, { env: plain });
    const making_ = made.then(() => {});
    making.set(place, making_);
    making_.finally(() => making.delete(place)).catch(() => {});
    return making_;
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    { role, pool, name }: KnownToken,
  ): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://hub");
    const wanted = wantedBy(pathname);
    const refuse = (status: number, message: string) => {
      request.resume();
      response.writeHead(status, { "content-type": "text/plain" }).end(`${message}\n`);
    };
    if (wanted === undefined) return refuse(404, "no such repository");
    const { repository, id, coordinator, call } = wanted;
    const mayReach = role === "run" || (id !== undefined && (await hub.holder(pool, id)) === name);
    if (!mayReach) return refuse(403, id === undefined ? "copies are for runs" : "this order is not yours");
    const project = join(folder, pool);
    const isPush = call === "git-receive-pack" || searchParams.get("service") === "git-receive-pack";
    if (isPush && id === undefined) {
      if (coordinator === undefined)
        return refuse(404, "a copy is somebody's: /v1/copies/REPOSITORY/RUN/EPOCH");
      await hub.pass(pool, coordinator);
    }
    // Whoever asks for the copies of a repository that nothing came from hears that there are none.
    if (role === "run" && (isPush || id === undefined)) await make(project, repository);
    if (!existsSync(join(project, `${repository}.git`, "HEAD"))) return refuse(404, "no such repository");
    const namespace = id === undefined ? COPIES : namespaceOf(pool, id);
    if (id !== undefined) stored.used(project, `${repository}.git`, namespace, id);
    const { headers, method = "GET" } = request;
    const encoding = headers["content-encoding"];
    const protocol = headers["git-protocol"];
    const child = spawn(git, ["http-backend"], {
      stdio: ["pipe", "pipe", "ignore"],
      env: {
        ...plain,
        ...settings(coordinator === undefined ? [] : settingsOfCopy(coordinator)),
        GIT_PROJECT_ROOT: project,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_NAMESPACE: namespace,
        PATH_INFO: `/${repository}.git/${call}`,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: method,
        CONTENT_TYPE: headers["content-type"] ?? "",
        REMOTE_USER: name,
        // Its length is not told: where git knows one, it waits for ever, at full speed, for the rest of a body that was cut off.
        ...(encoding === undefined ? {} : { HTTP_CONTENT_ENCODING: encoding }),
        ...(typeof protocol === "string" ? { GIT_PROTOCOL: protocol } : {}),
      },
    });
    const ended = Promise.withResolvers<void>();
    child.on("error", () => ended.resolve());
    child.on("close", () => ended.resolve());
    // Either side may go away in the middle.
    child.stdin.on("error", () => {});
    request.on("error", () => child.kill());
    response.on("close", () => child.kill());
    request.pipe(child.stdin);
    let head = Buffer.alloc(0);
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      if (response.headersSent) {
        if (!response.write(part)) await Promise.race([once(response, "drain"), ended.promise]);
        continue;
      }
      head = Buffer.concat([head, part]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0 && head.length > MOST_HEAD) break;
      if (end < 0) continue;
      const fields = headersOf(head.subarray(0, end).toString("latin1"));
      response.writeHead(fields.status, fields.headers);
      response.write(head.subarray(end + 4));
    }
    await ended.promise;
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }

  return { serve, tidy: stored.tidy };
}

async function once(response: ServerResponse, event: string): Promise<void> {
  await new Promise<void>(resolve => response.once(event, () => resolve()));
}

/** The headers of a CGI program, where `Status` is one. */
function headersOf(text: string): { readonly status: number; readonly headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const [key, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    if (key === "status") status = Number.parseInt(value, 10);
    else if (key !== "") headers[key] = value;
  }
  return { status, headers };
}
