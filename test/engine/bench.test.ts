import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { adopterOf, lineOf, show, shows } from "../../src/adapters/process/index.ts";
import { askControl } from "../../src/engine/control/client.ts";
import { type ControlRequest, isDecision } from "../../src/engine/control/protocol.ts";
import { startControl } from "../../src/engine/control/server.ts";

let folder: string;
let path: string;
const open: { close(): unknown }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  path = join(folder, "s");
});

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  rmSync(folder, { recursive: true });
});

const SKIP: ControlRequest = { method: "act", action: "skip", task: "T1", note: "" };

/** A server that believes whoever shows its word; what it carried out and what it refused. */
async function serve(): Promise<{ readonly done: ControlRequest[]; readonly refused: ControlRequest[] }> {
  const [done, refused]: ControlRequest[][] = [[], []];
  open.push(
    await startControl(
      path,
      async request => {
        done!.push(request);
        return { ok: true, message: "done" };
      },
      {
        bench: {
          judge: async (pid, word) => ({ kind: (await shows(pid, word)) ? "person" : "unproven" }),
          refused: request => refused!.push(request),
        },
      },
    ),
  );
  return { done: done!, refused: refused! };
}

describe("who decides over the control socket", () => {
  it("[E44] is asked to show a word, and is carried out with it, many at once", async () => {
    const { done, refused } = await serve();
    const asked = await Promise.all([1, 2, 3].map(() => askControl(path, SKIP, { show })));
    expect(asked).toEqual(asked.map(() => ({ ok: true, message: "done" })));
    expect([done.length, refused]).toEqual([3, []]);
  });

  it("[E44] is refused without showing anything, and what decides nothing is not asked", async () => {
    const { done, refused } = await serve();
    expect(await askControl(path, SKIP, { patience: 200 })).toMatchObject({ ok: false });
    expect(done).toEqual([]);
    expect(await askControl(path, { method: "ping" })).toEqual({ ok: true, message: "done" });
    expect(refused).toEqual([SKIP]);
  });

  it("[E44] has no other request carried out by whoever stands in between", async () => {
    const { done, refused } = await serve();
    const between = join(folder, "between");
    const server = createServer(client => {
      const real = createConnection(path);
      client.on("error", () => {}).on("data", bytes => real.write(bytes.toString().replace('"T1"', '"T2"')));
      real.on("error", () => {}).on("data", bytes => client.write(bytes));
      real.on("close", () => client.destroy());
    });
    await new Promise<void>(resolve => server.listen(between, resolve));
    open.push(server);
    expect(await askControl(between, SKIP, { show })).toMatchObject({
      ok: false,
      decider: { kind: "unproven" },
    });
    expect([done, refused.length]).toEqual([[], 1]);
  });

  it("[E44] is asked for every decision and for nothing else", () => {
    const decisions: ControlRequest[] = [
      SKIP,
      { method: "force-phase", phase: "2" },
      { method: "hold", held: true },
      { method: "stop", how: "soft" },
      { method: "permit", id: 1, allowed: true },
      { method: "revert", task: "T1", attempt: 1 },
      { method: "node", action: "complete", node: "n" },
      { method: "checkpoint", shift: true },
      { method: "context", command: { op: "resume", teammate: "T1" } },
    ];
    const others: ControlRequest[] = [
      { method: "ping" },
      { method: "attend" },
      { method: "follow" },
      { method: "checkpoint", shift: false },
      { method: "worker", task: "T1", token: "t", ask: { op: "status" } },
      { method: "context", command: { op: "ack", text: "x" } },
    ];
    expect(decisions.filter(one => !isDecision(one))).toEqual([]);
    expect(others.filter(isDecision)).toEqual([]);
  });

  it("[E44] shows a word in the whole of its command line: a name in somebody's arguments shows nothing", async () => {
    const word = "a-word-of-sixteen";
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()", word], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    await once(child, "spawn");
    expect(await shows(child.pid ?? 0, word)).toBe(false);
    child.stdin.end();
    await once(child, "exit");
    const shown = await show(word);
    expect([await shows(process.pid, word), await shows(process.pid, "another-word")]).toEqual([true, false]);
    shown.done();
    expect(await shows(process.pid, word)).toBe(false);
  });

  it("[E44] comes from a line of processes, each the parent of the one before it", async () => {
    const line = await lineOf(process.pid);
    expect(line[0]?.pid).toBe(process.pid);
    expect(line[1]?.pid).toBe(process.ppid);
    expect(line.every(({ startTime }, at) => at === 0 || startTime <= line[at - 1]!.startTime)).toBe(true);
    expect(await lineOf(2 ** 22 + 1)).toEqual([]);
    expect(await lineOf(await adopterOf())).not.toEqual([]);
  });
});
