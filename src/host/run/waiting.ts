import type { Stuck } from "../../fleet/index.ts";
import { because, type Order, type Reason, type Waits } from "../../ports/index.ts";

/** What no machine of a hub begins, and why. */
export interface Waiting {
  /** An order is about to be handed over; `hear` is told why it waits. */
  begins(order: Wanting, hear: Waits | undefined): void;
  /** A machine has it, or nobody waits for it any more. */
  over(id: string): void;
  /** No machine that is there can take it. */
  refused(id: string, why: Lacking): void;
  /** A machine that is there can take it. */
  taken(id: string): void;
  /** Each machine that could take it has its last one of this in use. */
  inUse(id: string, resource: string, machines: readonly string[]): void;
  /** All orders that wait at the hub and that no machine takes now. */
  stuck(orders: readonly Stuck[]): void;
}

/** What no machine offers or takes of what an order asks for. */
interface Lacking {
  readonly lacks?: readonly string[];
  readonly repository?: string;
}

type Wanting = Pick<Order, "id" | "task" | "agent" | "labels">;

/** How it was found: the hub refused it, took it all the same, or was looked at later. */
type By = "refused" | "in-use" | "stuck";

interface Own {
  readonly order: Wanting;
  readonly hear: Waits | undefined;
  /** Why it waits, as was told last. */
  told?: { readonly why: Reason; readonly by: By };
}

/** Why no machine takes an order. */
function whyStuck(
  { agent, labels }: Wanting,
  { drained, full, lacks = [], repository }: Lacking & Pick<Stuck, "drained" | "full">,
  url: string,
): Reason {
  const has = { agent, ...(labels === undefined ? {} : { labels }) };
  if (full !== undefined) return because("machines-full", { ...has, machines: full });
  if (drained !== undefined) return because("machines-drained", { ...has, machines: drained, url });
  if (lacks.length > 0) return because("no-resource", { resources: lacks });
  if (repository !== undefined) return because("repository-not-taken", { ...has, repository });
  return because("no-machine", has);
}

/** Tells why orders wait for a machine: whoever waits for one, each time that changes, and as a warning once for as long as anything waits for it. */
export function createWaiting(url: string, warn: (code: string, message: Reason) => void): Waiting {
  const orders = new Map<string, Own>();

  function tell(id: string, why: Reason, by: By): void {
    const own = orders.get(id);
    if (own === undefined) return;
    const said = JSON.stringify(why);
    const isSaid = [...orders.values()].some(({ told }) => JSON.stringify(told?.why) === said);
    const isNews = JSON.stringify(own.told?.why) !== said;
    own.told = { why, by };
    if (!isSaid) warn(CODES[why.code] ?? "NO_MACHINE", why);
    if (isNews) own.hear?.(why);
  }

  function clear(own: Own): void {
    if (own.told === undefined) return;
    delete own.told;
    own.hear?.(undefined);
  }

  return {
    begins: (order, hear) => void orders.set(order.id, { order, hear }),
    over(id) {
      const own = orders.get(id);
      orders.delete(id);
      if (own !== undefined) clear(own);
    },
    refused(id, why) {
      const own = orders.get(id);
      if (own !== undefined) tell(id, whyStuck(own.order, why, url), "refused");
    },
    taken(id) {
      const own = orders.get(id);
      if (own?.told?.by === "refused") clear(own);
    },
    inUse(id, resource, machines) {
      const own = orders.get(id);
      if (own === undefined) return;
      tell(id, because("resource-in-use", { task: own.order.task, resource, machines }), "in-use");
    },
    stuck(found) {
      const now = new Set(found.flatMap(({ ids }) => ids));
      for (const [id, own] of orders) if (own.told?.by === "stuck" && !now.has(id)) clear(own);
      for (const { ids, ...why } of found)
        for (const id of ids) {
          const own = orders.get(id);
          if (own !== undefined) tell(id, whyStuck(own.order, why, url), "stuck");
        }
    },
  };
}

const CODES: Readonly<Partial<Record<Reason["code"], string>>> = {
  "machines-drained": "MACHINES_DRAINED",
  "machines-full": "MACHINES_FULL",
  "resource-in-use": "RESOURCE_IN_USE",
};
