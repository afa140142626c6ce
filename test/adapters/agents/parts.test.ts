import { describe, expect, it } from "vitest";
import { createEventQueue } from "../../../src/adapters/agent/event-queue.ts";
import { amount, defined, fields, list, oneLine, text } from "../../../src/adapters/agent/fields.ts";
import { loginBySigns, versionIn } from "../../../src/adapters/agent/look.ts";
import { createObstacle } from "../../../src/adapters/agent/obstacle.ts";
import {
  decide,
  decisionOf,
  type Permissions,
  POLICIES,
  toolKind,
} from "../../../src/adapters/agent/permissions.ts";
import { createSaid } from "../../../src/adapters/agent/said-lines.ts";
import { createToolCalls } from "../../../src/adapters/agent/tool-calls.ts";
import type { AgentEvent } from "../../../src/ports/index.ts";

async function eventsOf(use: (queue: ReturnType<typeof createEventQueue>) => void): Promise<AgentEvent[]> {
  const queue = createEventQueue(() => {});
  use(queue);
  queue.end({ kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 });
  const events: AgentEvent[] = [];
  for await (const event of queue.events) if (event.type !== "ended") events.push(event);
  return events;
}

describe("foreign fields", () => {
  it("are what they should be, or nothing", () => {
    expect([fields(null), fields([1]), fields("x"), fields(undefined)]).toEqual([{}, {}, {}, {}]);
    expect([text(7), text(null), text("a")]).toEqual(["", "", "a"]);
    expect([amount(-1), amount(Number.NaN), amount("7"), amount(7)]).toEqual([
      undefined,
      undefined,
      undefined,
      7,
    ]);
    expect([list({}), list([1])]).toEqual([[], [1]]);
    expect(defined({ a: 1, b: undefined })).toEqual({ a: 1 });
  });

  it("fit on one line", () => {
    expect(oneLine("  a\r\nb")).toBe("a");
    expect(oneLine("x".repeat(300))).toHaveLength(200);
    expect(oneLine("")).toBe("");
  });
});

describe("what an agent says", () => {
  it("becomes whole lines; the final message is the last one that has words", async () => {
    let message = "";
    const events = await eventsOf(queue => {
      const said = createSaid(queue);
      said.piece("I lo");
      said.piece("ok.");
      said.pause();
      said.piece("Then\nDONE");
      said.pause();
      said.piece("\n");
      said.end();
      message = said.message();
    });
    const lines = events.flatMap(event => (event.type === "line" ? [event.text] : []));
    expect(lines).toEqual(["I look.", "Then", "DONE", ""]);
    expect(message).toBe("Then\nDONE\n");
  });

  it("keeps 64 KiB of a message, the last ones", async () => {
    let message = "";
    await eventsOf(queue => {
      const said = createSaid(queue);
      for (let index = 0; index < 3_000; index++) said.piece(`${"x".repeat(99)}\n`);
      said.piece("the end");
      message = said.message();
    });
    expect(message.length).toBeLessThanOrEqual(1 << 16);
    expect(message.endsWith("the end")).toBe(true);
  });
});

describe("tool calls", () => {
  it("end with the kind and title of their beginning, or with better ones", async () => {
    const events = await eventsOf(queue => {
      const tell = createToolCalls(queue).hear;
      tell({ id: "a", kind: "edit", title: "Preparing…", state: "started" });
      tell({ id: "a", title: "Write a.ts" });
      tell({ id: "a", state: "done" });
      tell({ id: "b", state: "failed" });
    });
    expect(events).toEqual([
      { type: "tool", id: "a", kind: "edit", title: "Preparing…", state: "started" },
      { type: "tool", id: "a", kind: "edit", title: "Write a.ts", state: "done" },
      { type: "tool", id: "b", kind: "other", title: "", state: "failed" },
    ]);
  });
});

describe("permissions", () => {
  const ask = async () => ({ answer: "allowed", by: "person" }) as const;
  const ruled = (policy: Permissions, kind: "read" | "edit", asks?: typeof ask) =>
    decide(decisionOf(policy, kind, {}, "/"), { kind, title: "" }, asks);

  it("let read whatever the policy is, and ask only where it says so", async () => {
    expect(await ruled(POLICIES.deny, "read")).toEqual({ answer: "allowed", by: "policy" });
    expect(await ruled(POLICIES.deny, "edit", ask)).toEqual({ answer: "rejected", by: "policy" });
    expect(await ruled(POLICIES.ask, "edit", ask)).toEqual({ answer: "allowed", by: "person" });
    expect(await ruled(POLICIES.ask, "edit")).toEqual({ answer: "rejected", by: "nobody" });
  });

  it("take unknown kinds for the least trusted", () => {
    expect(
      ["read", "search", "delete", "execute", "fetch", "switch_mode", "constructor", ""].map(toolKind),
    ).toEqual(["read", "read", "edit", "execute", "fetch", "other", "other", "other"]);
  });
});

describe("obstacle", () => {
  it("is given up when only time mends it and it lasts; another kind is not", async () => {
    let given = 0;
    const quota = createObstacle("a", () => given++, 30);
    const other = createObstacle("a", () => given++, 30);
    quota.meet({ said: "rate limit" });
    quota.meet({ said: "rate limit" });
    other.meet({ said: "stream disconnected" });
    await new Promise(resolve => setTimeout(resolve, 120));
    expect(given).toBe(1);
    expect(quota.failure?.kind).toBe("quota");
    expect(other.failure?.kind).toBe("exit");
    other.clear();
    expect(other.failure).toBeUndefined();
  });

  it("that passes is forgotten", async () => {
    let given = 0;
    const obstacle = createObstacle("a", () => given++, 30);
    obstacle.meet({ said: "rate limit" });
    obstacle.clear();
    await new Promise(resolve => setTimeout(resolve, 90));
    expect([given, obstacle.failure]).toEqual([0, undefined]);
  });
});

describe("what a program says about itself", () => {
  it.each([
    ["2.1.328 (Claude Code)", "2.1.328"],
    ["WARNING: old\ncodex-cli 0.169.0\n", "0.169.0"],
    ["v1.2.3-beta.4", "1.2.3-beta.4"],
    ["no number", undefined],
    ["1.2", undefined],
  ])("%s has the version %s", (said, version) => {
    expect(versionIn(said.replace("v1", " 1"))).toBe(version);
  });

  it("shows a login by a variable or a file, else what their lack means", () => {
    const signs = { variables: ["A_KEY"], files: [".nowhere/auth.json"], without: "unseen" } as const;
    expect(loginBySigns(signs, { A_KEY: "x" })).toBe("in");
    expect(loginBySigns(signs, { A_KEY: "", HOME: "/nonexistent" })).toBe("unseen");
    expect(loginBySigns({ ...signs, without: "unknown" }, {})).toBe("unknown");
  });
});
