import { describe, expect, it } from "vitest";
import { createEventFeed } from "../../src/host/api/event-feed.ts";
import type { StampedEvent } from "../../src/ports/index.ts";

const line = (seq: number): StampedEvent => ({
  seq,
  at: 0,
  event: { type: "attempt-line", task: "T1", attempt: 1, text: "" },
});
const paused = (seq: number): StampedEvent => ({
  seq,
  at: 0,
  event: { type: "phase-forced", phase: "1", by: "" },
});

async function read(events: AsyncIterable<StampedEvent>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of events) seen.push(seq);
  return seen;
}

describe("a feed of events", () => {
  it("[HO4] keeps all for the first reader; the next one reads what comes from then on", async () => {
    const feed = createEventFeed();
    feed.put(paused(1));
    const first = read(feed.events);
    const second = read(feed.events);
    feed.put(paused(2));
    await Promise.resolve();
    feed.put(paused(3));
    feed.end();
    feed.put(paused(4));
    expect(await first).toEqual([1, 2, 3]);
    expect(await second).toEqual([2, 3]);
    expect(await read(feed.events)).toEqual([]);
  });

  it("[HO4] throws at its end what ended it", async () => {
    const feed = createEventFeed();
    feed.put(paused(1));
    feed.end({ error: new Error("why") });
    feed.end();
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { seq } of feed.events) seen.push(seq);
    })();
    await expect(reading).rejects.toThrow("why");
    expect(seen).toEqual([1]);
  });

  it("[HO4] leaves out raw lines, and nothing else, for a reader that falls behind", async () => {
    const feed = createEventFeed();
    for (let seq = 1; seq <= 10_001; seq++) feed.put(line(seq));
    feed.put(paused(10_002));
    feed.end();
    const seen = await read(feed.events);
    expect(seen).toHaveLength(10_001);
    expect(seen.at(-1)).toBe(10_002);
  });

  it("[HO4] lets go of a reader that leaves", async () => {
    const feed = createEventFeed();
    feed.put(paused(1));
    for await (const _ of feed.events) break;
    feed.put(paused(2));
    const late = read(feed.events);
    feed.end();
    expect(await late).toEqual([]);
  });
});
