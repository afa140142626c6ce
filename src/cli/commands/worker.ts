import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { because, EXIT, type Machine } from "../../ports/index.ts";
import { reasonText, visible } from "../../text/index.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { localeOf } from "../project.ts";
import { onSignals } from "../signals.ts";
import { doctorWords } from "../views/words/doctor-words-for.ts";
import { machinesWords } from "../views/words/machines-words.ts";
import { problemOf } from "./doctor-agents.ts";

export interface WorkerFlags {
  readonly hub: string;
  readonly slots: number;
  readonly label: readonly string[];
  readonly resource: Readonly<Record<string, number>>;
  readonly spawn?: string;
  readonly spawnWithin: number;
  readonly rules?: string;
  readonly folder?: string;
  readonly jail: boolean;
}

/** A client of a hub, with the token of the environment. Throws EspalierError. */
export async function openHubOf(io: Io, hub: string) {
  const { hubAddress, hubToken, openHub } = await import("../../adapters/fleet/hub-client.ts");
  const { url } = hubAddress(hub);
  return openHub(url, hubToken(io.env, "machine-token"));
}

/** `espalier worker start`: works for a hub until it is stopped. */
export async function workerStart(io: Io, flags: WorkerFlags): Promise<number> {
  const locale = localeOf(io);
  const words = machinesWords(locale);
  const client = await openHubOf(io, flags.hub);
  const { LEAST_ROOM, openWorker, readRules } = await import("../../worker/index.ts");
  // What is started for an order is the wall around its agent.
  const rules = readRules(flags.rules, io.cwd, !flags.jail || flags.spawn !== undefined);
  const data = io.env["XDG_DATA_HOME"] ?? join(homedir(), ".local", "share");
  const folder =
    flags.folder === undefined ? join(data, "espalier", "worker") : resolve(io.cwd, flags.folder);
  const doctor = doctorWords(locale);
  const underWay = new Map<string, string>();
  let name = "";
  const worker = await openWorker({
    client,
    rules,
    slots: flags.slots,
    labels: flags.label,
    resources: flags.resource,
    spawn:
      flags.spawn === undefined ? undefined : { command: flags.spawn, startsInMs: flags.spawnWithin * 1000 },
    folder,
    env: io.env,
    tell(news) {
      if (news.type === "joined") {
        name = news.machine;
        say(io, words.joined(name, client.url, visible(news.agents.join(", "))));
      }
      if (news.type === "missing") {
        const found = problemOf({ probe: news.probe }, doctor)?.found ?? "";
        warn(io, words.missing(visible(news.agent), visible(found)));
      }
      if (news.type === "order") underWay.set(news.id, visible(news.task));
      if (news.type === "over") underWay.delete(news.id);
      if (news.type === "unreachable") {
        const said = reasonText(because("hub-refused", news.said), locale);
        warn(io, words.unreachable(visible(said)));
      }
      if (news.type === "full") warn(io, words.full(folder, LEAST_ROOM / 1024 ** 2));
      if (news.type === "not-spawned") warn(io, words.notSpawned(visible(news.task), visible(news.message)));
      if (news.type === "order") say(io, words.begins(visible(news.task), visible(news.agent)));
      if (news.type === "over") say(io, words.over[news.how](visible(news.task)));
    },
    kept: (task, where) => warn(io, words.kept(visible(task), where)),
  });
  const ignore = onSignals((_, how) => {
    if (how === "soft" && underWay.size > 0) say(io, words.waitsFor([...underWay.values()].join(", ")));
    worker.stop(how);
  });
  try {
    await worker.ended;
    if (name !== "") say(io, words.left(name));
  } finally {
    ignore();
    client.close();
  }
  return EXIT.done;
}

/** `espalier worker attempt`: carries out one order, which whoever has started it says on standard input. */
export async function workerAttempt(
  io: Io,
  flags: { readonly rules?: string; readonly folder?: string; readonly jail: boolean },
): Promise<number> {
  const { attemptHere, readRules } = await import("../../worker/index.ts");
  const folder = resolve(io.cwd, flags.folder ?? join(io.env["TMPDIR"] ?? "/tmp", "espalier-attempt"));
  const rules = readRules(flags.rules, io.cwd, !flags.jail);
  const lines = createInterface({ input: io.stdin });
  try {
    await attemptHere({ rules, folder, env: io.env, lines, write: text => say(io, text) });
  } finally {
    // Whoever has started it holds its input open until it has ended.
    lines.close();
  }
  return EXIT.done;
}

/** `espalier worker list`: the machines of a hub, and what each does. */
export async function workerList(
  io: Io,
  flags: { readonly hub: string; readonly json?: boolean },
): Promise<number> {
  const client = await openHubOf(io, flags.hub);
  const { listMachines } = await import("../../adapters/fleet/machine-list.ts");
  const { standOf } = await import("../../fleet/index.ts");
  const { machines, waiting } = await listMachines(client);
  client.close();
  if (flags.json === true) {
    sayJson(io, { machines, waiting });
    return EXIT.done;
  }
  const words = machinesWords(localeOf(io));
  for (const machine of machines) {
    const { name, slots, holds, silent, agents, labels } = machine;
    const shown = {
      draining: words.drains,
      silent: words.silent(Math.round(silent / 1000)),
      full: words.diskFull,
      there: words.there,
    };
    const state = shown[standOf(machine)];
    const can = agents.map(one => one.name).join(", ");
    const has = [...labels.filter(label => label !== name), ...offersOf(machine)];
    say(
      io,
      [name, state, `${holds.length}/${slots}`, can, has.map(one => visible(one, 100)).join(" ")]
        .join("  ")
        .trimEnd(),
    );
  }
  if (machines.length === 0) say(io, words.noMachines(client.url));
  if (waiting.length > 0) say(io, words.waiting(waiting.length));
  return EXIT.done;
}

/** Repositories that are named of those that a machine is let work in, and characters of each. */
const NAMED = { most: 3, length: 12 } as const;

/** The resources of a machine, each with how many of it are in use, of how many; and the only repositories that it takes, as its rules say it. */
export function offersOf({
  resources = {},
  repositories,
}: Pick<Machine, "resources" | "repositories">): readonly string[] {
  const used = Object.entries(resources).map(([name, { offers, taken }]) => `${name} ${taken}/${offers}`);
  if (repositories === undefined) return used;
  const named = repositories.slice(0, NAMED.most).map(one => one.slice(0, NAMED.length));
  if (repositories.length > NAMED.most) named.push("…");
  return [...used, `repositories: [${named.join(", ")}]`];
}

/** `espalier worker drain` and `forget`: nothing more for a machine, or nothing of it any more. */
export async function workerLeave(
  io: Io,
  call: "drain" | "forget",
  machine: string,
  flags: { readonly hub: string; readonly off?: boolean },
): Promise<number> {
  const client = await openHubOf(io, flags.hub);
  const { leaveMachine } = await import("../../adapters/fleet/machine-list.ts");
  await leaveMachine(client, call, machine, flags.off !== true);
  client.close();
  return EXIT.done;
}
