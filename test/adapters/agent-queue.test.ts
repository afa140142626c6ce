import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createEventQueue } from "../../src/adapters/agent/event-queue.ts";
import { createTextReader } from "../../src/adapters/agent/text-reader.ts";
import type { AgentEvent, TurnEnd } from "../../src/ports/index.ts";

const END: TurnEnd = { kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 };

async function all(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const taken: AgentEvent[] = [];
  for await (const event of events) taken.push(event);
  return taken;
}

function makeQueue() {
  let abandoned = 0;
  const queue = createEventQueue(() => {
    abandoned += 1;
  });
  return { queue, abandoned: () => abandoned };
}

describe("the queue of a turn's events", () => {
  it("gives events in order, whether they wait or are waited for", async () => {
    const { queue, abandoned } = makeQueue();
    queue.push({ type: "process", pid: 7 });
    queue.line("stdout", "one");
    const taken = all(queue.events);
    await Promise.resolve();
    queue.push({ type: "usage", inputTokens: 5 });
    await Promise.resolve();
    queue.line("stderr", "two");
    queue.end(END);
    expect((await taken).map(event => event.type)).toEqual(["process", "line", "usage", "line", "ended"]);
    expect(abandoned()).toBe(0);
  });

  it("ends once and ignores what comes later", async () => {
    const { queue } = makeQueue();
    queue.end(END);
    queue.end({ ...END, exitCode: 9 });
    queue.line("stdout", "late");
    queue.push({ type: "process", pid: 1 });
    expect(await all(queue.events)).toEqual([{ type: "ended", end: END }]);
    expect(await all(queue.events)).toEqual([]);
  });

  it("notices a reader that leaves early, and only that one", async () => {
    const early = makeQueue();
    early.queue.line("stdout", "one");
    for await (const _ of early.queue.events) break;
    expect(early.abandoned()).toBe(1);
    const thrown = makeQueue();
    thrown.queue.line("stdout", "one");
    await expect(
      (async () => {
        for await (const _ of thrown.queue.events) throw new Error("reader");
      })(),
    ).rejects.toThrow("reader");
    expect(thrown.abandoned()).toBe(1);
    const late = makeQueue();
    late.queue.end(END);
    for await (const _ of late.queue.events) break;
    expect(late.abandoned()).toBe(0);
  });

  it("closes for lines when a megabyte waits, opens again when it was taken, and never refuses other events", async () => {
    const { queue } = makeQueue();
    let lines = 0;
    while (queue.open()) {
      queue.line("stdout", "x".repeat(1_000));
      lines += 1;
    }
    expect(lines).toBeGreaterThan(900);
    expect(lines).toBeLessThan(1_100);
    queue.push({ type: "usage", outputTokens: 1 });
    const events = queue.events[Symbol.asyncIterator]();
    for (let taken = 0; taken < 10; taken += 1) await events.next();
    expect(queue.open()).toBe(true);
    queue.end(END);
    expect(await all({ [Symbol.asyncIterator]: () => events })).toHaveLength(lines - 10 + 2);
  });

  it("lets no more through per second than somebody could want, even to the fastest reader", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { queue } = makeQueue();
    const taken = all(queue.events);
    const pour = async () => {
      let lines = 0;
      for (let round = 0; round < 1_000; round += 1) {
        for (let line = 0; line < 100 && queue.open(); line += 1) {
          queue.line("stdout", "y");
          lines += 1;
        }
        await new Promise<void>(resolve => setImmediate(resolve));
      }
      return lines;
    };
    const lines = await pour();
    expect(lines).toBeGreaterThan(10_000);
    expect(lines).toBeLessThan(50_000);
    vi.advanceTimersByTime(999);
    expect(await pour()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await pour()).toBe(lines);
    queue.end(END);
    expect(await taken).toHaveLength(2 * lines + 1);
  });
});

describe("reading plain text", () => {
  async function read(
    chunks: readonly (readonly ["stdout" | "stderr", string])[],
    exitCode: number | null,
    complain: boolean,
  ) {
    const { queue } = makeQueue();
    const options = { agent: "mine", queue, mask: undefined, limits: [] };
    const reader = createTextReader({ ...options, byExit: complain });
    for (const [stream, chunk] of chunks) reader.write(stream, Buffer.from(chunk));
    const result = reader.end({ exitCode: exitCode, cause: "exit" });
    queue.end(END);
    const events = await all(queue.events);
    return {
      ...result,
      lines: events.flatMap(event => (event.type === "line" ? [`${event.stream} ${event.text}`] : [])),
    };
  }

  it("keeps the two streams' lines apart although they arrive in pieces of each other", async () => {
    const { lines, finalMessage } = await read(
      [
        ["stdout", "ab"],
        ["stderr", "12"],
        ["stdout", "c\nd"],
        ["stderr", "3\n"],
      ],
      0,
      true,
    );
    expect(lines).toEqual(["stdout abc", "stderr 123", "stdout d"]);
    expect(finalMessage).toBe("abc\nd");
  });

  it.each([
    [0, true, "out"],
    [1, true, "out\nlast"],
    [null, true, "out\nlast"],
    [1, false, "out"],
  ] as const)("exit code %s, complain %s: %j", async (exitCode, complain, message) => {
    const { finalMessage } = await read(
      [
        ["stdout", "out"],
        ["stderr", "first\nlast\n\n"],
      ],
      exitCode,
      complain,
    );
    expect(finalMessage).toBe(message);
  });

  it("finds the last line of a flood on stderr", async () => {
    const { finalMessage } = await read(
      [
        ["stderr", "noise\n".repeat(50_000)],
        ["stderr", `${"z".repeat(3_000)}\n`],
      ],
      2,
      true,
    );
    // It is cut where it is shown, once it has been masked as a whole.
    expect(finalMessage).toBe("z".repeat(3_000));
  });

  it("says how much of a flood is not shown", async () => {
    const flood = "0123456789\n".repeat(200_000);
    const { lines } = await read(
      [
        ["stdout", flood],
        ["stdout", flood],
      ],
      0,
      false,
    );
    expect(lines.length).toBeLessThan(20_000);
    const note = lines.at(-1);
    expect(note).toMatch(/^stdout \[espalier\] … \d+ bytes of output are not shown here$/);
  });
});
