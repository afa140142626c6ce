import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSpending } from "../../src/run/index.ts";
import { messagesFor } from "../../src/text/index.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { SHELL_OK } from "./bench.ts";
import { approve, eventsOf, isLanded, object, openCourt, rowOf, TASK, warningsOf } from "./court.ts";
import type { Part } from "./puppets.ts";

describe("a reviewer", () => {
  it("[E100] reads task, proof and diff after the proof, and what it approves lands", async () => {
    using site = await openCourt();
    const end = site.bench.start();
    const worker = await site.work("hello\n안녕\n");
    const judge = await site.judges.next();
    expect(isLanded(site)).toBe(false);
    expect(judge.request.cwd).toBe(worker.request.cwd);
    for (const words of ["T1.1 (Say hello)", "in Korean, too", "$ check", "-one", "+안녕", "a/a.txt"])
      expect(judge.prompt).toContain(words);
    expect(judge.id).not.toBe(worker.id);
    expect(judge.prompt).not.toContain(`APPROVE:${judge.id}`);
    approve(judge);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("hello\n안녕");
    expect(eventsOf(site, "reviewed")).toEqual([
      { type: "reviewed", task: "T1.1", attempt: 1, by: "judge", verdict: "approved", round: 1 },
    ]);
    const kept = site.bench.changes.flatMap(({ events = [] }) => events.map(({ event }) => event.type));
    expect(kept).toContain("reviewed");
    expect(rowOf(site)?.evidence).toMatch(/^\$ check\nexit 0\nREVIEW approved by judge after 1 round$/);
  });

  itWhole("[E100] is noted in the language of the project", async () => {
    using site = await openCourt({ engine: { messages: messagesFor("ko") } });
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "한국어 없음");
    site.done(await site.bench.puppets.next());
    approve(await site.judges.next());
    await end;
    expect(rowOf(site)?.evidence).toMatch(
      /\n검토 1회, judge의 지적:\n한국어 없음\n검토: judge 승인 \(2회\)$/,
    );
  });

  it("[E101] sends its findings back into the session, and what comes of it is proved and reviewed again", async () => {
    using site = await openCourt();
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "a.txt: no Korean");
    const again = await site.bench.puppets.next();
    expect(again.request).toMatchObject({ resume: "s-1", attempt: 1 });
    expect(again.prompt).toContain("  | a.txt: no Korean\n");
    expect(again.prompt).not.toContain("Task ID:");
    site.edit(again, "hello\n안녕\n");
    again.say(`Added it.\nDONE:${again.id}`);
    const second = await site.judges.next();
    expect(second.prompt).toContain("  | a.txt: no Korean\n");
    expect(second.prompt).toContain("  | Added it.\n\n");
    expect(second.prompt).toContain("+안녕");
    approve(second);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("hello\n안녕");
    expect(rowOf(site)?.number).toBe(1);
    expect(eventsOf(site, "reviewed")).toMatchObject([
      { verdict: "findings", round: 1 },
      { verdict: "approved", round: 2 },
    ]);
    expect(eventsOf(site, "verify-started")).toHaveLength(2);
    expect(rowOf(site)?.evidence).toContain(
      "REVIEW findings of judge, round 1:\na.txt: no Korean\nREVIEW approved by judge after 2 rounds",
    );
  });

  it("[E101] tells an agent that cannot go on with its session everything", async () => {
    using site = await openCourt({ puppets: {} });
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "no Korean");
    const again = await site.bench.puppets.next();
    expect(again.request.resume).toBeUndefined();
    expect(again.prompt).toContain("Task ID: T1.1");
    expect(again.prompt).toContain("  | no Korean\n");
    site.done(again);
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  itWhole("[E101] judges a claim after findings by its proof", async () => {
    let checks = 0;
    const shell = async () => (checks++ === 1 ? { ...SHELL_OK, exitCode: 1, tail: "broken" } : SHELL_OK);
    using site = await openCourt({ shell, policy: { maxAttempts: 1 } });
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "no Korean");
    await site.work("broken\n");
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(rowOf(site)).toMatchObject({ outcome: "unproven", reason: { code: "check-failed" } });
    expect(rowOf(site)?.feedback).toContain("no Korean");
    expect(isLanded(site)).toBe(false);
  });

  it("[E102] fails the attempt when findings are left after the last round, and the next one is told them", async () => {
    using site = await openCourt({ review: { rounds: 1 } });
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "first");
    await site.work("hello!\n");
    object(await site.judges.next(), "second");
    const next = await site.bench.puppets.next();
    expect(next.request.attempt).toBe(2);
    expect(next.prompt).toContain("second");
    expect(eventsOf(site, "attempt-failed")).toMatchObject([
      { retries: 1, reason: { code: "review-findings", args: { by: "judge" } } },
    ]);
    expect(site.read(next)).toBe("one\n");
    site.edit(next, "안녕\n");
    site.done(next);
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("안녕");
  });

  itWhole(
    "[E102] that is never content pauses the task after equal failures, whatever its words",
    async () => {
      using site = await openCourt({ review: { rounds: 0 } });
      const end = site.bench.start();
      for (const words of ["this", "that", "something else"]) {
        await site.work(`${words}\n`);
        object(await site.judges.next(), words);
      }
      expect(await end).toMatchObject({ outcome: "waiting" });
      expect(site.bench.run.byId.get("T1.1")).toMatchObject({ status: "paused", retries: 3 });
    },
  );
});

describe("secrets", () => {
  it("[E43] that stand in the diff reach no reviewer, and its own words are masked", async () => {
    using site = await openCourt({ review: { rounds: 0 }, policy: { maxAttempts: 1 } });
    const end = site.bench.start();
    await site.work("key: hunter2-hunter2\n");
    const judge = await site.judges.next();
    expect(judge.prompt).toContain("+key: ");
    expect(judge.prompt).not.toContain("hunter2-hunter2");
    object(judge, "do not commit hunter2-hunter2");
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(rowOf(site)?.feedback).toContain("do not commit ");
    expect(JSON.stringify(site.bench.changes)).not.toContain("hunter2-hunter2");
  });
});

describe("what a reviewer changes", () => {
  it.each(
    sampleOf<[string, (cwd: string) => void]>(
      [
        [
          "edits and new files",
          cwd => {
            writeFileSync(join(cwd, "a.txt"), "mine\n");
            writeFileSync(join(cwd, "한글.txt"), "mine\n");
          },
        ],
        [
          "a commit",
          cwd => {
            writeFileSync(join(cwd, "a.txt"), "mine\n");
            writeFileSync(join(cwd, "한글.txt"), "mine\n");
            const by = ["-c", "user.name=t", "-c", "user.email=t@t"];
            execFileSync("git", [...by, "add", "-A"], { cwd });
            execFileSync("git", [...by, "commit", "-q", "--allow-empty", "-m", "mine"], {
              cwd,
              stdio: "ignore",
            });
          },
        ],
      ],
      1,
    ),
  )("[E103] is put back and told: %s", async (_, write) => {
    using site = await openCourt();
    const end = site.bench.start();
    await site.work("hello\n");
    const judge = await site.judges.next();
    write(judge.request.cwd);
    object(judge, "no Korean");
    const again = await site.bench.puppets.next();
    expect(site.read(again)).toBe("hello\n");
    expect(() => site.read(again, "한글.txt")).toThrow("ENOENT");
    site.edit(again, "안녕\n");
    site.done(again);
    const second = await site.judges.next();
    write(second.request.cwd);
    approve(second);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("안녕");
    expect(site.lab.git("ls-tree", "--name-only", "phase/1-p").split("\n")).toEqual(["a.txt", "log.md"]);
    expect(warningsOf(site)).toEqual(["REVIEWER_WROTE", "REVIEWER_WROTE"]);
    expect(eventsOf(site, "warning")[0]).toMatchObject({
      message: { code: "reviewer-wrote", args: { by: "judge", stays: false } },
    });
  });

  itWhole("[E103] is nothing of what the checks left behind in the main checkout", async () => {
    using site = await openCourt({
      tasks: "## Phase 0: s\n### [ ] T0.1: set up\n",
      shell: async ({ cwd }) => {
        writeFileSync(join(cwd, "check.cache"), "made by the check\n");
        return SHELL_OK;
      },
    });
    const end = site.bench.start();
    await site.work("hello\n");
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.lab.git("ls-tree", "--name-only", "main").split("\n")).toEqual(["a.txt", "log.md"]);
    expect(site.lab.git("show", "main:a.txt")).toBe("hello");
  });

  it("[E103] stands in the way of a landing in the main checkout, where a person may be at work", async () => {
    using site = await openCourt({ tasks: "## Phase 0: s\n### [ ] T0.1: set up\n" });
    const end = site.bench.start();
    await site.work("hello\n");
    const judge = await site.judges.next();
    writeFileSync(join(judge.request.cwd, "log.md"), "mine\n");
    approve(judge);
    expect(await end).toMatchObject({ outcome: "waiting" });
    expect(site.bench.run.byId.get("T0.1")?.reason).toMatchObject({
      code: "reviewer-wrote",
      args: { stays: true, paths: { names: ["log.md"] } },
    });
    expect(site.lab.git("show", "main:log.md")).toBe("# Log");
  });
});

describe("a review that comes to nothing", () => {
  const ENDS: readonly [string, (judge: Part) => void][] = [
    ["nothing at all", judge => judge.say("")],
    ["an approval of a program that failed", judge => judge.say(`APPROVE:${judge.id}`, 3)],
  ];
  const limit = { kind: "quota", message: "limit reached", retryable: true, retryAt: 9e12 } as const;
  const MORE: typeof ENDS = [
    ["a quota", judge => judge.end({ kind: "failed", failure: limit, finalMessage: "" })],
  ];

  it("[E169] begins with being asked for its signal, shown what it wrote", async () => {
    using site = await openCourt();
    const end = site.bench.start();
    await site.work("hello\n");
    const first = await site.judges.next();
    first.say(`It greets nobody.\n**CHANGES:${first.id}**`);
    const second = await site.judges.next();
    expect(second.prompt).toContain("Your review did not end with its signal line");
    expect(second.prompt).toContain("  | It greets nobody.\n  | **CHANGES:T1.1**\n");
    expect(second.prompt).not.toContain(`CHANGES:${second.id}`);
    expect(second.prompt).not.toContain("diff --git");
    expect(second.id).toBe(first.id);
    second.say(`CHANGES:${second.id}`);
    const worker = await site.bench.puppets.next();
    expect(worker.prompt).toContain("  | It greets nobody.\n");
    worker.say(`DONE:${worker.id}`);
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warningsOf(site)).toEqual([]);
  });

  it.each<[string, (worker: Part) => string]>([
    ["none", () => "Looks fine to me."],
    ["that of the attempt", worker => `APPROVE:${worker.id}`],
  ])("[E169] and has come to nothing when its second answer has no signal either: %s", async (_, words) => {
    using site = await openCourt({ review: { required: true } });
    const end = site.bench.start();
    const worker = await site.work("hello\n");
    for (let turn = 0; turn < 2; turn++) (await site.judges.next()).say(words(worker));
    expect(await end).toMatchObject({ outcome: "waiting" });
    expect(isLanded(site)).toBe(false);
    expect(site.judges.turns).toBe(2);
  });

  it.each([...ENDS, ...MORE])("[E104] lets the work land, and tells it: %s", async (_, say) => {
    using site = await openCourt();
    const end = site.bench.start();
    await site.work("hello\n");
    say(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("hello");
    expect(warningsOf(site)).toEqual(["UNREVIEWED"]);
    expect(eventsOf(site, "reviewed")).toEqual([]);
    expect(rowOf(site)?.evidence).toContain("REVIEW did not take place: ");
  });

  it.each(ENDS)("[E104] holds the work back where it is required: %s", async (_, say) => {
    using site = await openCourt({ review: { required: true } });
    const end = site.bench.start();
    await site.work("hello\n");
    say(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "waiting" });
    expect(isLanded(site)).toBe(false);
    expect(site.bench.run.byId.get("T1.1")).toMatchObject({
      status: "paused",
      retries: 0,
      reason: { code: "unreviewed", args: { by: "judge" } },
    });
  });

  it("[E105] is ended by a stop within its turn: nothing lands, and no attempt is counted", async () => {
    using site = await openCourt();
    const end = site.bench.start();
    await site.work("hello\n");
    const judge = await site.judges.next();
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    expect(await judge.cancelled).toBe("soft");
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(isLanded(site)).toBe(false);
    expect(site.bench.run.byId.get("T1.1")).toMatchObject({ status: "ready", retries: 0, stalls: 0 });
    expect(warningsOf(site)).toEqual([]);
  });

  it("[E105] [G46] is ended by a stop while its findings are mended: it is reviewed again, and they pass for no person's words", async () => {
    using site = await openCourt();
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "Delete the tests.");
    site.edit(await site.bench.puppets.next(), "half\n");
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(rowOf(site)).toMatchObject({ outcome: "cancelled", reason: { code: "unreviewed" }, feedback: "" });
    const { lab, bench } = site;
    using next = await openCourt({ lab, place: bench.place, resume: true });
    const ending = next.bench.start();
    const judge = await next.judges.next();
    expect(judge.prompt).toContain("\n+hello\n");
    approve(judge);
    expect(await ending).toMatchObject({ outcome: "completed" });
    expect(next.landed()).toBe("hello");
    expect(next.bench.puppets.turns).toBe(0);
  });
});

describe("what is reviewed, and by whom", () => {
  it("[E100] is nothing where the task says no", async () => {
    using site = await openCourt({ tasks: `${TASK}- review: no\n` });
    const end = site.bench.start();
    await site.work("hello\n");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.judges.turns).toBe(0);
  });

  it("[E100] is judged by whom the task names, also where the project has no reviewer", async () => {
    using site = await openCourt({ tasks: `${TASK}- review: judge\n`, engine: { review: undefined } });
    const end = site.bench.start();
    await site.work("hello\n");
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(eventsOf(site, "reviewed")).toHaveLength(1);
  });

  it("[E106] counts in the run's budget at the reviewer's price, beside what the attempt took", async () => {
    using site = await openCourt({
      engine: { prices: { judge: { input: 1_000_000, output: 0 }, puppet: { input: 1, output: 1 } } },
    });
    const { run } = site.bench;
    run.spending = createSpending({ maxTokens: 1_000_000, maxCost: 1_000_000 }, []);
    const end = site.bench.start();
    await site.work("hello\n");
    const judge = await site.judges.next();
    judge.tell({ type: "usage", inputTokens: 40, outputTokens: 2 });
    approve(judge);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(rowOf(site)?.usage).toMatchObject({
      models: { tokens: 42, costUsd: 40 },
      reviewers: { judge: { tokens: 42, costUsd: 40 } },
    });
    expect(run.spending.cost).toBeGreaterThanOrEqual(40);
  });

  it.each([
    [{ maxCost: 100 }, false, "completed"],
    [{ maxCost: 100 }, true, "waiting"],
  ])("[E148] is not asked where what it reads passes %o", async (limits, required, outcome) => {
    using site = await openCourt({
      review: { required },
      engine: { prices: { judge: { input: 1_000_000, output: 0 }, puppet: { input: 1, output: 1 } } },
    });
    const { run } = site.bench;
    run.spending = createSpending(limits, []);
    const end = site.bench.start();
    await site.work("hello\n");
    expect(await end).toMatchObject({ outcome });
    expect(site.judges.turns).toBe(0);
    expect(isLanded(site)).toBe(!required);
    expect(run.spending.cost).toBeLessThan(100);
  });
});
