import { describe, expect, it } from "vitest";
import { createCommandAgent, createShellAgent } from "../../src/adapters/agent/index.ts";
import type { Agent, AgentEvent, SessionRequest } from "../../src/ports/index.ts";
import { openStage } from "./stage.ts";

function request(task: string, extra: Partial<SessionRequest> = {}): SessionRequest {
  return {
    task,
    attempt: 1,
    token: `token-${task}-${process.pid}`,
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "" },
    limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1_000 },
    log: () => {},
    ...extra,
  };
}

async function turn(agent: Agent, given: SessionRequest, message: string): Promise<readonly AgentEvent[]> {
  const session = await agent.open(given);
  if (!session.ok) throw new Error(session.failure.message);
  const events: AgentEvent[] = [];
  for await (const event of session.value.turn(message)) events.push(event);
  return events;
}

describe("the puppet stage", () => {
  it("hands over calls with their prompt and does what the test says", async () => {
    await using stage = await openStage();
    const agent = createCommandAgent({ name: "puppet", command: `${stage.command} --flag` });
    const running = turn(agent, request("T1.3"), "please do T1.3");
    const call = await stage.nextCall();
    expect(call).toMatchObject({
      prompt: "please do T1.3",
      task: "T1.3",
      args: ["--flag"],
      cwd: process.cwd(),
    });
    await call.say("one");
    await call.raw("two ");
    await call.say("halves");
    await call.complain("hm");
    await call.exit(3);
    const events = await running;
    expect(events.flatMap(event => (event.type === "line" ? [event.text] : [])).sort()).toEqual([
      "hm",
      "one",
      "two halves",
    ]);
    expect(events.at(-1)).toMatchObject({
      end: { kind: "completed", exitCode: 3, finalMessage: "one\ntwo halves\n" },
    });
    expect(stage.calls).toBe(1);
  });

  it("finds the call of a task among several, early or late", async () => {
    await using stage = await openStage();
    const agent = createShellAgent();
    const late = stage.nextCall("T2");
    const runs = ["T1", "T2", "T3"].map(task => turn(agent, request(task, { script: stage.script }), ""));
    const calls = [await late, await stage.nextCall("T3"), await stage.nextCall()];
    expect(calls.map(call => call.task)).toEqual(["T2", "T3", "T1"]);
    await Promise.all(calls.map(call => call.exit()));
    for (const events of await Promise.all(runs))
      expect(events.at(-1)).toMatchObject({ end: { exitCode: 0 } });
  });

  it("dies, ignores signals and leaves processes behind on demand", async () => {
    await using stage = await openStage();
    const agent = createCommandAgent({ name: "puppet", command: stage.command });
    const running = turn(agent, request("T1"), "");
    const call = await stage.nextCall();
    expect(await call.leave()).toBeGreaterThan(1);
    await call.ignore("SIGTERM");
    process.kill(call.pid, "SIGTERM");
    await call.say("still here");
    await call.die("SIGKILL");
    expect((await running).at(-1)).toMatchObject({ end: { failure: { kind: "killed", signal: "SIGKILL" } } });
  });

  it("says who is on the stage when nobody comes, and takes its puppets away at the end", async () => {
    const stage = await openStage();
    const running = turn(createCommandAgent({ name: "puppet", command: stage.command }), request("T1"), "");
    const call = await stage.nextCall("T1");
    await expect(stage.nextCall("T9", 20)).rejects.toThrow(
      "no call of T9 within 20 ms; on the stage: nobody",
    );
    await stage.close();
    await call.gone;
    expect((await running).at(-1)).toMatchObject({ end: { kind: "completed", exitCode: 99 } });
    await expect(call.say("too late")).rejects.toThrow("gone");
  });
});
