import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLocalFleet, openHub, openHubFleet } from "../../src/adapters/fleet/index.ts";
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

export const QUICK: Patience = { beatMs: 100, leaseMs: 400, orphanMs: 60_000 };

/** A token is whatever was agreed on: `machine:POOL:NAME` or `run:POOL:NAME`. */
export const who = (token: string): KnownToken | undefined => {
  const [role, pool = "", name = ""] = token.split(":");
  return role === "machine" || role === "run"
    ? { role, pool, name, hash: "", expires: Number.POSITIVE_INFINITY }
    : undefined;
};

let pools = 0;

export interface Place {
  readonly fleet: Fleet;
  readonly pool: string;
  readonly url: string;
  readonly workers: Worker[];
  lose(): void;
  dispose(): Promise<void>;
}

/** A hub with one worker of these agents, in a pool of its own. */
export async function place(engine: KeyedEngine, agents: readonly Agent[], slots = 4): Promise<Place> {
  const pool = `p${++pools}`;
  const hub = createHub(engine, QUICK);
  const served = await serveHub({ hub, patience: QUICK, host: "127.0.0.1", port: 0, who });
  const client = openHub(served.url, `machine:${pool}:m1`);
  const local = createLocalFleet({ agents: new Map(agents.map(one => [one.name, one])) });
  const joined = Promise.withResolvers<void>();
  const facts = agents.map(({ name, reports, abilities }) => ({
    name,
    reports,
    ...(abilities === undefined ? {} : { abilities }),
  }));
  const worker = startWorker({
    client,
    fleet: local,
    agents: facts,
    slots,
    bench: PLAIN,
    tell: news => news.type === "joined" && joined.resolve(),
  });
  worker.ended.catch(() => {});
  await joined.promise;
  const own = openHub(served.url, `run:${pool}:me`);
  const fleet = await openHubFleet({ client: own, run: "r1" });
  return {
    fleet,
    pool,
    url: served.url,
    workers: [worker],
    // The machine is there still, but nobody hears it: its link is cut.
    lose: () => {
      client.ask = async () => ({
        ok: false,
        failure: { code: "unreachable", retryable: true, message: "cut" },
      });
      client.close();
    },
    async dispose() {
      worker.stop("hard");
      own.close();
      client.close();
      hub.close();
      await served.close();
    },
  };
}
