import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Whereabouts } from "../../src/host/run/phase-work.ts";
import { branchesShape } from "../../src/server/read/branches.ts";
import { BranchesShape } from "../../src/server/shapes/branches.ts";
import { BudgetShape } from "../../src/server/shapes/budget.ts";
import {
  CheckpointsShape,
  CheckpointText,
  CompareShape,
  ContextShape,
  TextShape,
} from "../../src/server/shapes/context.ts";
import { RunShape } from "../../src/server/shapes/run.ts";
import { EventsShape } from "../../src/server/shapes/stream.ts";
import { TaskShape } from "../../src/server/shapes/task.ts";
import { agentSaid } from "../reasons.ts";
import { openOrchard } from "./orchard.ts";
import { attempt, BEGAN, openStage, row, type Stage } from "./stage.ts";

async function read<T extends z.ZodType>(stage: Stage, path: string, shape: T): Promise<z.infer<T>> {
  const response = await stage.get(path);
  expect(response.status).toBe(200);
  return shape.parse(await response.json());
}

describe("what the orchard's pages read", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openOrchard();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("[W30] the run: plan, states, critical path, what was spent", async () => {
    const shape = await read(stage, "/api/run", RunShape);
    expect(shape.phases.map(phase => phase.title)).toEqual(["Ground", "Roots", "Branches", "Fruit"]);
    expect(shape.plan.filter(card => card.critical).map(card => card.id)).toEqual([
      "T0.1",
      "T1.1",
      "T1.3",
      "T2.1",
      "T2.4",
      "T3.1",
      "T3.3",
    ]);
    const byId = new Map(shape.tasks.map(task => [task.id, task]));
    expect(byId.get("T2.1")).toMatchObject({ status: "in_progress", agent: "claude" });
    expect(byId.get("T1.4")).toMatchObject({ status: "completed", verified: false });
    expect(shape.run?.tokens).toBeGreaterThan(200_000);
    expect(shape.run?.costUsd).toBeCloseTo(1.18, 1);
  });

  it("[W39] what tasks took, what waits for a person, and how long the run still takes", async () => {
    const { run, tasks } = await read(stage, "/api/run", RunShape);
    const byId = new Map(tasks.map(task => [task.id, task]));
    expect(byId.get("T1.2")).toMatchObject({ agent: "codex", tookMs: 14 * 60_000, tokens: 63_100 });
    expect(byId.get("T1.2")?.costUsd).toBeCloseTo(0.2589, 4);
    expect(byId.get("T2.3")?.ask).toBe("resume");
    expect(tasks.filter(task => task.ask !== undefined).map(task => task.id)).toEqual(["T2.3"]);
    expect(byId.get("T1.1")?.stale).toBe(true);
    expect(tasks.filter(task => task.stale).length).toBe(1);
    expect(byId.get("T2.4")?.tookMs).toBeUndefined();
    // Five tasks of 6, 11, 14, 11 and 6 minutes; what waits behind the paused one is not counted.
    expect(run?.left).toMatchObject({ basis: 5, ahead: 5, held: 4 });
    expect(run).toMatchObject({ attempts: 12, unpriced: 0 });
  });

  it("[W42] where the work is, and what is to be typed next", async () => {
    expect(await read(stage, "/api/branches", BranchesShape)).toEqual({
      target: "main",
      phases: [
        { phase: "1", state: "waits", branch: "phase/1-orchard-planner" },
        { phase: "2", state: "unfinished", branch: "phase/2-orchard-planner" },
      ],
      aside: [{ task: "T2.2", where: "task/t2-2-1" }],
      merge: "espalier phase merge 1",
    });
    const three = ["1", "2", "3"].map(phase => ({ phase, state: "waits" as const }));
    const of = (phases: Whereabouts["phases"]) => branchesShape({ target: "main", phases, aside: [] }).merge;
    expect(of(three)).toBe("espalier phase merge --all");
    expect(of([{ phase: "1", state: "unfinished" }, ...three])).toBeUndefined();
    expect(of([{ phase: "a b", state: "waits" }])).toBe("espalier phase merge 'a b'");
  });

  it("[W42] a project without git has no branches", async () => {
    await using plain = await openStage({ tasks: "# Shop\n## Phase 1: B\n### [ ] T1.1: Walls\n" });
    expect(await read(plain, "/api/branches", BranchesShape)).toEqual({ target: "", phases: [], aside: [] });
  });

  it("[W31] a task: attempts, proof, receipt, what can be decided", async () => {
    const task = await read(stage, "/api/task?id=T2.3", TaskShape);
    expect(task.attempts.map(one => one.outcome)).toEqual(["failed", "failed", "failed"]);
    expect(task.attempts[2]?.reason).toContain("401");
    expect(task.attempts[2]?.usage).toMatchObject({ input: 23_300, cached: 22_000 });
    expect(task.attempts[2]?.estimate).toBeUndefined();
    expect(task.actions).toEqual(["resume", "retry", "skip", "done", "cancel", "send-back"]);
    expect(task.neededBy).toEqual(["T2.5"]);
    const running = await read(stage, "/api/task?id=T2.1", TaskShape);
    const [receipt] = running.receipts;
    expect(receipt).toMatchObject({ attempt: 1, tokens: 21_640, prefix: 14_900 });
    expect(receipt?.parts.filter(part => !part.in).map(part => part.why)).toEqual([
      "longer-than-a-document-may-be",
      "same-text",
    ]);
  });

  it("[W32] the context: tree, provenance, versions, who holds what", async () => {
    const context = await read(stage, "/api/context", ContextShape);
    expect(context.nodes.map(node => [node.id, node.parent])).toEqual([
      ["root", undefined],
      ["ctx-roots", "root"],
      ["ctx-branches", "root"],
    ]);
    expect(context.nodes[1]?.documents[0]).toMatchObject({
      label: "WEATHER",
      kind: "added",
      from: "T1.2#2 codex",
    });
    expect(context.nodes[2]?.documents[1]).toMatchObject({ label: "IDEAS", withdrawn: true });
    expect(context.labels.find(label => label.label === "GC")?.versions.map(one => one.number)).toEqual([
      3, 2, 1,
    ]);
    const standing = new Map(context.holders.map(holder => [holder.teammate, holder]));
    expect(standing.get("T2.1#1")).toMatchObject({ standing: "current", confirmed: 3 });
    expect(standing.get("T2.2#2")).toMatchObject({ confirmed: 2, flight: { version: 3 } });
    expect(standing.get("reviewer")?.confirmed).toBeUndefined();
  });

  it("[W33] two versions side by side add up to both documents", async () => {
    const compared = await read(stage, "/api/compare?label=GC&from=1&to=3", CompareShape);
    expect(compared.added).toBeGreaterThan(0);
    expect(compared.sent).toBeLessThanOrEqual(compared.full + 40);
    const right = compared.stretches.flatMap(one => (one.kind === "same" ? one.removed : one.added));
    const text = await read(stage, "/api/version?label=GC&number=3", TextShape);
    for (const line of right) expect(text.text.split("\n")).toContain(line);
    const same = await read(stage, "/api/compare?label=GC&from=2&to=2", CompareShape);
    expect(same.stretches.every(one => one.kind !== "changed")).toBe(true);
  });

  it("[W34] checkpoints: the line, one of them, any two, the delta validated", async () => {
    const all = await read(stage, "/api/checkpoints", CheckpointsShape);
    expect(all.checkpoints.map(one => one.id)).toEqual(["chk-001", "chk-002", "chk-003"]);
    expect(all.checkpoints[2]?.delta).toMatchObject({ name: "delta-002-003", appliable: true });
    expect(all.current).toBe("chk-003");
    const one = await read(stage, "/api/checkpoint?id=chk-002", CheckpointText);
    expect(one.text).toContain("Storage and weather are done.");
    const pair = await read(stage, "/api/checkpoints/compare?from=chk-002&to=chk-003", CompareShape);
    expect(pair.verdict).toEqual({ ok: true, text: "delta-002-003: chk-003 byte for byte" });
    const far = await read(stage, "/api/checkpoints/compare?from=chk-001&to=chk-003", CompareShape);
    expect(far.verdict).toBeUndefined();
  });

  it("[W35] the budget adds up", async () => {
    const { spent: budget, window: room, updates } = await read(stage, "/api/budget", BudgetShape);
    const sum = (rows: readonly { tokens: number }[]) => rows.reduce((total, one) => total + one.tokens, 0);
    expect(sum(budget.agents)).toBe(budget.tokens);
    expect(sum(budget.stages)).toBe(budget.tokens);
    expect(budget.curve.at(-1)?.[1]).toBe(budget.tokens);
    expect(budget.curve.map(([at]) => at)).toEqual(budget.curve.map(([at]) => at).toSorted((a, b) => a - b));
    expect(sum(room.agents)).toBe(room.used);
    expect(room.used).toBeGreaterThan(0);
    expect(budget.cached).toBeLessThan(budget.input);
    expect(room.next).toMatchObject({ task: "T2.1", level: "light_vs" });
    expect(updates.messages).toBeGreaterThan(0);
  });

  it("[W36] history in pages", async () => {
    const all = await read(stage, "/api/events", EventsShape);
    expect(all.events.map(one => one.seq)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
    const rest = await read(stage, "/api/events?after=19", EventsShape);
    expect(rest.events.map(one => one.seq)).toEqual([20, 21]);
    expect(all.events.at(-2)?.event).toMatchObject({ type: "person", by: "dashboard (ann)" });
  });

  it.each([
    ["/api/task?id=T9.9", 404],
    ["/api/task", 404],
    ["/api/version?label=GC&number=99", 404],
    ["/api/version?label=../../etc/passwd&number=1", 404],
    ["/api/compare?label=GC&from=1", 404],
    ["/api/checkpoint?id=../../../etc/passwd", 404],
    ["/api/checkpoints/compare?from=chk-001&to=chk-999", 404],
    ["/api/log?task=T2.1&attempt=1", 404],
    ["/api/changes?task=T2.1&attempt=1", 404],
    ["/api/diff?task=T9.9", 404],
    ["/api/changes?task=--help&attempt=x", 404],
    ["/api/log?task=../../../../etc/passwd&attempt=1", 404],
    ["/api/events?after=-1", 200],
    ["/api/events?after=zzz", 200],
    ["/api/nothing", 404],
  ])("[W37] %s is answered by %i", async (path, status) => {
    expect((await stage.get(path)).status).toBe(status);
  });
});

describe("what a person decides", () => {
  it("[W40] goes to the process that runs, with who", async () => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n" });
    const answer = await stage.post({ kind: "task", action: "retry", task: "T1.1", note: "try again" });
    expect(await answer.json()).toEqual({ ok: true, message: "done" });
    await stage.post({ kind: "hold", held: true });
    await stage.post({ kind: "force-phase", phase: "1" });
    await stage.post({ kind: "tell", task: "T1.1", text: " mind the dots " });
    await stage.post({ kind: "stop" });
    const by = "dashboard (ann)";
    expect(stage.asked).toEqual([
      { method: "act", action: "retry", task: "T1.1", note: "try again", by },
      { method: "hold", held: true, by },
      { method: "force-phase", phase: "1", by },
      { method: "tell", task: "T1.1", text: "mind the dots", by },
      { method: "stop", how: "soft", by },
    ]);
  });

  it.each([
    { kind: "tell", task: "T1.1", text: "" },
    { kind: "tell", task: "T1.1", text: "  " },
    { kind: "tell", task: "T1.1", text: "x".repeat(4001) },
    { kind: "tell", task: "", text: "x" },
    { kind: "tell", task: "T1.1", text: "x", by: "somebody else" },
  ])("[W40] %j asks for nothing", async wish => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n" });
    expect((await stage.post(wish)).status).toBe(400);
    expect(stage.asked).toEqual([]);
  });

  it("[W41] is refused in words when nobody runs the project, and a refusal of the run is told", async () => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n", live: false });
    stage.reply = undefined;
    const answer = await stage.post({ kind: "stop" });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toEqual({ error: "no process runs this project: go on with the run first" });
    expect(await (await stage.post({ kind: "go-on" })).json()).toEqual({
      ok: true,
      message: "the run goes on",
    });
    expect(stage.asked).toHaveLength(1);
    stage.reply = { ok: false, message: "T1.1 is running" };
    expect(await (await stage.post({ kind: "task", action: "retry", task: "T1.1" })).json()).toEqual({
      ok: false,
      message: "T1.1 is running",
    });
  });
});

describe("state that is not as it should be", () => {
  it("[W50] there is no run yet", async () => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n", empty: true });
    const shape = await read(stage, "/api/run", RunShape);
    expect(shape.run).toBeNull();
    expect(shape.tasks).toEqual([]);
    expect((await stage.get("/api/task?id=T1.1")).status).toBe(404);
    expect((await stage.get("/api/budget")).status).toBe(404);
    expect((await stage.get("/api/events")).status).toBe(200);
  });

  it("[W51] a megabyte in every field is cut, and the page's reading stays small", async () => {
    const mega = "x".repeat(1024 * 1024);
    await using stage = await openStage({
      tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n",
      rows: () => [row("T1.1", { status: "failed", attempts: 1, reason: agentSaid(mega) })],
      run: { reason: agentSaid(mega), project: mega, file: mega },
      attempts: [
        attempt("T1.1", 1, {
          reason: agentSaid(mega),
          evidence: mega,
          finalMessage: mega,
          feedback: mega,
          agent: mega,
        }),
      ],
    });
    stage.happen({ type: "person", action: mega, task: "T1.1", note: mega, by: mega });
    for (const path of ["/api/run", "/api/task?id=T1.1", "/api/events", "/api/budget"]) {
      const text = await (await stage.get(path)).text();
      expect(text.length).toBeLessThan(70_000);
    }
  });

  it("[W52] text that reorders or hides is made visible, broken surrogates are replaced", async () => {
    const evil = "a\u202eb\u001b[31mc\u0000\ud800d";
    await using stage = await openStage({
      tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n",
      rows: () => [row("T1.1", { status: "failed", attempts: 1, reason: agentSaid(evil) })],
      attempts: [attempt("T1.1", 1, { evidence: `${evil}\n${evil}` })],
    });
    const shape = await read(stage, "/api/run", RunShape);
    expect(shape.tasks[0]?.reason).toBe("a\\u{202e}b\\x1b[31mc\\x00\ufffdd");
    const task = await read(stage, "/api/task?id=T1.1", TaskShape);
    expect(task.attempts[0]?.evidence).toBe(`${shape.tasks[0]?.reason}\n${shape.tasks[0]?.reason}`);
  });
});

describe("the time of a run", () => {
  it("[W154] that has ended stays as it is, whatever is decided since", async () => {
    await using stage = await openStage({
      tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n",
      run: { state: "waiting", updatedAt: BEGAN + 90_000 },
    });
    const endedAt = async () => (await read(stage, "/api/run", RunShape)).run?.endedAt;
    expect(await endedAt()).toBeUndefined();
    stage.happened(
      [BEGAN, { type: "run-started", project: "A", tasks: 1, resumed: false }],
      [BEGAN + 5000, { type: "run-ended", outcome: "waiting" }],
    );
    await expect.poll(endedAt).toBe(BEGAN + 5000);
    stage.happened([BEGAN + 90_000, { type: "person", action: "done", task: "T1.1", note: "", by: "me" }]);
    stage.happened([BEGAN + 90_000, { type: "run-ended", outcome: "completed" }]);
    await new Promise(resolve => setTimeout(resolve, 300));
    expect(await endedAt()).toBe(BEGAN + 5000);
    // Taken up again, it is worked on until it ends anew.
    stage.happened([BEGAN + 95_000, { type: "run-started", project: "A", tasks: 1, resumed: true }]);
    await expect.poll(endedAt).toBeUndefined();
  });
});

describe("the time of a run that was cut off", () => {
  it("[W154] is counted up to what it told last, which was no person's", async () => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n" });
    const endedAt = async () => (await read(stage, "/api/run", RunShape)).run?.endedAt;
    stage.happened(
      [BEGAN, { type: "run-started", project: "A", tasks: 1, resumed: false }],
      [BEGAN + 3_600_000, { type: "attempt-started", task: "T1.1", attempt: 1, agent: "shell" }],
      [BEGAN + 7_200_000, { type: "person", action: "skip", task: "T1.1", note: "", by: "me" }],
    );
    expect(await endedAt()).toBeUndefined();
    stage.setLink({ live: false });
    await expect.poll(endedAt).toBe(BEGAN + 3_600_000);
    stage.setLink({ live: true });
    await expect.poll(endedAt).toBeUndefined();
  });
});

describe("a state that is newer than this program", () => {
  it("[W53] is said on the page in words, and nothing breaks", async () => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n" });
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(stage.root, ".espalier", "espalier.db"));
    database.exec("PRAGMA user_version = 9999");
    database.close();
    // Whoever opens it anew finds it newer; the one that is open may go on.
    stage.monitor.close();
    const shape = await read(stage, "/api/run", RunShape);
    expect(shape.problem).toMatch(/newer/);
    expect((await stage.get("/api/task?id=T1.1")).status).toBe(503);
    expect((await stage.get("/api/budget")).status).toBe(503);
  });
});
