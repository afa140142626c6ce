import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { isIP } from "node:net";
import { z } from "zod";
import { refusedShape, type Taker } from "../../fleet/index.ts";
import { because, EXIT, fail, type HubSaid, type HubSilence, ok, type Result } from "../../ports/index.ts";
import { errorFor, firstLine, reasonText } from "../../text/index.ts";

/** Bytes of an answer that are read. */
const MOST_ANSWER = 32 * 1024 ** 2;

/** Why the hub did not do something. */
export interface HubFailure {
  /** `unreachable` where it was not heard; else its own code. */
  readonly code: string;
  /** Whether it makes sense to ask again. */
  readonly retryable: boolean;
  /** One line for people, in English. */
  readonly message: string;
  /** The same for whoever reads another language. */
  readonly said: HubSaid;
  /** Who has the run, where it was taken over. */
  readonly by?: Taker;
}

/** A hub as workers and coordinators speak with it. */
export interface HubClient {
  readonly url: string;
  readonly token: string;
  /** Asks once; `patienceMs` is how long the answer may take. Never throws. */
  ask<I extends z.ZodType, O extends z.ZodType>(
    call: string,
    input: I,
    given: z.output<I>,
    output: O,
    patienceMs?: number,
  ): Promise<Result<z.output<O>, HubFailure>>;
  close(): void;
}

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === "localhost" || bare === "::1" || (isIP(bare) === 4 && bare.startsWith("127."));
}

/** The token for a hub from an environment; where there is none, `advice` tells how to get one. Throws EspalierError. */
export function hubToken(env: NodeJS.ProcessEnv, advice: "ask-for-token" | "machine-token"): string {
  const token = env["ESPALIER_HUB_TOKEN"] ?? "";
  if (token !== "") return token;
  const options = { advice: because(advice, {}), exitCode: EXIT.environment };
  throw errorFor("HUB", because("hub-token-unset", {}), options);
}

/** The address of a hub as a person wrote it, and the pool behind it. Throws EspalierError. */
export function hubAddress(text: string): { readonly url: string; readonly pool: string | undefined } {
  const usage = (why: "unreadable" | "scheme" | "plain" | "secret" | "path") =>
    errorFor("HUB_ADDRESS", because("hub-address", { text: firstLine(text, 200), why }), {
      advice: because("hub-address-like", { why }),
      exitCode: EXIT.usage,
    });
  if (!URL.canParse(text)) throw usage("unreadable");
  const { protocol, hostname, host, pathname, username, password } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") throw usage("scheme");
  if (protocol === "http:" && !isLoopback(hostname)) throw usage("plain");
  if (username + password !== "") throw usage("secret");
  const [pool, ...more] = pathname.split("/").filter(part => part !== "");
  if (more.length > 0) throw usage("path");
  return { url: `${protocol}//${host}`, pool };
}

/** Opens a hub; nothing is asked yet. `ca` is PEM that is believed beside the system's. */
export function openHub(url: string, token: string, ca?: Buffer): HubClient {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === "https:";
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) })
    : new PlainAgent({ keepAlive: true });
  const ask = (path: string, body: string, patience: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const options = {
      agent,
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      path,
      method: "POST",
      timeout: patience,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    };
    const asked = (isSecure ? secureRequest : plainRequest)(options, answer => {
      const parts: Buffer[] = [];
      let size = 0;
      answer.on("data", (part: Buffer) => {
        size += part.length;
        if (size > MOST_ANSWER) asked.destroy(new Error("its answer is too long"));
        else parts.push(part);
      });
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }),
      );
      answer.on("error", reject);
    });
    asked.on("timeout", () => asked.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })));
    asked.on("error", reject);
    asked.end(body);
    return promise;
  };
  return {
    url,
    token,
    async ask(call, input, given, output, patienceMs = 30_000) {
      let heard: { readonly status: number; readonly text: string };
      try {
        heard = await ask(`/v1/${call}`, JSON.stringify(z.encode(input, given)), patienceMs);
      } catch (error) {
        const { code = "", message } = error as NodeJS.ErrnoException;
        const said = firstLine(message === "" ? code : message, 200);
        return fail(failureOf({ code: "unreachable", said, url, how: silenceOf(code) }, true));
      }
      const value = jsonOf(heard.text);
      if (heard.status === 200) {
        const read = z.safeDecode(output, value as z.input<typeof output>);
        if (read.success) return ok(read.data);
        return fail(failureOf({ code: "no-hub", said: "", url, status: 200 }, false));
      }
      const refused = refusedShape.safeParse(value);
      const { status } = heard;
      // What stands before a hub says so while there is none.
      if (!refused.success) return fail(failureOf({ code: "no-hub", said: "", url, status }, status >= 500));
      const { code, message, by } = refused.data;
      return fail({
        ...failureOf({ code, said: firstLine(message, 300) }, status >= 500 || status === 429),
        ...(by === undefined ? {} : { by: { name: firstLine(by.name, 64), host: firstLine(by.host, 255) } }),
      });
    },
    close: () => agent.destroy(),
  };
}

/** What a failure of the network comes to. */
const SILENCES: Readonly<Record<string, HubSilence>> = {
  ECONNREFUSED: "closed",
  EHOSTUNREACH: "closed",
  ENETUNREACH: "closed",
  ENOTFOUND: "nowhere",
  EAI_AGAIN: "nowhere",
  ECONNRESET: "cut",
  EPIPE: "cut",
  ETIMEDOUT: "silent",
  EPROTO: "plain",
  ERR_SSL_WRONG_VERSION_NUMBER: "plain",
};

function silenceOf(code: string): HubSilence {
  return SILENCES[code] ?? (/CERT|SELF_SIGNED|VERIFY/.test(code) ? "untrusted" : "other");
}

/** What is told of a hub that did not do something. */
function failureOf(said: HubSaid & { readonly code: string }, retryable: boolean): HubFailure {
  return { code: said.code, retryable, message: reasonText(because("hub-refused", said), "en"), said };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
