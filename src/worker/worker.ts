import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { hubError } from "../adapters/fleet/hub.ts";
import type { HubClient, HubFailure } from "../adapters/fleet/hub-client.ts";
import {
  helloShape,
  leaveShape,
  syncShape,
  type Tasks,
  tasksShape,
  WIRE,
  welcomeShape,
} from "../fleet/index.ts";
import type { AgentFacts, AgentProbe, Fleet, HubSaid, Order } from "../ports/index.ts";
import type { Bench } from "./bench.ts";
import { type Carrying, carry } from "./carrying.ts";

export interface WorkerOptions {
  readonly client: HubClient;
  /** The machine itself: agents that run here. */
  readonly fleet: Fleet;
  readonly agents: readonly AgentFacts[];
  /** What this machine has that tasks ask for. */
  readonly labels: readonly string[];
  /** Named things of this machine that only so many orders use at once. */
  readonly resources?: Readonly<Record<string, number>>;
  /** First commits of the repositories that its owner lets be worked in here; absent: all. */
  readonly repositories?: readonly string[];
  readonly slots: number;
  readonly bench: Bench;
  /** Whether its disk has room for more; without it nothing more is taken. */
  readonly hasRoom?: () => boolean;
  /** Whether it takes nothing for a while, because what it started last was not there. */
  readonly rests?: () => boolean;
  /** What a person who watches the worker is told. */
  readonly tell: (news: WorkerNews) => void;
}

export type WorkerNews =
  /** With the names of its agents. */
  | { readonly type: "joined"; readonly machine: string; readonly agents: readonly string[] }
  /** An agent that its owner names, and that is not fit to work here. */
  | { readonly type: "missing"; readonly agent: string; readonly probe: AgentProbe }
  | { readonly type: "unreachable"; readonly said: HubSaid }
  | { readonly type: "full" }
  /** What was to carry an order out was not there; another machine may take that. */
  | { readonly type: "not-spawned"; readonly task: string; readonly message: string }
  | { readonly type: "order"; readonly id: string; readonly task: string; readonly agent: string }
  | { readonly type: "over"; readonly id: string; readonly task: string; readonly how: "closed" | "dropped" };

/** What an agent asks the run for its own task. */
export interface AgentCall {
  readonly task: string;
  readonly token: string;
  readonly op: string;
  /** The whole, as JSON. */
  readonly text: string;
}

export interface Worker {
  /** Ends when it was stopped, or sent away. Rejects with EspalierError where the hub refuses it. */
  readonly ended: Promise<void>;
  /** Asks the run for an agent that works on one of its orders; undefined where none has this token, or nobody answers any more. */
  call(asked: AgentCall): Promise<string | undefined>;
  /** Takes nothing more and ends once nothing is under way; `hard` ends what is. */
  stop(how: "soft" | "hard"): void;
}

/** Milliseconds that a goodbye may take: without one the machine is missed after its lease. */
const GOODBYE_MS = 3000;

/** Milliseconds between two tries to reach a hub, at first and at most. */
const AGAIN_MS = [200, 5000] as const;

/** Works for a hub: it is called, and calls nobody. */
export function startWorker(options: WorkerOptions): Worker {
  const { client, agents, labels, resources = {}, repositories, slots, tell } = options;
  const only = repositories === undefined ? {} : { repositories: [...repositories] };
  const boot = randomUUID();
  const carrying = new Map<string, Carrying>();
  /** Orders that were carried out here: none of them begins twice. */
  const seen = new Set<string>();
  let stopping: "soft" | "hard" | undefined;
  let beatMs = 1000;
  let leaseMs = 120_000;
  let machine = "";
  let heardAt = performance.now();
  let isFull = false;
  /** Whether it was told that the hub is not reached. */
  let isAway = false;
  /** Resolves at the next thing that the hub is told before its beat. */
  let news = Promise.withResolvers<void>();
  /** Resolves when a stop is told while the hub is asked for work. */
  let stopped = Promise.withResolvers<void>();
  const tellHub = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const running = () => [...carrying.values()].filter(one => !one.isDone).length;

  const tellAway = ({ said }: HubFailure) => {
    if (!isAway) tell({ type: "unreachable", said });
    isAway = true;
  };

  async function hello(): Promise<void> {
    for (let wait: number = AGAIN_MS[0]; ; wait = Math.min(wait * 2, AGAIN_MS[1])) {
      const given = { wire: WIRE, boot, slots, agents: [...agents], labels: [...labels], resources, ...only };
      const heard = await client.ask("hello", helloShape, given, welcomeShape);
      if (heard.ok) {
        ({ machine, beatMs, leaseMs } = heard.value);
        heardAt = performance.now();
        isAway = false;
        tell({ type: "joined", machine, agents: agents.map(({ name }) => name) });
        // A hub that was started anew has nothing of what is on its way.
        for (const one of carrying.values()) one.again();
        return;
      }
      if (!heard.failure.retryable) throw hubError(heard.failure);
      tellAway(heard.failure);
      checkLease();
      // What is under way is waited for also where the hub is away: as long as its lease.
      if (stopping === "hard" || (stopping !== undefined && running() === 0)) return;
      await pause(wait);
    }
  }

  /** Whoever was not heard for so long has lost its orders: two agents never work on one task for long. */
  function checkLease(): void {
    if (performance.now() - heardAt > leaseMs) for (const one of carrying.values()) one.drop();
  }

  function begin(order: Order): void {
    if (seen.has(order.id)) return;
    seen.add(order.id);
    tell({ type: "order", id: order.id, task: order.task, agent: order.agent });
    // A slot is free: that is news for the hub.
    const one = carry({ ...options, boot, machine, whenDone: tellHub }, order);
    carrying.set(order.id, one);
    void one.over.then(how => {
      carrying.delete(order.id);
      tell({ type: "over", id: order.id, task: order.task, how });
      tellHub();
    });
  }

  function follow(tasks: Tasks): void {
    // Whoever leaves right away begins nothing: the hub gives it to others then.
    const leaves = stopping === "hard" || (stopping !== undefined && running() === 0);
    if (!leaves) for (const order of tasks.orders) begin(order);
    for (const { id, call, text } of tasks.replies) carrying.get(id)?.reply(call, text);
    for (const { id, from, messages } of tasks.told) carrying.get(id)?.hear(from, messages);
    for (const { id, how, number } of tasks.cancels) carrying.get(id)?.cancel(how, number);
    for (const { id, seq } of tasks.arrived) carrying.get(id)?.arrived(seq);
    for (const id of tasks.dropped) carrying.get(id)?.drop();
  }

  /** How many more it takes: none while its disk is full, which is told once. */
  function freeSlots(): number {
    const wasFull = isFull;
    isFull = options.hasRoom?.() === false;
    if (isFull && !wasFull) tell({ type: "full" });
    return stopping === undefined && !isFull && options.rests?.() !== true
      ? Math.max(0, slots - running())
      : 0;
  }

  async function work(): Promise<void> {
    await hello();
    // What has ended is with the hub: its coordinator gets it from there.
    while (stopping === undefined || running() > 0) {
      const held = [...carrying].map(([id, { heard, calls }]) => ({ id, heard, calls: [...calls] }));
      const free = freeSlots();
      const given = { boot, free, ...(isFull ? { full: true as const } : {}), holds: held, wait: beatMs };
      const asking = client.ask("sync", syncShape, given, tasksShape, beatMs + 20_000);
      stopped = Promise.withResolvers();
      // A slot that becomes free is offered at once, not at the next beat; so is a stop told, after which none is free.
      const sooner = free === 0 ? news.promise : stopped.promise;
      const heard = await Promise.race([asking, sooner.then(() => undefined)]);
      if (heard === undefined) continue;
      if (heard.ok) {
        heardAt = performance.now();
        follow(heard.value);
        continue;
      }
      await trouble(heard.failure);
    }
  }

  async function trouble(failure: HubFailure): Promise<void> {
    if (failure.code === "unknown") return hello();
    if (!failure.retryable) throw hubError(failure);
    tellAway(failure);
    // A hub that takes a greeting and answers nothing else is not asked as often as it can.
    await pause(AGAIN_MS[0]);
    await hello();
  }

  async function endAll(): Promise<void> {
    const left = [...carrying.values()];
    for (const one of left) one.end();
    await Promise.all(left.map(one => one.over));
  }

  /** Whatever ends this work ends its agents: nobody would hear of them. */
  async function whole(): Promise<void> {
    try {
      await work();
      await endAll();
      await client.ask("leave", leaveShape, { boot }, z.null(), GOODBYE_MS);
    } catch (error) {
      await endAll();
      throw error;
    }
  }

  const ended = whole();
  return {
    ended,
    call({ task, token, op, text }) {
      const isOwn = ({ isDone, order }: Carrying) => !isDone && order.task === task && order.token === token;
      return [...carrying.values()].find(isOwn)?.call(op, text) ?? Promise.resolve(undefined);
    },
    stop(how) {
      stopping = how;
      stopped.resolve();
      if (how === "hard") for (const one of carrying.values()) one.end();
      tellHub();
    },
  };
}
