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

it("[WK15] a worker that is let in no more ends its agents before it ends, also where it is shut out at its greeting", async () => {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const told: string[] = [];
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
  let greetings = 0;
  let beats = 0;
  const client = {
    url: "http://hub",
    token: "t",
    close: () => {},
    async ask(call: string) {
      if (call === "hello" && greetings++ === 0) return ok({ machine: "m1", beatMs: 20, leaseMs: 60_000 });
      if (call === "hello") return fail(failure("no-token", false));
      if (call === "reports") return fail(failure("unreachable", true));
      const none = { told: [], replies: [], cancels: [], arrived: [], dropped: [] };
      if (beats++ === 0) return ok({ ...none, orders: [order({ agent: "slow" })] });
      await begun.promise;
      // Whose token was taken back is given up by the hub, which does not know it any more.
      return fail(failure("unknown", false));
    },
  } as unknown as HubClient;
  const worker = startWorker({
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
    tell: news => news.type === "over" && told.push(news.how),
  });
  await worker.ended.catch(() => told.push("the worker ends"));
  expect(told).toEqual(["the agent is ended", "its work is kept", "dropped", "the worker ends"]);
});
