import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { type Agent, because, ok } from "../../src/ports/index.ts";
import { fleetConformance } from "../../src/testing/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { LIMITS, order } from "../order.ts";

const cases = fleetConformance({
  fleet: agents => ({ fleet: createLocalFleet({ agents: new Map(agents.map(one => [one.name, one])) }) }),
  noLoss: "its one machine is this process",
});

describe("the fleet that is this process", () => {
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });

  it("[FL15] takes no more from an agent that nobody listens to than a bounded part, and all of it in the end", async () => {
    let told = 0;
    const flood: Agent = {
      ...scriptedAgent("flood").agent,
      open: async () =>
        ok({
          async *turn() {
            for (; told < 4000; told++)
              yield { type: "line", stream: "stdout", text: "x".repeat(1000) } as const;
            const end = { kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 } as const;
            yield { type: "ended", end } as const;
          },
          cancel: async () => {},
          close: async () => {},
        }),
    };
    const fleet = createLocalFleet({ agents: new Map([["flood", flood]]) });
    await fleet.submit(order({ agent: "flood" }));
    await fleet.tell("tokenx/1", { type: "end" });
    await setTimeout(50);
    expect(told).toBeGreaterThan(100);
    expect(told).toBeLessThan(1100);
    const lines = [];
    for await (const { event } of fleet.follow("tokenx/1", 1)) if (event.type === "line") lines.push(event);
    expect(lines).toHaveLength(4000);
  });

  it.each([
    ["in a promise", async () => Promise.reject(new Error("a contract was broken"))],
    [
      "at once",
      () => {
        throw new Error("a contract was broken");
      },
    ],
  ] as const)(
    "[FL11] ends an order whose agent throws when it is cancelled and closed: %s",
    async (_, fail) => {
      const { agent } = scriptedAgent("mine");
      const broken: Agent = {
        ...agent,
        open: async request => {
          const opened = await agent.open(request);
          if (!opened.ok) return opened;
          const { cancel } = opened.value;
          const breaking = (how: "soft" | "hard") => {
            void cancel(how);
            return fail();
          };
          return ok({ ...opened.value, cancel: breaking, close: fail });
        },
      };
      const fleet = createLocalFleet({ agents: new Map([["mine", broken]]) });
      await fleet.submit(order({ agent: "mine", message: "wait" }));
      await fleet.tell("tokenx/1", { type: "end" });
      const types = [];
      for await (const { event } of fleet.follow("tokenx/1", 1)) {
        types.push(event.type);
        if (event.type === "line") await fleet.cancel("tokenx/1", "soft");
      }
      expect(types.slice(-2)).toEqual(["ended", "closed"]);
    },
  );

  it.each(["soft", "hard", undefined] as const)(
    "[FL19] waits no longer than its limits for an agent that never ends, cancelled: %s",
    async how => {
      const never = () => new Promise<never>(() => {});
      const { agent } = scriptedAgent("mine");
      const endless: Agent = {
        ...agent,
        open: async () =>
          ok({
            async *turn() {
              yield { type: "line", stream: "stdout", text: "here" } as const;
              yield await never();
            },
            cancel: never,
            close: never,
          }),
      };
      const fleet = createLocalFleet({ agents: new Map([["mine", endless]]), patienceMs: 20 });
      const limits = { ...LIMITS, wallMs: how === undefined ? 50 : LIMITS.wallMs, graceMs: 50 };
      await fleet.submit(order({ agent: "mine", limits }));
      const events = [];
      for await (const { event } of fleet.follow("tokenx/1", 1)) {
        events.push(event);
        if (event.type === "line" && how !== undefined) await fleet.cancel("tokenx/1", how);
      }
      const kind = how === undefined ? "unsuitable" : "cancelled";
      expect(events.slice(-2)).toMatchObject([
        { type: "ended", end: { kind: "failed", failure: { kind, retryable: how !== undefined } } },
        { type: "closed" },
      ]);
    },
  );

  it("[FL19] refuses an order whose agent does not open", async () => {
    const { agent } = scriptedAgent("mine");
    const endless: Agent = { ...agent, open: () => new Promise<never>(() => {}) };
    const fleet = createLocalFleet({ agents: new Map([["mine", endless]]), patienceMs: 20 });
    await fleet.submit(order({ agent: "mine", limits: { ...LIMITS, wallMs: 20, graceMs: 0 } }));
    const events = [];
    for await (const { event } of fleet.follow("tokenx/1", 1)) events.push(event);
    expect(events).toMatchObject([
      { type: "refused", failure: { reason: because("agent-endless", { agent: "mine" }) } },
      { type: "closed" },
    ]);
  });

  it("[FL3] does not tell again what has arrived", async () => {
    const fleet = createLocalFleet({ agents: new Map() });
    const types = [];
    for await (const { event } of fleet.follow("tokenx/1", 3)) types.push(event.type);
    expect(types).toEqual(["lost"]);
    expect((await fleet.submit(order())).ok).toBe(false);
  });
});
