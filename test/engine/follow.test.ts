import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attendControl, followControl } from "../../src/engine/control/follow.ts";
import { startControl } from "../../src/engine/control/server.ts";
import type { StampedEvent } from "../../src/ports/index.ts";
import { agentSaid } from "../reasons.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-follow-"));
  path = join(folder, "s");
});
afterEach(() => rmSync(folder, { recursive: true }));

const event = (seq: number, text = "한글"): StampedEvent => ({
  seq,
  at: 1,
  event: { type: "attempt-line", task: "T1.1", attempt: 1, text },
});

/** A process whose events can be followed. */
async function speaker(held = false) {
  const listeners = new Set<(event: StampedEvent) => void>();
  const server = await startControl(path, async () => ({ ok: true, message: "following", held }), {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  return {
    server,
    listeners,
    say(told: StampedEvent) {
      for (const listener of listeners) listener(told);
    },
  };
}

function follower() {
  const heard: StampedEvent[] = [];
  const opened = Promise.withResolvers<boolean>();
  let enough = 0;
  let wake = () => {};
  const following = followControl(path, opened.resolve, told => {
    heard.push(told);
    if (heard.length >= enough) wake();
  });
  const until = (count: number) =>
    new Promise<void>(resolve => {
      enough = count;
      wake = resolve;
      if (heard.length >= count) resolve();
    });
  return { heard, opened: opened.promise, until, ...following };
}

describe("following a run through its control socket", () => {
  it("[E19] hears every event in order, until either side leaves", async () => {
    const { server, listeners, say } = await speaker();
    const one = follower();
    expect(await one.opened).toBe(false);
    for (let seq = 1; seq <= 1000; seq++) say(event(seq));
    await one.until(1000);
    expect(one.heard).toEqual(Array.from({ length: 1000 }, (_, at) => event(at + 1)));
    one.close();
    await one.ended;
    const two = follower();
    await two.opened;
    await server.close();
    await two.ended;
    expect(listeners.size).toBe(0);
  });

  it("[E19] is told whether a person holds the run", async () => {
    const { server } = await speaker(true);
    const one = follower();
    expect(await one.opened).toBe(true);
    one.close();
    await server.close();
  });

  it("[E19] ends where nobody listens", async () => {
    await followControl(
      path,
      () => expect.unreachable(),
      () => expect.unreachable(),
    ).ended;
  });

  it.each(["nonsense\n", '{"ok":false,"message":"no"}\n', '{"ok":true}\n', `${"x".repeat(2_000_000)}`])(
    "[E19] leaves whoever speaks another protocol (%#)",
    async text => {
      const server = createServer(socket => {
        socket.on("error", () => {});
        socket.resume();
        socket.write(text);
      });
      await new Promise<void>(resolve => server.listen(path, resolve));
      await followControl(
        path,
        () => expect.unreachable(),
        () => expect.unreachable(),
      ).ended;
      await new Promise(resolve => server.close(resolve));
    },
  );

  it("[E37] somebody is there for as long as their connection is open", async () => {
    const there = { count: 0 };
    const left = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    const server = await startControl(path, async () => ({ ok: true, message: "attending" }), {
      attend() {
        there.count++;
        came.resolve();
        return () => {
          there.count--;
          left.resolve();
        };
      },
    });
    const one = attendControl(path);
    await came.promise;
    expect(there.count).toBe(1);
    one.close();
    await left.promise;
    expect(there.count).toBe(0);
    await server.close();
  });

  it("[E19] one that reads nothing costs no memory: lines are left out, and it is cut off in the end", async () => {
    const { server, listeners, say } = await speaker();
    const { connect } = await import("node:net");
    const socket = connect(path, () => socket.write('{"method":"follow"}\n'));
    socket.on("error", () => {});
    socket.pause();
    while (listeners.size === 0) await new Promise(setImmediate);
    const line = "x".repeat(4000);
    for (let seq = 1; seq <= 5000; seq++) say(event(seq, line));
    // Lines alone do not cut it off.
    expect(listeners.size).toBe(1);
    const closed = new Promise(resolve => socket.on("close", resolve));
    const warning = { type: "warning", code: "X", message: agentSaid(line) } as const;
    for (let seq = 1; seq <= 5000; seq++) say({ seq, at: 1, event: warning });
    socket.resume();
    await closed;
    while (listeners.size > 0) await new Promise(setImmediate);
    await server.close();
  });
});
