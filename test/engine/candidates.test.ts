import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { World } from "../../src/engine/index.ts";
import { saidBy } from "../reasons.ts";
import { itWhole } from "../sample.ts";
import { openGitLab } from "../vcs/lab.ts";
import { SHELL_OK } from "./bench.ts";
import { quiet } from "./manual-clock.ts";
import { both, openRace, rowsOf } from "./race.ts";

describe("several agents on one task", () => {
  it("[E120] the first whose work is proved lands, whoever it is; the other is ended, and its work is kept", async () => {
    using race = await openRace();
    const end = race.bench.start();
    const [one, two] = await both(race);
    expect(one.request.cwd).not.toBe(two.request.cwd);
    expect(one.request.token).not.toBe(two.request.token);
    race.edit(one, "of the first\n");
    race.edit(two, "of the second\n");
    race.done(two);
    expect(await one.cancelled).toBe("soft");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.landed()).toBe("of the second");
    expect(race.kept()).toContain("of the first");
    expect(await race.branches()).toBe("main\nphase/1-p");
    expect(race.lab.git("worktree", "list")).not.toContain("try2");
    const [row, ...more] = rowsOf(race);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ agent: "two", outcome: "done", branch: "task/1-p/t1-1" });
    expect(row?.evidence).toMatch(
      /1 \(puppet\): .*; its work: git diff refs\/espalier\/left\/task\/1-p\/t1-1\//,
    );
    expect(row?.evidence).toContain("2 (two): was proved first");
    expect(race.told.filter(line => line.startsWith("SET_ASIDE"))).toHaveLength(1);
  });

  itWhole("[E120] work that is proved lands when no process of another is left", async () => {
    using race = await openRace({ others: { stubborn: true } });
    const end = race.bench.start();
    const [one, two] = await both(race);
    race.edit(one, "of the first\n");
    race.done(one);
    expect(await two.cancelled).toBe("soft");
    expect(race.landed()).toBe("one");
    expect(race.bench.events.some(({ type }) => type === "completed")).toBe(false);
    race.edit(two, "of the second\n");
    // Too late: even what it claims now is not asked for.
    race.done(two);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.landed()).toBe("of the first");
    expect(race.kept()).toEqual(["of the second"]);
    expect(race.told).toEqual([expect.stringMatching(/^SET_ASIDE .*left\/try2\/1-p\/t1-1\//)]);
  });

  it("[E120] an agent whose place breaks ends alone: the others work on, and say what became of it", async () => {
    const joining = () => {
      throw new Error("a bug in hunter2-hunter2");
    };
    using race = await openRace({ joining });
    const end = race.bench.start();
    const one = await race.bench.puppets.next("T1.1");
    race.edit(one, "of the first\n");
    race.done(one);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.landed()).toBe("of the first");
    expect(rowsOf(race)[0]?.evidence).toMatch(/2 \(two\): .*a bug in/);
    expect(rowsOf(race)[0]?.evidence).not.toContain("hunter2");
  });

  it("[E143] whose place is still being made ready is ended at once, and nothing of that is left", async () => {
    const begun = Promise.withResolvers<void>();
    const ended: string[] = [];
    using race = await openRace({
      prepare: (path, { cancel }) => {
        if (!path.endsWith("--try2")) return Promise.resolve(undefined);
        begun.resolve();
        return new Promise(give =>
          cancel.addEventListener("abort", () => {
            ended.push(race.bench.run.byId.get("T1.1")?.status ?? "");
            give(saidBy("command", "ended"));
          }),
        );
      },
    });
    const end = race.bench.start();
    const one = await race.bench.puppets.next("T1.1");
    await begun.promise;
    race.edit(one, "of the first\n");
    race.done(one);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(ended).toEqual(["in_progress"]);
    expect(race.landed()).toBe("of the first");
    expect(await race.branches()).toBe("main\nphase/1-p");
    expect(race.lab.git("worktree", "list")).not.toContain("try2");
  });

  itWhole("[E143] whose place is made but whose package is not leaves nothing behind either", async () => {
    const joined = () => {
      throw new Error("no package");
    };
    using race = await openRace({ joined });
    const end = race.bench.start();
    race.done(await race.bench.puppets.next("T1.1"));
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(await race.branches()).toBe("main\nphase/1-p");
    expect(race.lab.git("worktree", "list")).not.toContain("try2");
  });

  itWhole(
    "[E120] of two that are proved the second one comes to nothing, also where its check passes while it is ended",
    async () => {
      const shell: World["shell"] = async ({ cwd, cancel }) => {
        if (!cwd.includes("try2")) await new Promise(resolve => cancel.addEventListener("abort", resolve));
        return SHELL_OK;
      };
      using race = await openRace({ shell });
      const end = race.bench.start();
      for (const [at, part] of (await both(race)).entries()) {
        race.edit(part, `of ${at + 1}\n`);
        race.done(part);
      }
      expect(await end).toMatchObject({ outcome: "completed" });
      const log = race.lab.git("log", "--format=%(trailers:key=Espalier-Task,valueonly)", "phase/1-p");
      expect(log.split("\n").filter(line => line === "T1.1")).toHaveLength(1);
      expect(race.landed()).toBe("of 2");
      expect(race.kept()).toContain("of 1");
    },
  );

  it("[E121] [G42] where all fail the attempt fails once, with the reason of each, and the next one is told them", async () => {
    using race = await openRace();
    const end = race.bench.start();
    const [one, two] = await both(race);
    race.edit(two, "half\n");
    one.say(`FAIL:${one.id}:no idea`);
    two.say(`FAIL:${two.id}:too hard`);
    const [again, other] = await both(race);
    expect(again.prompt).toContain("no idea");
    expect(again.prompt).toContain("too hard");
    expect(again.prompt).not.toContain("FAIL:T1.1#");
    expect(race.read(other)).toBe("one\n");
    expect(race.kept()).toEqual(["half"]);
    expect(rowsOf(race)[0]).toMatchObject({
      outcome: "failed",
      reason: { code: "tries-failed", args: { tries: [{ agent: "puppet" }, { agent: "two" }] } },
    });
    expect(race.bench.run.byId.get("T1.1")).toMatchObject({ attempts: 2, retries: 1 });
    race.done(again);
    await end;
  });

  itWhole(
    "[E120] all of them begin where the task's own place stands, whatever has landed since that was made",
    async () => {
      using race = await openRace({
        tasks: "### [ ] T1.1: a\n- agent: [puppet, two]\n- verify: `true`\n### [ ] T1.2: b\n",
      });
      const end = race.bench.start();
      const parts = await both(race);
      const other = await race.bench.puppets.next("T1.2");
      writeFileSync(join(other.request.cwd, "b.txt"), "of the other task\n");
      race.done(other);
      await race.bench.event(event => event.type === "completed" && event.task === "T1.2");
      for (const part of parts) part.say(`FAIL:${part.id}:no`);
      const [, two] = await both(race);
      race.edit(two, "of the second\n");
      race.done(two);
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(race.landed()).toBe("of the second");
      expect(race.lab.git("show", "phase/1-p:b.txt")).toBe("of the other task");
    },
  );

  it("[E121] one that is out of quota leaves the others to it, and is not asked again before its time", async () => {
    using race = await openRace();
    const end = race.bench.start();
    const [one, two] = await both(race);
    const failure = { kind: "quota", message: "limit", retryable: true, retryAt: 9e15 } as const;
    one.end({ kind: "failed", failure, finalMessage: "" });
    two.say(`FAIL:${two.id}:too hard`);
    const alone = await race.two.next("T1.1");
    expect(race.bench.puppets.turns).toBe(1);
    race.edit(alone, "of the second\n");
    race.done(alone);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.landed()).toBe("of the second");
  });

  it("[E176] one that is not let in is left out of the crews after it", async () => {
    using race = await openRace({
      tasks: [1, 2].map(at => `### [ ] T1.${at}: a\n- agent: [puppet, two]\n`).join(""),
      policy: { parallel: 1 },
    });
    const end = race.bench.start();
    const [one, two] = await both(race);
    const failure = { kind: "auth", message: "not logged in", retryable: false } as const;
    one.end({ kind: "failed", failure, finalMessage: "" });
    await quiet();
    race.edit(two, "of the second\n");
    race.done(two);
    const alone = await race.two.next("T1.2");
    race.edit(alone, "alone\n");
    race.done(alone);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.landed()).toBe("alone");
    expect(race.bench.puppets.turns).toBe(1);
  });

  itWhole(
    "[E121] where all are out of quota it waits for the first that has some again, and that costs no attempt",
    async () => {
      using race = await openRace();
      const end = race.bench.start();
      const now = race.bench.clock.now();
      for (const [at, part] of (await both(race)).entries()) {
        const retryAt = now + (at === 0 ? 1_800_000 : 60_000);
        const failure = { kind: "quota", message: "limit", retryable: true, retryAt } as const;
        part.end({ kind: "failed", failure, finalMessage: "" });
      }
      expect(await race.bench.event(({ type }) => type === "waiting")).toMatchObject({
        agent: "two",
        until: now + 60_000,
      });
      expect(race.bench.run.byId.get("T1.1")).toMatchObject({ status: "waiting", retries: 0 });
      await race.bench.clock.advance(61_000);
      const again = await race.two.next("T1.1");
      race.edit(again, "of the second\n");
      race.done(again);
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(race.bench.puppets.turns).toBe(1);
    },
  );

  itWhole("[E120] a stop ends all of them, and costs no attempt", async () => {
    using race = await openRace();
    const end = race.bench.start();
    const parts = await both(race);
    await race.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    for (const part of parts) expect(await part.cancelled).toBe("soft");
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(race.bench.run.byId.get("T1.1")).toMatchObject({ status: "ready", retries: 0 });
    expect(await race.branches()).not.toContain("try2");
  });

  itWhole("[E122] what a conflict gives back is resolved by one agent, in the task's own place", async () => {
    using race = await openRace({
      tasks: "### [ ] T1.1: a\n- agent: [puppet, two]\n- verify: `true`\n### [ ] T1.2: b\n",
    });
    const end = race.bench.start();
    const [one, two] = await both(race);
    const other = await race.bench.puppets.next("T1.2");
    race.edit(other, "of the other task\n");
    race.done(other);
    await race.bench.event(event => event.type === "completed" && event.task === "T1.2");
    race.edit(one, "of the first\n");
    race.edit(two, "of the second\n");
    race.done(two);
    const resolver = await race.bench.puppets.next("T1.1");
    expect(resolver.request.cwd).toBe(one.request.cwd);
    expect(race.read(resolver)).toContain("of the other task\n=======\nof the second\n");
    race.edit(resolver, "of both\n");
    race.done(resolver);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.landed()).toBe("of both");
    expect(race.two.turns).toBe(1);
    expect(rowsOf(race).map(({ evidence }) => evidence.includes("Tried by 2"))).toEqual([true, false]);
  });

  it("[E122] what candidates have left whose process died is gone before the next attempt, and kept", async () => {
    const lab = openGitLab({ "a.txt": "one\n" });
    using first = await openRace({ lab });
    void first.bench.start();
    const parts = await both(first);
    for (const part of parts) first.edit(part, `half of ${part.request.token}\n`);
    using race = await openRace({ lab, place: first.bench.place, resume: true });
    const end = race.bench.start();
    const [one, two] = await both(race);
    expect([race.read(one), race.read(two)]).toEqual(["one\n", "one\n"]);
    expect(race.kept().toSorted()).toEqual(parts.map(part => `half of ${part.request.token}`).toSorted());
    race.edit(two, "of the second\n");
    race.done(two);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(await race.branches()).toBe("main\nphase/1-p");
  });

  itWhole("[E122] they are gone as well where one agent alone takes the task up again", async () => {
    const lab = openGitLab({ "a.txt": "one\n" });
    using first = await openRace({ lab });
    void first.bench.start();
    const [, two] = await both(first);
    first.edit(two, "half of the second\n");
    const tasks = "### [ ] T1.1: a\n- verify: `true`\n";
    using race = await openRace({ lab, tasks, place: first.bench.place, resume: true });
    const end = race.bench.start();
    const one = await race.bench.puppets.next("T1.1");
    expect(await race.branches()).not.toContain("try2");
    race.edit(one, "of the first\n");
    race.done(one);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(race.kept()).toEqual(["half of the second"]);
    expect(race.lab.git("worktree", "list")).not.toContain("try2");
  });

  itWhole(
    "[E122] a process that dies over proved work leaves what only has to land, and nobody is asked again",
    async () => {
      const lab = openGitLab({ "a.txt": "one\n" });
      // It dies when the proved work is noted, before it has moved.
      const secured = Promise.withResolvers<void>();
      const opening = (times: number) => {
        if (times === 1) return undefined;
        secured.resolve();
        return new Promise(() => {});
      };
      using first = await openRace({ lab, opening });
      void first.bench.start();
      const [, two] = await both(first);
      first.edit(two, "of the second\n");
      first.done(two);
      await secured.promise;
      expect(first.landed()).toBe("one");
      using race = await openRace({ lab, place: first.bench.place, resume: true });
      expect(await race.bench.start()).toMatchObject({ outcome: "completed" });
      expect(race.bench.puppets.turns + race.two.turns).toBe(0);
      expect(race.landed()).toBe("of the second");
      expect(await race.branches()).toBe("main\nphase/1-p");
    },
  );

  itWhole(
    "[E123] what they took is one sum, each at its own price, and what a person says is told to each that hears",
    async () => {
      const prices = { puppet: { input: 1, output: 0 }, two: { input: 10, output: 0 } };
      using race = await openRace({
        puppets: { followUp: true },
        others: { followUp: true },
        engine: { prices },
      });
      const end = race.bench.start();
      const [one, two] = await both(race);
      expect(race.bench.engine.say("T1.1", "mind the dots", "me")).toBeUndefined();
      one.tell({ type: "usage", inputTokens: 1_000_000 });
      two.tell({ type: "usage", inputTokens: 2_000_000 });
      one.line("hello");
      race.edit(two, "of the second\n");
      race.done(two);
      const told = await race.two.next("T1.1");
      expect(told.prompt).toContain("mind the dots");
      one.say("not yet");
      const heard = await race.bench.puppets.next("T1.1");
      expect(heard.prompt).toContain("mind the dots");
      told.say("all right");
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(rowsOf(race)[0]?.usage).toMatchObject({ inputTokens: 3_000_000, costUsd: 21 });
      expect(race.bench.events).toContainEqual(
        expect.objectContaining({ type: "attempt-line", text: "[1 puppet] hello" }),
      );
    },
  );

  itWhole("[E123] what an agent hands over whose work does not land is taken in by nobody", async () => {
    const asked: string[] = [];
    using race = await openRace({
      world: {
        takeHanded(token) {
          asked.push(token);
          return token.endsWith("-2") ? [] : ["[ADD_CONTEXT:ctx]\nlost\n[/ADD_CONTEXT]"];
        },
      },
    });
    const end = race.bench.start();
    const [one, two] = await both(race);
    race.edit(two, "of the second\n");
    race.done(two);
    await end;
    expect(asked.slice(0, 2)).toEqual([one.request.token, two.request.token]);
    expect(rowsOf(race)[0]?.finalMessage).not.toContain("lost");
  });
});
