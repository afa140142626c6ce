import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStage } from "../../puppet/stage.ts";
import { openLab } from "../lab.ts";

const FAST = "parallel: 5\nbackoff: { first: 0s }\nlimits: { grace: 500ms }\nmaxAttempts: 2\n";

function tasks(script: string): string {
  return [
    "# Status",
    "## Phase 1: Build",
    "### [ ] T1.1: quick",
    "- run: true",
    "- verify: true",
    "### [ ] T1.2: puppet",
    "- depends_on: [T1.1]",
    "- parallel_with: [T1.3]",
    `- run: ${script}`,
    "### [ ] T1.3: puppet",
    "- depends_on: [T1.1]",
    "- parallel_with: [T1.2]",
    `- run: ${script}`,
    "### [ ] T1.4: after",
    "- depends_on: [T1.2]",
    "- run: true",
    "",
  ].join("\n");
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly retries: number;
}

describe.concurrent("espalier status and task", { timeout: 120_000 }, () => {
  it("tells where a run stands, while it goes on and after, for people, programs and models", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": tasks(stage.script), "espalier.yaml": FAST });
    const run = lab.start(["run", "--yes"]);
    const calls = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
    const [text, json, thin] = await Promise.all([
      lab.cli(["status"]),
      lab.ask("status", "--json"),
      lab.cli(["status", "--thin"]),
    ]);
    expect(text.stdout).toMatch(/^Status {2}running {2}Phase 1/);
    expect(thin.stdout).toBe(
      "T1.1 1 completed\nT1.2 1 in_progress <T1.1 &T1.3\nT1.3 1 in_progress <T1.1 &T1.2\nT1.4 1 pending <T1.2\n",
    );
    const live = JSON.parse(json.stdout);
    expect(live.run).toMatchObject({
      state: "running",
      phase: 1,
      id: expect.stringMatching(/^[a-z2-7]{12}$/),
    });
    expect(live.counts).toEqual({ completed: 1, in_progress: 2, pending: 1 });
    expect(live.tasks).toEqual([
      {
        id: "T1.1",
        phase: 1,
        status: "completed",
        dependsOn: [],
        parallelWith: [],
        retries: 0,
        verified: true,
      },
      {
        id: "T1.2",
        phase: 1,
        status: "in_progress",
        dependsOn: ["T1.1"],
        parallelWith: ["T1.3"],
        retries: 0,
        verified: null,
      },
      {
        id: "T1.3",
        phase: 1,
        status: "in_progress",
        dependsOn: ["T1.1"],
        parallelWith: ["T1.2"],
        retries: 0,
        verified: null,
      },
      {
        id: "T1.4",
        phase: 1,
        status: "pending",
        dependsOn: ["T1.2"],
        parallelWith: [],
        retries: 0,
        verified: null,
      },
    ]);
    for (const call of calls) await call.exit(1);
    for (const id of ["T1.2", "T1.3"]) await (await stage.nextCall(id)).exit(1);
    expect((await run.ended).code).toBe(1);
    const after = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(after.run).toMatchObject({ state: "failed", reason: "failed: T1.2, T1.3; blocked: T1.4" });
    expect(after.counts).toEqual({ completed: 1, failed: 2, blocked: 1 });
  });

  it("keeps orchestrate-state.json up with the truth, and its backup good", async () => {
    await using stage = await openStage();
    await using lab = openLab({
      "TASKS.md": tasks(stage.script),
      "espalier.yaml": `${FAST}heartbeat: 200ms\n`,
    });
    const run = lab.start(["run", "--yes"]);
    await stage.nextCall("T1.2");
    const thin = () => JSON.parse(lab.read(".espalier/orchestrate-state.json"));
    await lab.until(
      () =>
        existsSync(lab.path(".espalier/orchestrate-state.json")) &&
        thin().tasks.some((row: Row) => row.id === "T1.2" && row.status === "in_progress"),
    );
    expect(thin()).toMatchObject({ version: "3.0", project: "Status", phase: 1, state: "running" });
    expect(thin().tasks[1]).toEqual({
      id: "T1.2",
      phase: 1,
      status: "in_progress",
      depends_on: ["T1.1"],
      parallel_with: ["T1.3"],
      retry_count: 0,
    });
    // The heartbeat alone makes the backup while nothing else happens.
    await lab.until(
      () =>
        existsSync(lab.path(".espalier/espalier.db.bak")) &&
        existsSync(lab.path(".espalier/orchestrate-state.json.bak")),
    );
    JSON.parse(lab.read(".espalier/orchestrate-state.json.bak"));
    run.signal("SIGTERM");
    await run.ended;
    expect(thin().state).toBe("interrupted");
  });

  it("decides about tasks through the running process", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": tasks(stage.script), "espalier.yaml": FAST });
    const run = lab.start(["run", "--yes"]);
    const [two, three] = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
    const act = async (...args: string[]) => {
      const { code, stdout } = await lab.ask("task", ...args);
      return `${code} ${stdout.trim()}`;
    };
    expect(await act("pause", "T1.2", "--note", "let me look")).toBe("0 T1.2 is paused");
    await two.gone;
    expect(await act("pause", "T1.2")).toBe("2 T1.2 is already paused");
    expect(await act("resume", "T1.2")).toBe("0 T1.2 goes on");
    const again = await stage.nextCall("T1.2");
    expect(await act("skip", "T1.3", "T1.4")).toBe("0 T1.3 is skipped\nT1.4 is skipped");
    await three.gone;
    expect(await act("cancel", "T9.9")).toBe("2 no task T9.9 in this plan");
    expect(await act("retry", "T1.2")).toBe("2 T1.2 is running; pause or cancel it first");
    await again.exit(0);
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("[PERSON] pause T1.2: let me look");
    expect(stdout).toContain("[PAUSED] T1.2: let me look");
    const { counts } = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(counts).toEqual({ completed: 2, skipped: 2 });
  });

  it("decides about tasks while nothing runs, for the next run", async () => {
    await using lab = openLab({
      "TASKS.md":
        "# O\n## Phase 1: p\n### [ ] T1.1: a\n- run: test -e ok\n### [ ] T1.2: b\n- depends_on: [T1.1]\n- run: touch b\n",
      "espalier.yaml": FAST,
    });
    const act = async (...args: string[]) => {
      const { code, stdout } = await lab.ask("task", ...args);
      return `${code} ${stdout.trim()}`;
    };
    const none = await lab.ask("task", "retry", "T1.1");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("NO_RUN")]);
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    expect(await act("resume", "T1.1")).toBe("2 T1.1 is failed, not paused");
    expect(await act("retry", "T1.2")).toBe("2 T1.2 is blocked by T1.1: retry or skip that task instead");
    expect(await act("done", "T1.1", "--note", "by hand")).toBe(
      '0 T1.1 counts as completed (unverified); "espalier resume" goes on',
    );
    expect(lab.read("TASKS.md")).toContain("[x] T1.1");
    expect((await lab.cli(["resume"])).code).toBe(0);
    expect(lab.read("b")).toBe("");
    expect(await act("skip", "T1.2")).toBe("2 T1.2 is completed; nothing to skip");
    const retried = await lab.ask("task", "retry", "T1.2");
    expect(retried).toEqual({
      code: 0,
      stdout: 'T1.2 starts afresh; "espalier resume" goes on\n',
      stderr: "",
    });
    expect(await act("cancel", "T1.2")).toBe('0 T1.2 is cancelled; "espalier resume" goes on');
    expect((await lab.cli(["resume"])).code).toBe(1);
    expect(lab.read(".espalier/orchestrate.log")).toContain("[PERSON] done T1.1: by hand");
  });

  it("[CL25] the time of a run that has ended stays as it is, whatever is decided since", async () => {
    await using lab = openLab({
      "TASKS.md": "# O\n## Phase 1: p\n### [ ] T1.1: a\n- run: test -e ok\n",
      "espalier.yaml": FAST,
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    const head = async () => (await lab.cli(["status"])).stdout.split("\n")[0]?.replace(/^O {2}\w+/, "O");
    const before = await head();
    expect(before).toMatch(/^O {2}Phase 1 {2}\d+s {2}/);
    await new Promise(resolve => setTimeout(resolve, 2100));
    expect((await lab.ask("task", "done", "T1.1", "--note", "by hand")).code).toBe(0);
    expect(await head()).toBe(before);
  });

  it("shows everything known about a task", async () => {
    await using lab = openLab({
      "TASKS.md": "# S\n## Phase 1: p\n### [ ] T1.1: a\n- run: echo out; echo problem >&2; exit 3\n",
      "espalier.yaml": FAST,
    });
    await lab.cli(["run", "--yes"]);
    const { code, stdout } = await lab.cli(["task", "show", "T1.1"]);
    expect(code).toBe(0);
    for (const part of ["T1.1", "failed", "problem", "TASKS.md", ".espalier/attempts/t1-1-"])
      expect(stdout).toContain(part);
    const json = JSON.parse((await lab.ask("task", "show", "T1.1", "--json")).stdout);
    expect(json.task).toMatchObject({ status: "failed", retries: 2, reason: "problem", sameError: 2 });
    expect(json.plan).toMatchObject({ id: "T1.1", line: 3 });
    expect(json.attempts).toHaveLength(2);
    expect(json.attempts[1].feedback).toContain("problem");
    const wrong = await lab.cli(["task", "show", "T1.2"]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("NO_SUCH_TASK: no task T1.2 in this run\n  did you mean T1.1?"),
    ]);
  });
});
