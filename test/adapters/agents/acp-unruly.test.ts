import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createAcpAgent } from "../../../src/adapters/agent/acp/acp-agent.ts";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import type { AgentEvent, AgentUsage } from "../../../src/ports/index.ts";
import { lives } from "../../../src/testing/agent-bench.ts";
import { sampleOf } from "../../sample.ts";
import { agentRequest } from "../agent-fixtures.ts";
import type { FloodReport } from "./acp-flood.ts";
import { UNRULY } from "./unruly.ts";

const LIMITS = { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1 << 20 };

/** A turn of an agent that breaks the protocol in this way, until its process is gone. */
async function once(way: string, idleMs = LIMITS.idleMs) {
  const written: string[] = [];
  const settings = { permissions: POLICIES.allow };
  const agent = createAcpAgent({ name: "puppet", command: [...UNRULY, way], settings, handshakeMs: 3_000 });
  const log = (_stream: string, chunk: Uint8Array) => void written.push(Buffer.from(chunk).toString());
  const opened = await agent.open(agentRequest({ limits: { ...LIMITS, idleMs }, log }));
  if (!opened.ok) throw new Error(opened.failure.message);
  const events: AgentEvent[] = [];
  for await (const event of opened.value.turn("do it")) events.push(event);
  if (way === "asks after its end")
    await vi.waitUntil(() => written.join("").includes("answered"), { timeout: 20_000 });
  await opened.value.close();
  const last = events.at(-1);
  const first = events.find(({ type }) => type === "process");
  if (last?.type !== "ended" || first?.type !== "process") throw new Error("no end");
  expect(lives(first.pid)).toBe(false);
  const usage: AgentUsage = Object.assign({}, ...events.filter(({ type }) => type === "usage"));
  return { end: last.end, usage, events, written: written.join("") };
}

describe("an agent that breaks the protocol", () => {
  it.each(
    sampleOf(
      [
        ["never answers initialize", "did not answer within 3 s: does it speak the Agent Client Protocol?"],
        ["speaks version 7", "speaks version 7 of the Agent Client Protocol, not 1"],
        ["tells no version", "does not say which version of the Agent Client Protocol it speaks"],
        ["tells a version in words", "does not say which version of the Agent Client Protocol it speaks"],
        ["greets with nothing", "does not say which version of the Agent Client Protocol it speaks"],
        ["names no session", "opened a session without a name that could be used"],
        ["names a session by a number", "opened a session without a name that could be used"],
        ["names a session by a megabyte", "opened a session without a name that could be used"],
        ["opens nothing", "opened a session without a name that could be used"],
        ["ends without a word of why", "ended a turn without a known reason"],
        ["asks 1,000 permissions a second", "asked for 2001 permissions in one turn"],
        ["asks and does not read the answers", "does not read what it is answered"],
      ],
      1,
      3,
      6,
      9,
      10,
    ),
  )("[AC19] %s: its turn ends, and says so", async (way, sentence) => {
    const { end } = await once(way);
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "protocol" } });
    expect(end.kind === "failed" ? end.failure.message : "").toBe(`puppet ${sentence}`);
  });

  it.each(
    sampleOf(
      [
        "answers before it is asked",
        "answers twice",
        "changes ids",
        "sends 64 MB in one line",
        "counts what cannot be",
        "nests a million deep",
        "names its calls by a megabyte",
      ],
      1,
      3,
      4,
      5,
    ),
  )("[AC19] %s: its turn ends as it said", async way => {
    const { end, events } = await once(way);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "DONE" });
    expect(JSON.stringify(events).length).toBeLessThan(100_000);
  });

  it("[AC19] sends bytes that are no text: they are told as such, and the rest is read", async () => {
    const { end } = await once("sends what is not UTF-8");
    expect(end).toMatchObject({ kind: "completed", finalMessage: "a\ufffd(\ufffdb\nDONE" });
  });

  it("[AC19] answers in a line that is too long: its silence is told by that", async () => {
    const { end } = await once("answers in one line of 64 MB", 4_000);
    expect(end).toMatchObject({
      kind: "failed",
      failure: {
        message: "puppet: a message of more than 16 MiB was too long to be read",
      },
    });
  });

  it("[AC19] dies in the middle of a tool call: its last words are the reason", async () => {
    const { end } = await once("dies in the middle of a tool call");
    const message = "puppet: panic: index out of range (its process ended in the middle of a turn)";
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "exit", exitCode: 101, message } });
  });

  it("[AC19] asks once its turn has ended: nothing is at work that it could be allowed", async () => {
    const { end, written } = await once("asks after its end");
    expect(end.kind).toBe("completed");
    expect(written).toContain('"outcome":{"outcome":"cancelled"}');
    expect(written).not.toContain("selected");
  });

  it("[AC12] counts what cannot be: it is estimated", async () => {
    const { usage } = await once("counts what cannot be");
    const { inputTokens = 0, outputTokens = 0, estimatedTokens, costUsd, contextUsed } = usage;
    expect([estimatedTokens, costUsd, contextUsed]).toEqual([
      inputTokens + outputTokens,
      undefined,
      undefined,
    ]);
    expect(inputTokens).toBeGreaterThan(1_000);
  });

  it.each([
    "counts less than nothing read",
    "counts less than nothing cached",
    "counts more than there is",
    "counts what it wrote alone",
  ])("[AC12] %s: what is wrong in a part is estimated whole", async way => {
    const { inputTokens = 0, outputTokens = 0, estimatedTokens } = (await once(way)).usage;
    expect(estimatedTokens).toBe(inputTokens + outputTokens);
    expect(inputTokens).toBeGreaterThan(1_000);
  });

  it("[AC12] breaks the protocol once its model has had its message: that was not for nothing", async () => {
    expect((await once("ends without a word of why")).usage.inputTokens).toBeGreaterThan(1_000);
    expect((await once("names no session")).usage.inputTokens).toBe(0);
  });
});

describe("an agent that floods", () => {
  const cost = async (way: string, times: number, pause: number): Promise<FloodReport> => {
    const program = fileURLToPath(new URL("acp-flood.ts", import.meta.url));
    const args = ["--no-warnings", program, way, `${times}`, `${pause}`];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return JSON.parse(stdout);
  };

  it.each(
    sampleOf(
      [
        "floods with thoughts",
        "floods with tool calls",
        "floods with counts",
        "floods with requests nobody knows",
      ],
      1,
      2,
    ),
  )("[AC19] it %s: a slow reader is told no more than it takes, and memory stays", async way => {
    const { end, events, maxRssMib } = await cost(way, 50_000, 20);
    expect(end).toBe("completed");
    expect(events).toBeLessThan(30_000);
    expect(maxRssMib).toBeLessThan(400);
  });

  it("[AC19] a reader that is quick is told of every tool call, in time that grows with their number alone", async () => {
    const few = await cost("floods with tool calls", 10_000, 0);
    const many = await cost("floods with tool calls", 80_000, 0);
    expect(many.events).toBeGreaterThan(80_000);
    expect(many.cpuMs).toBeLessThan(few.cpuMs * 8);
  });
});
