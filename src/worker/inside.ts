import { z } from "zod";
import { insideShape, readyingShape, reportShape, type ToInside, WIRE, weightOf } from "../fleet/index.ts";
import type { AgentFailure, Fleet, Order, OrderEvent, Report, Result } from "../ports/index.ts";

/** Weight of reports that have not arrived, beyond which no more are told. */
const MOST_ON_THE_WAY = 1024 ** 2;
/** Milliseconds between two words that it is getting ready. */
const READYING_EVERY = 10_000;

export interface InsideOptions {
  /** Lines of whoever has started this; their end is its end. */
  readonly lines: AsyncIterable<string>;
  readonly write: (line: string) => void;
  /** The machine that this is, once it is known what for, or why it does not carry that out; throws where it cannot be any. */
  readonly open: (
    order: Order,
  ) => Promise<Result<{ readonly fleet: Fleet; readonly order: Order }, AgentFailure>>;
}

/** Carries one order out for whoever has started this process, and tells them by lines. Rejects where it is not told what to do. */
export async function serveInside({ lines, write, open }: InsideOptions): Promise<void> {
  const told = lines[Symbol.asyncIterator]();
  const first = await told.next();
  const given = first.done === true ? undefined : read(first.value);
  if (given?.is !== "order")
    throw new Error("it is started by espalier worker start --spawn, which says what to do");
  if (given.wire !== WIRE) throw new Error(`this is version ${WIRE}, the worker is version ${given.wire}`);
  const { id } = given.order;
  const tell = (report: Report) =>
    write(JSON.stringify(z.encode(reportShape, report as Report & z.output<typeof reportShape>)));
  const refuse = (failure: AgentFailure) => {
    const told: readonly OrderEvent[] = [{ type: "refused", failure }, { type: "closed" }];
    for (const [at, event] of told.entries()) tell({ version: 1, seq: at + 1, event });
  };
  const opened = await whileReadying(() => open(given.order), write);
  if (!opened.ok) return refuse(opened.failure);
  const { fleet, order } = opened.value;
  const taken = await fleet.submit(order);
  if (!taken.ok) return refuse({ kind: "not-found", message: taken.failure.message, retryable: true });
  let arrived = 0;
  let news = Promise.withResolvers<void>();
  let isLeft = false;
  const listen = async (): Promise<void> => {
    for (let line = await told.next(); line.done !== true; line = await told.next()) {
      const what = read(line.value);
      if (what?.is === "tell") await fleet.tell(id, what.message);
      if (what?.is === "cancel") await fleet.cancel(id, what.how);
      if (what?.is === "arrived") arrived = Math.max(arrived, what.seq);
      news.resolve();
      news = Promise.withResolvers();
    }
    isLeft = true;
    news.resolve();
    await fleet.cancel(id, "hard");
    await fleet.tell(id, { type: "end" });
  };
  void listen();
  const onTheWay: { readonly seq: number; readonly weight: number }[] = [];
  for await (const report of fleet.follow(id, 1)) {
    tell(report);
    onTheWay.push({ seq: report.seq, weight: weightOf(report) });
    for (;;) {
      while (onTheWay[0] !== undefined && onTheWay[0].seq <= arrived) onTheWay.shift();
      const weight = onTheWay.reduce((sum, one) => sum + one.weight, 0);
      if (weight <= MOST_ON_THE_WAY || isLeft) break;
      await news.promise;
    }
  }
}

/** What gets ready may take as long as its `setup`; whoever waits hears meanwhile that it is there. */
async function whileReadying<T>(ready: () => Promise<T>, write: InsideOptions["write"]): Promise<T> {
  const say = () => write(JSON.stringify(z.encode(readyingShape, { is: "readying" })));
  say();
  const again = setInterval(say, READYING_EVERY);
  try {
    return await ready();
  } finally {
    clearInterval(again);
  }
}

function read(line: string): ToInside | undefined {
  try {
    const found = z.safeDecode(insideShape, JSON.parse(line));
    return found.success ? found.data : undefined;
  } catch {
    return undefined;
  }
}
