import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createAcpAgent } from "../../../src/adapters/agent/acp/acp-agent.ts";
import type { AgentEvent, AgentFailure, AgentLimits, AgentSession } from "../../../src/ports/index.ts";
import { lives } from "../../../src/testing/agent-bench.ts";
import { agentRequest } from "../agent-fixtures.ts";
import { program } from "./place.ts";

const PUPPET = fileURLToPath(new URL("acp-puppet.ts", import.meta.url));
/** No test takes ten minutes: what ends in time ended for another reason. */
const NEVER = 600_000;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Heard {
  readonly events: readonly AgentEvent[];
  readonly lines: readonly string[];
  readonly message: string;
  readonly failure: AgentFailure | undefined;
  readonly pid: number;
}

async function open(
  behaviour: string,
  limits: Partial<AgentLimits> = {},
  patience: { handshakeMs?: number; patienceMs?: number; isUnknown?: boolean } = {},
): Promise<AgentSession> {
  const { file, folder } = program("agent", `#!/bin/sh\nexec "$@"\n`);
  folders.push(folder);
  const command = [
    file,
    process.execPath,
    "--no-warnings",
    PUPPET,
    behaviour,
    join(folder, "notes"),
  ] as const;
  const agent = createAcpAgent({ name: "puppet", command: [...command], ...patience });
  const whole = { wallMs: NEVER, idleMs: NEVER, graceMs: 800, logBytes: 1 << 20, ...limits };
  const session = await agent.open(agentRequest({ limits: whole }));
  if (!session.ok) throw new Error(session.failure.message);
  return session.value;
}

async function hear(session: AgentSession): Promise<Heard> {
  const events: AgentEvent[] = [];
  for await (const event of session.turn("do it")) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error("no end");
  const first = events.find(event => event.type === "process");
  return {
    events,
    lines: events.flatMap(event => (event.type === "line" ? [event.text] : [])),
    message: last.end.finalMessage,
    failure: last.end.kind === "failed" ? last.end.failure : undefined,
    pid: first?.type === "process" ? first.pid : 0,
  };
}

async function once(...given: Parameters<typeof open>): Promise<Heard> {
  const session = await open(...given);
  const heard = await hear(session);
  await session.close();
  expect(lives(heard.pid)).toBe(false);
  return heard;
}

describe("a program that is slow to tell its version", () => {
  it("[AC16] is there without one where it is not known whether it tells any", async () => {
    const { file, folder } = program("slow", `#!/bin/sh\nsleep 9\necho 1.2.3\n`);
    folders.push(folder);
    const [unknown, known] = await Promise.all(
      [true, false].map(isUnknown => createAcpAgent({ name: "slow", command: [file], isUnknown }).probe()),
    );
    expect(unknown).toEqual({ found: true, path: file, login: "unknown" });
    expect(known).toMatchObject({ found: true, version: "1.2.3" });
  });
});

describe("the words of an error, said as any other", () => {
  it("[AC21] are the failure of an agent that is only a command line, and what another one says", async () => {
    const unknown = await once("worded", {}, { isUnknown: true });
    expect(unknown.failure).toMatchObject({ kind: "quota", retryable: true });
    const known = await once("worded");
    expect([known.failure, known.message]).toEqual([undefined, "Error: 429 too many requests"]);
  });
});

/** Opens a session and waits until its turn has come so far. */
async function reached(event: AgentEvent["type"], ...given: Parameters<typeof open>) {
  const session = await open(...given);
  const turn = session.turn("do it")[Symbol.asyncIterator]();
  let pid = 0;
  const until = async (type: AgentEvent["type"]): Promise<AgentEvent> => {
    for (;;) {
      const { value, done } = await turn.next();
      if (done === true) throw new Error(`ended without ${type}`);
      if (value.type === "process") pid = value.pid;
      if (value.type === type) return value;
    }
  };
  await until(event);
  return { session, pid, ended: () => until("ended") };
}

const CANCELLED = { end: { kind: "failed", failure: { kind: "cancelled" } } };

describe("an agent that does not speak the protocol", () => {
  it.each(["silent", "babbles"])("%s: it is given up after its time for a hello", async behaviour => {
    const { failure } = await once(behaviour, {}, { handshakeMs: 600 });
    expect(failure).toMatchObject({ kind: "protocol", retryable: true });
    expect(failure?.message).toBe(
      "puppet did not answer within 0.6 s: does it speak the Agent Client Protocol?",
    );
  });

  it("speaks another version of it", async () => {
    const { failure } = await once("future");
    expect(failure).toMatchObject({ kind: "protocol", retryable: false });
    expect(failure?.message).toContain("version 2");
  });

  it("wants a login first", async () => {
    expect((await once("auth")).failure).toMatchObject({ kind: "auth", retryable: false });
  });

  it.each([
    ["offers", "Authentication required: Sign in with Puppet (Run `puppet login`); Use a key"],
    ["late", "Please log in: Sign in with Puppet (Run `puppet login`); Use a key; Authentication"],
  ])("[AC58] %s: names the logins that it offers, but for what it said already", async (behaviour, said) => {
    expect((await once(behaviour)).failure?.message).toBe(`puppet: ${said}`);
  });

  it.each([
    ["echo 'error: unknown option --acp' >&2; exit 2", "exit", true, "error: unknown option --acp"],
    ["read hello; echo 'Not logged in. Run: newcomer login' >&2; exit 1", "auth", false, "Not logged in."],
    ["read hello; exit 4", "exit", true, "exit code 4 (its process ended before a session was open)"],
    [
      "printf 'Error: Cannot find module\\n    at Module.load (x.js:1:2)\\n\\nNode.js v24.1.0\\n' >&2; exit 1",
      "exit",
      true,
      "Error: Cannot find module",
    ],
  ])("[AC23] ends before a session is open: %s", async (body, kind, retryable, said) => {
    const { file, folder } = program("agent", `#!/bin/sh\n${body}\n`);
    folders.push(folder);
    const session = await createAcpAgent({ name: "puppet", command: [file] }).open(agentRequest());
    if (!session.ok) throw new Error(session.failure.message);
    const { failure } = await hear(session.value);
    expect(failure).toMatchObject({ kind, retryable });
    expect(failure?.message).toContain(`puppet: ${said}`);
    await session.value.close();
  });
});

describe("an agent in the middle of a turn", () => {
  it("prints noise, half a line, unknown updates and answers nobody waits for", async () => {
    const { failure, message, lines } = await once("noise");
    expect(failure).toBeUndefined();
    expect(message).toBe("DONE");
    expect(lines).toEqual(["Loading…", '{"jsonrpc":"2.0","method":', "[1,2,3]", '"hello"', "DONE"]);
  });

  it("sends a message of 20 MB: it is left out, and the next one is read", async () => {
    const { message, lines } = await once("huge");
    expect(message).toBe("DONE");
    expect(lines[0]).toBe("[espalier] a message of more than 16 MiB was too long to be read");
  });

  it("dies, and its last words on stderr are the reason", async () => {
    const { failure, message } = await once("dies");
    expect(failure).toMatchObject({ kind: "exit", exitCode: 3 });
    expect(failure?.message).toBe("puppet: fatal: out of luck (its process ended in the middle of a turn)");
    expect(message).toBe("I am about to");
  });

  it("is killed", async () => {
    expect((await once("killed")).failure).toMatchObject({ kind: "killed", signal: "SIGKILL" });
  });

  it.each([
    ["quota", "quota", true],
    ["tokens", "exit", true],
    ["turns", "max-turns", true],
    ["refuses", "exit", true],
    ["odd", "protocol", true],
    ["broken", "overloaded", true],
  ])("ends its turn as %s, which is %s", async (behaviour, kind, retryable) => {
    expect((await once(behaviour)).failure).toMatchObject({ kind, retryable });
  });

  it("tells when its quota comes back", async () => {
    const before = Date.now();
    const { failure } = await once("quota");
    const inThreeHours = (failure?.retryAt ?? 0) - 3 * 3_600_000;
    expect(inThreeHours).toBeGreaterThanOrEqual(before - 1_000);
    expect(inThreeHours).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

describe("an agent that does not get on", () => {
  it("ends as idle, also while it sends notices", async () => {
    const { failure } = await once("chatters", { idleMs: 900 });
    expect(failure?.kind).toBe("idle");
  });

  it("ends at its wall clock", async () => {
    expect((await once("hangs", { wallMs: 900 })).failure?.kind).toBe("wall-clock");
  });

  it("is not waited for when only time would mend what stands against it", async () => {
    const { failure } = await once("stuck", {}, { patienceMs: 300 });
    expect(failure).toMatchObject({ kind: "quota", retryable: true });
  });

  it("answers a cancel in its own way", async () => {
    const { session, ended } = await reached("line", "hangs", { graceMs: NEVER });
    await session.cancel("soft");
    expect(await ended()).toMatchObject(CANCELLED);
    await session.close();
  });

  it("ignores a cancel and SIGTERM, and is killed after its grace", async () => {
    const { session, pid } = await reached("line", "deaf", { graceMs: 800 });
    const began = performance.now();
    await session.cancel("soft");
    expect(performance.now() - began).toBeGreaterThan(700);
    expect(lives(pid)).toBe(false);
    await session.close();
  });

  it("is cancelled while it is still being greeted", async () => {
    const { session, ended } = await reached("process", "silent");
    await session.cancel("hard");
    expect(await ended()).toMatchObject(CANCELLED);
    await session.close();
  });
});
