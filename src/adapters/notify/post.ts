import { setTimeout as wait } from "node:timers/promises";
import { because, fail, type NewsArgs, ok, type Reason, type Result } from "../../ports/index.ts";

/** Milliseconds one try may take. */
const LONGEST = 5000;
const TRIES = 3;
/** Milliseconds before the next try. */
const PAUSE = 500;

type Why = NewsArgs["notice-failed"]["why"];

export interface PostOptions {
  readonly fetch?: typeof fetch;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pause?: (ms: number) => Promise<void>;
  /** Nobody waits for it any more. */
  readonly over?: AbortSignal | undefined;
}

async function once(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  { fetch: call = fetch, over }: PostOptions,
): Promise<Result<void, { why: Why | { readonly said: string }; again: boolean }>> {
  try {
    const response = await call(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      // Where it would lead is not where a person allowed it to go.
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(LONGEST), ...(over === undefined ? [] : [over])]),
    });
    await response.body?.cancel();
    if (response.ok) return ok(undefined);
    const again = response.status >= 500 || response.status === 429;
    const isRedirect = response.status >= 300 && response.status < 400;
    return fail({ why: isRedirect ? "redirects" : { said: `HTTP ${response.status}` }, again });
  } catch (error) {
    if (over?.aborted === true) return fail({ why: "no-time", again: false });
    const { name, cause } = error as Error;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    return fail({ why: name === "TimeoutError" ? "no-answer" : { said: code ?? name }, again: true });
  }
}

/** Posts JSON, three times at most. The reason of a failure never holds the address: it may be a secret. */
export async function postJson(
  url: URL,
  value: unknown,
  options: PostOptions = {},
): Promise<Result<void, string | Reason>> {
  const { headers = {}, over } = options;
  const { pause = ms => wait(ms, undefined, over && { signal: over }).catch(() => {}) } = options;
  const body = JSON.stringify(value);
  for (let attempt = 1; ; attempt++) {
    const done = await once(url, body, headers, options);
    if (done.ok) return done;
    const { why, again } = done.failure;
    const at = url.host;
    if (!again || attempt === TRIES)
      return fail(typeof why === "string" ? because("notice-failed", { at, why }) : `${at}: ${why.said}`);
    await pause(PAUSE * attempt);
  }
}

/** The address that a setting holds, or what is wrong with it, without repeating it. */
export function readAddress(text: string, at: string, allows: (url: URL) => boolean): Result<URL, Reason> {
  const url = URL.parse(text.trim());
  if (url === null) return fail(because("notice-failed", { at, why: "malformed" }));
  if (url.username !== "" || url.password !== "")
    return fail(because("notice-failed", { at, why: "names-user" }));
  if (allows(url)) return ok(url);
  return fail(because("notice-forbidden", { at, address: `${url.protocol}//${url.host}` }));
}
