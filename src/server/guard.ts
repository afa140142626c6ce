import { timingSafeEqual } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";

/** Bytes a request body may have. */
export const MAX_BODY = 16 * 1024;

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
  readonly token: string;
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

const POSTS: ReadonlySet<string> = new Set(["/api/act"]);

function sameToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Judges a request before anything reads its body or looks at its path (DESIGN rule 7): Host and Origin are exactly ours,
 * no other site's page sent it, method and type fit, and the API is told the token of this start. Undefined lets it in.
 */
export function judge(asked: Asked, { port, token }: GuardOptions): Refused | undefined {
  const hosts = [`127.0.0.1:${port()}`, `localhost:${port()}`];
  const host = hosts.find(ours => ours === asked.header("host"));
  if (host === undefined) return { status: 403, error: "unknown Host" };
  const origin = asked.header("origin");
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403, error: "foreign Origin" };
  const site = asked.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, error: "a request of another site" };
  const isApi = asked.path === "/api" || asked.path.startsWith("/api/");
  const isPost = asked.method === "POST" && POSTS.has(asked.path);
  if (!isPost && asked.method !== "GET" && asked.method !== "HEAD")
    return { status: 405, error: "method not allowed" };
  if (POSTS.has(asked.path) && !isPost) return { status: 405, error: "method not allowed" };
  if (!isApi) return undefined;
  const authorization = asked.header("authorization");
  if (!authorization?.startsWith("Bearer ") || !sameToken(authorization.slice(7), token))
    return { status: 401, error: "the token of this start is missing or wrong" };
  if (!isPost) return undefined;
  if (asked.header("content-type") !== "application/json")
    return { status: 415, error: "send application/json" };
  const length = asked.header("content-length");
  if (length !== undefined && !(Number(length) <= MAX_BODY)) return { status: 413, error: "too large" };
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
