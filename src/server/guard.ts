import type { Context, MiddlewareHandler } from "hono";
import type { Visitor } from "./access.ts";
import type { ServerWords } from "./words.ts";

/** Bytes a request body may have, and one that carries a document. */
export const MAX_BODY = 16 * 1024;
export const MAX_DOCUMENT: number = 4 * 1024 ** 2;

/** A refusal: status and the sentence for whoever asked. */
export interface Refused {
  readonly status: 400 | 401 | 403 | 405 | 413 | 415;
  readonly error: string;
}

/** The parts of a request the guard judges; names of headers in lower case. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  header(name: string): string | undefined;
}

export interface GuardOptions {
  readonly port: () => number;
  /** Whose token it is. */
  readonly visitor: (token: string) => Visitor | undefined;
  /** Where a proxy of the person's own makes the page reachable. */
  readonly publicOrigin?: URL | undefined;
  /** The words of who asks, by a request's headers. */
  readonly words: (header: Asked["header"]) => ServerWords;
}

/** Sent with every answer, refusals too. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
    "trusted-types 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
};

/** What may be posted to: `/api/pair` by who has no token yet, `/api/access` by everyone about themselves. */
const POSTS: ReadonlySet<string> = new Set(["/api/act", "/api/publish", "/api/pair", "/api/access"]);
const PUBLISH = "/api/publish";
const PAIR = "/api/pair";

/** Who asks, by the token they show. */
export function visitorOf(
  header: string | undefined,
  { visitor }: Pick<GuardOptions, "visitor">,
): Visitor | undefined {
  return header?.startsWith("Bearer ") === true ? visitor(header.slice(7)) : undefined;
}

/** Our own addresses, and the origins of pages that are ours at each. */
function ourOrigins(host: string | undefined, { port, publicOrigin }: GuardOptions): readonly string[] {
  const elsewhere = publicOrigin === undefined ? [] : [publicOrigin.origin];
  if (publicOrigin !== undefined && host === publicOrigin.host) return elsewhere;
  // A proxy may ask for us by our own name, and hand on from where its page was.
  const isHere = [`127.0.0.1:${port()}`, `localhost:${port()}`].some(ours => ours === host);
  return isHere ? [`http://${host}`, ...elsewhere] : [];
}

/**
 * Whether a person followed a link in a tab, as one from a mail or a chat that is read in the browser: the page that led here
 * reads nothing of ours, and holds no frame of it.
 */
function isFollowed({ method, header }: Asked): boolean {
  return (
    method === "GET" && header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document"
  );
}

/**
 * Judges a request before anything reads its body or looks at its path (DESIGN rule 7): Host and Origin are exactly ours,
 * no other site's page sent it but by a link to the page itself, method and type fit, and the API is told a token of this start, which allows what is asked.
 * Undefined lets it in.
 */
export function judge(asked: Asked, options: GuardOptions): Refused | undefined {
  const origins = ourOrigins(asked.header("host"), options);
  if (origins.length === 0) return { status: 403, error: "unknown Host" };
  const origin = asked.header("origin");
  if (origin !== undefined && !origins.includes(origin)) return { status: 403, error: "foreign Origin" };
  const isApi = asked.path === "/api" || asked.path.startsWith("/api/");
  const site = asked.header("sec-fetch-site");
  const isOurs = site === undefined || site === "same-origin" || site === "none";
  if (!isOurs && (isApi || !isFollowed(asked))) return { status: 403, error: "a request of another site" };
  const isPost = asked.method === "POST" && POSTS.has(asked.path);
  if (!isPost && asked.method !== "GET" && asked.method !== "HEAD")
    return { status: 405, error: "method not allowed" };
  if (POSTS.has(asked.path) && asked.path !== "/api/access" && !isPost)
    return { status: 405, error: "method not allowed" };
  if (!isApi) return undefined;
  const visitor = visitorOf(asked.header("authorization"), options);
  if (visitor === undefined && asked.path !== PAIR)
    return { status: 401, error: "the token of this start is missing or wrong" };
  if (!isPost) return undefined;
  if (visitor?.role === "viewer") return { status: 403, error: "this link shows, and does nothing" };
  if (asked.header("content-type") !== "application/json")
    return { status: 415, error: "send application/json" };
  const length = asked.header("content-length");
  const most = asked.path === PUBLISH ? MAX_DOCUMENT : MAX_BODY;
  if (length !== undefined && !(Number(length) <= most)) {
    const words = options.words(asked.header);
    return {
      status: 413,
      error: words.tooLarge(most, Number.isSafeInteger(Number(length)) ? Number(length) : undefined),
    };
  }
  return undefined;
}

/** The guard as the first middleware of the server. */
export function guard(options: GuardOptions): MiddlewareHandler {
  return async (context: Context, next) => {
    const refused = judge(
      { method: context.req.method, path: context.req.path, header: name => context.req.header(name) },
      options,
    );
    if (refused !== undefined) {
      context.res = Response.json({ error: refused.error }, { status: refused.status });
    } else await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
  };
}

/** Reads a body that may not be longer than the limit, whatever its headers say; undefined when it is. */
export async function readBody(request: Request, max: number = MAX_BODY): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > max) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
