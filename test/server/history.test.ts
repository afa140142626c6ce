import { describe, expect, it } from "vitest";
import type { AttemptSpan, RunEvent, StampedEvent } from "../../src/ports/index.ts";
import { createHistory } from "../../src/server/read/history.ts";
import { linesWith, SEARCH, searchOutputs } from "../../src/server/read/search.ts";
import { HistoryShape, SearchShape } from "../../src/server/shapes/history.ts";
import { growth, LINEAR } from "../growth.ts";
import { agentSaid } from "../reasons.ts";
import { openOrchard, orchardAgo } from "./orchard.ts";

const stamped = (events: readonly RunEvent[]): StampedEvent[] =>
  events.map((event, at) => ({ seq: at + 1, at: at + 1, event }));

const span = (task: string, number: number, more: Partial<AttemptSpan> = {}): AttemptSpan => ({
  task,
  number,
  agent: "codex",
  startedAt: 1000 * number,
  endedAt: 1000 * number + 500,
  outcome: "done",
  ...more,
});

describe("the history of a run", () => {
  const movesOf = (...events: readonly RunEvent[]) => {
    const history = createHistory();
    history.take(stamped(events));
    return history.shape(0, []).moves;
  };

  it("[W107] is told by its events: what stood where from when on", () => {
    const reason = agentSaid("no");
    expect(
      movesOf(
        { type: "run-started", project: "p", tasks: 3, resumed: false },
        { type: "dispatched", tasks: ["A", "B"], retry: false },
        { type: "attempt-failed", task: "A", reason, retries: 1, maxAttempts: 2 },
        { type: "completed", task: "B", verified: true, by: "agent", ms: 5 },
        { type: "dispatched", tasks: ["A"], retry: true },
        { type: "failed", task: "A", reason },
        { type: "blocked", task: "C", by: "A" },
        { type: "person", action: "skip", task: "A", note: "" },
        { type: "unblocked", task: "C" },
        { type: "completed", task: "C", verified: false, by: "agent", ms: 5 },
      ),
    ).toEqual([
      [2, "A", "in_progress"],
      [2, "B", "in_progress"],
      [3, "A", "ready"],
      [4, "B", "completed"],
      [5, "A", "in_progress"],
      [6, "A", "failed"],
      [7, "C", "blocked"],
      [8, "A", "skipped"],
      [9, "C", "pending"],
      [10, "C", "unverified"],
    ]);
  });

  it("[W107] what was at work when a run ended or was taken up again is ready from then on", () => {
    expect(
      movesOf(
        { type: "dispatched", tasks: ["A", "B"], retry: false },
        { type: "run-started", project: "p", tasks: 3, resumed: true },
        { type: "dispatched", tasks: ["A"], retry: false },
        { type: "run-ended", outcome: "interrupted" },
      ).slice(2),
    ).toEqual([
      [2, "A", "ready"],
      [2, "B", "ready"],
      [3, "A", "in_progress"],
      [4, "A", "ready"],
    ]);
  });

  it("[W107] a long one keeps its newest moves, and where tasks stood before them; it grows as its events do", () => {
    const many = (size: number) =>
      stamped(
        Array.from(
          { length: size },
          (_, at): RunEvent =>
            at % 2 === 0
              ? { type: "dispatched", tasks: [`T${at % 500}`], retry: false }
              : { type: "run-started", project: "p", tasks: 1, resumed: true },
        ),
      );
    const history = createHistory();
    history.take(many(30_000));
    const { moves, before } = history.shape(0, []);
    expect(moves.length).toBe(20_000);
    expect(before.length).toBe(250);
    expect(
      growth(10_000, many, events => {
        const one = createHistory();
        one.take(events);
        return one.shape(0, []);
      }),
    ).toBeLessThan(LINEAR);
  });

  it("[W107] of the orchard: attempts with their machines, and how it stood half an hour ago", async () => {
    await using stage = await openOrchard();
    const shape = HistoryShape.parse(await (await stage.get("/api/history")).json());
    expect(shape.spans.length).toBe(12);
    expect(shape.spans.filter(one => one.machine === "lab-2").map(one => one.task)).toEqual(["T1.2", "T1.4"]);
    const half = orchardAgo(30);
    const then = new Map(shape.moves.filter(([at]) => at < half).map(([, task, stand]) => [task, stand]));
    expect([...then.values()].filter(stand => stand === "completed").length).toBe(4);
    expect(then.get("T1.4")).toBe("unverified");
  });
});

describe("the search in what agents put out", () => {
  it("[W109] finds words in any attempt, newest first, without signals; a task narrows it down", async () => {
    await using stage = await openOrchard();
    const search = async (query: string) => {
      const answer = await stage.get(`/api/search?${query}`);
      return SearchShape.parse(await answer.json());
    };
    const found = await search("words=WEATHER%20service");
    expect(found.hits.map(({ task, attempt, lines }) => [task, attempt, ...lines])).toEqual([
      ["T2.3", 3, "the Weather service answers 401"],
      ["T2.3", 1, "the weather service answers 401"],
      ["T1.2", 2, "asking the weather service"],
    ]);
    expect([found.searched, found.cut, found.next]).toEqual([12, 0, undefined]);
    expect((await search("words=weather&task=T1.2")).hits.map(({ attempt }) => attempt)).toEqual([2, 1]);
    expect((await search("words=k7f2")).hits).toEqual([]);
    expect((await stage.get("/api/search?words=a")).status).toBe(400);
    expect((await stage.get(`/api/search?words=${"a".repeat(201)}`)).status).toBe(400);
  });

  it("[W109] reads no more than one search may, and says where to go on", async () => {
    const spans = Array.from({ length: 100 }, (_, at) => span("T1", at + 1));
    const text = `${"x".repeat(SEARCH.each)}\nneedle`;
    const asked: number[] = [];
    const log = (_task: string, attempt: number, maxBytes: number) => {
      asked.push(maxBytes);
      return attempt % 2 === 0 ? undefined : { text, bytes: text.length + 1, path: "" };
    };
    const first = await searchOutputs(spans, "needle", 0, log);
    expect(first.hits.length).toBe(SEARCH.all / SEARCH.each);
    expect([first.hits[0]?.attempt, first.cut, first.next]).toEqual([99, 16, first.searched]);
    expect(new Set(asked)).toEqual(new Set([SEARCH.each]));
    const rest = await searchOutputs(spans, "needle", first.next!, log);
    expect(rest.hits[0]?.attempt).toBe(100 - first.searched - 1);
    const none = await searchOutputs(spans, "nothing", 90, log);
    expect([none.hits, none.searched, none.next]).toEqual([[], 10, undefined]);
  });

  it("[W109] of a long line the part is shown where the words stand; many lines are counted; it is linear", () => {
    const long = `${"a ".repeat(4000)}needle${" b".repeat(4000)}`;
    expect(linesWith(long, "NEEDLE").lines[0]).toMatch(/^….*needle.*/);
    expect(linesWith(Array.from({ length: 9 }, () => "needle").join("\n"), "needle").more).toBe(4);
    const lines = (size: number) =>
      Array.from({ length: size }, (_, at) => `line ${at} with a needle`).join("\n");
    expect(growth(20_000, lines, text => linesWith(text, "a needle"))).toBeLessThan(LINEAR);
    const one = (size: number) => "needle ".repeat(size);
    expect(growth(50_000, one, text => linesWith(text, "needle"))).toBeLessThan(LINEAR);
  });
});
