import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askControl } from "../../src/engine/control/client.ts";
import { MAX_REQUEST } from "../../src/engine/control/protocol.ts";
import { type ControlHandler, type ControlServer, startControl } from "../../src/engine/control/server.ts";

let folder: string;
let path: string;
const open: { close(): unknown }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-control-"));
  path = join(folder, "s");
});

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  rmSync(folder, { recursive: true });
});

async function serve(handle: ControlHandler, silence?: number): Promise<ControlServer> {
  const server = await startControl(path, handle, { silence });
  open.push(server);
  return server;
}

/** A raw connection: everything it was answered, once it is closed. */
function talk(...pieces: readonly (string | Buffer)[]): Promise<string> {
  return new Promise(resolve => {
    let answer = "";
    const socket = createConnection(path, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on("data", chunk => {
      answer += chunk.toString();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

const PONG: ControlHandler = async request => ({ ok: true, message: request.method });

describe("the control socket", () => {
  it("answers each kind of request with one line", async () => {
    const seen: unknown[] = [];
    await serve(async request => {
      seen.push(request);
      return { ok: true, message: request.method };
    });
    expect(await askControl(path, { method: "ping" })).toEqual({ ok: true, message: "ping" });
    await askControl(path, { method: "stop", how: "hard" });
    await askControl(path, { method: "force-phase", phase: "2" });
    await askControl(path, { method: "act", action: "retry", task: "T1.1", note: "한글 \u0000\n" });
    expect(await talk('{"method":"stop"}\n')).toBe('{"ok":true,"message":"stop"}\n');
    expect(seen).toEqual([
      { method: "ping" },
      { method: "stop", how: "hard" },
      { method: "force-phase", phase: "2" },
      { method: "act", action: "retry", task: "T1.1", note: "한글 \u0000\n" },
      { method: "stop", how: "soft" },
    ]);
  });

  it("is made for its owner alone, from the first moment", async () => {
    const umask = process.umask(0);
    try {
      await serve(PONG);
      expect(lstatSync(path).mode & 0o777).toBe(0o600);
      expect(process.umask()).toBe(0);
    } finally {
      process.umask(umask);
    }
  });

  it("takes a request in pieces, with multibyte characters torn apart", async () => {
    await serve(async request => ({ ok: true, message: request.method === "act" ? request.note : "" }));
    const bytes = Buffer.from('{"method":"act","action":"done","task":"T1","note":"조용한 아침"}\n');
    const pieces = Array.from(bytes, byte => Buffer.from([byte]));
    expect(JSON.parse(await talk(...pieces))).toEqual({ ok: true, message: "조용한 아침" });
  });

  it.each([
    ["no JSON", "hello\n"],
    ["an empty line", "\n"],
    ["another shape", '["ping"]\n'],
    ["an unknown method", '{"method":"exec"}\n'],
    ["a key too many", '{"method":"ping","x":1}\n'],
    ["an unknown action", '{"method":"act","action":"explode","task":"T1"}\n'],
    ["an id too long", `{"method":"act","action":"skip","task":"${"T".repeat(201)}"}\n`],
    ["a prototype", '{"__proto__":{"method":"ping"}}\n'],
  ])("refuses %s and goes on", async (_, line) => {
    await serve(PONG);
    expect(JSON.parse(await talk(line))).toMatchObject({ ok: false });
    expect(await askControl(path, { method: "ping" })).toEqual({ ok: true, message: "ping" });
  });

  it("hangs up on a line without an end", async () => {
    await serve(PONG);
    expect(await talk("x".repeat(MAX_REQUEST * 4))).toBe("");
    expect(await askControl(path, { method: "ping" })).toMatchObject({ ok: true });
  });

  it("carries out one request a connection, whatever follows it", async () => {
    let handled = 0;
    await serve(async () => {
      handled++;
      return { ok: true, message: "" };
    });
    expect(await talk('{"method":"ping"}\n{"method":"ping"}\n', '{"method":"ping"}\n')).toBe(
      '{"ok":true,"message":""}\n',
    );
    expect(handled).toBe(1);
  });

  it("hangs up on clients that say nothing, but waits for itself as long as it takes", async () => {
    const gate = Promise.withResolvers<void>();
    await serve(async () => {
      await gate.promise;
      return { ok: true, message: "late" };
    }, 30);
    const slow = askControl(path, { method: "ping" });
    expect(await talk("")).toBe("");
    expect(await talk('{"method"')).toBe("");
    gate.resolve();
    expect(await slow).toEqual({ ok: true, message: "late" });
  });

  it("tells what went wrong in a handler, and hangs up without a word when there is nobody left to answer", async () => {
    await serve(async request => {
      if (request.method === "ping") throw new Error("no luck");
      return undefined;
    });
    expect(await askControl(path, { method: "ping" })).toEqual({ ok: false, message: "Error: no luck" });
    expect(await askControl(path, { method: "stop", how: "soft" })).toBeUndefined();
  });

  it("takes the place of a socket that a dead process left there", async () => {
    const dies =
      "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    const { signal } = spawnSync(process.execPath, ["-e", dies, path]);
    expect([signal, lstatSync(path).isSocket()]).toEqual(["SIGKILL", true]);
    const first = await serve(PONG);
    await first.close();
    expect(() => lstatSync(path)).toThrow("ENOENT");
    await serve(PONG);
    expect(await askControl(path, { method: "ping" })).toMatchObject({ ok: true });
  });

  it("leaves anything else that stands there alone, and says so", async () => {
    writeFileSync(path, "somebody's");
    await expect(serve(PONG)).rejects.toThrow(`${path} is no socket; it is not replaced: move it away`);
    expect(readFileSync(path, "utf8")).toBe("somebody's");
  });

  it("closes with idle clients still connected", async () => {
    const server = await serve(PONG);
    const idle = createConnection(path);
    await new Promise(resolve => idle.once("connect", resolve));
    const gone = new Promise<string>(resolve => idle.once("close", () => resolve("gone")));
    await server.close();
    expect(await gone).toBe("gone");
  });
});

describe("a client of the control socket", () => {
  it("finds nobody where nobody listens", async () => {
    expect(await askControl(path, { method: "ping" })).toBeUndefined();
    writeFileSync(path, "");
    expect(await askControl(path, { method: "ping" })).toBeUndefined();
  });

  it.each([
    [
      "says nothing for too long",
      () => {},
      { ok: false, message: expect.any(String), reason: { code: "run-silent", args: {} } },
    ],
    ["hangs up", (socket: Socket) => socket.destroy(), undefined],
    ["talks nonsense", (socket: Socket) => socket.end("what?\n"), undefined],
    ["never stops talking", (socket: Socket) => socket.write("x".repeat(1 << 20)), undefined],
  ])("is not held up by a server that %s", async (_, behave, expected) => {
    const sockets = new Set<Socket>();
    const server = createServer(socket => {
      sockets.add(socket);
      socket.on("error", () => {});
      behave(socket);
    });
    await new Promise<void>(resolve => server.listen(path, resolve));
    open.push({
      close: () => {
        for (const socket of sockets) socket.destroy();
        server.close();
      },
    });
    expect(await askControl(path, { method: "ping" }, { patience: 50 })).toEqual(expected);
  });
});
