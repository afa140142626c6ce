import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askControl } from "../../src/engine/control/client.ts";
import { openCalls } from "../../src/worker/calls.ts";
import type { AgentCall } from "../../src/worker/worker.ts";
import { order } from "../order.ts";
import { scratchFolder } from "../scratch.ts";

const own = order({ task: "T1.1", token: "tokenx" });

describe("where agents of a machine ask their runs", () => {
  it("[WK10] gives an order the means that it asks for, and no other", async () => {
    const calls = (await openCalls(
      scratchFolder("espalier-calls-"),
      async () => undefined,
      text => text,
    ))!;
    expect(calls.meansFor(own)).toEqual({});
    expect(Object.keys(calls.meansFor({ ...own, calls: ["tools"] }))).toEqual(["mcp"]);
    expect(Object.keys(calls.meansFor({ ...own, calls: ["hook"] }))).toEqual(["hook"]);
    await calls.close();
  });

  it("[WK10] tells what has become due after a call of a tool, as a hook does", async () => {
    const folder = scratchFolder("espalier-calls-");
    const asked: AgentCall[] = [];
    const ask = async (call: AgentCall) => {
      asked.push(call);
      return JSON.stringify({ ok: true, message: "GC-v2 is there" });
    };
    const calls = (await openCalls(folder, ask, text => text))!;
    const { hook } = calls.meansFor({ ...own, calls: ["hook"] });
    const env = { ...process.env, ESPALIER_TASK: "T1.1", ESPALIER_ATTEMPT: "tokenx" };
    const { promise, resolve } = Promise.withResolvers<string>();
    const child = execFile(hook!.command, [...hook!.args], { env }, (_, stdout) => resolve(stdout));
    child.stdin?.end('{"hook_event_name":"PostToolUse"}');
    expect(JSON.parse(await promise).hookSpecificOutput.additionalContext).toBe("GC-v2 is there");
    expect(asked).toEqual([{ task: "T1.1", token: "tokenx", op: "due", text: '{"op":"due"}' }]);
    await calls.close();
  });

  it("[WK10] passes on nothing but what an attempt asks for itself, without secrets", async () => {
    const folder = scratchFolder("espalier-calls-");
    const asked: AgentCall[] = [];
    const ask = async (call: AgentCall) => {
      asked.push(call);
      return '{"ok":true,"message":"HANDED"}';
    };
    const calls = (await openCalls(folder, ask, text => text.replaceAll("hunter2", "***")))!;
    const path = join(folder, "calls.sock");
    expect(await askControl(path, { method: "stop", how: "hard" })).toEqual({
      ok: false,
      message: "this socket is for attempts at work",
    });
    const add = { op: "add", node: "ctx-api", text: "- password: hunter2" } as const;
    const reply = await askControl(path, { method: "worker", task: "T1.1", token: "tokenx", ask: add });
    expect(reply).toEqual({ ok: true, message: "HANDED" });
    expect(asked.map(({ op, text }) => [op, JSON.parse(text)])).toEqual([
      ["add", { op: "add", node: "ctx-api", text: "- password: ***" }],
    ]);
    await calls.close();
  });

  it("[WK10] says that nobody answers where the run does not, or what it says cannot be read", async () => {
    const folder = scratchFolder("espalier-calls-");
    let said: string | undefined;
    const calls = (await openCalls(
      folder,
      async () => said,
      text => text,
    ))!;
    const ask = () =>
      askControl(join(folder, "calls.sock"), {
        method: "worker",
        task: "T1.1",
        token: "tokenx",
        ask: { op: "status" },
      });
    expect(await ask()).toBeUndefined();
    said = "<html>";
    expect(await ask()).toEqual({ ok: false, message: "what the run said cannot be read" });
    await calls.close();
  });
});
