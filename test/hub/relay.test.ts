import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRelay } from "../../src/hub/relay.ts";
import type { Report } from "../../src/ports/index.ts";

const report = (seq: number): Report => ({
  version: 1,
  seq,
  event: { type: "line", stream: "stdout", text: `line ${seq}` },
});
const seqs = (reports: readonly Report[] | undefined) => reports?.map(({ seq }) => seq);
const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => report(from + at));

describe("reports on their way", () => {
  it("[HB6] waits for no time that has gone by, and Node has nothing to warn of", async () => {
    const warned: string[] = [];
    const hear = ({ name }: Error) => void warned.push(name);
    process.on("warning", hear);
    await createRelay().changed(-0.01);
    await new Promise(resolve => setTimeout(resolve, 20));
    process.off("warning", hear);
    expect(warned).toEqual([]);
  });

  it("[HB6] takes what a worker sends again, also where later reports reached a new hub first", () => {
    const relay = createRelay();
    relay.put(run(60, 70));
    expect([relay.next, seqs(relay.from(41))]).toEqual([71, []]);
    // The worker is welcome now, and sends all that it has kept.
    relay.put(run(41, 50));
    expect([relay.next, seqs(relay.from(41))]).toEqual([51, seqs(run(41, 50))]);
    relay.put(run(51, 59));
    expect([relay.next, seqs(relay.from(51))]).toEqual([71, seqs(run(51, 70))]);
    expect([seqs(relay.from(71)), relay.from(60), relay.isFull]).toEqual([[], undefined, false]);
  });

  it("[HB17] keeps what was heard until it is done with, for whoever asks again, as long as there is room", () => {
    const relay = createRelay();
    relay.put(run(1, 10));
    expect([seqs(relay.from(1, 0)), seqs(relay.from(11, 4)), relay.arrived]).toEqual([
      seqs(run(1, 10)),
      [],
      4,
    ]);
    // Another coordinator, which knows of the first five.
    expect([seqs(relay.from(6, 4)), relay.from(4, 4)]).toEqual([seqs(run(6, 10)), undefined]);
    expect([seqs(relay.from(11)), relay.arrived, relay.from(6)]).toEqual([[], 10, undefined]);
    const large = { type: "line", stream: "stdout", text: "x".repeat(600_000) } as const;
    relay.put([11, 12].map(seq => ({ version: 1, seq, event: large })));
    expect([seqs(relay.from(13, 10)), relay.arrived]).toEqual([[], 12]);
  });

  it("[HB6] has whoever follows hear each report once and in its order, however batches arrive", () => {
    const batch = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 8 }));
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 30 }), batches => {
        const relay = createRelay();
        const heard: number[] = [];
        const hear = () => {
          for (const { seq } of relay.from(heard.length + 1) ?? []) heard.push(seq);
        };
        for (const [from, size] of batches) {
          relay.put(run(from, Math.min(30, from + size - 1)));
          hear();
        }
        // Its worker sends from what is wanted on until all of it has arrived.
        relay.put(run(1, 30));
        while (relay.next <= 30) relay.put(run(relay.next, 30));
        hear();
        expect(heard).toEqual(seqs(run(1, 30)));
      }),
    );
  });
});
