import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { isIP } from "node:net";
import { z } from "zod";
import { refusedShape, type Taker } from "../../fleet/index.ts";
import { because, EXIT, fail, ok, type Result } from "../../ports/index.ts";
import { errorFor, firstLine } from "../../text/index.ts";

/** Bytes of an answer that are read. */
const MOST_ANSWER = 32 * 1024 ** 2;

/** Why the hub did not do something. */
export interface HubFailure {
  /** `unreachable` where it was not heard; else its own code. */
  readonly code: string;
  /** Whether it makes sense to ask again. */
  readonly retryable: boolean;
  /** One line for people. */
  readonly message: string;
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
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
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
        const said = message === "" ? code : message;
        return fail({ code: "unreachable", retryable: true, message: `${url}: ${firstLine(said, 200)}` });
      }
      const value = jsonOf(heard.text);
      if (heard.status === 200) {
        const read = z.safeDecode(output, value as z.input<typeof output>);
        if (read.success) return ok(read.data);
        return fail({ code: "no-hub", retryable: false, message: `${url} is no hub of this version` });
      }
      const refused = refusedShape.safeParse(value);
      if (!refused.success)
        return fail({
          code: "no-hub",
          // What stands before a hub says so while there is none.
          retryable: heard.status >= 500,
          message: `${url} is no hub: it answers with ${heard.status}`,
        });
      const { code, message, by } = refused.data;
      return fail({
        code,
        retryable: heard.status >= 500 || heard.status === 429,
        message: firstLine(message, 300),
        ...(by === undefined ? {} : { by: { name: firstLine(by.name, 64), host: firstLine(by.host, 255) } }),
      });
    },
    close: () => agent.destroy(),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
