import { existsSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { World } from "../../src/engine/index.ts";
import type { Reason, RunEvent } from "../../src/ports/index.ts";
import { saidBy } from "../reasons.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { type BenchOptions, SHELL_OK } from "./bench.ts";
import type { Part } from "./puppets.ts";
import { isOf, openSite, type Site } from "./site.ts";

const ONE = "### [ ] T1.1: a\n";
const TWO = `${ONE}### [ ] T1.2: b\n- verify: \`true\`\n`;
const HEAD = "# Bench\n## Phase 1: p\n";

type Action = "pause" | "resume" | "cancel" | "skip" | "done" | "retry";

const act = ({ bench }: Site, action: Action, task: string) =>
  bench.engine.send({ type: "act", action, task, note: "", textHash: "" });

/** The task file as it is from now on. */
const edited = ({ bench }: Site, tasks: string) =>
  bench.engine.send({ type: "plan-changed", plan: bench.plan(`${HEAD}${tasks}`) });

const isWarning = (reason: string, task: string) => (event: RunEvent) =>
  event.type === "warning" && event.message.code === reason && event.task === task;

/** What a person was told of work that did not come home. */
const asides = ({ told }: Site) =>
  told.filter(({ code }) => code === "SET_ASIDE" || code === "RESCUED").map(({ reason }) => reason.args);

const keptAs = (task: string) => ({
  ref: expect.stringContaining(`refs/espalier/left/task/1-p/${task}/`) as string,
});

const rowOf = ({ bench }: Site, task: string) =>
  [...(bench.place.runs.get("run-1")?.attempts.get(task)?.values() ?? [])].at(-1)?.row;

/** T1.2 has met a conflict with T1.1; T1.3 has been proved, and waits behind it. */
async function queued(options: Partial<BenchOptions> = {}) {
  const waits = Promise.withResolvers<void>();
  const landing = (task: string) => (task === "T1.3" ? waits.resolve() : undefined);
  const site = await openSite({ ...options, landing });
  const end = site.bench.start();
  const { puppets, event } = site.bench;
  const parts = [await puppets.next("T1.1"), await puppets.next("T1.2"), await puppets.next("T1.3")] as const;
  for (const [n, part] of parts.entries()) site.edit(part, `task ${n + 1}\n`);
  site.done(parts[0]);
  await event(isOf("completed", "T1.1"));
  site.done(parts[1]);
  const resolver = await puppets.next("T1.2");
  site.done(parts[2]);
  await waits.promise;
  return { site, end, resolver };
}

/** Its work comes home. */
function resolve(site: Site, resolver: Part): void {
  site.edit(resolver, "task 1\ntask 2\n");
  site.done(resolver);
}

describe("work that nobody wants any more", () => {
  it("[E140] does not land once its task has left the plan: it is kept, and named", async () => {
    using site = await openSite({ tasks: TWO });
    const end = site.bench.start();
    const [one, two] = [await site.bench.puppets.next("T1.1"), await site.bench.puppets.next("T1.2")];
    site.edit(two, "task 2\n");
    await edited(site, ONE);
    site.done(two);
    await site.bench.event(isWarning("result-orphaned", "T1.2"));
    expect(site.kept()).toEqual(["task 2"]);
    expect(asides(site)).toEqual([keptAs("t1-2")]);
    expect(rowOf(site, "T1.2")).toMatchObject({
      outcome: "cancelled",
      reason: { code: "not-landed", args: { why: { code: "result-unwanted" } } },
    });
    site.done(one);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.home()).toEqual(["T1.1"]);
  });

  itWhole("[E140] lands where its task has come back meanwhile", async () => {
    using site = await openSite({ tasks: TWO });
    const end = site.bench.start();
    const [one, two] = [await site.bench.puppets.next("T1.1"), await site.bench.puppets.next("T1.2")];
    site.edit(two, "task 2\n");
    await edited(site, ONE);
    await edited(site, TWO);
    site.done(two);
    await site.bench.event(isOf("completed", "T1.2"));
    site.done(one);
    await end;
    expect(site.home()).toEqual(["T1.2", "T1.1"]);
    expect(asides(site)).toEqual([]);
  });

  it.each(sampleOf<Action>(["pause", "cancel"], 1))(
    "[E140] waits for its turn no longer when a person acts on its task (%s)",
    async action => {
      const { site, end, resolver } = await queued();
      using _ = site;
      await act(site, action, "T1.3");
      // At once: nobody has landed meanwhile.
      await vi.waitFor(() => expect(rowOf(site, "T1.3")).toMatchObject({ outcome: "cancelled" }), {
        timeout: 25_000,
      });
      resolve(site, resolver);
      await end;
      expect(site.home()).toEqual(["T1.1", "T1.2"]);
      expect(site.kept()).toEqual(["task 3"]);
      expect(asides(site)).toEqual([keptAs("t1-3")]);
    },
  );

  /** T1.3 in conflict with what landed: its agent is told so, and nothing else. */
  const mended = async (site: Site) => {
    const again = await site.bench.puppets.next("T1.3");
    expect(again.prompt).toContain("The work passed its checks");
    expect(site.read(again)).toContain("task 3");
    site.edit(again, "task 1\ntask 2\ntask 3\n");
    site.done(again);
  };

  it("[E144] only lands where a person has it go on, brought up to what landed meanwhile", async () => {
    const { site, end, resolver } = await queued();
    using _ = site;
    await act(site, "pause", "T1.3");
    await act(site, "resume", "T1.3");
    const { turns } = site.bench.puppets;
    resolve(site, resolver);
    await site.bench.event(isOf("completed", "T1.2"));
    await mended(site);
    expect(site.bench.puppets.turns).toBe(turns + 1);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.home()).toEqual(["T1.1", "T1.2", "T1.3"]);
  });

  it.each(
    sampleOf<["retry" | "resume", string]>(
      [
        ["retry", ""],
        ["resume", "- and more\n"],
      ],
      1,
    ),
  )("[E144] is done again by %s after the edit %j", async (action, more) => {
    const { site, end, resolver } = await queued();
    using _ = site;
    await act(site, "pause", "T1.3");
    await edited(
      site,
      `### [ ] T1.1: Say hello\n- greet whoever comes\n\n### [ ] T1.2: b\n\n### [ ] T1.3: c\n${more}`,
    );
    await act(site, action, "T1.3");
    const again = await site.bench.puppets.next("T1.3");
    expect(again.prompt).not.toContain("The work passed its checks");
    expect(site.read(again)).toBe("one\n");
    await act(site, "cancel", "T1.3");
    resolve(site, resolver);
    await end;
  });

  itWhole(
    "[E144] that a hard stop kept from landing lands in the next process, without an agent",
    async () => {
      const { site, end, resolver } = await queued();
      using _ = site;
      await site.bench.engine.send({ type: "stop", by: "", how: "hard" });
      expect(await resolver.cancelled).toBe("hard");
      await end;
      expect(rowOf(site, "T1.3")).toMatchObject({ outcome: "cancelled", reason: { code: "not-landed" } });
      const { lab } = site;
      const { place } = site.bench;
      using next = await openSite({ lab, place, resume: true });
      const ending = next.bench.start();
      const again = await next.bench.puppets.next("T1.3");
      expect(again.prompt).toContain("The work passed its checks");
      await next.bench.engine.send({ type: "stop", by: "", how: "hard" });
      await ending;
    },
  );

  itWhole(
    "[E140] does not land in its turn either when its task has left the plan while it waited",
    async () => {
      const { site, end, resolver } = await queued();
      using _ = site;
      await edited(site, "### [ ] T1.1: Say hello\n- greet whoever comes\n\n### [ ] T1.2: b\n");
      resolve(site, resolver);
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(site.home()).toEqual(["T1.1", "T1.2"]);
      expect(asides(site)).toEqual([keptAs("t1-3")]);
    },
  );

  itWhole(
    "[E140] does not land when its task leaves the plan while it is checked with what landed meanwhile",
    async () => {
      const gone = Promise.withResolvers<void>();
      const checked = Promise.withResolvers<void>();
      let times = 0;
      const shell: World["shell"] = async () => {
        times++;
        if (times === 2) {
          checked.resolve();
          await gone.promise;
        }
        return SHELL_OK;
      };
      using site = await openSite({ tasks: TWO, shell });
      const end = site.bench.start();
      const [one, two] = [await site.bench.puppets.next("T1.1"), await site.bench.puppets.next("T1.2")];
      site.write(one, "b.txt", "b\n");
      site.edit(two, "task 2\n");
      site.done(one);
      await site.bench.event(isOf("completed", "T1.1"));
      site.done(two);
      await checked.promise;
      await edited(site, ONE);
      gone.resolve();
      await end;
      expect(times).toBe(2);
      expect(site.home()).toEqual(["T1.1"]);
    },
  );

  it("[E141] that had landed already when a person acted on its task is told", async () => {
    const landed = Promise.withResolvers<void>();
    const acted = Promise.withResolvers<void>();
    const after = (task: string) => {
      if (task !== "T1.2") return;
      landed.resolve();
      return acted.promise;
    };
    using site = await openSite({ tasks: TWO, after });
    const end = site.bench.start();
    const [one, two] = [await site.bench.puppets.next("T1.1"), await site.bench.puppets.next("T1.2")];
    site.edit(two, "task 2\n");
    site.done(two);
    await landed.promise;
    await act(site, "cancel", "T1.2");
    acted.resolve();
    const commit = site.lab.git("rev-parse", "phase/1-p").slice(0, 10);
    expect(await site.bench.event(isWarning("landed-orphaned", "T1.2"))).toMatchObject({
      code: "LANDED_ANYWAY",
      message: { args: { commit } },
    });
    site.done(one);
    await end;
    expect(asides(site)).toEqual([]);
  });

  it("[E142] the end of a phase waits for whoever is on the way home, and clears the places of tasks that left it", async () => {
    const { site, end, resolver } = await queued({ policy: { settlePhases: true } });
    using _ = site;
    await edited(site, "### [ ] T1.1: Say hello\n- greet whoever comes\n\n### [ ] T1.3: c\n");
    // Nobody hears of its work any more, so its agent is ended with the phase.
    await act(site, "done", "T1.3");
    expect(await resolver.cancelled).toBe("soft");
    await end;
    expect(site.home()).toEqual(["T1.1"]);
    expect(existsSync(resolver.request.cwd)).toBe(false);
    expect(site.lab.git("worktree", "list").split("\n")).toHaveLength(2);
  });

  it("[E142] is not begun by an agent where its task left the plan while its folder was made ready", async () => {
    const making = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<undefined>();
    const prepare = (): Promise<undefined> => {
      making.resolve();
      return ready.promise;
    };
    using site = await openSite({ tasks: TWO, rules: { prepare } });
    const end = site.bench.start();
    await making.promise;
    await edited(site, ONE);
    ready.resolve(undefined);
    site.done(await site.bench.puppets.next("T1.1"));
    await end;
    expect(site.bench.puppets.turns).toBe(1);
  });

  itWhole("[E142] the end of a phase begins when nobody is at work in it any more", async () => {
    const asked: string[] = [];
    using site = await openSite({
      tasks: TWO,
      puppets: { stubborn: true },
      policy: { settlePhases: true },
      ending: () => void asked.push("end"),
    });
    const end = site.bench.start();
    const [one, two] = [await site.bench.puppets.next("T1.1"), await site.bench.puppets.next("T1.2")];
    site.done(one);
    await site.bench.event(isOf("completed", "T1.1"));
    await act(site, "skip", "T1.2");
    await two.cancelled;
    // Whatever the engine has to do meanwhile.
    for (let times = 0; times < 8; times++) await act(site, "resume", "T1.1");
    expect(asked).toEqual([]);
    site.edit(two, "half\n");
    two.say("late");
    await end;
    expect(asked).toEqual(["end"]);
    expect(asides(site)).toEqual([expect.objectContaining({ branch: expect.any(String) as string })]);
  });
});

describe("what makes a place ready", () => {
  /** It goes on until it is ended. */
  const endless = () => {
    const begun = Promise.withResolvers<string>();
    const prepare = (path: string, stop: { readonly cancel: AbortSignal }) => {
      begun.resolve(path);
      return new Promise<Reason>(give =>
        stop.cancel.addEventListener("abort", () => give(saidBy("command", "ended"))),
      );
    };
    return { begun: begun.promise, prepare };
  };

  it("[E143] is ended with the attempt that waits for it, also where it is the phase's", async () => {
    const { begun, prepare } = endless();
    using site = await openSite({ tasks: ONE, rules: { prepare } });
    const end = site.bench.start();
    await begun;
    await act(site, "cancel", "T1.1");
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(site.bench.puppets.turns).toBe(0);
  });

  itWhole("[E143] goes on for as long as one attempt waits for it", async () => {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<undefined>();
    const ended: string[] = [];
    using site = await openSite({
      tasks: TWO,
      rules: {
        prepare: (path, stop) => {
          begun.resolve();
          stop.cancel.addEventListener("abort", () => ended.push(path));
          return go.promise;
        },
      },
    });
    const end = site.bench.start();
    await begun.promise;
    await act(site, "cancel", "T1.1");
    await site.bench.event(isOf("attempt-started", "T1.2"));
    go.resolve(undefined);
    site.done(await site.bench.puppets.next("T1.2"));
    await end;
    expect(ended).toEqual([]);
    expect(site.home()).toEqual(["T1.2"]);
  });

  itWhole("[E143] of a task of its own leaves nothing behind at the end of the phase", async () => {
    const own = Promise.withResolvers<void>();
    using site = await openSite({
      tasks: TWO,
      policy: { settlePhases: true },
      rules: {
        prepare: (path, stop) =>
          path.endsWith("--t1-2")
            ? new Promise(give => {
                own.resolve();
                stop.cancel.addEventListener("abort", () => give(saidBy("command", "ended")));
              })
            : Promise.resolve(undefined),
      },
    });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T1.1");
    await own.promise;
    await act(site, "skip", "T1.2");
    site.done(one);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.lab.git("branch", "--format=%(refname:short)").split("\n")).toEqual(["main", "phase/1-p"]);
    expect(site.lab.git("worktree", "list").split("\n")).toHaveLength(2);
  });
});
