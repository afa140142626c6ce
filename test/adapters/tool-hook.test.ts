import { spawn } from "node:child_process";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";

const HOOK = fileURLToPath(new URL("../../src/adapters/process/tool-hook.ts", import.meta.url));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A socket whose owner answers every line the same. */
function answering(reply: unknown): { readonly path: string; readonly asked: string[] } {
  const path = join(scratchFolder("espalier-hook-"), "workers.sock");
  const asked: string[] = [];
  const server = createServer(socket => {
    socket.on("data", chunk => {
      asked.push(chunk.toString());
      socket.end(typeof reply === "string" ? reply : `${JSON.stringify(reply)}\n`);
    });
  }).listen(path);
  servers.push(server);
  return { path, asked };
}

function hook(
  path: string,
  input: unknown,
): Promise<{ readonly code: number | null; readonly said: string }> {
  return new Promise(resolve => {
    const env = { PATH: process.env["PATH"] ?? "", ESPALIER_TASK: "T1.1", ESPALIER_ATTEMPT: "token" };
    const child = spawn(process.execPath, [HOOK, path], { env, stdio: ["pipe", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (said += chunk));
    child.once("close", code => resolve({ code, said }));
    child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  });
}

describe("the hook after a tool call", () => {
  it("[AC10] asks for its own attempt and hands on what is due in the words of hooks", async () => {
    const { path, asked } = answering({ ok: true, message: "GC-v3 waits: …" });
    const { code, said } = await hook(path, { hook_event_name: "PostToolUseFailure", tool_name: "Bash" });
    expect(JSON.parse(asked[0]!)).toEqual({
      method: "worker",
      task: "T1.1",
      token: "token",
      ask: { op: "due" },
    });
    expect(JSON.parse(said)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "GC-v3 waits: …" },
    });
    expect(code).toBe(0);
  });

  it.each([
    ["nothing is due", { ok: true, message: "" }, {}],
    ["it is refused", { ok: false, message: "NOT_YOURS" }, {}],
    ["the answer is none", "<html>", {}],
    ["what it reads is no JSON", { ok: true, message: "" }, "null"],
  ])("[AC10] says nothing and does not fail where %s", async (_, reply, input) => {
    expect(await hook(answering(reply).path, input)).toEqual({ code: 0, said: "" });
  });

  it("[AC10] says nothing where nobody listens, and asks nothing for a sub-agent", async () => {
    const nowhere = join(scratchFolder("espalier-hook-"), "none.sock");
    expect(await hook(nowhere, {})).toEqual({ code: 0, said: "" });
    const { path, asked } = answering({ ok: true, message: "GC-v3 waits" });
    expect(await hook(path, { hook_event_name: "PostToolUse", agent_id: "a1" })).toEqual({
      code: 0,
      said: "",
    });
    expect(asked).toEqual([]);
  });
});
