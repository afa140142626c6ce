import type { Taker } from "../fleet/index.ts";
import type { Loss, Order, OrderMessage } from "../ports/index.ts";
import {
  inUse,
  isHeldBy,
  isOver,
  type KeptOrder,
  type KeptPool,
  type Life,
  lineOf,
  over,
  type Resources,
  suits,
  type Taken,
  type Taking,
  type Waiting,
  waitingAgain,
  waitingOf,
  withHeld,
  withHello,
  withMachine,
  withMessage,
  withoutHeld,
  withoutMachine,
} from "./kept.ts";
import type { ObjectContext, RestateSdk, SendOptions } from "./sdk.ts";

/** Milliseconds that an order is remembered after its end, so that it is carried out once. */
const REMEMBERED = 7 * 24 * 3_600_000;

/** Milliseconds in which a call whose answer was not heard is asked again. */
const ASKED_AGAIN = 600_000;

const EMPTY: KeptPool = { queue: [], machines: {} };
const POOL = { name: "EspalierPool" };
const ORDER = { name: "EspalierOrder" };
const RUN = { name: "EspalierRun" };

/** What is handed over with an order. */
export interface Submission {
  readonly epoch: number;
  readonly pool: string;
  readonly key: string;
  readonly order: Order;
  /** What it uses of its machine. */
  readonly uses?: readonly string[];
  /** The first commit of its repository. */
  readonly repository?: string;
  /** A machine that waits for work of this kind: it has the order at once, unless its pool knows better. */
  readonly to?: Awaiting;
}

/** What became of it: of an order that was known before, what is kept of it. */
export interface Admitted {
  readonly is: "taken" | "fenced";
  /** Whether the machine that waited for it has it. */
  readonly isHeld?: boolean;
  readonly kept?: KeptOrder;
}

/** Who works on an order, as far as whoever asks believes. */
export interface Holder {
  readonly machine: string;
  readonly boot: string;
}

/** A machine that is given up, and why; with `boot` only where that is its newest start. */
interface Expiry extends Loss {
  readonly machine: string;
  readonly boot?: string;
}

/** A machine that waits for work, and what it offers. */
export interface Awaiting extends Holder {
  readonly resources?: Resources;
}

const poolOf = async (ctx: ObjectContext): Promise<KeptPool> => (await ctx.get<KeptPool>("pool")) ?? EMPTY;

async function loseAll(ctx: ObjectContext, keys: readonly string[], loss: Loss): Promise<void> {
  for (const key of keys) ctx.objectSendClient(ORDER, key)["lose"]?.(loss);
}

/** Orders that wait, and who works on which. */
const poolOver = (later: SendOptions) => {
  const pool = {
    async put(ctx: ObjectContext, waiting: Waiting) {
      const known = await poolOf(ctx);
      const line = lineOf(waiting);
      if (!known.queue.includes(line)) ctx.set("pool", { ...known, queue: [...known.queue, line] });
    },
    /** Gives an order to a machine that waits for one; whether it has it. It is queued where none has. */
    async assign(ctx: ObjectContext, { waiting, to }: { readonly waiting: Waiting; readonly to?: Awaiting }) {
      const known = await poolOf(ctx);
      const own = to === undefined ? undefined : known.machines[to.machine];
      const isTaken = inUse(Object.values(own?.uses ?? {}), to?.resources ?? {}, waiting) !== undefined;
      if (to === undefined || own?.boot !== to.boot || own.draining || isTaken) {
        await pool.put(ctx, waiting);
        return false;
      }
      ctx.set("pool", withHeld(known, to.machine, [waiting]));
      return true;
    },
    /** The orders that a machine has from now on: each is its own, or nobody's. */
    async take(ctx: ObjectContext, { machine, boot, free, ...offer }: Taking): Promise<readonly Taken[]> {
      const known = await poolOf(ctx);
      const own = known.machines[machine];
      if (own?.boot !== boot || own.draining) return [];
      const taken: Taken[] = [];
      const held: Waiting[] = [];
      const using = Object.values(own.uses ?? {});
      const left: string[] = [];
      for (const line of known.queue) {
        const waiting = waitingOf(line);
        const { key } = waiting;
        const isFit =
          suits({ ...offer, boot }, waiting) && inUse(using, offer.resources ?? {}, waiting) === undefined;
        if (taken.length >= free || !isFit) left.push(line);
        else {
          const one = (await ctx.objectClient(ORDER, key)["hold"]?.({ machine, boot })) as Omit<
            Taken,
            "key"
          > | null;
          if (one === null) continue;
          taken.push({ ...one, key });
          held.push(waiting);
          using.push(waiting.uses ?? []);
        }
      }
      if (left.length === known.queue.length) return [];
      ctx.set("pool", withHeld({ ...known, queue: left }, machine, held));
      return taken;
    },
    async hello(ctx: ObjectContext, { machine, boot }: Holder): Promise<readonly string[]> {
      const { pool: next, lost } = withHello(await poolOf(ctx), machine, boot);
      ctx.set("pool", next);
      await loseAll(ctx, lost, startedAnew(machine));
      return lost;
    },
    /** An order that its machine has refused waits for another one. */
    async giveBack(ctx: ObjectContext, { machine, waiting }: { machine: string; waiting: Waiting }) {
      const known = await poolOf(ctx);
      const uses = known.machines[machine]?.uses?.[waiting.key];
      const line = lineOf({ ...waiting, ...(uses === undefined ? {} : { uses }) });
      ctx.set("pool", { ...withoutHeld(known, machine, [waiting.key]), queue: [...known.queue, line] });
    },
    /** An order that no machine shall take any more. */
    async withdraw(ctx: ObjectContext, key: string) {
      const known = await poolOf(ctx);
      ctx.set("pool", { ...known, queue: known.queue.filter(line => waitingOf(line).key !== key) });
    },
    async release(ctx: ObjectContext, { machine, key }: { readonly machine: string; readonly key: string }) {
      const known = await poolOf(ctx);
      if (known.machines[machine]?.holds.includes(key) === true)
        ctx.set("pool", withoutHeld(known, machine, [key]));
    },
    /** Orders that are over, by the machines that held them; they are forgotten later. */
    async settle(ctx: ObjectContext, over: Readonly<Record<string, readonly string[]>>) {
      let next = await poolOf(ctx);
      for (const [machine, keys] of Object.entries(over)) next = withoutHeld(next, machine, keys);
      ctx.set("pool", next);
      ctx.objectSendClient(POOL, ctx.key)["forget"]?.(Object.values(over).flat(), later);
    },
    async forget(ctx: ObjectContext, keys: readonly string[]) {
      for (const key of keys) ctx.objectSendClient(ORDER, key)["forget"]?.(null);
    },
    /** A machine that nobody has heard for too long. */
    async expire(ctx: ObjectContext, { machine, boot, ...loss }: Expiry) {
      const known = await poolOf(ctx);
      // It was started anew meanwhile, and says so itself.
      if (boot !== undefined && known.machines[machine]?.boot !== boot) return [];
      const { pool: next, lost } = withoutMachine(known, machine, boot === undefined);
      ctx.set("pool", next);
      await loseAll(ctx, lost, { ...loss, machine });
      return lost;
    },
    async drain(ctx: ObjectContext, { machine, on }: { readonly machine: string; readonly on: boolean }) {
      ctx.set("pool", withMachine(await poolOf(ctx), machine, { draining: on }));
    },
    /** The names of pools are kept nowhere else. */
    read: poolOf,
  };
  return pool;
};

const keptOf = (ctx: ObjectContext): Promise<KeptOrder | null> => ctx.get<KeptOrder>("kept");

/** Ends an order for good, once; it is forgotten later. */
function end(ctx: ObjectContext, kept: KeptOrder, life: Life, later: SendOptions): KeptOrder {
  const ended = over(kept, life);
  ctx.set("kept", ended);
  if (kept.life.at === "held")
    ctx.objectSendClient(POOL, kept.pool)["release"]?.({ machine: kept.life.machine, key: ctx.key });
  ctx.objectSendClient(ORDER, ctx.key)["forget"]?.(null, later);
  return ended;
}

const orderOf = (later: SendOptions) => ({
  /** What is known of it already; `held` where it is new and the machine has it, null where it waits for one. */
  async submit(
    ctx: ObjectContext,
    { pool: into, key, order: given, uses = [], repository, to }: Submission,
  ): Promise<KeptOrder | "held" | null> {
    const known = await keptOf(ctx);
    if (known !== null) return known;
    const of = repository === undefined ? {} : { repository };
    const waiting = { key, agent: given.agent, labels: given.labels ?? [], uses, ...of };
    // Whoever is told that it was taken finds it in its pool.
    const isHeld = (await ctx.objectClient(POOL, into)["assign"]?.({ waiting, to })) === true;
    const life =
      to !== undefined && isHeld
        ? ({ at: "held", machine: to.machine, boot: to.boot } as const)
        : ({ at: "queued" } as const);
    ctx.set("kept", { pool: into, change: 1, life, order: given, told: [] } satisfies KeptOrder);
    return isHeld ? "held" : null;
  },
  /** What is to be known of it beside the order itself, which is long. */
  async hold(ctx: ObjectContext, holder: Holder): Promise<Omit<Taken, "key"> | null> {
    const kept = await keptOf(ctx);
    if (kept?.life.at !== "queued") return null;
    const next = { ...kept, change: kept.change + 1, life: { at: "held", ...holder } } as const;
    ctx.set("kept", next satisfies KeptOrder);
    const { change, told, cancel } = next;
    return { change, told, ...(cancel === undefined ? {} : { cancel }) };
  },
  async say(ctx: ObjectContext, message: OrderMessage): Promise<KeptOrder | null> {
    const kept = await keptOf(ctx);
    if (kept === null) return null;
    const next = withMessage(kept, message);
    if (next !== kept) ctx.set("kept", next);
    return next;
  },
  async cancel(ctx: ObjectContext, { how }: { readonly how: "soft" | "hard" }): Promise<KeptOrder | null> {
    const kept = await keptOf(ctx);
    if (kept === null || isOver(kept)) return kept;
    if (kept.life.at === "queued") {
      ctx.objectSendClient(POOL, kept.pool)["withdraw"]?.(ctx.key);
      return end(ctx, kept, { at: "withdrawn" }, later);
    }
    const cancel = { how, number: (kept.cancel?.number ?? 0) + 1 };
    const next = { ...kept, change: kept.change + 1, cancel };
    ctx.set("kept", next);
    return next;
  },
  /** Its last report is accepted from whoever holds it, and from nobody else. Whoever asks settles it with the pool. */
  async finish(ctx: ObjectContext, { machine, boot }: Holder): Promise<KeptOrder | null> {
    const kept = await keptOf(ctx);
    if (kept === null || !isHeldBy(kept, machine, boot)) return kept;
    const ended = over(kept, { at: "closed", machine });
    ctx.set("kept", ended);
    return ended;
  },
  /** Whoever holds it has refused it, and it goes to another machine: nothing of it was begun. */
  async decline(ctx: ObjectContext, { machine, boot }: Holder): Promise<KeptOrder | null> {
    const kept = await keptOf(ctx);
    if (kept === null || !isHeldBy(kept, machine, boot)) return kept;
    const refused = [...(kept.refused ?? []), { machine, boot }];
    const next = { ...kept, change: kept.change + 1, life: { at: "queued" }, refused } as const;
    // Whoever takes it from its pool finds it there.
    ctx.set("kept", next satisfies KeptOrder);
    const waiting = waitingAgain(ctx.key, next);
    await ctx.objectClient(POOL, kept.pool)["giveBack"]?.({ machine, waiting });
    return next;
  },
  /** As earlier versions of the hub have called it: what was on its way is carried out with the steps that it began with. */
  async close(ctx: ObjectContext, { machine, boot }: Holder): Promise<KeptOrder | null> {
    const kept = await keptOf(ctx);
    return kept === null || !isHeldBy(kept, machine, boot)
      ? kept
      : end(ctx, kept, { at: "closed", machine }, later);
  },
  async lose(ctx: ObjectContext, loss: Loss): Promise<KeptOrder | null> {
    const kept = await keptOf(ctx);
    if (kept === null) return null;
    if (!isOver(kept)) return end(ctx, kept, { at: "lost", ...loss }, later);
    // It may not have been settled.
    ctx.objectSendClient(ORDER, ctx.key)["forget"]?.(null, later);
    return kept;
  },
  async forget(ctx: ObjectContext) {
    ctx.clear("kept");
  },
  read: keptOf,
});

/** Why orders are lost whose run somebody else conducts now. */
export const TAKEN = { why: "another coordinator has taken the run", how: "taken" } as const satisfies Loss;

/** Why orders are lost whose machine holds none of them any more. */
export const startedAnew = (machine: string): Loss & { readonly machine: string } => ({
  why: `machine ${machine} was started anew`,
  how: "anew",
  machine,
});

/** Who takes a run, and the attempts that go on. */
export interface Claim {
  readonly keep?: readonly string[];
  readonly by?: Taker;
}

/** What became of the orders of a run that was claimed. */
export interface Claimed {
  readonly epoch: number;
  readonly lost: readonly string[];
  readonly kept: readonly string[];
}

/** What is durable of a run. */
export interface KeptRun {
  readonly epoch: number;
  /** Its newest coordinator; absent where an earlier version of the hub let it in. */
  readonly by?: Taker | undefined;
  /** What its newest coordinator has handed over. */
  readonly orders: readonly string[];
}

const run = {
  /** The next epoch of a run; what an earlier one has handed over is lost, but for the attempts that are kept. */
  async claim(ctx: ObjectContext, given?: Claim): Promise<Claimed> {
    const known = await ctx.get<KeptRun>("run");
    const epoch = (known?.epoch ?? 0) + 1;
    const keep = new Set(given?.keep);
    const goesOn = (key: string) => keep.has(key.slice(0, key.lastIndexOf("/")));
    const { kept = [], lost = [] } = Object.groupBy(known?.orders ?? [], key =>
      goesOn(key) ? "kept" : "lost",
    );
    ctx.set("run", { epoch, by: given?.by, orders: kept } satisfies KeptRun);
    await loseAll(ctx, lost, TAKEN);
    return { epoch, lost, kept };
  },
  async admit(ctx: ObjectContext, submission: Submission): Promise<Admitted> {
    const known = await ctx.get<KeptRun>("run");
    if (known?.epoch !== submission.epoch) return { is: "fenced" };
    const { key } = submission;
    const kept = (await ctx.objectClient(ORDER, key)["submit"]?.(submission)) as KeptOrder | "held" | null;
    if (kept !== null && kept !== "held") return { is: "taken", kept };
    ctx.set("run", { ...known, orders: [...known.orders, key] });
    return { is: "taken", isHeld: kept === "held" };
  },
  read: (ctx: ObjectContext): Promise<KeptRun | null> => ctx.get<KeptRun>("run"),
  /** Orders of which everything was heard. */
  async heard(ctx: ObjectContext, given: readonly string[]) {
    const known = await ctx.get<KeptRun>("run");
    const gone = new Set(given);
    if (known?.orders.some(key => gone.has(key)) === true)
      ctx.set("run", { ...known, orders: known.orders.filter(key => !gone.has(key)) });
  },
  /** As earlier versions of the hub have called it. */
  done: (ctx: ObjectContext, { key }: { readonly key: string }): Promise<void> => run.heard(ctx, [key]),
};

/** The objects of the hub: short calls, one after the other for each key, and none that waits for anything. */
export function objectsOf({ object, handlers, rpc }: RestateSdk): readonly unknown[] {
  const later = rpc.sendOpts({ delay: REMEMBERED });
  const order = orderOf(later);
  const pool = poolOver(later);
  // Nobody reads the history of a call that has ended.
  const options = { journalRetention: 0, idempotencyRetention: ASKED_AGAIN };
  const shared = handlers.object.shared;
  return [
    object({ ...POOL, handlers: { ...pool, read: shared(pool.read) }, options }),
    object({ ...ORDER, handlers: { ...order, read: shared(order.read) }, options }),
    object({ ...RUN, handlers: { ...run, read: shared(run.read) }, options }),
  ];
}
