import { deepStrictEqual, ok as isTrue, strictEqual } from "node:assert/strict";
import { z } from "zod";
import { orderMessageShape, orderShape, reportShape } from "../fleet/index.ts";
import {
  type Agent,
  type Fleet,
  fail,
  type Order,
  type OrderEvent,
  ok,
  type Report,
} from "../ports/index.ts";
import { RAW, type Script, scriptedAgent } from "./scripted-agent.ts";
import type { ConformanceCase } from "./store.ts";

/** What an adapter's author hands to the suite. */
export interface FleetSetup {
  /** A fleet whose machines have these agents. Called once for each case. */
  readonly fleet: (agents: readonly Agent[]) => FleetPlace | Promise<FleetPlace>;
  /** Why no machine of it can be lost while its coordinator lives, in words. */
  readonly noLoss?: string;
}

/** One fleet to test. */
export interface FleetPlace {
  readonly fleet: Fleet;
  /** Ends every machine at once, without a word. */
  readonly lose?: () => void | Promise<void>;
  /** Called once at the end. */
  readonly dispose?: () => void | Promise<void>;
}

/** A fleet at the other end of a wire: what goes there and comes back passes through JSON, by the shapes of the protocol. */
export function overJson(fleet: Fleet): Fleet {
  const through = <T>(shape: z.ZodType<T>, value: T): T =>
    z.decode(shape, JSON.parse(JSON.stringify(z.encode(shape, value))));
  return {
    ...fleet,
    submit: order => fleet.submit(through(orderShape, order)),
    tell: (id, message) => fleet.tell(id, through(orderMessageShape, message)),
    async *follow(id, fromSeq) {
      for await (const report of fleet.follow(id, fromSeq)) yield through<Report>(reportShape, report);
    },
  };
}

/** What a case works with. */
interface Bench {
  readonly fleet: Fleet;
  readonly script: Script;
  readonly lose: () => Promise<void>;
}

type Opening = Parameters<typeof scriptedAgent>[1];

interface Rule {
  readonly name: string;
  readonly needs?: "loss";
  readonly opening?: Opening;
  readonly check: (bench: Bench) => Promise<void>;
}

function order(given: Partial<Order> = {}): Order {
  return {
    version: 1,
    id: "token/1",
    agent: "scripted",
    message: "first",
    task: "T1.1",
    attempt: 1,
    token: "token",
    cwd: "/",
    env: { GREETING: "salut" },
    limits: { wallMs: 60_000, idleMs: 60_000, graceMs: 1000, logBytes: 1 << 20 },
    asks: false,
    ...given,
  };
}

/** Every report from a number on. */
async function all(fleet: Fleet, from = 1, id = "token/1"): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for await (const report of fleet.follow(id, from)) reports.push(report);
  return reports;
}

/** Follows until an event matches, and leaves; the reports so far. */
async function until(fleet: Fleet, matches: (event: OrderEvent) => boolean, from = 1): Promise<Report[]> {
  const reports: Report[] = [];
  for await (const report of fleet.follow("token/1", from)) {
    reports.push(report);
    if (matches(report.event)) return reports;
  }
  throw new Error(`no such report among ${JSON.stringify(reports.map(({ event }) => event.type))}`);
}

const isEnd = ({ type }: OrderEvent): boolean => type === "ended";
const typesOf = (reports: readonly Report[]): string[] => reports.map(({ event }) => event.type);

/** Hands an order over and ends it after its first turn. */
async function carriedOut(fleet: Fleet, given: Partial<Order> = {}): Promise<readonly Report[]> {
  deepStrictEqual(await fleet.submit(order(given)), ok(undefined));
  await fleet.tell("token/1", { type: "end" });
  return all(fleet);
}

const RULES: readonly Rule[] = [
  {
    name: "[FL1] tells an order from its beginning to its end, each report once and in its order",
    async check({ fleet, script }) {
      const reports = await carriedOut(fleet);
      deepStrictEqual(
        reports.map(({ seq }) => seq),
        reports.map((_, at) => at + 1),
      );
      deepStrictEqual(typesOf(reports), ["opened", "process", "output", "usage", "line", "ended", "closed"]);
      strictEqual(script.closed, 1);
    },
  },
  {
    name: "[FL2] carries an order out once, however often it is submitted",
    async check({ fleet, script }) {
      for (let times = 0; times < 3; times++) isTrue((await fleet.submit(order())).ok);
      await fleet.tell("token/1", { type: "end" });
      await all(fleet);
      isTrue((await fleet.submit(order({ message: "again" }))).ok);
      deepStrictEqual(script.messages, ["first"]);
    },
  },
  {
    name: "[FL3] goes on from any report that has not arrived, and whoever leaves changes nothing",
    async check({ fleet }) {
      isTrue((await fleet.submit(order())).ok);
      const first = await until(fleet, ({ type }) => type === "output");
      const seq = first.at(-1)?.seq ?? 0;
      const again = await until(fleet, isEnd, seq);
      deepStrictEqual(again[0], first.at(-1));
      await fleet.tell("token/1", { type: "end" });
      deepStrictEqual(typesOf(await all(fleet, again.at(-1)!.seq + 1)), ["closed"]);
    },
  },
  {
    name: "[FL4] says of an order that it does not know that it is lost, and hears nothing for it",
    async check({ fleet }) {
      await fleet.tell("other/1", { type: "end" });
      await fleet.cancel("other/1", "hard");
      deepStrictEqual(typesOf(await all(fleet, 1, "other/1")), ["lost"]);
    },
  },
  {
    name: "[FL5] takes no order for an agent that no machine has",
    async check({ fleet }) {
      const taken = await fleet.submit(order({ agent: "nobody" }));
      strictEqual(taken.ok ? "" : taken.failure.kind, "no-machine");
      isTrue(!taken.ok && taken.failure.message !== "");
    },
  },
  {
    name: "[FL6] begins each further turn once, after the one before",
    async check({ fleet, script }) {
      isTrue((await fleet.submit(order())).ok);
      for (const turn of [2, 2, 3, 2])
        await fleet.tell("token/1", { type: "turn", turn, text: `turn ${turn}` });
      await fleet.tell("token/1", { type: "end" });
      const reports = await all(fleet);
      deepStrictEqual(script.messages, ["first", "turn 2", "turn 3"]);
      strictEqual(reports.filter(({ event }) => isEnd(event)).length, 3);
    },
  },
  {
    name: "[FL7] hands a question over and its answer back",
    async check({ fleet, script }) {
      isTrue((await fleet.submit(order({ message: "ask", asks: true }))).ok);
      const [, ...reports] = await until(fleet, ({ type }) => type === "question");
      deepStrictEqual(reports.at(-1)?.event, {
        type: "question",
        question: 1,
        kind: "execute",
        title: "rm -rf build",
      });
      for (const answer of ["allowed", "rejected"] as const)
        await fleet.tell("token/1", { type: "answer", question: 1, answer, by: "person" });
      await fleet.tell("token/1", { type: "end" });
      await all(fleet, (reports.at(-1)?.seq ?? 0) + 1);
      deepStrictEqual(script.answers, [{ answer: "allowed", by: "person" }]);
    },
  },
  {
    name: "[FL7] asks nobody where nobody answers",
    async check({ fleet, script }) {
      isTrue(!typesOf(await carriedOut(fleet, { message: "ask" })).includes("question"));
      deepStrictEqual(script.answers, [undefined]);
    },
  },
  {
    name: "[FL8] hands raw output over byte for byte, whatever becomes of its memory",
    async check({ fleet }) {
      const reports = await carriedOut(fleet);
      const output = reports.flatMap(({ event }) => (event.type === "output" ? [...event.bytes] : []));
      deepStrictEqual(output, [...RAW]);
    },
  },
  ...(["soft", "hard"] as const).map(
    (how): Rule => ({
      name: `[FL9] ends a turn that is cancelled (${how}), and then the order`,
      async check({ fleet, script }) {
        isTrue((await fleet.submit(order({ message: "wait" }))).ok);
        const before = await until(fleet, ({ type }) => type === "line");
        await fleet.cancel("token/1", how);
        const [ended] = (await until(fleet, isEnd, before.at(-1)!.seq + 1)).slice(-1);
        isTrue(ended?.event.type === "ended" && ended.event.end.kind === "failed");
        await fleet.tell("token/1", { type: "end" });
        deepStrictEqual(typesOf(await all(fleet, ended.seq + 1)), ["closed"]);
        deepStrictEqual(script.cancels, [how]);
      },
    }),
  ),
  {
    name: "[FL9] begins no turn of an order that is cancelled before its agent is open",
    opening: () => new Promise(resolve => setTimeout(() => resolve(ok(undefined)), 50)),
    async check({ fleet, script }) {
      isTrue((await fleet.submit(order())).ok);
      await fleet.cancel("token/1", "soft");
      await fleet.tell("token/1", { type: "end" });
      deepStrictEqual(typesOf(await all(fleet)), ["refused", "closed"]);
      deepStrictEqual(script.messages, []);
    },
  },
  {
    name: "[FL10] ends nothing by an end that arrives while a turn runs: the turn comes first",
    async check({ fleet, script }) {
      isTrue((await fleet.submit(order({ message: "wait" }))).ok);
      const before = await until(fleet, ({ type }) => type === "line");
      await fleet.tell("token/1", { type: "end" });
      strictEqual(script.closed, 0);
      await fleet.cancel("token/1", "soft");
      deepStrictEqual(typesOf(await all(fleet, before.at(-1)!.seq + 1)), ["ended", "closed"]);
    },
  },
  {
    name: "[FL11] tells why an agent could not be opened",
    opening: async () => fail({ kind: "auth", message: "not logged in", retryable: false, exitCode: 3 }),
    async check({ fleet }) {
      const reports = await carriedOut(fleet);
      deepStrictEqual(typesOf(reports), ["refused", "closed"]);
      deepStrictEqual(reports[0]?.event, {
        type: "refused",
        failure: { kind: "auth", message: "not logged in", retryable: false, exitCode: 3 },
      });
    },
  },
  {
    name: "[FL11] ends an order whose agent breaks its contract",
    async check({ fleet, script }) {
      const reports = await carriedOut(fleet, { message: "throw" });
      deepStrictEqual(typesOf(reports), ["opened", "refused", "closed"]);
      strictEqual(script.closed, 1);
    },
  },
  {
    name: "[FL12] gives an agent what its order says, and a way to log",
    async check({ fleet, script }) {
      const given = { script: "make", resume: "s-1", writable: ["/tmp/x"], mcp: [MCP] };
      await carriedOut(fleet, given);
      const { task, attempt, token, cwd, env } = order();
      const [request] = script.requests;
      const { limits: _, log, ask, mask: __, ...said } = request!;
      deepStrictEqual(said, { task, attempt, token, cwd, env, ...given });
      deepStrictEqual([typeof log, typeof ask], ["function", "undefined"]);
    },
  },
  {
    name: "[FL13] names its machines and what their agents can do",
    async check({ fleet }) {
      const machines = await fleet.machines();
      const agents = machines.flatMap(machine => machine.agents);
      isTrue(machines.length > 0 && machines.every(({ name }) => name !== ""));
      strictEqual(agents.find(({ name }) => name === "scripted")?.abilities?.asks, true);
      const [first] = await carriedOut(fleet);
      isTrue(
        first?.event.type === "opened" &&
          machines.some(({ name }) => name === (first.event as Opened).machine),
      );
    },
  },
  {
    name: "[FL14] says that an order is lost whose machine is gone",
    needs: "loss",
    async check({ fleet, lose }) {
      isTrue((await fleet.submit(order({ message: "wait" }))).ok);
      const before = await until(fleet, ({ type }) => type === "line");
      await lose();
      strictEqual(typesOf(await all(fleet, before.at(-1)!.seq + 1)).at(-1), "lost");
    },
  },
];

type Opened = Extract<OrderEvent, { readonly type: "opened" }>;

const MCP = { name: "own", command: "node", args: ["x.js"], env: { A: "b" } };

/** Every requirement of the Fleet port, as cases for any test runner: each once as it is, and once through JSON. */
export function fleetConformance(setup: FleetSetup): readonly ConformanceCase[] {
  return RULES.flatMap(({ name, needs, opening, check }) =>
    [false, true].map(isWired => ({
      name: isWired ? `${name}, through JSON` : name,
      ...(needs === "loss" && setup.noLoss !== undefined ? { skip: setup.noLoss } : {}),
      async run() {
        const { agent, script } = scriptedAgent("scripted", opening);
        const place = await setup.fleet([agent]);
        const { fleet, lose } = place;
        try {
          await check({
            fleet: isWired ? overJson(fleet) : fleet,
            script,
            async lose() {
              await lose?.();
            },
          });
        } finally {
          await place.dispose?.();
        }
      },
    })),
  );
}
