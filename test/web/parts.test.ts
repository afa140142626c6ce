import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/ports/index.ts";
import type { TaskCard, TaskNow } from "../../src/server/shapes/run.ts";
import { fullness } from "../../web/src/budget/fullness.ts";
import { matches, NO_FILTER } from "../../web/src/graph/filter.ts";
import { dollars, percent, span, timesOf, tokens } from "../../web/src/parts/amounts.ts";
import { createParser, type Sent } from "../../web/src/state/sse.ts";
import { ENGLISH } from "../../web/src/words/english.ts";
import { KOREAN } from "../../web/src/words/korean.ts";

describe("the window's state", () => {
  it.each([
    [50, 0, "normal"],
    [72, 0, "warn"],
    // It was fuller, or what the next task reads fills it alone.
    [77, 2, "compress"],
    [40, 2, "compress"],
    [85, 2, "compress"],
    [95, 2, "stop"],
  ] as const)("[W180] is the run's own: %d of 100 at level %d is %s", (used, finest, state) => {
    expect(fullness({ total: 100, used, finest })).toBe(state);
  });
});

describe("amounts", () => {
  it.each([
    [0, "0s", "0초"],
    [450, "450ms", "450ms"],
    [4_200, "4s", "4초"],
    [185_000, "3m 05s", "3분 5초"],
    [200_000, "3m 20s", "3분 20초"],
    [600_000, "10m 00s", "10분"],
    [7_500_000, "2h 05m", "2시간 5분"],
    [400_000_000, "4d 15h", "4일 15시간"],
    [-5, "0s", "0초"],
  ])("[W141] %i ms is %s, in Korean %s", (ms, english, korean) =>
    expect([span(ms, "en"), span(ms, "ko")]).toEqual([english, korean]),
  );

  it("[W84] tokens, money and shares are short", () => {
    expect([0, 999, 1000, 12_345, 123_456, 1_250_000].map(tokens)).toEqual([
      "0",
      "999",
      "1.0k",
      "12.3k",
      "123k",
      "1.25M",
    ]);
    expect([0, 0.0832, 1.184].map(dollars)).toEqual(["$0.000", "$0.083", "$1.18"]);
    expect([0, 0.004, 0.5, 1.84].map(percent)).toEqual(["0 %", "0.4 %", "50 %", "184 %"]);
  });
});

describe("marks of time", () => {
  it("[W106] are without seconds where all are whole minutes, and each is told once", () => {
    const at = (...seconds: readonly number[]) =>
      timesOf(seconds.map(second => 1_800_000_000 + second)).map(time => time.slice(2));
    expect(at(0, 300, 600)).toEqual([":00", ":05", ":10"]);
    expect(at(0, 30, 60)).toEqual([":00:00", ":00:30", ":01:00"]);
    expect(at(0, 0.5, 1)).toEqual([":00:00", "", ":00:01"]);
  });
});

describe("the filter", () => {
  const card: TaskCard = {
    id: "T1.3",
    phase: "1",
    title: "Frost warnings",
    kind: "worker",
    dependsOn: [],
    role: "backend",
    container: false,
    critical: false,
  };
  const now = { id: "T1.3", status: "paused" } as TaskNow;

  it("[W85] every word stands in id, title or role; states narrow it down", () => {
    const find = (text: string) => matches({ ...NO_FILTER, text }, card, now);
    expect(["", " ", "frost", "FROST t1", "back warn"].every(find)).toBe(true);
    expect(["frost T2", "x"].some(find)).toBe(false);
    expect(matches({ text: "", stands: new Set(["paused"]) }, card, now)).toBe(true);
    expect(matches({ text: "", stands: new Set(["failed"]) }, card, now)).toBe(false);
  });
});

describe("server-sent events", () => {
  it("[W86] are read the same however the network cuts them", () => {
    const text =
      ': hello\n\nid: b-1\nevent: change\ndata: {"a":1}\n\nevent: output\ndata: {"b":"한글"}\n\n: alive\n\nevent: reset\ndata: {}\n\n';
    const expected: Sent[] = [
      { id: "b-1", event: "change", data: '{"a":1}' },
      { id: "", event: "output", data: '{"b":"한글"}' },
      { id: "", event: "reset", data: "{}" },
    ];
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), cuts => {
        const heard: Sent[] = [];
        const parse = createParser(sent => heard.push(sent));
        let from = 0;
        for (const at of [...cuts.toSorted((a, b) => a - b), text.length]) {
          parse(text.slice(from, at));
          from = at;
        }
        expect(heard).toEqual(expected);
      }),
    );
  });
});

describe("the words", () => {
  /** Every key of a dictionary, down to its leaves. */
  function keys(value: object, path = ""): string[] {
    return Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === "object" && inner !== null
        ? keys(inner as object, `${path}${key}.`)
        : [`${path}${key}`],
    );
  }

  it("[W87] both languages say everything, and every kind of event has its words", () => {
    expect(keys(KOREAN).sort()).toEqual(keys(ENGLISH).sort());
    // A record, so that the compiler misses a kind that is new.
    const types: Readonly<Record<Exclude<RunEvent["type"], "attempt-line">, true>> = {
      "run-started": true,
      "run-ended": true,
      "agent-found": true,
      "run-held": true,
      "run-released": true,
      stopping: true,
      "phase-started": true,
      "phase-ended": true,
      "phase-gated": true,
      "phase-forced": true,
      "phase-merged": true,
      "phase-left": true,
      "phase-refused": true,
      conflict: true,
      joined: true,
      reviewed: true,
      dispatched: true,
      "attempt-started": true,
      "verify-started": true,
      completed: true,
      "attempt-failed": true,
      "retry-scheduled": true,
      failed: true,
      blocked: true,
      unblocked: true,
      paused: true,
      waiting: true,
      person: true,
      asked: true,
      answered: true,
      permission: true,
      "foreign-signal": true,
      "plan-changed": true,
      warning: true,
      saturation: true,
      checkpoint: true,
    };
    for (const words of [ENGLISH, KOREAN])
      for (const type of Object.keys(types)) {
        const told = words.happening(type, { tasks: 2, action: "retry", note: "<b>", reason: "r" });
        expect(told).not.toBe(type);
        expect(told).not.toContain("undefined");
      }
    expect(ENGLISH.happening("something-new", {})).toBe("something-new");
  });
});
