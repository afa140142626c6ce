import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import {
  cancelShape,
  claimedShape,
  claimShape,
  conductedShape,
  conductShape,
  followedShape,
  followShape,
  HUB_FULL,
  machinesShape,
  type Stuck,
  submitShape,
  submittedShape,
  type Taker,
  tellShape,
  WIRE,
} from "../../fleet/index.ts";
import {
  because,
  type EspalierError,
  EXIT,
  type Fleet,
  fail,
  type Order,
  ok,
  type Report,
} from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import { type AwayBook, noteOf, tokenOf } from "./away-book.ts";
import { createHeard } from "./heard.ts";
import type { HubClient, HubFailure } from "./hub-client.ts";

/** Milliseconds that one question for reports waits. */
const FOLLOW_MS = 15_000;
/** Milliseconds between two tries where the hub is not heard, at first and at most. */
const AGAIN_MS = [100, 5000] as const;

export interface HubFleetOptions {
  readonly client: HubClient;
  /** The run whose orders these are: whoever takes it after us ends what is left of ours. */
  readonly run: string;
  /** What is known of orders on their way, and the attempts of it that this process takes up. */
  readonly taken?: { readonly book: AwayBook; readonly tokens: readonly string[] };
  /** Whether what is known here is copied to the hub, from where another machine goes on: until then its workers keep their reports. */
  readonly isCopied?: boolean;
  /** Resources that the run counts itself, over all machines: an order that uses one needs no machine that offers it. */
  readonly counts?: (name: string) => boolean;
  /** Hears that an order waits, because each machine that could take it has its last one of a resource in use. */
  readonly waits?: (order: Order, resource: string, machines: readonly string[]) => void;
  /** Hears at each look at the hub which orders wait there that no machine takes now. */
  readonly stuck?: (orders: readonly Stuck[]) => void;
  /** Hears once that the hub is not reached, and once that it is again. */
  readonly reach?: (failure: HubFailure | undefined) => void;
  /** Hears once that the hub's disk has no room, and once that it has again. */
  readonly full?: (failure: HubFailure | undefined) => void;
  /** Hears that the hub does not let this coordinator in any more: its token has expired, was taken back, or speaks another version. */
  readonly refused?: (failure: HubFailure) => void;
  /** Hears that a newer coordinator has the run, before anything else says so; nothing of it is ours from then on. */
  readonly lost?: (by: Taker | undefined) => void;
}

/** What a hub says to whoever it does not let in. */
const SHUT_OUT: ReadonlySet<string> = new Set(["no-token", "wrong-role", "other-version"]);

/** The error that says why a hub does not let somebody in. */
export function hubError({ code, said, retryable }: HubFailure): EspalierError {
  const { how } = said;
  const advice = because("hub-refused-then", { code, ...(how === undefined ? {} : { how }) });
  return errorFor("HUB", because("hub-refused", said), {
    advice,
    retryable,
    exitCode: EXIT.environment,
  });
}

/** The machines behind a hub, as the coordinator of one run has them. */
export interface HubFleet extends Fleet {
  /** The epoch by which the hub tells this coordinator from those before it. */
  readonly epoch: number;
  /** How many of a resource all machines together offer, as was heard last. */
  offers(name: string): number;
  /** Asks whether this still is the newest coordinator; whether the hub was heard. Never throws. */
  check(): Promise<boolean>;
  /** Nothing is waited for any more where the hub is not heard: orders go on as they are, for whoever takes them up. */
  giveUp(): void;
  /** What was heard by now is about to be copied; what it returns is called once the hub has the copy. */
  mark(): () => void;
  /** No copy comes any more: everything is told once. Resolves when the hub knows. */
  letGo(): Promise<void>;
}

/** The machines behind a hub. Takes the run, so that no other coordinator works on it. Throws EspalierError. */
export async function openHubFleet({
  client,
  run,
  taken,
  isCopied = false,
  counts = () => false,
  waits = () => {},
  stuck = () => {},
  reach = () => {},
  full = () => {},
  lost = () => {},
  refused = () => {},
}: HubFleetOptions): Promise<HubFleet> {
  const tokens = new Set(taken?.tokens);
  const keep = tokens.size === 0 ? {} : { keep: [...tokens] };
  const given = { wire: WIRE, run, host: hostname(), ...keep };
  const claimed = await client.ask("claim", claimShape, given, claimedShape);
  if (!claimed.ok) throw hubError(claimed.failure);
  const { epoch } = claimed.value;
  const own = { run, epoch };
  const heard = createHeard();
  const closing = new Set<Promise<void>>();
  let offers: ReadonlyMap<string, number> = new Map();
  let isReached = true;
  /** The call that the hub has no room for. */
  let fullFor: string | undefined;
  let checked: Promise<boolean> | undefined;
  const givenUp = Promise.withResolvers<{ readonly ok: false; readonly failure: HubFailure }>();
  let isGivenUp = false;

  /** Tells whoever has to know that this coordinator is none any more. */
  const heed = (failure: HubFailure): void => {
    if (failure.code === "taken") lost(failure.by);
    if (SHUT_OUT.has(failure.code)) refused(failure);
  };

  /** Asks until the hub was heard: it has everything that it acknowledged. */
  async function insist<I extends z.ZodType, O extends z.ZodType>(
    call: string,
    input: I,
    given: z.output<I>,
    output: O,
    patience?: number,
  ) {
    for (let wait: number = AGAIN_MS[0]; ; wait = Math.min(wait * 2, AGAIN_MS[1])) {
      const asked = client.ask(call, input, given, output, patience);
      const heard = await Promise.race([asked, givenUp.promise]);
      if (isGivenUp) return heard;
      const failure = heard.ok ? undefined : heard.failure;
      const isOver = failure === undefined || !failure.retryable;
      const isFull = failure?.code === HUB_FULL;
      const isThere = isOver || isFull;
      if (isThere !== isReached) {
        isReached = isThere;
        reach(isThere ? undefined : failure);
      }
      if (isFull && fullFor === undefined) full(failure);
      if (isFull) fullFor ??= call;
      else if (isOver && call === fullFor) {
        fullFor = undefined;
        full(undefined);
      }
      if (failure !== undefined) heed(failure);
      if (isOver) return heard;
      await Promise.race([pause(wait), givenUp.promise]);
    }
  }

  /** Has the hub and its worker forget an order of which everything was heard, once nobody has to be told again. */
  async function close(id: string, from: number): Promise<void> {
    await heard.whenSafe(id, from - 1);
    await client.ask("follow", followShape, { ...own, id, from, wait: 0 }, followedShape);
    heard.forget(id);
  }

  return {
    portVersion: 1,
    epoch,
    offers: name => offers.get(name) ?? 0,
    check() {
      checked ??= client.ask("conduct", conductShape, own, conductedShape).then(answer => {
        checked = undefined;
        if (answer.ok) {
          offers = new Map(Object.entries(answer.value.offers));
          stuck(answer.value.stuck);
        } else heed(answer.failure);
        return answer.ok || !answer.failure.retryable;
      });
      return checked;
    },
    giveUp() {
      isGivenUp = true;
      const message = "the hub is away";
      const said = { code: "unreachable", said: message };
      givenUp.resolve({ ok: false, failure: { code: "unreachable", retryable: false, message, said } });
      // A question that is on its way would keep the process for as long as it may take.
      client.close();
    },
    mark: heard.mark,
    async letGo() {
      heard.mark()();
      await Promise.all(closing);
    },
    async submit(order) {
      const counted = order.uses?.filter(counts) ?? [];
      const given = { ...own, order, ...(counted.length === 0 ? {} : { counted }) };
      const heard = await insist("submit", submitShape, given, submittedShape);
      if (!heard.ok) return fail({ kind: "unreachable", message: heard.failure.message });
      switch (heard.value.is) {
        case "taken": {
          const { waits: why } = heard.value;
          if (why !== undefined) waits(order, why.resource, why.machines);
          return ok(undefined);
        }
        case "no-machine": {
          const { lacks = [], repository } = heard.value;
          const message = `no machine has ${asked(order)}`;
          const of = repository === undefined ? {} : { repository };
          return fail({ kind: "no-machine", message, lacks, ...of });
        }
        case "fenced":
          return fail({ kind: "unreachable", message: "another coordinator has taken this run" });
        default:
          throw new Error("unknown answer of the hub");
      }
    },
    async *follow(id, fromSeq) {
      const known = tokens.has(tokenOf(id)) ? taken?.book.read(id) : undefined;
      for (const report of known?.reports ?? []) {
        if (report.seq < fromSeq) continue;
        yield report;
        if (report.event.type === "closed" || report.event.type === "lost") return;
      }
      for (let from = Math.max(fromSeq, (known?.upTo ?? 0) + 1); ; ) {
        const done = isCopied ? { done: Math.min(heard.safe(id), from - 1) } : {};
        const asked = { ...own, id, from, wait: FOLLOW_MS, ...done };
        const told = await insist("follow", followShape, asked, followedShape, FOLLOW_MS + 30_000);
        if (!told.ok) {
          yield { version: 1, seq: from, event: { type: "lost", why: told.failure.message } };
          return;
        }
        const { reports, over } = told.value as { reports: readonly Report[]; over: boolean };
        // Nothing that was heard is forgotten there before it is known here.
        const fresh = reports.filter(({ seq }) => seq >= from);
        if (fresh.length > 0) taken?.book.note(id, noteOf(fresh));
        heard.note(id, fresh.at(-1)?.seq ?? from - 1);
        for (const report of reports) {
          // Whatever the hub sends, each is told once and in its order.
          if (report.seq !== from) continue;
          from++;
          yield report;
          if (report.event.type === "lost") return;
          if (isCopied && report.event.type === "closed") {
            const closed = close(id, from).finally(() => closing.delete(closed));
            closing.add(closed);
            return;
          }
        }
        if (over && reports.length === 0) return;
      }
    },
    async tell(id, message) {
      await insist("tell", tellShape, { ...own, id, message }, z.null());
      if (message.type === "answer") taken?.book.note(id, { answered: message.question });
    },
    async cancel(id, how) {
      await insist("cancel", cancelShape, { ...own, id, how }, z.null());
    },
    async settled(token) {
      taken?.book.forget(token);
    },
    async machines() {
      const heard = await insist("machines", z.strictObject({}), {}, machinesShape);
      return heard.ok ? heard.value.machines : [];
    },
  };
}

/** What an order asks of a machine, in one line. */
function asked({ agent, labels = [], uses = [] }: Pick<Order, "agent" | "labels" | "uses">): string {
  return [`an agent ${agent}`, ...labels, ...uses].join(" and ");
}
