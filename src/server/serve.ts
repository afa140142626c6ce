import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Monitor } from "../host/monitor/types.ts";
import { type Clock, fail, ok, type Result } from "../ports/index.ts";
import type { Locale } from "../text/index.ts";
import { type Code, createAccess } from "./access.ts";
import { createApp } from "./app.ts";
import { createHub, type Hub } from "./hub.ts";
import { loadPages, type PageFile } from "./pages.ts";

/** A dashboard that is being served. */
export interface Dashboard {
  /** Where the page is, without the token. */
  readonly origin: string;
  /** The link for the person: the token stands in the fragment, which no browser sends anywhere. */
  readonly link: string;
  readonly token: string;
  /** Where others open the page: the public origin, where one was named. */
  readonly address: string;
  /** A new code by which one device is let in. */
  openCode(): Code;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly monitor: Monitor;
  readonly clock: Clock;
  /** Who acts from the page, as events name them. */
  readonly who: string;
  /** A port that must be free; without one the first free port from 4747 on. */
  readonly port?: number | undefined;
  readonly pages?: ReadonlyMap<string, PageFile>;
  /** Where a proxy of the person's own makes the page reachable. */
  readonly publicOrigin?: URL | undefined;
  /** Hears that a device was let in, or that no more codes are taken for a while. */
  readonly told?: (news: "paired" | "closed") => void;
}

/** Where the search for a port begins, and how many are tried before any will do. */
const FIRST_PORT = 4747;
const TRIES = 20;

type Server = ReturnType<typeof createAdaptorServer>;

function listen(server: Server, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise(resolve => {
    const onError = (error: NodeJS.ErrnoException) => resolve(error);
    server.once("error", onError);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", onError);
      resolve(undefined);
    });
  });
}

async function bind(server: Server, port: number | undefined): Promise<Result<number, string>> {
  const ports = port === undefined ? Array.from({ length: TRIES }, (_, at) => FIRST_PORT + at) : [port];
  if (port === undefined) ports.push(0);
  let problem = "";
  for (const candidate of ports) {
    const error = await listen(server, candidate);
    if (error === undefined) return ok((server.address() as AddressInfo).port);
    problem =
      error.code === "EADDRINUSE" ? `port ${candidate} is taken` : `port ${candidate}: ${error.message}`;
  }
  return fail(problem);
}

/** Serves the dashboard on loopback until closed. The failure says why no port could be had. */
export async function serveDashboard(options: ServeOptions): Promise<Result<Dashboard, string>> {
  const { monitor, clock, who, publicOrigin, told = () => {} } = options;
  const token = randomBytes(32).toString("base64url");
  const boot = randomBytes(6).toString("hex");
  // From the beginning, so that whoever opens the page is told what agents said last.
  const hubIn = (locale: Locale) => createHub({ ...monitor, locale }, clock, `${boot}${locale}`);
  const hubs: Readonly<Record<Locale, Hub>> = { en: hubIn("en"), ko: hubIn("ko") };
  const closeHubs = () => {
    for (const one of Object.values(hubs)) one.close();
  };
  let port = 0;
  const access = createAccess(token, clock, told);
  const address = () => publicOrigin?.origin ?? `http://127.0.0.1:${port}`;
  const pages = options.pages ?? loadPages();
  const app = createApp({
    monitor,
    hub: locale => hubs[locale],
    who,
    access,
    port: () => port,
    publicOrigin,
    origin: address,
    pages,
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: { maxHeaderSize: 16 * 1024, requestTimeout: 30_000, headersTimeout: 10_000 },
  });
  if ("maxConnections" in server) server.maxConnections = 128;
  const bound = await bind(server, options.port);
  if (!bound.ok) {
    closeHubs();
    return bound;
  }
  port = bound.value;
  const origin = `http://127.0.0.1:${port}`;
  return ok({
    origin,
    link: `${origin}/#token=${token}`,
    token,
    address: address(),
    openCode: () => access.openCode(),
    close: () =>
      new Promise<void>(resolve => {
        access.close();
        closeHubs();
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  });
}
