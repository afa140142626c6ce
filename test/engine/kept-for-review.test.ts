import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keptWork, provedBefore, whyNotLanded, whyUnreviewed } from "../../src/engine/attempt/proved.ts";
import type { Place } from "../../src/engine/attempt/types.ts";
import { readPlan } from "../../src/plan/index.ts";
import { type AttemptRow, because } from "../../src/ports/index.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { approve, isLanded, object, openCourt, rowOf, TASK, warningsOf } from "./court.ts";
import { type Part, Puppets } from "./puppets.ts";
import { isOf } from "./site.ts";

type Court = Awaited<ReturnType<typeof openCourt>>;

const REQUIRED = { required: true } as const;
/** A second task keeps the run under way. */
const TWO = `${TASK}### [ ] T1.2: b\n`;

const silent = (judge: Part) => judge.say("");
const act = ({ bench }: Pick<Court, "bench">, action: "resume" | "retry") =>
  bench.engine.send({ type: "act", action, task: "T1.1", note: "", textHash: "" });

/** The first task's work is proved, and its reviewer reads it; the second task is at work. */
async function underReview(review?: typeof REQUIRED) {
  const site = await openCourt({ tasks: TWO, ...(review === undefined ? {} : { review }) });
  const end = site.bench.start();
  const second = await site.bench.puppets.next("T1.2");
  const first = await site.bench.puppets.next("T1.1");
  site.edit(first, "hello\n");
  first.tell({ type: "session", id: "s-1" });
  site.done(first);
  return Object.assign(site, { second, end, judge: await site.judges.next() });
}

/** The first task's work is proved, and its required reviewer has said nothing. */
async function held() {
  const site = await underReview(REQUIRED);
  silent(site.judge);
  await site.bench.event(isOf("paused", "T1.1"));
  return site;
}

describe("proved work whose reviewer said nothing", () => {
  it("[E107] goes straight to its review when it is resumed, and lands", async () => {
    using site = await held();
    expect(isLanded(site)).toBe(false);
    await act(site, "resume");
    const judge = await site.judges.next();
    expect(judge.prompt).toContain("+hello");
    expect(judge.prompt).toContain("$ check");
    approve(judge);
    await site.bench.event(isOf("completed", "T1.1"));
    expect(site.landed()).toBe("hello");
    expect(site.bench.puppets.turns).toBe(2);
    expect(rowOf(site, 2)).toMatchObject({ outcome: "done", reason: undefined });
  });

  itWhole("[E107] is mended in the session that made it, where the next review finds something", async () => {
    using site = await held();
    await act(site, "resume");
    object(await site.judges.next(), "no Korean");
    const again = await site.bench.puppets.next("T1.1");
    expect(again.request).toMatchObject({ resume: "s-1", attempt: 2 });
    expect(again.prompt).toContain("  | no Korean\n");
    expect(again.prompt).not.toContain("Task ID:");
    expect(site.read(again)).toBe("hello\n");
    site.edit(again, "hello\n안녕\n");
    site.done(again);
    approve(await site.judges.next());
    await site.bench.event(isOf("completed", "T1.1"));
    expect(site.landed()).toBe("hello\n안녕");
  });

  it.each(
    sampleOf<[string, (site: Court) => Promise<unknown>]>(
      [
        ["is tried anew", site => act(site, "retry")],
        [
          "was edited meanwhile",
          async site => {
            const text = `# Bench\n## Phase 1: p\n${TWO.replace("greet whoever comes", "greet nobody")}`;
            await site.bench.engine.send({ type: "plan-changed", plan: site.bench.plan(text) });
            await act(site, "resume");
          },
        ],
      ],
      1,
    ),
  )("[E107] is done again where its task %s", async (_, change) => {
    using site = await held();
    await change(site);
    const again = await site.bench.puppets.next("T1.1");
    expect(again.request.attempt).toBe(2);
    expect(site.read(again)).toBe("one\n");
    expect(site.judges.turns).toBe(1);
  });

  itWhole("[E107] lands in another process, reviewed by whom that one has", async () => {
    using site = await openCourt({ review: REQUIRED });
    const end = site.bench.start();
    await site.work("hello\n");
    silent(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "waiting" });
    const { lab } = site;
    const { place } = site.bench;
    const other = new Puppets({ name: "other" });
    using next = await openCourt({
      lab,
      place,
      resume: true,
      review: { agent: "other", ...REQUIRED },
      agents: { other: other.agent },
    });
    const ending = next.bench.start();
    await act(next, "resume");
    approve(await other.next());
    expect(await ending).toMatchObject({ outcome: "completed" });
    expect(next.landed()).toBe("hello");
    expect(next.bench.puppets.turns).toBe(0);
  });

  it("[E107] is kept by a process that dies while it is reviewed, and never lands unreviewed", async () => {
    using dead = await openCourt({ review: REQUIRED });
    void dead.bench.start();
    await dead.work("hello\n");
    await dead.judges.next();
    const { lab } = dead;
    const { place } = dead.bench;
    expect(rowOf(dead)).toMatchObject({ outcome: "running", reason: { code: "unreviewed" } });
    using next = await openCourt({ lab, place, resume: true, review: REQUIRED });
    const end = next.bench.start();
    const judge = await next.judges.next();
    expect(isLanded(next)).toBe(false);
    approve(judge);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(next.landed()).toBe("hello");
    expect(next.bench.puppets.turns).toBe(0);
  });

  it("[E105] is reviewed again, and not done again, where a person paused its task meanwhile", async () => {
    using site = await underReview();
    const { second, end, judge } = site;
    await site.bench.engine.send({ type: "act", action: "pause", task: "T1.1", note: "", textHash: "" });
    expect(await judge.cancelled).toBe("soft");
    await act(site, "resume");
    const again = await site.judges.next();
    expect(again.prompt).toContain("+hello");
    approve(again);
    await site.bench.event(isOf("completed", "T1.1"));
    expect(site.landed()).toBe("hello");
    expect(site.bench.puppets.turns).toBe(2);
    site.done(second);
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it.each(sampleOf(["between", "before"], 0))(
    "[E144] lands from the phase's own folder, or beside what landed there %s",
    async when => {
      using site = await openCourt({ engine: { stays: true } });
      void site.bench.start();
      const edit = (tasks: string) =>
        site.bench.engine.send({
          type: "plan-changed",
          plan: site.bench.plan(`# Bench\n## Phase 1: p\n${tasks}`),
        });
      const second = async () => {
        await edit(TWO);
        const part = await site.bench.puppets.next("T1.2");
        site.write(part, "b.txt", "b\n");
        site.done(part);
        approve(await site.judges.next());
        await site.bench.event(isOf("completed", "T1.2"));
      };
      await site.work("hello\n");
      const judge = await site.judges.next();
      await site.bench.engine.send({ type: "act", action: "pause", task: "T1.1", note: "", textHash: "" });
      expect(await judge.cancelled).toBe("soft");
      if (when === "between") await second();
      await act(site, "resume");
      approve(await site.judges.next());
      await site.bench.event(isOf("completed", "T1.1"));
      if (when === "before") await second();
      expect([site.landed(), site.landed("b.txt")]).toEqual(["hello", "b"]);
      expect(site.bench.puppets.turns).toBe(2);
      await site.bench.engine.send({ type: "stop", by: "", how: "soft" });
    },
  );

  itWhole(
    "[E105] is reviewed no further once its task has left the plan, and reviewed again when it is back",
    async () => {
      using site = await openCourt({ tasks: TWO });
      const end = site.bench.start();
      const edit = (tasks: string) =>
        site.bench.engine.send({
          type: "plan-changed",
          plan: site.bench.plan(`# Bench\n## Phase 1: p\n${tasks}`),
        });
      const second = await site.bench.puppets.next("T1.2");
      const first = await site.bench.puppets.next("T1.1");
      site.edit(first, "hello\n");
      site.done(first);
      const judge = await site.judges.next();
      await edit("### [ ] T1.2: b\n");
      expect(await judge.cancelled).toBe("soft");
      await site.bench.event(event => event.type === "warning" && event.message.code === "result-orphaned");
      await edit(TWO);
      approve(await site.judges.next());
      await site.bench.event(isOf("completed", "T1.1"));
      expect(site.bench.puppets.turns).toBe(2);
      site.done(second);
      approve(await site.judges.next());
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(site.landed()).toBe("hello");
    },
  );

  it.each(sampleOf(["soft", "hard"] as const, 1))(
    "[E105] is reviewed by the next process after a %s stop",
    async how => {
      using site = await openCourt();
      const end = site.bench.start();
      await site.work("hello\n");
      await site.judges.next();
      await site.bench.engine.send({ type: "stop", by: "", how });
      expect(await end).toMatchObject({ outcome: "interrupted" });
      expect(isLanded(site)).toBe(false);
      const { lab } = site;
      const { place } = site.bench;
      using next = await openCourt({ lab, place, resume: true });
      const ending = next.bench.start();
      approve(await next.judges.next());
      expect(await ending).toMatchObject({ outcome: "completed" });
      expect(next.landed()).toBe("hello");
      expect(next.bench.puppets.turns).toBe(0);
      expect(rowOf(next, 2)?.evidence).toMatch(/^\$ check\nexit 0\nREVIEW approved by judge after 1 round$/);
    },
  );

  /** Somebody has spoken to the first task while its required reviewer was silent; it is reviewed again now. */
  async function spoken() {
    const site = await underReview(REQUIRED);
    const { second, end, judge } = site;
    expect(site.bench.engine.say("T1.1", "use the other API", "ann")).toBeUndefined();
    silent(judge);
    await site.bench.event(isOf("paused", "T1.1"));
    await act(site, "resume");
    const again = await site.judges.next();
    expect(again.prompt).not.toContain("use the other API");
    expect(warningsOf(site)).toEqual([]);
    const ended = async () => {
      site.done(second);
      approve(await site.judges.next());
      await end;
      return warningsOf(site);
    };
    return Object.assign(site, { judge: again, ended });
  }

  itWhole("[E67] is told what a person said meanwhile with what its review finds", async () => {
    using site = await spoken();
    object(site.judge, "no Korean");
    const again = await site.bench.puppets.next("T1.1");
    expect(again.prompt).toContain("use the other API\n");
    site.done(again);
    approve(await site.judges.next());
    await site.bench.event(isOf("completed", "T1.1"));
    expect(await site.ended()).toEqual([]);
  });

  itWhole("[E67] says that nobody heard what a person said where its review finds nothing", async () => {
    using site = await spoken();
    approve(site.judge);
    await site.bench.event(isOf("completed", "T1.1"));
    expect(await site.ended()).toEqual(["TOLD_TOO_LATE"]);
  });

  it("[E183] is told once what waited for two attempts in turn, where it is tried anew", async () => {
    using site = await spoken();
    silent(site.judge);
    while (rowOf(site, 2)?.unheard === undefined) await setTimeout(5);
    await act(site, "retry");
    const again = await site.bench.puppets.next("T1.1");
    expect(again.request.attempt).toBe(3);
    expect(again.prompt.split("use the other API")).toHaveLength(2);
  });

  it("[E67] is told what a person said to a process that died", async () => {
    using dead = await openCourt({ review: REQUIRED });
    void dead.bench.start();
    await dead.work("hello\n");
    await dead.judges.next();
    dead.bench.engine.say("T1.1", "use the other API", "ann");
    await dead.bench.event(event => event.type === "person");
    const { lab } = dead;
    const { place } = dead.bench;
    using next = await openCourt({ lab, place, resume: true, review: REQUIRED });
    const end = next.bench.start();
    object(await next.judges.next(), "no Korean");
    const again = await next.bench.puppets.next();
    expect(again.prompt).toContain("use the other API\n");
    next.done(again);
    approve(await next.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warningsOf(next)).toEqual([]);
  });

  itWhole("[E107] stands in the main checkout again beside what a person has changed there", async () => {
    using site = await openCourt({ tasks: "## Phase 0: s\n### [ ] T0.1: set up\n", review: REQUIRED });
    const end = site.bench.start();
    await site.work("hello\n");
    silent(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "waiting" });
    const { lab } = site;
    expect(lab.read("a.txt")).toBe("one\n");
    writeFileSync(join(lab.root, "log.md"), "mine\n");
    const { place } = site.bench;
    using next = await openCourt({
      lab,
      place,
      resume: true,
      tasks: "## Phase 0: s\n### [ ] T0.1: set up\n",
      review: REQUIRED,
    });
    const ending = next.bench.start();
    await next.bench.engine.send({ type: "act", action: "resume", task: "T0.1", note: "", textHash: "" });
    const judge = await next.judges.next();
    expect(lab.read("a.txt")).toBe("hello\n");
    approve(judge);
    expect(await ending).toMatchObject({ outcome: "completed" });
    expect(lab.git("show", "main:a.txt")).toBe("hello");
    expect(lab.git("show", "main:log.md")).toBe("# Log");
    expect(lab.read("log.md")).toBe("mine\n");
    expect(next.bench.puppets.turns).toBe(0);
  });
});

describe("what a row keeps of proved work", () => {
  it("[E126] says what its agent held of documents that had changed, for whenever it lands", () => {
    const task = readPlan(Buffer.from(`# T\n## Phase 1: p\n${TASK}`), {
      path: "TASKS.md",
      allowMissing: false,
    }).plan.tasks[0]!;
    const told = { stale: "GC v1 of v2" };
    for (const reason of [
      whyUnreviewed(task, "judge", because("no-signal", {}), told),
      whyNotLanded(task, told),
    ]) {
      const kept = { outcome: "unproven", commit: "c".repeat(40), reason } as const;
      expect(keptWork(kept)).toMatchObject(told);
      const row = { ...kept, evidence: "", finalMessage: "" } as AttemptRow;
      const snapshot = { tree: "t", changed: [], unresolved: [], leftOut: false };
      const place = { workspace: { proved: { snapshot, verified: true } } } as unknown as Place;
      expect(provedBefore({ proved: row, textHash: "" }, place)).toMatchObject(told);
    }
  });
});
