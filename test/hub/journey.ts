import { mkdirSync } from "node:fs";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { findProgram } from "../../src/adapters/process/index.ts";
import { firstCommit } from "../../src/adapters/vcs/git/index.ts";
import { createTravellingFleet } from "../../src/host/run/travelling.ts";
import { createWaiting } from "../../src/host/run/waiting.ts";
import {
  createGitService,
  createHub,
  type GitService,
  type KeyedEngine,
  type Patience,
  serveHub,
} from "../../src/hub/index.ts";
import { type Agent, type Fleet, type Order, type OrderEvent, ok } from "../../src/ports/index.ts";
import type { Locale } from "../../src/text/index.ts";
import { createCells } from "../../src/worker/cell.ts";
import { startWorker } from "../../src/worker/index.ts";
import { createWorkerGit } from "../../src/worker/worker-git.ts";
import { order } from "../order.ts";
import { type GitLab, must } from "../vcs/lab.ts";
import { who } from "./bench.ts";

/** An agent that does to its folder what a test says, turn by turn. */
export function busy(
  turns: readonly ((cwd: string, env: Readonly<Record<string, string>>) => unknown)[],
): Agent {
  return {
    portVersion: 1,
    name: "busy",
    reports: "signal",
    probe: async () => ({ found: true }),
    async open({ cwd, env }) {
      let at = 0;
      return ok({
        async *turn(message) {
          await turns[at++]?.(cwd, env);
          const end = { kind: "completed", finalMessage: message, exitCode: 0, outputBytes: 0 } as const;
          yield { type: "ended", end } as const;
        },
        cancel: async () => {},
        close: async () => {},
      });
    },
  };
}

export interface Journey extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly lab: GitLab;
  readonly pool: string;
  readonly url: string;
  readonly first: string;
  readonly kept: string[];
  /** As its machine was given them. */
  readonly orders: Order[];
  readonly work: GitService;
}

/** Nobody is given up here because the machine of the tests is busy. */
const CALM: Patience = { beatMs: 100, leaseMs: 60_000, orphanMs: 60_000 };

let journeys = 0;

/** A project here, a hub, and a machine with one agent. */
export async function journey(
  engine: KeyedEngine,
  lab: GitLab,
  agent: Agent,
  lie?: (pool: string, url: string, first: string) => Promise<undefined>,
  project?: string,
  locale: Locale = "en",
): Promise<Journey> {
  const pool = `j${++journeys}`;
  const hub = createHub(engine, CALM);
  const git = must(findProgram("git", { path: process.env["PATH"] }));
  const work = createGitService(hub, lab.place("hub"), git, 0);
  const served = await serveHub({
    hub,
    patience: CALM,
    host: "127.0.0.1",
    port: 0,
    who,
    git: work,
  });
  const folder = lab.place("machine");
  mkdirSync(folder);
  const client = openHub(served.url, `machine:${pool}:m1`);
  const kept: string[] = [];
  const orders: Order[] = [];
  const joined = Promise.withResolvers<void>();
  const repository = await lab.open(undefined, project);
  const first = must(await firstCommit(repository));
  const cells = createCells({
    client,
    folder,
    git: createWorkerGit({ client, folder, git, env: process.env }),
    admit: () => ok({ PATH: "/bin" }),
    prepare: async () => undefined,
    kept: (_, where) => kept.push(where),
  });
  const worker = startWorker({
    client,
    fleet: createLocalFleet({ agents: new Map([[agent.name, agent]]) }),
    agents: [{ name: agent.name, reports: agent.reports }],
    labels: [],
    slots: 2,
    bench: {
      ...cells,
      open: given => {
        orders.push(given);
        return cells.open(given);
      },
      ...(lie === undefined ? {} : { handIn: () => lie(pool, served.url, first) }),
    },
    tell: news => news.type === "joined" && joined.resolve(),
  });
  worker.ended.catch(() => {});
  await joined.promise;
  const own = openHub(served.url, `run:${pool}:me`);
  const fleet = createTravellingFleet({
    fleet: await openHubFleet({ client: own, run: "r1" }),
    client: own,
    repository,
    first,
    waiting: createWaiting(served.url, () => {}),
    locale,
  });
  return {
    fleet,
    lab,
    pool,
    url: served.url,
    first,
    kept,
    orders,
    work,
    async [Symbol.asyncDispose]() {
      worker.stop("hard");
      own.close();
      client.close();
      hub.close();
      await served.close();
    },
  };
}

/** Carries an order of one turn out in the main checkout; what was told of its end. */
export async function oneTurn(
  { fleet, lab }: Journey,
  given: Parameters<typeof order>[0] = {},
): Promise<OrderEvent | undefined> {
  const own = order({ agent: "busy", cwd: lab.root, ...given });
  must(await fleet.submit(own));
  await fleet.tell(own.id, { type: "end" });
  let end: OrderEvent | undefined;
  for await (const { event } of fleet.follow(own.id, 1))
    if (event.type === "ended" || event.type === "lost" || event.type === "refused") end ??= event;
  return end;
}

export const reasonOf = (event: OrderEvent | undefined): string =>
  event?.type === "ended" && event.end.kind === "failed" ? event.end.failure.message : JSON.stringify(event);
