import { describe, expect, it } from "vitest";
import { createShellAgent } from "../../src/adapters/agent/index.ts";
import type { Agent, AgentEvent, AgentSession } from "../../src/ports/index.ts";
import { agentConformance } from "../../src/testing/agent.ts";

/** A shell agent whose sessions differ from what the port asks for. */
function spoilt(spoil: (session: AgentSession) => Partial<AgentSession>): Agent {
  const shell = createShellAgent({ path: process.env["PATH"] });
  return {
    ...shell,
    async open(request) {
      const opened = await shell.open(request);
      if (!opened.ok) return opened;
      const { value } = opened;
      const whole = {
        turn: (message: string) => value.turn(message),
        cancel: (how: "soft" | "hard") => value.cancel(how),
        close: () => value.close(),
      };
      return { ok: true, value: { ...whole, ...spoil(value) } };
    },
  };
}

/** Changes the events of every turn. */
function retold(change: (event: AgentEvent) => readonly AgentEvent[]): Agent {
  return spoilt(session => ({
    async *turn(message) {
      for await (const event of session.turn(message)) yield* change(event);
    },
  }));
}

async function broken(agent: Agent, ids: readonly string[]): Promise<string[]> {
  const cases = agentConformance({
    agent: script => ({ agent, request: { script } }),
    missing: () => createShellAgent({ path: "/nowhere" }),
  });
  const failing: string[] = [];
  for (const id of ids) {
    const rule = cases.find(({ name }) => name.startsWith(`[${id}] `));
    if (rule === undefined) throw new Error(`no rule ${id}`);
    await rule.run().catch(() => failing.push(id));
  }
  return failing;
}

describe("the Agent suite itself", () => {
  it("has rules with names of their own", () => {
    const names = agentConformance({
      agent: () => ({ agent: createShellAgent() }),
      missing: () => createShellAgent(),
    }).map(({ name }) => name.slice(0, name.indexOf(" ")));
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name, index) => name === `[AG${index + 1}]`)).toBe(true);
  });

  it("shows the reason of what it skips, in words", () => {
    const cases = agentConformance({
      agent: () => ({ agent: createShellAgent() }),
      missing: () => createShellAgent(),
      noMessage: "it cannot hear",
      noDetached: "it cannot see",
    });
    expect(cases.filter(({ skip }) => skip === "it cannot hear").length).toBeGreaterThan(0);
    expect(cases.filter(({ skip }) => skip === "it cannot see").length).toBeGreaterThan(0);
  });

  it("passes a sound agent", async () => {
    expect(
      await broken(
        retold(event => [event]),
        ["AG4", "AG5", "AG7", "AG8", "AG18", "AG19", "AG24"],
      ),
    ).toEqual([]);
  });

  it("notices a turn that ends twice, never, or not last", async () => {
    const twice = retold(event => (event.type === "ended" ? [event, event] : [event]));
    const never = retold(event => (event.type === "ended" ? [] : [event]));
    const early = retold(event =>
      event.type === "ended" ? [event, { type: "line", stream: "stdout", text: "late" }] : [event],
    );
    for (const agent of [twice, never, early]) expect(await broken(agent, ["AG4"])).toEqual(["AG4"]);
  });

  it("notices a process that is not named, an exit code that is a failure, a wrong cause", async () => {
    const unnamed = retold(event => (event.type === "process" ? [] : [event]));
    expect(await broken(unnamed, ["AG4"])).toEqual(["AG4"]);
    const strict = retold(event =>
      event.type === "ended" && event.end.kind === "completed" && event.end.exitCode !== 0
        ? [
            {
              type: "ended",
              end: {
                kind: "failed",
                finalMessage: "",
                failure: { kind: "exit", message: "x", retryable: true },
              },
            },
          ]
        : [event],
    );
    expect(await broken(strict, ["AG4", "AG5"])).toEqual(["AG5"]);
    const vague = retold(event =>
      event.type === "ended" && event.end.kind === "failed"
        ? [{ ...event, end: { ...event.end, failure: { ...event.end.failure, kind: "exit" } } }]
        : [event],
    );
    expect(await broken(vague, ["AG6", "AG14"])).toEqual(["AG6", "AG14"]);
  });

  it("notices streams that are mixed up, lines that are lost, turns that overlap", async () => {
    const mixed = retold(event => [event.type === "line" ? { ...event, stream: "stdout" } : event]);
    expect(await broken(mixed, ["AG8"])).toEqual(["AG8"]);
    const deaf = retold(event => (event.type === "line" ? [] : [event]));
    expect(await broken(deaf, ["AG4", "AG7", "AG9"])).toEqual(["AG4", "AG7", "AG9"]);
    const fresh = createShellAgent();
    const overlapping: Agent = {
      ...fresh,
      open: async request => ({
        ok: true,
        value: {
          async *turn(message) {
            const opened = await fresh.open(request);
            if (opened.ok) yield* opened.value.turn(message);
          },
          cancel: async () => {},
          close: async () => {},
        },
      }),
    };
    expect(await broken(overlapping, ["AG25"])).toEqual(["AG25"]);
  });

  it("notices a cancel that does not wait for the death of the process", async () => {
    const hasty = spoilt(session => ({
      cancel: async how => void session.cancel(how),
    }));
    expect(await broken(hasty, ["AG16"])).toEqual(["AG16"]);
  });
});
