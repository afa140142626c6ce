import { describe, expect, it } from "vitest";
import type { RunHead, RunShape, TaskCard, TaskNow } from "../../src/server/shapes/run.ts";
import { standsIn } from "../../web/src/graph/filter.ts";
import { listOrder } from "../../web/src/graph/list-order.ts";
import { cardTitles } from "../../web/src/graph/titles.ts";
import { alikeOf, latelyOf, needsOf, quotaOf, runningOf } from "../../web/src/overview/facts.ts";
import { leftWords } from "../../web/src/overview/left.ts";
import { roughly } from "../../web/src/parts/amounts.ts";
import { countStands, doneIn, standOf, totalOf } from "../../web/src/parts/stand.ts";
import { ENGLISH } from "../../web/src/words/english.ts";
import { KOREAN } from "../../web/src/words/korean.ts";

function card(id: string, dependsOn: readonly string[] = [], more: Partial<TaskCard> = {}): TaskCard {
  const [phase = ""] = id.slice(1).split(".");
  return {
    id,
    phase,
    title: id,
    kind: "worker",
    dependsOn: [...dependsOn],
    container: false,
    critical: false,
    ...more,
  };
}

function now(id: string, status: TaskNow["status"], more: Partial<TaskNow> = {}): TaskNow {
  return { id, status, retries: 0, attempts: 0, verified: null, reason: "", notBefore: 0, ...more };
}

const RUN: RunHead = {
  id: "run-1",
  project: "Shop",
  state: "running",
  phase: "1",
  startedAt: 0,
  updatedAt: 0,
  forced: [],
  reason: "",
  file: "TASKS.md",
  attempts: 0,
  tokens: 0,
  costUsd: 0,
  estimated: 0,
  unpriced: 0,
};

function stateOf(
  plan: readonly TaskCard[],
  tasks: readonly TaskNow[],
  more: { run?: Partial<RunHead>; link?: Partial<RunShape["link"]> } = {},
) {
  const link = { live: true, held: false, asked: [], ...more.link };
  const shape = { plan, link, run: { ...RUN, ...more.run } } as unknown as RunShape;
  return { shape, tasks: new Map(tasks.map(task => [task.id, task])) };
}

it("[W150] alike are the same act and the same wish; what somebody has to look at is not decided at once", () => {
  const task = (id: string, ask: "resume" | "retry" | "approve") =>
    ({ kind: "task", task: id, ask, cause: "", behind: 0 }) as const;
  const wish = (id: number, title: string) =>
    ({ kind: "question", id, task: "T", wants: "execute", title }) as const;
  const needs = [
    wish(1, "npm test"),
    task("T1", "resume"),
    task("T2", "retry"),
    task("T3", "approve"),
    wish(2, "npm test"),
    task("T4", "resume"),
    task("T5", "approve"),
    wish(3, "rm -r ."),
  ];
  expect(alikeOf(needs)).toEqual([
    [needs[0], needs[4]],
    [needs[1], needs[5]],
  ]);
});

describe("what needs a person", () => {
  const plan = [
    card("T1.1"),
    card("T1.2"),
    card("T1.3", ["T1.2"]),
    card("T1.4", ["T1.3"]),
    card("T2.1", ["T1.1"]),
  ];

  it("[W94] names what holds most up first, with its cause and what is decided most often", () => {
    const tasks = [
      now("T1.1", "failed", { ask: "retry", reason: "exit 1" }),
      now("T1.2", "paused", { ask: "resume", reason: "which colour?" }),
      now("T1.3", "pending"),
    ];
    expect(needsOf(stateOf(plan, tasks))).toEqual([
      { kind: "task", task: "T1.2", ask: "resume", cause: "which colour?", behind: 2 },
      { kind: "task", task: "T1.1", ask: "retry", cause: "exit 1", behind: 1 },
    ]);
  });

  it("[W94] questions come before all, for an agent stands still; a hold, a gate and a run without a process are told", () => {
    const question = { id: 7, task: "T1.1", attempt: 1, kind: "edit", title: "src/a.ts" };
    const state = stateOf(plan, [now("T1.2", "paused", { ask: "resume" })], {
      run: { gated: "2" },
      link: { asked: [question], held: true },
    });
    expect(needsOf(state).map(need => need.kind)).toEqual(["question", "gate", "task", "held"]);
    const gone = stateOf(plan, [], {
      run: { state: "interrupted", reason: "the machine slept" },
      link: { live: false },
    });
    expect(needsOf(gone)).toEqual([{ kind: "rests", cause: "the machine slept" }]);
    expect(needsOf(stateOf(plan, [], { run: { state: "completed" }, link: { live: false } }))).toEqual([]);
    expect(needsOf(stateOf(plan, []))).toEqual([]);
    expect(needsOf({ shape: undefined, tasks: new Map() })).toEqual([]);
  });

  it("[W94] tasks on a cycle and groups are no reason to count without end, nor twice", () => {
    const ring = [
      card("T1.1", ["T1.3"]),
      card("T1.2", ["T1.1"]),
      card("T1.3", ["T1.2"]),
      card("G", ["T1.3"], { container: true }),
    ];
    expect(needsOf(stateOf(ring, [now("T1.1", "paused", { ask: "resume" })]))).toMatchObject([{ behind: 2 }]);
  });
});

describe("what goes on", () => {
  const tasks = new Map(
    [
      now("T1.1", "in_progress", { since: 50 }),
      now("T1.2", "in_progress", { since: 20, endedAt: 10 }),
      now("T1.3", "completed", { endedAt: 30 }),
      now("T1.4", "failed", { endedAt: 40 }),
      now("T1.5", "waiting", { notBefore: 900 }),
      now("T1.7", "ready", { endedAt: 60 }),
      now("T1.6", "waiting", { notBefore: 700 }),
    ].map(task => [task.id, task]),
  );

  it("[W94] the longest at work first, what ended last first, and until when quota is out", () => {
    expect(runningOf({ tasks }).map(task => task.id)).toEqual(["T1.2", "T1.1"]);
    expect(latelyOf({ tasks }, 5).map(task => task.id)).toEqual(["T1.4", "T1.3"]);
    expect(latelyOf({ tasks }, 1).map(task => task.id)).toEqual(["T1.4"]);
    expect(quotaOf({ tasks })).toEqual({ count: 2, until: 700 });
    expect(quotaOf({ tasks: new Map() })).toBeUndefined();
  });
});

describe("how long still", () => {
  const MINUTE = 60_000;
  const left = {
    at: 0,
    ms: 24 * MINUTE,
    low: 12 * MINUTE,
    high: 36 * MINUTE,
    basis: 5,
    ahead: 6,
    held: 2,
    atOnce: 1.5,
  };
  const at = { now: 0, done: false, stuck: false, asks: false };

  it("[W94] counts down while the run goes on, tells its basis, and says when it is not known", () => {
    expect(leftWords(left, RUN, { ...at, now: 4 * MINUTE }, ENGLISH)).toEqual([
      "≈ 20m",
      "8m–32m",
      "by 5 completed tasks, 1.5 at once · without 2 that wait for you",
    ]);
    expect(leftWords(left, RUN, { ...at, now: 400 * MINUTE }, ENGLISH)[0]).toBe("longer than expected");
    // Who is asked is what it waits for: it is not the work that takes long.
    expect(leftWords(left, RUN, { ...at, now: 400 * MINUTE, asks: true }, ENGLISH)[0]).toBe(
      "waits for an answer",
    );
    expect(leftWords(left, RUN, { ...at, now: 4 * MINUTE, asks: true }, ENGLISH)[0]).toBe("≈ 20m");
    // [W141] In the language of the page.
    expect(leftWords(left, RUN, { ...at, now: 4 * MINUTE }, KOREAN).slice(0, 2)).toEqual([
      "약 20분",
      "8분–32분",
    ]);
    const rests = leftWords(left, { state: "interrupted" }, { ...at, now: 400 * MINUTE }, ENGLISH);
    expect(rests[0]).toBe("≈ 24m");
    expect(rests[2]).toContain("once it goes on");
    expect(leftWords(undefined, RUN, at, ENGLISH)).toEqual([
      "unknown",
      "",
      "no task of this run has shown yet how long one takes",
    ]);
    expect(leftWords(undefined, RUN, { ...at, stuck: true }, ENGLISH)[2]).toBe("nothing goes on by itself");
    expect(leftWords(left, RUN, { ...at, done: true }, ENGLISH)).toEqual(["done", "", ""]);
  });

  it("[W84] where it is guessed, seconds and minutes are enough", () => {
    const spans = [0, 900, 59_400, 90_000, 4_000_000, 7_200_000];
    expect(spans.map(ms => roughly(ms, "en"))).toEqual(["0s", "1s", "59s", "2m", "1h 07m", "2h"]);
    expect(spans.map(ms => roughly(ms, "ko"))).toEqual(["0초", "1초", "59초", "2분", "1시간 7분", "2시간"]);
  });
});

describe("where tasks stand", () => {
  const done = { status: "completed", verified: true } as const;

  it("[W95] what is done is proven, unverified or stale, each counted once, groups not at all", () => {
    expect(standOf(done)).toBe("completed");
    expect(standOf({ ...done, verified: false })).toBe("unverified");
    expect(standOf({ ...done, verified: null })).toBe("unverified");
    expect(standOf({ ...done, stale: true })).toBe("stale");
    expect(standOf({ status: "failed", verified: null, stale: true })).toBe("failed");
    expect(standOf(undefined)).toBe("pending");
    const plan = ["T1.1", "T1.2", "T1.3", "T1.4"].map(id => card(id));
    const tasks = [
      now("T1.1", "completed"),
      now("T1.2", "completed", { verified: true }),
      now("T1.3", "skipped"),
      now("G", "completed"),
    ];
    const counts = countStands(
      [...plan, card("G", [], { container: true })],
      new Map(tasks.map(task => [task.id, task])),
    );
    expect(counts).toMatchObject({ completed: 1, unverified: 1, stale: 0, skipped: 1, pending: 1 });
    expect([doneIn(counts), totalOf(counts)]).toEqual([3, 4]);
  });

  it("[W95] an address names states; what is none is not taken for one", () => {
    expect([...standsIn("stale,unverified,<b>,")]).toEqual(["unverified", "stale"]);
    expect(standsIn("").size).toBe(0);
  });
});

describe("the list and the cards", () => {
  it("[W96] what waits and what runs is first, phases with something left before finished ones", () => {
    const plan = [card("T1.1"), card("T2.1"), card("T2.2"), card("T3.1")];
    const tasks = [
      now("T1.1", "completed"),
      now("T2.1", "in_progress", { since: 1 }),
      now("T2.2", "paused", { ask: "resume" }),
    ];
    const phases = ["1", "2", "3"].map(label => ({ label, title: "" }));
    const { needs, running, order } = listOrder(phases, plan, new Map(tasks.map(task => [task.id, task])));
    expect(needs.map(one => one.id)).toEqual(["T2.2"]);
    expect(running.map(one => one.id)).toEqual(["T2.1"]);
    expect(order.map(one => one.label)).toEqual(["2", "3", "1"]);
  });

  it("[W96] long titles that begin alike are told from where they differ, in whole words", () => {
    const long = "Implement the service layer of the harbour for";
    const titles = [
      `${long} berths and moorings`,
      `${long} bollards and cranes`,
      "Short one",
      `${long} tides of the year`,
    ];
    const told = [...cardTitles(titles.map((title, at) => ({ id: `T${at}`, phase: "1", title }))).values()];
    expect(told).toEqual(["… berths and moorings", "… bollards and cranes", "Short one", titles[3]]);
    const apart = titles.slice(0, 2).map((title, at) => ({ id: `T${at}`, phase: String(at), title }));
    expect([...cardTitles(apart).values()]).toEqual(titles.slice(0, 2));
    const inside = [long.repeat(2), `${long.repeat(2)} and more`].map((title, at) => ({
      id: `T${at}`,
      phase: "1",
      title,
    }));
    for (const title of cardTitles(inside).values()) expect(title.length).toBeGreaterThan(4);
  });
});
