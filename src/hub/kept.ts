import type { Loss, Order, OrderMessage } from "../ports/index.ts";

/** Where an order is. `closed`, `lost` and `withdrawn` are for good; the last is one that was ended before any machine had it. */
export type Life =
  | { readonly at: "queued" }
  | { readonly at: "held"; readonly machine: string; readonly boot: string }
  | { readonly at: "closed"; readonly machine: string }
  | { readonly at: "withdrawn" }
  | ({ readonly at: "lost" } & Loss);

/** Why something is lost, and nothing else of it. */
export const lossOf = ({ why, how, machine }: Loss): Loss => ({
  why,
  ...(how === undefined ? {} : { how }),
  ...(machine === undefined ? {} : { machine }),
});

/** Everything that is durable of one order; what it was asked for and told goes once it is over. */
export interface KeptOrder {
  /** Counts its changes: answers of the engine overtake each other. */
  readonly change: number;
  readonly pool: string;
  readonly life: Life;
  readonly order?: Order | undefined;
  readonly told: readonly OrderMessage[];
  /** The newest cancel; each has a number, from 1 on. */
  readonly cancel?: { readonly how: "soft" | "hard"; readonly number: number } | undefined;
  /** Who had it and refused it, for a reason that another machine need not have. */
  readonly refused?: readonly { readonly machine: string; readonly boot: string }[];
}

/** What is durable of a pool. */
export interface KeptPool {
  /** Orders that no machine has taken, oldest first, each as `lineOf` writes it. */
  readonly queue: readonly string[];
  readonly machines: Readonly<Record<string, KeptMachine>>;
}

export interface KeptMachine {
  readonly boot: string;
  readonly holds: readonly string[];
  readonly draining: boolean;
  /** What orders that it holds use of its own; of one that is not named here, nothing. */
  readonly uses?: Readonly<Record<string, readonly string[]>>;
}

/** An order that no machine has taken. */
export interface Waiting {
  readonly key: string;
  readonly agent: string;
  readonly labels: readonly string[];
  /** What it uses of its machine. */
  readonly uses?: readonly string[];
  /** The first commit of its repository. */
  readonly repository?: string;
  /** Starts of machines that have refused it. */
  readonly avoids?: readonly string[];
}

/** Its line in the queue. One that asks for nothing reads as it did before anything could be asked for. */
export function lineOf({ key, agent, labels, uses = [], repository = "", avoids = [] }: Waiting): string {
  const listed = (all: readonly string[]) => all.map(encodeURIComponent).join(" ");
  const asked = [labels.join(" "), listed(uses), repository, listed(avoids)];
  return [agent, key, ...asked.slice(0, asked.findLastIndex(one => one !== "") + 1)].join("\n");
}

export function waitingOf(line: string): Waiting {
  const [agent = "", key = "", labels = "", uses = "", repository = "", avoids = ""] = line.split("\n");
  const words = (text: string) => (text === "" ? [] : text.split(" "));
  return {
    key,
    agent,
    labels: words(labels),
    uses: words(uses).map(decodeURIComponent),
    ...(repository === "" ? {} : { repository }),
    ...(avoids === "" ? {} : { avoids: words(avoids).map(decodeURIComponent) }),
  };
}

/** What a machine can carry out. */
export interface Offer {
  /** Its start. */
  readonly boot: string;
  /** By name. */
  readonly agents: readonly string[];
  /** Its own name among them. */
  readonly labels: readonly string[];
  readonly resources?: Resources;
  /** First commits of the repositories that its owner lets be worked in there; absent: all. */
  readonly repositories?: readonly string[];
}

/** What an order asks of its machine. */
export type Wanted = Omit<Waiting, "key">;

/** How many there are of each resource of a machine. */
export type Resources = Readonly<Record<string, number>>;

export function offered(resources: Resources, name: string): number {
  return Object.hasOwn(resources, name) ? (resources[name] ?? 0) : 0;
}

/** Whether a machine can carry an order out, once nothing else is at work there. */
export function suits(
  { boot, agents, labels, resources = {}, repositories }: Offer,
  { agent, labels: wanted, uses = [], repository, avoids = [] }: Wanted,
): boolean {
  return (
    !avoids.includes(boot) &&
    agents.includes(agent) &&
    wanted.every(label => labels.includes(label)) &&
    uses.every(name => offered(resources, name) > 0) &&
    (repository === undefined || repositories === undefined || repositories.includes(repository))
  );
}

/** How often what is held uses a resource. */
export function timesUsed(uses: Iterable<readonly string[]>, name: string): number {
  let times = 0;
  for (const used of uses) if (used.includes(name)) times++;
  return times;
}

/** A resource that what a machine holds leaves none of for an order. */
export function inUse(
  held: Iterable<readonly string[]>,
  resources: Resources,
  { uses = [] }: Pick<Waiting, "uses">,
): string | undefined {
  const all = [...held];
  return uses.find(name => timesUsed(all, name) >= offered(resources, name));
}

/** What a machine takes: so many orders that it can carry out. */
export interface Taking extends Offer {
  readonly machine: string;
  readonly free: number;
}

/** An order that a machine has taken, as whoever knows the order itself has to know it. */
export interface Taken extends Pick<KeptOrder, "change" | "told" | "cancel"> {
  readonly key: string;
}

/** The order with what was said to it; each thing once, however often it arrives. */
export function withMessage(kept: KeptOrder, message: OrderMessage): KeptOrder {
  const isKnown = kept.told.some(one => {
    if (one.type === "turn") return message.type === "turn" && message.turn <= one.turn;
    if (one.type === "answer") return message.type === "answer" && message.question === one.question;
    return message.type === "end";
  });
  return isKnown || isOver(kept) ? kept : { ...kept, change: kept.change + 1, told: [...kept.told, message] };
}

export function isOver({ life }: Pick<KeptOrder, "life">): boolean {
  return life.at === "closed" || life.at === "lost" || life.at === "withdrawn";
}

/** An order that was refused, as it waits for another machine; what it uses its pool knows. */
export function waitingAgain(key: string, { order, refused = [] }: KeptOrder): Waiting | undefined {
  if (order === undefined) return undefined;
  const { agent, labels = [], base } = order;
  const of = base === undefined ? {} : { repository: base.repository };
  return { key, agent, labels, ...of, avoids: refused.map(({ boot }) => boot) };
}

/** Whether this start of a machine is the one that works on an order. */
export function isHeldBy({ life }: Pick<KeptOrder, "life">, machine: string, boot: string): boolean {
  return life.at === "held" && life.machine === machine && life.boot === boot;
}

/** An order that is over, without what nobody asks for any more. */
export function over(kept: KeptOrder, life: Life): KeptOrder {
  return { pool: kept.pool, change: kept.change + 1, life, told: [] };
}

/** What a pool keeps of a machine that says hello: the orders of its earlier start are named, and gone from it. */
export function withHello(
  pool: KeptPool,
  machine: string,
  boot: string,
): { readonly pool: KeptPool; readonly lost: readonly string[] } {
  const known = pool.machines[machine];
  if (known?.boot === boot) return { pool, lost: [] };
  const fresh = { boot, holds: [], draining: known?.draining ?? false };
  return { pool: { ...pool, machines: { ...pool.machines, [machine]: fresh } }, lost: known?.holds ?? [] };
}

/** The pool without a machine, and the orders that this one held; that it takes nothing more stays known, unless it is given up for good. */
export function withoutMachine(
  pool: KeptPool,
  machine: string,
  isForGood: boolean,
): { readonly pool: KeptPool; readonly lost: readonly string[] } {
  const { [machine]: gone, ...others } = pool.machines;
  const isDrained = gone?.draining === true && !isForGood;
  const machines = isDrained ? { ...others, [machine]: { boot: "", holds: [], draining: true } } : others;
  return { pool: { ...pool, machines }, lost: gone?.holds ?? [] };
}

/** The pool with a machine that holds these, too. */
export function withHeld(pool: KeptPool, machine: string, held: readonly Waiting[]): KeptPool {
  const own = pool.machines[machine];
  if (own === undefined) return pool;
  const using = held.flatMap(({ key, uses = [] }) => (uses.length === 0 ? [] : [[key, uses] as const]));
  return withMachine(pool, machine, {
    holds: [...own.holds, ...held.map(({ key }) => key)],
    ...(using.length === 0 ? {} : { uses: { ...own.uses, ...Object.fromEntries(using) } }),
  });
}

/** The pool with a machine that holds these no more. */
export function withoutHeld(pool: KeptPool, machine: string, keys: readonly string[]): KeptPool {
  const own = pool.machines[machine];
  if (own === undefined) return pool;
  const gone = new Set(keys);
  const uses = Object.entries(own.uses ?? {}).filter(([key]) => !gone.has(key));
  return withMachine(pool, machine, {
    holds: own.holds.filter(key => !gone.has(key)),
    ...(own.uses === undefined ? {} : { uses: Object.fromEntries(uses) }),
  });
}

/** The pool with one of its machines changed. */
export function withMachine(pool: KeptPool, machine: string, part: Partial<KeptMachine>): KeptPool {
  const known = pool.machines[machine];
  if (known === undefined) return pool;
  return { ...pool, machines: { ...pool.machines, [machine]: { ...known, ...part } } };
}
