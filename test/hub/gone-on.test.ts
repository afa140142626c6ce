import { hostname } from "node:os";
import { expect, it } from "vitest";
import { booksOf, type Coordinator, kill, openSite, type Site, stateOf, TASKS, times } from "./site.ts";
import { withEngine } from "./with-engine.ts";

const LONG = { timeout: 180_000, interval: 50 };

/** Starts a run, and waits until its agents are at work and the hub has a copy that says so. */
async function begin(site: Site): Promise<Coordinator> {
  const first = site.start("run", "--yes", "--parallel", "3");
  await expect.poll(() => site.begun().length, LONG).toBe(TASKS.length);
  await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
  return first;
}

/** Has a task paused where the run is conducted, and waits until the hub's copy tells of that. */
async function goOn(site: Site): Promise<void> {
  expect(await site.start("task", "pause", "T1.4").ended).toBe(0);
  await expect.poll(() => stateOf(site), LONG).toContain("paused-by-person");
}

withEngine("a run whose machine goes on with it", engine => {
  it("[HO46] is not gone on with from a copy that was brought before that", async () => {
    await using site = await openSite(engine(), [...TASKS, "T1.4"]);
    const there = site.clone();
    const first = await begin(site);
    const refused = there.start("resume", "--take-over");
    expect([await refused.ended, refused.said()]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED")]);
    await goOn(site);
    const blind = there.start("resume", "--yes");
    expect([await blind.ended, blind.said()]).toEqual([5, expect.stringContaining("COPY_OLD")]);
    expect(blind.said()).not.toContain("damaged");
    expect(first.child.exitCode).toBeNull();
    const second = there.start("resume", "--take-over", "--yes");
    expect(await first.ended).toBe(4);
    site.release("work");
    site.release("proof");
    expect([await second.ended, second.said()]).toEqual([5, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO46] is brought again where that happens while a person is asked", async () => {
    await using site = await openSite(engine(), [...TASKS, "T1.4"]);
    const there = site.clone();
    const first = await begin(site);
    const second = there.ask("resume", "--take-over", "--json");
    await expect.poll(second.said, LONG).toContain("commands when");
    await goOn(site);
    second.child.stdin?.end("y");
    await expect.poll(second.said, LONG).toContain("it is brought here again");
    expect(await first.ended).toBe(4);
    site.release("work");
    site.release("proof");
    expect([await second.ended, second.said()]).toEqual([5, expect.stringContaining('"completed":3')]);
    expect(site.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HB15] ends there when it is taken over, also while none of its agents is at work", async () => {
    await using site = await openSite(engine());
    site.lab.write("espalier.yaml", "heartbeat: 1s\n");
    const there = site.clone();
    const first = await begin(site);
    site.release("work");
    await expect.poll(() => times(booksOf(site), '"taken"'), LONG).toBe(TASKS.length);
    there.start("resume", "--take-over", "--yes");
    expect([await first.ended, first.said()]).toEqual([4, expect.stringContaining("TAKEN_OVER")]);
    const status = site.start("status");
    // [CL16] It goes on there, and a plain resume would be refused.
    expect([await status.ended, status.said()]).toEqual([
      0,
      expect.stringContaining("has taken this run over"),
    ]);
    expect(status.said()).toContain(`espalier resume --take-over --on ${site.url}`);
    expect(status.said()).not.toMatch(/espalier resume +go on/);
    const told = site.start("status", "--json");
    await told.ended;
    const { run } = JSON.parse(told.said()) as { readonly run: unknown };
    expect(run).toMatchObject({ state: "interrupted", takenOver: { hub: site.url, host: hostname() } });
  }, 480_000);

  it("[HO48] is not brought back to its machine alone where another one has it", async () => {
    await using site = await openSite(engine());
    const there = site.clone();
    await kill(await begin(site));
    const second = there.start("resume", "--take-over", "--yes");
    await expect.poll(() => site.copies(), LONG).toContainEqual(expect.stringMatching(/\/2$/));
    const blind = site.start("resume", "--yes", "--on", "none");
    expect([await blind.ended, blind.said()]).toEqual([5, expect.stringContaining("CONDUCTED_ELSEWHERE")]);
    site.release("work");
    site.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO48] is its machine's alone once it is brought back, and whoever else conducts it ends", async () => {
    await using site = await openSite(engine());
    const first = await begin(site);
    const bring = async () => {
      // A clone that has approved nothing yet: it only brings the run, and conducts none.
      const there = site.clone();
      const second = there.start("resume", "--take-over");
      expect([await second.ended, second.said()]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED")]);
      return there.start("resume", "--yes", "--on", "none");
    };
    let back = await bring();
    // On a busy machine it may have gone on where it is since it was brought.
    const isOver = async () =>
      Promise.race([first.ended.then(() => true), back.ended.then(() => first.child.exitCode !== null)]);
    while (!(await isOver())) {
      expect(back.said()).toContain("COPY_OLD");
      back = await bring();
    }
    expect([await first.ended, first.said()]).toEqual([4, expect.stringContaining("TAKEN_OVER")]);
    await expect.poll(() => site.copies(), LONG).toEqual([]);
    site.release("work");
    site.release("proof");
    expect([await back.ended, back.said()]).toEqual([0, expect.stringContaining("3 done")]);
    const none = site.clone().start("resume", "--take-over");
    expect([await none.ended, none.said()]).toEqual([5, expect.stringContaining("NO_COPY")]);
  }, 480_000);
});
