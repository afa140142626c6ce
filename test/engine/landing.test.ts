import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomName } from "../../src/adapters/local/random.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { openGitLab } from "../vcs/lab.ts";
import type { Bench } from "./bench.ts";
import type { Part } from "./puppets.ts";
import { isOf, openSite, type Site } from "./site.ts";

/** T1.1 has landed; T1.2 has met it and works on a conflict; T1.3 has finished and waits. */
async function met(site: Site, isFinished = true): Promise<{ bench: Bench; resolver: Part }> {
  const { bench, edit, done } = site;
  const [one, two, three] = [
    await bench.puppets.next("T1.1"),
    await bench.puppets.next("T1.2"),
    await bench.puppets.next("T1.3"),
  ];
  for (const [n, part] of [one, two, three].entries()) edit(part, `task ${n + 1}\n`);
  done(one);
  await bench.event(isOf("completed", "T1.1"));
  done(two);
  const resolver = await bench.puppets.next("T1.2");
  if (isFinished) done(three);
  return { bench, resolver };
}

describe("an attempt at work", () => {
  it("[E130] is named with its branch in its row", async () => {
    using site = await openSite();
    const end = site.bench.start();
    const part = await site.bench.puppets.next("T1.1");
    site.edit(part, "half\n");
    part.tell({ type: "session", id: "s" });
    await site.bench.event(isOf("attempt-started", "T1.1"));
    await site.bench.clock.advance(1_000);
    const rows = site.bench.changes.flatMap(({ attempts = [] }) => attempts);
    expect(rows.findLast(row => row.task === "T1.1")).toMatchObject({
      branch: "task/1-p/t1-1",
      outcome: "running",
    });
    expect(rows.every(row => row.folder === undefined)).toBe(true);
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });
});

describe("what an attempt makes and git ignores", () => {
  it.each(["true", undefined])(
    "[E178] is told once, and stands in the evidence (verify: %s)",
    async verify => {
      const lab = openGitLab({ "a.txt": "one\n", ".gitignore": "lib.txt\n" });
      const shell = () => Promise.resolve({ exitCode: 0, killed: undefined, tail: "", ms: 1 });
      const tasks = ["### [ ] T1.1: a\n", "### [ ] T1.2: b\n- depends_on: [T1.1]\n"].join("");
      using site = await openSite({
        lab,
        tasks,
        shell,
        ...(verify === undefined ? {} : { engine: { verify } }),
      });
      const end = site.bench.start();
      const one = await site.bench.puppets.next("T1.1");
      site.write(one, "lib.txt", "x\n");
      site.done(one);
      const two = await site.bench.puppets.next("T1.2");
      site.edit(two, "two\n");
      site.done(two);
      expect(await end).toMatchObject({ outcome: "completed" });
      const told = site.bench.events.filter(
        event => event.type === "warning" && event.code === "NOT_COMMITTED",
      );
      expect(told).toMatchObject([
        { task: "T1.1", message: { code: "work-ignored", args: { task: "T1.1", first: "lib.txt" } } },
      ]);
      const rows = site.bench.changes.flatMap(({ attempts = [] }) => attempts);
      const last = rows.findLast(row => row.task === "T1.1");
      expect(last?.outcome).toBe("done");
      expect(last?.evidence).toContain("no commit holds them");
    },
  );
});

describe("what a failed attempt made and git ignores", () => {
  it("[E178] is told once an attempt after it is proved with it", async () => {
    const lab = openGitLab({ "a.txt": "one\n", ".gitignore": "lib.txt\n" });
    const shell = ({ cwd }: { readonly cwd: string }) =>
      Promise.resolve({
        exitCode: existsSync(join(cwd, "ok")) ? 0 : 1,
        killed: undefined,
        tail: "",
        ms: 1,
      });
    using site = await openSite({ lab, tasks: "### [ ] T1.1: a\n- verify: test -f ok\n", shell });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T1.1");
    site.write(one, "lib.txt", "x\n");
    site.done(one);
    await site.bench.event(isOf("attempt-failed", "T1.1"));
    await site.bench.clock.advance(60_000);
    const two = await site.bench.puppets.next("T1.1");
    site.write(two, "ok", "x\n");
    site.done(two);
    expect(await end).toMatchObject({ outcome: "completed" });
    const told = site.bench.events.filter(
      event => event.type === "warning" && event.code === "NOT_COMMITTED",
    );
    expect(told).toMatchObject([{ task: "T1.1", message: { args: { first: "lib.txt" } } }]);
  });
});

describe("a target that an attempt rewrites in phase 0", () => {
  it.each(
    sampleOf(
      [
        ["brought back", "HEAD~1", "completed"],
        ["waited for", "HEAD~2", "waiting"],
      ],
      1,
    ),
  )("[E179] has what landed %s", async (_, back, outcome) => {
    const lab = openGitLab();
    lab.commit("a person's");
    const tasks = "## Phase 0: s\n### [ ] T0.1: a\n### [ ] T0.2: b\n";
    using site = await openSite({ lab, tasks });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T0.1");
    site.write(one, "one.txt", "1\n");
    site.done(one);
    const two = await site.bench.puppets.next("T0.2");
    lab.git("reset", "-q", "--hard", back);
    site.write(two, "two.txt", "2\n");
    lab.commit("redone");
    site.done(two);
    await site.bench.event(isOf("attempt-failed", "T0.2"));
    if (outcome === "completed") {
      const again = await site.bench.puppets.next("T0.2");
      site.write(again, "three.txt", "3\n");
      site.done(again);
    }
    expect(await end).toMatchObject({ outcome });
    expect(site.told.filter(({ code }) => code === "LANDED_LOST")).toMatchObject([
      { reason: { code: "landed-lost", args: { branch: "main", tasks: { names: ["T0.1"] } } } },
    ]);
    expect(lab.has("one.txt")).toBe(outcome === "completed");
    const kept = lab.git("branch", "--list", "espalier/rescue/*", "--format=%(refname:short)");
    expect(kept === "" ? lab.git("show", "main:one.txt") : lab.git("show", `${kept}:one.txt`)).toBe("1");
  });
});

describe("a target that an attempt deletes in phase 0", () => {
  it("[E180] stands again with what has landed, fails the attempt, and is told once", async () => {
    const lab = openGitLab();
    const tasks = "## Phase 0: s\n### [ ] T0.1: a\n### [ ] T0.2: b\n";
    using site = await openSite({ lab, tasks });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T0.1");
    site.write(one, "one.txt", "1\n");
    site.done(one);
    const two = await site.bench.puppets.next("T0.2");
    lab.git("update-ref", "-d", "refs/heads/main");
    site.write(two, "two.txt", "2\n");
    site.done(two);
    await site.bench.event(isOf("attempt-failed", "T0.2"));
    const again = await site.bench.puppets.next("T0.2");
    site.write(again, "three.txt", "3\n");
    site.done(again);
    expect(await end).toMatchObject({ outcome: "completed" });
    const told = site.told.filter(({ code }) => code === "LANDED_LOST" || code === "TARGET_MOVED");
    expect(told).toMatchObject([{ reason: { code: "target-put-back", args: { branch: "main" } } }]);
    expect([lab.has("one.txt"), lab.has("two.txt"), lab.has("three.txt")]).toEqual([true, false, true]);
  });
});

describe("a conflict", () => {
  it("[E61] [G46] keeps others from landing until it is resolved, and nobody meets one twice", async () => {
    using site = await openSite();
    const end = site.bench.start();
    const { bench, resolver } = await met(site);
    // What to do about it is no data.
    const [data = "", asked = ""] = resolver.prompt.split("\n# Task\n");
    expect(data).toContain("- a.txt: CONFLICT (content): Merge conflict in a.txt (the other side is T1.1)");
    expect(data).not.toContain("remove the marks");
    expect(asked).toContain("keep what both meant, and remove the marks.");
    expect(site.read(resolver)).toMatch(/^<<<<<<< [0-9a-f]{40}\ntask 1\n=======\ntask 2\n>>>>>>> /);
    site.edit(resolver, "task 1\ntask 2\n");
    site.done(resolver);
    // Only now T1.3 lands, and meets what stands then.
    const last = await bench.puppets.next("T1.3");
    expect(site.landed()).toBe("task 1\ntask 2");
    expect(site.read(last)).toContain("task 1\ntask 2\n=======\ntask 3\n");
    site.edit(last, "task 1\ntask 2\ntask 3\n");
    site.done(last);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("task 1\ntask 2\ntask 3");
    expect(bench.puppets.turns).toBe(5);
    expect(bench.events.filter(({ type }) => type === "conflict")).toHaveLength(2);
  });

  itWhole(
    "[E61] is met once by each of many that change the same lines, and every word of each is there once",
    async () => {
      const names = Array.from({ length: 8 }, (_, n) => `T1.${n + 1}`);
      using site = await openSite({ tasks: names.map(id => `### [ ] ${id}: w\n`).join("") });
      const end = site.bench.start();
      let isOver = false;
      void end.then(() => {
        isOver = true;
      });
      const words = (part: Part) =>
        site
          .read(part)
          .replace(/^[<=>]{7}.*\n/gm, "")
          .trim()
          .split(/\s+/);
      const work = async () => {
        while (!isOver) {
          const part = await site.bench.puppets.next();
          site.edit(part, `${[...new Set([...words(part), part.request.task])].join(" ")}\n`);
          site.done(part);
        }
      };
      void work();
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(site.landed().split(" ").toSorted()).toEqual(["one", ...names].toSorted());
      expect(site.bench.puppets.turns).toBeLessThanOrEqual(2 * names.length);
    },
  );

  itWhole("[E62] is resolved by who knows what the other task was asked for", async () => {
    using site = await openSite();
    const end = site.bench.start();
    const { resolver } = await met(site);
    expect(resolver.prompt).toContain("T1.1, Say hello, which has landed, was asked for this");
    expect(resolver.prompt).toContain("greet whoever comes");
    expect(resolver.prompt).toContain("a.txt");
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  it.each(
    sampleOf<[string, (bench: Bench, resolver: Part) => unknown]>(
      [
        ["fails", (_, resolver) => resolver.say(`FAIL:${resolver.id}:no`)],
        [
          "is paused",
          bench => bench.engine.send({ type: "act", action: "pause", task: "T1.2", note: "", textHash: "" }),
        ],
        [
          "is skipped",
          bench => bench.engine.send({ type: "act", action: "skip", task: "T1.2", note: "", textHash: "" }),
        ],
        [
          "leaves the plan",
          bench =>
            bench.engine.send({
              type: "plan-changed",
              plan: bench.plan(
                "# Bench\n## Phase 1: p\n### [ ] T1.1: Say hello\n- greet whoever comes\n\n### [ ] T1.3: c\n",
              ),
            }),
        ],
      ],
      0,
      3,
    ),
  )("[E61] holds nobody back any more once its task %s", async (_, give) => {
    using site = await openSite({ policy: { maxAttempts: 1 } });
    const end = site.bench.start();
    const { bench, resolver } = await met(site);
    await give(bench, resolver);
    const next = await bench.puppets.next("T1.3");
    expect(site.read(next)).toContain("task 1\n=======\ntask 3\n");
    site.edit(next, "task 1\ntask 3\n");
    site.done(next);
    // An agent whose task left the plan is not ended: it comes to its end by itself.
    if (!resolver.over) resolver.say(`FAIL:${resolver.id}:late`);
    await end;
    expect(site.landed()).toBe("task 1\ntask 3");
  });

  itWhole("[E61] holds nobody back any more once its agent is out of quota", async () => {
    using site = await openSite();
    const end = site.bench.start();
    const { bench, resolver } = await met(site);
    const failure = { kind: "quota", message: "limit", retryable: true, retryAt: 9e15 } as const;
    resolver.end({ kind: "failed", failure, finalMessage: "" });
    expect(await bench.event(isOf("conflict", "T1.3"))).toMatchObject({ files: ["a.txt"] });
    await bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  itWhole("[E61] that is told of a task which a person has paused meanwhile holds nobody back", async () => {
    const [met, paused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const after = (task: string) => {
      if (task !== "T1.2") return;
      met.resolve();
      return paused.promise;
    };
    using site = await openSite({ after });
    const end = site.bench.start();
    const { puppets, engine, event } = site.bench;
    const parts = [await puppets.next("T1.1"), await puppets.next("T1.2"), await puppets.next("T1.3")];
    for (const [n, part] of parts.entries()) site.edit(part, `task ${n + 1}\n`);
    site.done(parts[0]!);
    await event(isOf("completed", "T1.1"));
    site.done(parts[1]!);
    await met.promise;
    await engine.send({ type: "act", action: "pause", task: "T1.2", note: "", textHash: "" });
    paused.resolve();
    site.done(parts[2]!);
    const resolver = await puppets.next("T1.3");
    site.edit(resolver, "task 1\ntask 3\n");
    site.done(resolver);
    expect(await end).toMatchObject({ outcome: "waiting" });
    expect(site.landed()).toBe("task 1\ntask 3");
  });

  itWhole("[E61] ends with a stop, and what waited behind it costs no attempt", async () => {
    using site = await openSite();
    const end = site.bench.start();
    const { bench } = await met(site);
    await bench.engine.send({ type: "stop", by: "test", how: "soft" });
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(bench.run.tasks.map(({ status, retries }) => [status, retries])).toEqual([
      ["completed", 0],
      ["ready", 0],
      ["ready", 0],
    ]);
  });

  itWhole(
    "[E61] ends with a hard stop though its agent does not hear, and so does the wait behind it",
    async () => {
      using site = await openSite({ puppets: { stubborn: true } });
      const end = site.bench.start();
      const { bench } = await met(site);
      await bench.engine.send({ type: "stop", by: "test", how: "soft" });
      await bench.engine.send({ type: "stop", by: "test", how: "hard" });
      expect(await end).toMatchObject({ outcome: "interrupted" });
      expect(bench.run.tasks.map(({ retries }) => retries)).toEqual([0, 0, 0]);
      expect(site.landed()).toBe("task 1");
    },
  );

  itWhole(
    "[E61] that a process dies over is taken up by the next one, and nothing of any side is lost",
    async () => {
      using dead = await openSite();
      void dead.bench.start();
      await met(dead, false);
      using site = await openSite({
        lab: dead.lab,
        place: dead.bench.place,
        resume: true,
        world: { random: randomName },
      });
      const end = site.bench.start();
      const { puppets } = site.bench;
      const [two, three] = [await puppets.next("T1.2"), await puppets.next("T1.3")];
      expect(site.read(two)).toContain("task 1\n=======\ntask 2\n");
      // What had no proof begins anew.
      site.edit(three, "task 3\n");
      site.done(three);
      const last = await puppets.next("T1.3");
      expect(site.read(last)).toContain("task 1\n=======\ntask 3\n");
      site.edit(two, "task 1\ntask 2\n");
      site.done(two);
      site.edit(last, "task 1\ntask 3\n");
      site.done(last);
      const resolver = await puppets.next("T1.2");
      site.edit(resolver, "task 1\ntask 3\ntask 2\n");
      site.done(resolver);
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(site.landed()).toBe("task 1\ntask 3\ntask 2");
    },
  );

  itWhole("[E61] keeps nobody waiting when the store is lost meanwhile", async () => {
    let isLost = false;
    const refuse = () => (isLost ? ({ kind: "fenced", epoch: 1, stored: 2 } as const) : undefined);
    using site = await openSite({ refuse });
    const end = site.bench.start();
    const { resolver } = await met(site);
    isLost = true;
    site.edit(resolver, "task 1\ntask 2\n");
    site.done(resolver);
    expect(await end).toMatchObject({ kind: "store-failed" });
  });
});
