import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { type HubClient, openHub } from "../../src/adapters/fleet/hub-client.ts";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import type { KnownToken } from "../../src/hub/index.ts";
import {
  createHub,
  findEngine,
  type KeyedEngine,
  type Patience,
  serveHub,
  startEngine,
} from "../../src/hub/index.ts";
import { type Agent, type Fleet, ok } from "../../src/ports/index.ts";
import { type Bench, startWorker, type Worker } from "../../src/worker/index.ts";

const folder = fileURLToPath(new URL("./engine", import.meta.url));

/** The engine of the tests, or why there is none. */
export const parts = await findEngine(folder).catch((error: Error) => error);
export const noEngine =
  parts instanceof Error ? `${parts.message}: npm ci --prefix test/hub/engine brings it` : undefined;

/** Starts the engine in a folder of its own. */
export async function testEngine(): Promise<KeyedEngine & { readonly folder: string }> {
  if (parts instanceof Error) throw parts;
  const data = mkdtempSync(join(tmpdir(), "esp-hub-"));
  const engine = await startEngine(parts, data);
  return {
    ...engine,
    folder: data,
    async close() {
      await engine.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A bench that changes nothing: orders are carried out as they come. */
export const PLAIN: Bench = {
  open: async order => ok(order),
  handIn: async () => undefined,
  keep: async () => {},
  leave: async () => {},
};

export const QUICK: Patience = { beatMs: 100, leaseMs: 1500, orphanMs: 60_000 };

/** A token is whatever was agreed on: `machine:POOL:NAME` or `run:POOL:NAME`. */
export const who = (token: string): KnownToken | undefined => {
  const [role, pool = "", name = ""] = token.split(":");
  return role === "machine" || role === "run"
    ? { role, pool, name, hash: "", expires: Number.POSITIVE_INFINITY }
    : undefined;
};

/** What whoever is cut off from a hub hears. */
const cutOff = {
  code: "unreachable",
  retryable: true,
  message: "cut",
  said: { code: "unreachable", said: "cut" },
} as const;

let pools = 0;

export interface Place {
  readonly fleet: Fleet;
  readonly pool: string;
  readonly url: string;
  readonly worker: Worker;
  /** Whether nobody hears the machine: it is there still. */
  readonly link: { isCut: boolean };
  lose(): void;
  /** Another start of the same machine. */
  startAgain(agents?: readonly Agent[], labels?: readonly string[]): Promise<Worker>;
  /** The hub is killed, and another one takes its place. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

/** A hub with one worker of these agents, in a pool of its own. */
export async function place(
  engine: KeyedEngine,
  agents: readonly Agent[],
  {
    slots = 4,
    patience = QUICK,
    labels = [],
    resources = {},
    repositories,
    bench = PLAIN,
    hasRoom = () => true,
    rests = () => false,
    machine = (all: readonly Agent[]): Fleet =>
      createLocalFleet({ agents: new Map(all.map(one => [one.name, one])) }),
    lets = () => true,
  }: {
    readonly slots?: number;
    readonly patience?: Patience;
    readonly labels?: readonly string[];
    readonly resources?: Readonly<Record<string, number>>;
    readonly repositories?: readonly string[];
    readonly bench?: Bench;
    readonly hasRoom?: () => boolean;
    readonly rests?: () => boolean;
    /** What carries orders out there. */
    readonly machine?: (agents: readonly Agent[]) => Fleet;
    readonly lets?: (pool: string, machine: string) => boolean;
  } = {},
): Promise<Place> {
  const pool = `p${++pools}`;
  const open = async (port: number) => {
    const hub = createHub(engine, patience, lets);
    return { hub, served: await serveHub({ hub, patience, host: "127.0.0.1", port, who }) };
  };
  let now = await open(0);
  const { url } = now.served;
  const link = { isCut: false };
  const clients: HubClient[] = [];
  const workers: Worker[] = [];
  const startAgain = async (
    given: readonly Agent[] = agents,
    has: readonly string[] = labels,
  ): Promise<Worker> => {
    const plain = openHub(url, `machine:${pool}:m1`);
    clients.push(plain);
    const cut = { ok: false, failure: cutOff } as const;
    const client: HubClient = {
      ...plain,
      // What is answered while the link is cut is not heard either.
      ask: async (...asked) => {
        if (link.isCut) return cut;
        const heard = await plain.ask(...asked);
        return link.isCut ? cut : heard;
      },
    };
    const joined = Promise.withResolvers<void>();
    const worker = startWorker({
      client,
      fleet: machine(given),
      agents: given.map(({ name, reports, abilities }) => ({
        name,
        reports,
        ...(abilities === undefined ? {} : { abilities }),
      })),
      labels: has,
      resources,
      ...(repositories === undefined ? {} : { repositories }),
      slots,
      bench,
      hasRoom,
      rests,
      tell: news => news.type === "joined" && joined.resolve(),
    });
    worker.ended.catch(() => {});
    await joined.promise;
    workers.push(worker);
    return worker;
  };
  const worker = await startAgain();
  const own = openHub(url, `run:${pool}:me`);
  clients.push(own);
  return {
    fleet: await openHubFleet({ client: own, run: "r1" }),
    pool,
    url,
    worker,
    link,
    startAgain,
    lose: () => {
      link.isCut = true;
    },
    async restart() {
      now.hub.close();
      await now.served.close();
      now = await open(Number(new URL(url).port));
    },
    async dispose() {
      for (const one of workers) one.stop("hard");
      for (const one of clients) one.close();
      now.hub.close();
      await now.served.close();
    },
  };
}

/** Another machine of a pool, which lets everything be worked on. */
export async function joinAs(
  { url, pool }: Pick<Place, "url" | "pool">,
  machine: string,
  agent: Agent,
  {
    slots,
    ...own
  }: {
    readonly slots: number;
    readonly bench?: Bench;
    readonly resources?: Readonly<Record<string, number>>;
  },
): Promise<AsyncDisposable> {
  const client = openHub(url, `machine:${pool}:${machine}`);
  const { name, reports, abilities } = agent;
  const joined = Promise.withResolvers<void>();
  const worker = startWorker({
    client,
    fleet: createLocalFleet({ agents: new Map([[name, agent]]) }),
    agents: [{ name, reports, ...(abilities === undefined ? {} : { abilities }) }],
    labels: [],
    slots,
    bench: PLAIN,
    ...own,
    tell: news => news.type === "joined" && joined.resolve(),
  });
  worker.ended.catch(() => {});
  await joined.promise;
  return leftAtEnd(worker, client);
}

/** What ends a worker that has joined, with its connection. */
export function leftAtEnd(
  worker: Pick<ReturnType<typeof startWorker>, "stop" | "ended">,
  client: ReturnType<typeof openHub>,
): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      worker.stop("hard");
      await worker.ended.catch(() => {});
      client.close();
    },
  };
}
