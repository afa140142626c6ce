import { expect, it } from "vitest";
import type { HubClient, HubFailure } from "../../src/adapters/fleet/hub-client.ts";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { type Agent, fail, ok } from "../../src/ports/index.ts";
import { startWorker } from "../../src/worker/index.ts";
import { order } from "../order.ts";

const failure = (code: string, retryable: boolean): HubFailure => ({
  code,
  retryable,
  message: code,
  said: { code, message: code } as unknown as HubFailure["said"],
});

/** A machine with an agent that works until it is ended, at a hub that answers so; `told` hears what becomes of both. */
function machineAt(ask: (call: string, begun: Promise<void>) => Promise<unknown>, told: string[]) {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const agent: Agent = {
    portVersion: 1,
    name: "slow",
    reports: "signal",
    probe: async () => ({ found: true }),
    open: async () =>
      ok({
        async *turn() {
          begun.resolve();
          await over.promise;
          yield { type: "ended", end: { kind: "cancelled", finalMessage: "" } } as never;
        },
        async cancel() {
          told.push("the agent is ended");
          over.resolve();
        },
        close: async () => {},
      }),
  };
  const client = {
    url: "http://hub",
    token: "t",
    close: () => {},
    ask: (call: string) => ask(call, begun.promise),
  } as unknown as HubClient;
  return startWorker({
    client,
    fleet: createLocalFleet({ agents: new Map([["slow", agent]]) }),
    agents: [{ name: "slow", reports: "signal" }],
    labels: [],
    slots: 1,
    bench: {
      open: async given => ok(given),
      handIn: async () => undefined,
      keep: async () => void told.push("its work is kept"),
      leave: async () => {},
    },
    tell(news) {
      if (news.type === "over") told.push(news.how);
      if (news.type === "unreachable") told.push("the hub is away");
    },
  });
}

const NOTHING = { told: [], replies: [], cancels: [], arrived: [], dropped: [] };
const ENDED = ["the agent is ended", "its work is kept", "dropped"];

it("[WK15] a worker that is let in no more ends its agents before it ends, also where it is shut out at its greeting", async () => {
  const told: string[] = [];
  let greetings = 0;
  let beats = 0;
  const worker = machineAt(async (call, begun) => {
    if (call === "hello" && greetings++ === 0) return ok({ machine: "m1", beatMs: 20, leaseMs: 60_000 });
    if (call === "hello") return fail(failure("no-token", false));
    if (call === "reports") return fail(failure("unreachable", true));
    if (beats++ === 0) return ok({ ...NOTHING, orders: [order({ agent: "slow" })] });
    await begun;
    // Whose token was taken back is given up by the hub, which does not know it any more.
    return fail(failure("unknown", false));
  }, told);
  await worker.ended.catch(() => told.push("the worker ends"));
  expect(told).toEqual([...ENDED, "the worker ends"]);
});

it("[WK4] [WK78] a worker that waits for its agents while its hub is away ends them with its lease, and tells that once", async () => {
  const told: string[] = [];
  let beats = 0;
  let calls = 0;
  const away = Promise.withResolvers<void>();
  const worker = machineAt(async (call, begun) => {
    if (call === "hello" && beats === 0) return ok({ machine: "m1", beatMs: 20, leaseMs: 1000 });
    if (call === "sync" && beats++ === 0) return ok({ ...NOTHING, orders: [order({ agent: "slow" })] });
    await begun;
    if (call !== "reports") calls++;
    away.resolve();
    return fail(failure("unreachable", true));
  }, told);
  await away.promise;
  worker.stop("soft");
  await worker.ended;
  expect(told).toEqual(["the hub is away", ...ENDED]);
  expect(calls).toBeLessThan(12);
});
