import { basename, isAbsolute, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { wayTo } from "../../adapters/file/index.ts";
import { type AwayBook, tokenOf } from "../../adapters/fleet/away-book.ts";
import { FILES_FOLDER, gitAccess, workUrl } from "../../adapters/fleet/by-git.ts";
import type { HubClient } from "../../adapters/fleet/hub-client.ts";
import {
  fetchWork,
  keepWork,
  type Repository,
  type Sent,
  sendFolder,
  standsIn,
  takeWork,
} from "../../adapters/vcs/git/index.ts";
import {
  type AgentFailure,
  because,
  type Fleet,
  fail,
  type Order,
  type OrderEvent,
  ok,
  type Report,
  type Result,
  type VcsFailure,
} from "../../ports/index.ts";
import { type Locale, reasonText } from "../../text/index.ts";
import type { Waiting } from "./waiting.ts";

/** Milliseconds between two looks for a machine that has the agent. */
const LOOK_AGAIN = 2000;

/** Times that git is asked for the same: between two of them the hub was heard. */
const MOST_TRIES = 5;

/** A variable whose value belongs to the task and not to this machine. */
const isOwn = (name: string): boolean => name.startsWith("ESPALIER_");

export interface TravellingOptions {
  readonly fleet: Fleet;
  readonly client: HubClient;
  readonly repository: Repository;
  /** The first commit of the repository. */
  readonly first: string;
  /** What is known of orders on their way, and the attempts of it that this process takes up. */
  readonly taken?: { readonly book: AwayBook; readonly tokens: readonly string[] };
  /** Hears of orders that wait for a machine. */
  readonly waiting: Pick<Waiting, "begins" | "over" | "refused" | "taken">;
  /** The language of the project, in which it is told why work did not come or go. */
  readonly locale: Locale;
}

/** An order on its way, as this side keeps it. */
interface Away {
  /** The worktree that its folder lies in. */
  readonly worktree: string;
  readonly sent: Sent;
  /** Files beside the work, by their names in a commit. */
  readonly files: ReadonlyMap<string, string>;
  readonly named: (text: string) => string;
  /** The commit whose work stands in the folder. */
  here: string;
  turn: number;
  /** The number of the last report whose work has come. */
  taken: number;
  /** Handed over by a process that has died: what it has taken in, by the reports that told it. */
  readonly known?: ReadonlyMap<number, string>;
}

/** Files that the order's agent reads or writes outside of its folder, by the names they travel under. */
function filesOf({ writable = [], env }: Order): Map<string, string> {
  const read = Object.entries(env).flatMap(([name, value]) =>
    isOwn(name) && isAbsolute(value) ? [value] : [],
  );
  return new Map([...writable, ...read].map(path => [basename(path), path]));
}

/** Names files as they are found from the folder on the other machine. */
function namesIn(
  files: ReadonlyMap<string, string>,
  { top, prefix }: Repository["facts"],
): (text: string) => string {
  const root = join(top, prefix);
  const up = prefix
    .split("/")
    .flatMap(part => (part === "" ? [] : "../"))
    .join("");
  const pairs = [...files].flatMap(([name, path]) => {
    const there = `${up}${FILES_FOLDER}/${name}`;
    const short = wayTo(root, path);
    return short === undefined
      ? [[path, there]]
      : [
          [path, there],
          [short, there],
        ];
  });
  // What else lies in the repository is named as it is found from the project.
  pairs.push([`${root}/`, ""], [`${top}/`, up]);
  return text => pairs.reduce((said, [here = "", there = ""]) => said.replaceAll(here, there), text);
}

/** The worktree of an order: of a project below the top of its repository the folder is what lies there. */
function worktreeOf({ cwd }: Pick<Order, "cwd">, { prefix }: Repository["facts"]): string {
  return prefix !== "" && cwd.endsWith(`/${prefix}`) ? cwd.slice(0, -prefix.length - 1) : cwd;
}

/** An order as it leaves. */
function awayOf(
  order: Order,
  sent: Sent,
  files: ReadonlyMap<string, string>,
  facts: Repository["facts"],
): Away {
  const [worktree, named] = [worktreeOf(order, facts), namesIn(files, facts)];
  return { worktree, sent, files, named, here: sent.commit, turn: 1, taken: 0 };
}

/** What is told of a turn whose work did not come into the folder. */
function notTaken(kind: AgentFailure["kind"], message: string): OrderEvent {
  const failure: AgentFailure = {
    kind,
    message,
    reason: because("work-not-taken", { said: message }),
    retryable: true,
  };
  return { type: "ended", end: { kind: "failed", failure, finalMessage: "" } };
}

/**
 * A fleet whose machines share nothing with this one: what stands in an order's folder goes there by git, and before the end of
 * a turn is told, what it made stands in the folder here. Of the environment only what belongs to the task
 * goes with it.
 */
export function createTravellingFleet(options: TravellingOptions): Fleet {
  const { fleet, client, repository, first, taken, waiting, locale } = options;
  const { facts } = repository;
  const tokens = new Set(taken?.tokens);
  const away = new Map<string, Away>();
  /** Orders that were cancelled before a machine had them. */
  const given = new Set<string>();
  const placeOf = (id: string) => {
    const url = workUrl(client.url, first, id);
    return { url, access: gitAccess(client.url, client.token) };
  };

  /** Does what goes through the hub, again once that is reached where it was not. */
  async function insist<T>(use: () => Promise<Result<T, VcsFailure>>): Promise<Result<T, VcsFailure>> {
    for (let tries = 1; ; tries++) {
      const done = await use();
      if (done.ok || done.failure.kind !== "failed" || tries === MOST_TRIES) return done;
      await pause(200 * tries);
      await fleet.machines();
    }
  }

  /** An order that a process before this one has handed over; undefined where that left nothing to go on with. */
  function takeUp(order: Order, files: ReadonlyMap<string, string>): Away | undefined {
    const known = taken?.book.read(order.id);
    if (known?.sent === undefined) return undefined;
    return { ...awayOf(order, known.sent, files, facts), known: known.taken };
  }

  /** What a turn made, taken into the folder; else what is told in place of its end. */
  async function bring(
    id: string,
    own: Away,
    event: Extract<OrderEvent, { type: "ended" }>,
  ): Promise<OrderEvent> {
    const came = await insist(() => fetchWork(repository, own.sent, own.turn, placeOf(id)));
    if (!came.ok) {
      if (event.end.kind === "failed") return event;
      const why = reasonText(came.failure.reason, locale);
      return came.failure.kind === "strayed" ? notTaken("protocol", why) : { type: "lost", why };
    }
    const { commit, hidden } = came.value;
    if (hidden.length > 0)
      return notTaken("unsuitable", reasonText(because("work-hidden", { path: hidden[0]! }), locale));
    // A process that has died may have taken it in.
    const isThere = own.known !== undefined && (await standsIn(repository, own.worktree, commit));
    const from = isThere ? commit : own.here;
    const moved = await repository.refs.alone(() =>
      takeWork(repository, own.worktree, from, commit, own.files),
    );
    if (!moved.ok) {
      const ref = await keepWork(repository, id, commit);
      const why = because("work-kept", { said: reasonText(moved.failure.reason, locale), ref });
      return notTaken("unsuitable", reasonText(why, locale));
    }
    own.here = commit;
    return event;
  }

  /** What is told of an order, once what it tells of stands in its folder. */
  async function* reportsOf(id: string, fromSeq: number): AsyncGenerator<Report, void, undefined> {
    const own = away.get(id);
    if (own === undefined && tokens.has(tokenOf(id))) {
      const why = reasonText(because("sent-unknown", {}), locale);
      yield { version: 1, seq: fromSeq, event: { type: "lost", why } };
      void fleet.cancel(id, "hard").then(() => fleet.tell(id, { type: "end" }));
      return;
    }
    for await (const report of fleet.follow(id, fromSeq)) {
      const { seq, event } = report;
      if (own === undefined || event.type !== "ended" || seq <= own.taken) {
        yield report;
        continue;
      }
      const here = own.known?.get(seq);
      if (here !== undefined) {
        own.here = here;
        own.taken = seq;
        own.turn++;
        yield report;
        continue;
      }
      const told: Report = { version: 1, seq, event: await bring(id, own, event) };
      own.taken = seq;
      own.turn++;
      if (told.event === event) taken?.book.note(id, { taken: { seq, commit: own.here } });
      yield told;
      if (told.event.type === "lost") {
        void fleet.cancel(id, "hard").then(() => fleet.tell(id, { type: "end" }));
        return;
      }
    }
  }

  return {
    ...fleet,
    async submit(order, waits) {
      const files = filesOf(order);
      if (tokens.has(tokenOf(order.id))) {
        const known = takeUp(order, files);
        if (known !== undefined) away.set(order.id, known);
        if (known !== undefined) waiting.begins(order, waits);
        // Whoever follows hears that it is lost.
        if (known !== undefined || order.id.endsWith("/1")) return ok(undefined);
      }
      const worktree = worktreeOf(order, facts);
      const sent = await insist(() => sendFolder(repository, worktree, files, placeOf(order.id)));
      if (!sent.ok) return fail({ kind: "unreachable", message: reasonText(sent.failure.reason, locale) });
      const fresh = awayOf(order, sent.value, files, facts);
      const { named } = fresh;
      const { mcp, hook, writable: _, env, ...rest } = order;
      const calls = [
        ...(mcp === undefined ? [] : ["tools" as const]),
        ...(hook === undefined ? [] : ["hook" as const]),
      ];
      const own = Object.entries(env).filter(([name]) => isOwn(name));
      const travelling: Order = {
        ...rest,
        message: named(order.message),
        env: Object.fromEntries(own.map(([name, value]) => [name, named(value)])),
        base: {
          repository: first,
          ...sent.value,
          ...(facts.prefix === "" ? {} : { project: facts.prefix }),
        },
        ...(calls.length === 0 ? {} : { calls }),
      };
      away.set(order.id, fresh);
      taken?.book.note(order.id, { sent: sent.value });
      waiting.begins(order, waits);
      for (;;) {
        const taken = await fleet.submit(travelling);
        if (taken.ok) waiting.taken(order.id);
        else if (taken.failure.kind !== "no-machine" || given.has(order.id)) waiting.over(order.id);
        if (taken.ok || taken.failure.kind !== "no-machine" || given.has(order.id)) return taken;
        waiting.refused(order.id, taken.failure);
        await pause(LOOK_AGAIN);
      }
    },
    async *follow(id, fromSeq) {
      try {
        for await (const report of reportsOf(id, fromSeq)) {
          waiting.over(id);
          yield report;
        }
      } finally {
        waiting.over(id);
      }
    },
    tell: (id, message) => {
      const own = away.get(id);
      if (own === undefined || message.type !== "turn") return fleet.tell(id, message);
      return fleet.tell(id, { ...message, text: own.named(message.text) });
    },
    cancel(id, how) {
      given.add(id);
      return fleet.cancel(id, how);
    },
  };
}
