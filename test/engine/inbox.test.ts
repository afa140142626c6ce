import { describe, expect, it } from "vitest";
import { newestOfEach, openAttemptRow } from "../../src/engine/attempt/row.ts";
import { createInbox } from "../../src/engine/inbox.ts";
import type { Letter } from "../../src/engine/letters.ts";
import { agentSaid } from "../reasons.ts";
import { ManualClock } from "./manual-clock.ts";

const SOON: Letter = { told: { type: "warning", code: "SOON", message: agentSaid("") } };
const LATER: Letter = { told: { type: "warning", code: "LATER", message: agentSaid("") }, patient: true };

function open(work?: (batch: readonly Letter[]) => Promise<void>) {
  const clock = new ManualClock();
  const batches: string[][] = [];
  const broken: unknown[] = [];
  const inbox = createInbox(
    clock,
    async batch => {
      batches.push(batch.map(letter => (letter.patient === true ? "later" : "soon")));
      await work?.(batch);
    },
    error => broken.push(error),
  );
  const settle = () => new Promise<void>(resolve => setImmediate(resolve));
  return { clock, inbox, batches, broken, settle };
}

describe("the inbox of the loop", () => {
  it("[E2] gives what arrives together as one batch, in its order", async () => {
    const { inbox, batches, settle } = open();
    for (const letter of [SOON, LATER, SOON]) inbox.put(letter);
    await settle();
    expect(batches).toEqual([["soon", "later", "soon"]]);
    expect(inbox.isEmpty).toBe(true);
  });

  it("[E2] gives what nobody waits for with the next that somebody does", async () => {
    const { clock, inbox, batches, settle } = open();
    inbox.put(LATER);
    inbox.put(LATER);
    await settle();
    expect(batches).toEqual([]);
    expect(inbox.some(({ patient }) => patient === true)).toBe(true);
    inbox.put(SOON);
    await settle();
    await clock.advance(1000);
    expect(batches).toEqual([["later", "later", "soon"]]);
  });

  it("[E2] gives what nobody waits for after a tenth of a second at the latest", async () => {
    const { clock, inbox, batches } = open();
    inbox.put(LATER);
    await clock.advance(60);
    inbox.put(LATER);
    expect(batches).toEqual([]);
    await clock.advance(40);
    expect(batches).toEqual([["later", "later"]]);
  });

  it("[E2] works off what came in the meantime at once, patient or not", async () => {
    const gate = Promise.withResolvers<void>();
    const { inbox, batches, settle } = open(batch => (batch[0] === SOON ? gate.promise : Promise.resolve()));
    inbox.put(SOON);
    await settle();
    inbox.put(LATER);
    expect(batches).toEqual([["soon"]]);
    gate.resolve();
    await settle();
    expect(batches).toEqual([["soon"], ["later"]]);
  });

  it("hands back what still lies there when it is closed, and works off nothing more", async () => {
    const { clock, inbox, batches } = open();
    inbox.put(LATER);
    expect(inbox.close()).toEqual([LATER]);
    await clock.advance(1000);
    expect(batches).toEqual([]);
    expect(inbox.close()).toEqual([]);
  });

  it("leaves nobody waiting for what broke", async () => {
    const { inbox, settle } = open(() => Promise.reject(new Error("a bug")));
    const answers: unknown[] = [];
    inbox.put({ ...SOON, reply: out => answers.push(out) });
    await settle();
    expect(answers).toEqual([undefined]);
  });

  it("tells what broke", async () => {
    const { inbox, broken, settle } = open(() => Promise.reject(new Error("a bug")));
    inbox.put(SOON);
    await settle();
    expect(broken).toEqual([new Error("a bug")]);
  });
});

describe("rows of one batch", () => {
  it("[E2] only the newest of an attempt is written", () => {
    const row = (task: string, number: number) =>
      openAttemptRow({ task, number, agent: "a", now: 1 }, () => "x");
    const [one, two, next] = [row("T1", 1), row("T2", 1), row("T1", 2)];
    const ended = { ...one, outcome: "done" as const };
    expect(newestOfEach([one, two, ended, next])).toEqual([ended, two, next]);
    expect(newestOfEach([])).toEqual([]);
  });
});
