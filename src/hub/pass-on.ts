import { type AgentFailure, type AgentProblem, because, type Report } from "../ports/index.ts";
import { type Book, type Known, keyOf } from "./book.ts";
import type { KeyedEngine } from "./engine.ts";
import { isHeldBy, type KeptOrder, type KeptPool, waitingAgain } from "./kept.ts";
import type { Holder } from "./objects.ts";

/** Machines that may refuse an order one after the other before whoever asked for it is told. */
const MOST_REFUSALS = 4;

/** What one machine lacks before it has begun, and another may have: its owner's word, an agent, a login. */
const ITS_OWN: ReadonlySet<AgentProblem> = new Set(["auth", "not-found", "spawn", "unsuitable"]);

/** Whether another machine may carry out what one has refused. */
function isItsOwn({ kind, reason }: AgentFailure): boolean {
  return ITS_OWN.has(kind) && !(reason?.code === "machine-refuses" && reason.args.how === "bare");
}

/** A refusal that names those before it. */
function withOthers(report: Report, others: readonly string[]): Report {
  const { event } = report;
  if (event.type !== "refused" || event.failure.reason?.code !== "machine-refuses") return report;
  const reason = because("machine-refuses", { ...event.failure.reason.args, others });
  return { ...report, event: { ...event, failure: { ...event.failure, reason } } };
}

/**
 * Has another machine take an order that its machine has refused before anything of it began. What of these reports goes on to
 * whoever asked for it; undefined where another machine has it.
 */
export function createPassOn({ engine, book }: { readonly engine: KeyedEngine; readonly book: Book }) {
  const { present, note, able, offer, doubt } = book;

  /** Whether a machine that takes work suits an order that this one has refused. */
  async function isTaken(pool: string, kept: KeptOrder, { key, ...own }: Holder & { key: string }) {
    const refused = [...(kept.refused ?? []), own];
    const waiting = waitingAgain(key, { ...kept, refused });
    const isEnding = kept.cancel !== undefined || kept.told.some(({ type }) => type === "end");
    if (waiting === undefined || isEnding || refused.length >= MOST_REFUSALS) return false;
    const others = able(pool, waiting);
    if (others.length === 0) return false;
    const { machines } = await engine.call<KeptPool>("EspalierPool", pool, "read");
    return others.some(({ machine }) => machines[machine]?.draining !== true);
  }

  return async function passOn(
    pool: string,
    one: Known,
    own: Holder & { readonly key: string },
    reports: readonly Report[],
  ): Promise<readonly Report[] | undefined> {
    const [first, ...rest] = reports;
    const { machine, boot, key } = own;
    if (first?.seq !== 1 || first.event.type !== "refused" || !isItsOwn(first.event.failure)) return reports;
    if (!(await isTaken(pool, one.kept, own))) {
      const others = (one.kept.refused ?? []).map(before => before.machine);
      return others.length === 0 ? reports : [withOthers(first, others), ...rest];
    }
    const kept = await engine.call<KeptOrder | null>("EspalierOrder", key, "decline", { machine, boot });
    if (kept === null || isHeldBy(kept, machine, boot)) return reports;
    note(key, kept);
    if (kept.life.at === "closed" && kept.life.machine === machine) return reports;
    present.get(keyOf(pool, machine))?.holds.delete(key);
    doubt(pool);
    const waiting = waitingAgain(key, kept);
    if (waiting !== undefined) offer(pool, waiting);
    return undefined;
  };
}
