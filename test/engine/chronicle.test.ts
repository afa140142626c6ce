import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localKeeper, openCheckpoints } from "../../src/adapters/checkpoints/index.ts";
import { openMemoryStore } from "../../src/adapters/store/index.ts";
import {
  checkCheckpoint,
  itemsOfPart,
  parseCheckpoint,
  proveDelta,
  taskClaims,
} from "../../src/checkpoint/index.ts";
import { type CheckpointMoment, type Chronicle, createChronicle } from "../../src/engine/chronicle/index.ts";
import { fail, ok, type RunEvent } from "../../src/ports/index.ts";
import { createRedactor, reasonText } from "../../src/text/index.ts";
import { inEnglish } from "../reasons.ts";
import { type Bench, openBench } from "./bench.ts";
import { workspacesThatLand } from "./still-workspaces.ts";

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "espalier-chronicle-"));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const ALL: readonly CheckpointMoment[] = ["phase", "exit", "saturation", "decision"];
const TASKS =
  "### [ ] T1.1: Oven\n### [ ] T1.2: Flour\n- depends_on: [T1.1]\n## Phase 2: q\n### [ ] T2.1: Shop\n## User Rules\n\n- Never touch the till\n";

function keep(bench: Bench, told: RunEvent[] = [], when = ALL, locale: "en" | "ko" = "en"): Chronicle {
  const keeper = localKeeper({ path, root: bench.folder, env: {}, git: undefined, locale, recent: 20 });
  const chronicle = createChronicle(
    bench.run,
    {
      clock: bench.clock,
      store: openMemoryStore({ place: bench.place }),
      taskFile: {
        displayPath: "TASKS.md",
        read: () => ({ ok: true, value: Buffer.from(TASKS) }),
        write: () => fail(""),
      },
      redact: createRedactor(["hunter2-hunter2"]),
      checkpoints: keeper,
    },
    {
      runId: "run-1",
      planHash: () => "abcdef0123456789",
      locale,
      when: new Set(when),
      rules: ["Keep it small"],
      tell: event => told.push(event),
    },
  );
  bench.engine.listen(chronicle.hear);
  return chronicle;
}

const kept = () => openCheckpoints(path).read();
const text = (id: string) => kept().texts.state(id) ?? "";

async function work(bench: Bench, task: string, message: string): Promise<void> {
  const part = await bench.puppets.next(task);
  part.say(`${message}\nDONE:${part.id}`);
}

describe("the chronicle of a run", () => {
  it("[K1] writes a checkpoint with its delta at every phase end", async () => {
    using bench = openBench({ tasks: TASKS });
    keep(bench);
    const end = bench.start();
    await work(bench, "T1.1", "Decision: one oven\n\n## Artifacts\n\n- src/oven.ts: heats");
    await work(bench, "T1.2", "plain");
    await work(bench, "T2.1", "plain");
    await end;
    const { history, texts } = kept();
    expect(history.problems).toEqual([]);
    expect(history.order).toEqual(["chk-001", "chk-002"]);
    expect(checkCheckpoint(text("chk-002"))).toEqual([]);
    expect(proveDelta(texts.delta("chk-001", "chk-002") ?? "", text("chk-001"), text("chk-002"))).toEqual([]);
    expect(history.links.get("delta-001-002")?.summary).toMatch(/^Phase 2 ended, 1 of 1 tasks completed: /);
  });

  it("[K2] takes what it tells from the run itself", async () => {
    using bench = openBench({ tasks: TASKS });
    const chronicle = keep(bench);
    const end = bench.start();
    await work(bench, "T1.1", "Decision: one oven\n\n## Artifacts\n\n- src/oven.ts: heats");
    await work(bench, "T1.2", "plain");
    await bench.event(({ type }) => type === "phase-ended");
    chronicle.flush();
    const first = text("chk-001");
    const checkpoint = parseCheckpoint(first);
    expect(checkpoint.head.anchor).toMatch(/^run-1#\d+$/);
    expect(itemsOfPart(checkpoint, "decisions")).toEqual(["- one oven (T1.1, puppet)"]);
    expect(itemsOfPart(checkpoint, "play")).toEqual([
      "- Phase 1 → T1.1 Oven → completed, unverified",
      "- Phase 1 → T1.2 Flour → completed, unverified",
      "- Phase 1 → the phase ended → 2 of 2 completed",
    ]);
    expect(itemsOfPart(checkpoint, "rules")).toEqual(["- Keep it small", "- Never touch the till"]);
    expect(itemsOfPart(checkpoint, "next")).toEqual(["1. Finish T2.1 Shop, which is under way"]);
    expect(first).toContain("| `src/oven.ts` | modified | heats (T1.1) |");
    expect(Object.fromEntries(taskClaims(first, new Set(["T1.1", "T1.2", "T2.1"])).statuses)).toEqual({
      "T1.1": { status: "completed", note: "unverified" },
      "T1.2": { status: "completed", note: "unverified" },
      "T2.1": { status: "in_progress", note: "" },
    });
    await work(bench, "T2.1", "plain");
    await end;
  });

  it("[K3] writes one when the run is told to stop, before agents are gone", async () => {
    using bench = openBench({ tasks: TASKS });
    keep(bench);
    const end = bench.start();
    await bench.puppets.next("T1.1");
    void bench.engine.send({ type: "stop", by: "Ctrl+C", how: "hard" });
    await end;
    expect(kept().history.order).toEqual(["chk-001"]);
    expect(text("chk-001")).toContain("T1.1 Oven");
  });

  it("[K3] writes one when the run ends waiting for a person, and none when nothing happened since", async () => {
    using bench = openBench({ tasks: TASKS, policy: { sameErrorLimit: 1 } });
    const told: RunEvent[] = [];
    const chronicle = keep(bench, told);
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    part.say(`FAIL:${part.id}:no heat`);
    expect(await end).toMatchObject({ outcome: "waiting" });
    chronicle.flush();
    expect(told).toMatchObject([
      { type: "checkpoint", why: { code: "run-was-ended", args: { outcome: "waiting" } } },
    ]);
    expect(text("chk-001")).toContain("| T1.1 Oven | paused | no heat");
    chronicle.hear({ seq: 9, at: 9, event: { type: "run-ended", outcome: "waiting", reason: undefined } });
    chronicle.flush();
    expect(kept().history.order).toEqual(["chk-001"]);
  });

  it("[K3] what it writes at a stop says that the run was interrupted, and what begins anew", async () => {
    using bench = openBench({ tasks: TASKS });
    keep(bench);
    const end = bench.start();
    await bench.puppets.next("T1.1");
    void bench.engine.send({ type: "stop", by: "Ctrl+C", how: "hard" });
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(kept().history.order).toEqual(["chk-001"]);
    expect(text("chk-001")).toContain("The run was interrupted; `espalier resume` goes on.");
    expect(itemsOfPart(parseCheckpoint(text("chk-001")), "next")).toEqual(["1. T1.1 Oven"]);
  });

  it.each([
    ["merged", { kind: "merged", into: "main", commit: "0123456789abcdef" }, "main (0123456789ab)"],
    ["left", { kind: "left", branch: "phase/2-q", how: "git merge phase/2-q" }, "phase/2-q"],
    ["nothing", { kind: "nothing" }, undefined],
  ] as const)(
    "[K2] [K3] the last one says that the run has ended, and where the work is: %s",
    async (_, end, where) => {
      const still = workspacesThatLand(async () => ok({ kind: "landed", commit: "f".repeat(40) }));
      const workspaces = { ...still, endPhase: async () => end };
      using bench = openBench({ tasks: TASKS, policy: { settlePhases: true }, world: { workspaces } });
      const chronicle = keep(bench);
      const ended = bench.start();
      for (const task of ["T1.1", "T1.2", "T2.1"]) await work(bench, task, "plain");
      expect(await ended).toMatchObject({ outcome: "completed" });
      chronicle.flush();
      const last = text(kept().history.order.at(-1)!);
      expect(last).toContain("The run has ended: everything is done.");
      const branch = last.split("\n").find(line => line.startsWith("- Branch of phase 2: "));
      expect(branch).toBe(where === undefined ? undefined : `- Branch of phase 2: ${where}`);
      const all = kept().history.order.length;
      chronicle.hear({
        seq: 99,
        at: 9,
        event: { type: "run-ended", outcome: "completed", reason: undefined },
      });
      chronicle.flush();
      expect(kept().history.order).toHaveLength(all);
    },
  );

  it("[K4] [K13] a declared direction is written at once; an ordinary decision waits", async () => {
    using bench = openBench({ tasks: TASKS });
    const told: RunEvent[] = [];
    keep(bench, told);
    const end = bench.start();
    await work(bench, "T1.1", "Direction: bake at night");
    await bench.event(event => event.type === "completed");
    await bench.puppets.next("T1.2").then(part => part.say(`Decision: rye\nDONE:${part.id}`));
    await work(bench, "T2.1", "plain");
    await end;
    const whys = told.flatMap(event => (event.type === "checkpoint" ? [event.why] : []));
    expect(whys.map(inEnglish)).toEqual([
      "Direction: bake at night",
      "Phase 1 ended, 2 of 2 tasks completed",
      "Phase 2 ended, 1 of 1 tasks completed",
    ]);
    expect(
      whys.map(why => reasonText(why, "ko")),
      "[K13] in the language of whoever reads it",
    ).toEqual([
      "방향: bake at night",
      "단계 1 종료, 태스크 2개 중 2개 완료",
      "단계 2 종료, 태스크 1개 중 1개 완료",
    ]);
  });

  it("[K53] keeps what two agents decided under one id, and says once what both said", async () => {
    using bench = openBench({ tasks: TASKS });
    const told: RunEvent[] = [];
    keep(bench, told);
    const end = bench.start();
    await work(bench, "T1.1", "## Decisions\n\n- D-1: one oven\n- D-2: rye");
    await work(bench, "T1.2", "## Decisions\n\n- D-1: mill by hand\n- D-2: rye");
    await work(
      bench,
      "T2.1",
      "## Decisions\n\n- D-1: no till\n- **D-2**: wheat\n- D-3: small\n- D-1: one oven",
    );
    await end;
    expect(itemsOfPart(parseCheckpoint(text("chk-002")), "decisions")).toEqual([
      "- D-1: one oven (T1.1, puppet)",
      "- D-2: rye (T1.1, puppet)",
      "- (D-1): mill by hand (T1.2, puppet)",
      "- (D-1): no till (T2.1, puppet)",
      "- **(D-2)**: wheat (T2.1, puppet)",
      "- D-3: small (T2.1, puppet)",
    ]);
    expect(told.filter(({ type }) => type === "warning")).toEqual([]);
  });

  it("[K5] what is told together makes one checkpoint, under the weightiest headline", async () => {
    using bench = openBench({ tasks: "### [ ] T1.1: Oven\n" });
    keep(bench);
    const end = bench.start();
    await work(bench, "T1.1", "Direction: bake at night");
    await end;
    const { history } = kept();
    expect(history.order).toEqual(["chk-001"]);
    expect(text("chk-001")).toContain("- bake at night (T1.1, puppet)");
  });

  it("[K6] writes by itself only when the configuration says so, and always on demand", async () => {
    using bench = openBench({ tasks: TASKS });
    const chronicle = keep(bench, [], []);
    const end = bench.start();
    await work(bench, "T1.1", "Direction: x");
    await work(bench, "T1.2", "plain");
    await work(bench, "T2.1", "plain");
    await end;
    expect(kept().history.order).toEqual([]);
    expect(chronicle.write("Before the holidays", false)).toMatchObject({
      ok: true,
      value: { id: "chk-001" },
    });
    expect(chronicle.write(undefined, true)).toMatchObject({ ok: true, value: { id: "chk-002" } });
    expect(kept().history.links.get("delta-001-002")?.summary).toMatch(/^On demand: /);
  });

  it("[K7] at 80 % of the lead's window it saves, at 70 % it does not", () => {
    using bench = openBench({ tasks: TASKS });
    const chronicle = keep(bench);
    for (const [percent, level] of [
      [70, "warn"],
      [80, "save"],
      [90, "stop"],
    ] as const) {
      chronicle.hear({ seq: 0, at: 0, event: { type: "saturation", percent, level } });
      chronicle.flush();
    }
    expect(kept().history.order).toEqual(["chk-001", "chk-002"]);
    chronicle.flush();
    expect(kept().history.order).toHaveLength(2);
  });

  it("[K8] one that cannot be written is a warning, and the run goes on", async () => {
    rmSync(path, { recursive: true });
    writeFileSync(path, "a file in the folder's place");
    using bench = openBench({ tasks: "### [ ] T1.1: Oven\n" });
    const told: RunEvent[] = [];
    keep(bench, told);
    const end = bench.start();
    await work(bench, "T1.1", "plain");
    expect(await end).toMatchObject({ kind: "ended", outcome: "completed" });
    expect(told).toMatchObject([{ type: "warning", code: "CHECKPOINT" }]);
  });

  it("[K9] known secrets never reach a checkpoint", async () => {
    using bench = openBench({ tasks: "### [ ] T1.1: Oven\n" });
    keep(bench);
    const end = bench.start();
    await work(bench, "T1.1", "Decision: the key is hunter2-hunter2");
    await end;
    expect(text("chk-001")).toContain("the key is ");
    expect(text("chk-001")).not.toContain("hunter2");
  });

  it("[K10] speaks Korean where the project does, under the same headings", async () => {
    using bench = openBench({ tasks: "### [ ] T1.1: Oven\n" });
    keep(bench, [], ALL, "ko");
    const end = bench.start();
    await work(bench, "T1.1", "결정: 오븐 하나");
    await end;
    expect(text("chk-001")).toContain("- 오븐 하나 (T1.1, puppet)");
    expect(text("chk-001")).toContain("완료, 미검증");
    expect(checkCheckpoint(text("chk-001"))).toEqual([]);
  });

  it("[K11] tells the failed and the paused first among what comes next", async () => {
    using bench = openBench({ tasks: TASKS, policy: { maxAttempts: 1 } });
    keep(bench);
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    part.say(`FAIL:${part.id}:no heat`);
    await end;
    const checkpoint = parseCheckpoint(text("chk-001"));
    expect(itemsOfPart(checkpoint, "next")[0]).toBe(
      "1. T1.1 Oven failed: no heat (`espalier task retry T1.1`)",
    );
    expect(text("chk-001")).toContain("| T1.2 Flour | blocked | blocked by T1.1 |");
  });

  it("[K2] says that a phase is open, or that it has ended, as the run has it", async () => {
    using bench = openBench({ tasks: TASKS });
    const chronicle = keep(bench);
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    expect(chronicle.write("now", false).ok).toBe(true);
    expect(text("chk-001")).toContain(
      "Phase 1 is open; 0 of 3 tasks are completed, 1 in progress. The run is going on.",
    );
    first.say(`DONE:${first.id}`);
    await work(bench, "T1.2", "plain");
    await work(bench, "T2.1", "plain");
    await end;
    const last = kept().history.current ?? "";
    expect(text(last)).toContain(
      "Phase 2 has ended; 3 of 3 tasks are completed. The run has ended: everything is done.",
    );
    expect(text(last)).not.toContain("is open");
  });

  it("[K10] says in Korean what is not there, and whether a phase has ended", async () => {
    using bench = openBench({ tasks: "### [ ] T1.1: Oven\n" });
    const chronicle = keep(bench, [], ALL, "ko");
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    expect(chronicle.write(undefined, false).ok).toBe(true);
    expect(text("chk-001")).toContain("### Decisions\n\n아직 없음.\n");
    expect(text("chk-001")).toContain("단계 1 진행 중; 태스크 1개 중 0개 완료");
    part.say(`결정: 오븐 하나\nDONE:${part.id}`);
    await end;
    const last = text(kept().history.current ?? "");
    expect(last).toContain("### Decisions\n\n- 오븐 하나 (T1.1, puppet)\n");
    expect(last).toContain("단계 1 종료; 태스크 1개 중 1개 완료");
    expect(last).toContain("### Next Actions\n\n남은 일이 없습니다.\n");
  });

  it("[K10] counts older steps in the project's language", async () => {
    const ids = Array.from({ length: 23 }, (_, at) => `T1.${at + 1}`);
    using bench = openBench({ tasks: ids.map(id => `### [ ] ${id}: Loaf\n`).join("") });
    const chronicle = keep(bench, [], ALL, "ko");
    const end = bench.start();
    for (const id of ids.slice(0, 12)) await work(bench, id, "plain");
    expect(chronicle.write(undefined, false).ok).toBe(true);
    for (const id of ids.slice(12)) await work(bench, id, "plain");
    await end;
    const steps = itemsOfPart(parseCheckpoint(text(kept().history.current ?? "")), "play");
    expect(steps).toHaveLength(21);
    expect(steps[0]).toMatch(/^- 이전: \d+건 \(단계 1\), 앞선 체크포인트에 있습니다$/);
  });
});
