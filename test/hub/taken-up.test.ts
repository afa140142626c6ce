import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kill, openSite, SHARED, TASKS } from "./site.ts";
import { withEngine } from "./with-engine.ts";

const LONG = { timeout: 180_000, interval: 50 };

withEngine("a run whose process was killed", engine => {
  it("[E156] goes on with what its agents elsewhere are at, and with none of it twice", async () => {
    await using there = await openSite(engine());
    const first = there.start("run", "--yes");
    await expect.poll(() => there.begun().length, LONG).toBe(TASKS.length);
    await kill(first);
    const second = there.start("resume", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines: T1.1, T1.2, T1.3");
    there.release("work");
    there.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(there.begun().toSorted()).toEqual(TASKS);
    const { lab } = there;
    expect(lab.git("ls-tree", "--name-only", "phase/1-all").split("\n")).toEqual(
      expect.arrayContaining(TASKS.map(id => `${id}.txt`)),
    );
    expect(readdirSync(join(lab.root, ".espalier", "away"))).toEqual([]);
  }, 480_000);

  it("[E156] leaves the folder of what goes on as it stands, whatever a person has committed meanwhile", async () => {
    await using there = await openSite(engine(), ["T1.1"], "sed -i s/^first$/theirs/ shared.txt");
    const { lab } = there;
    const first = there.start("run", "--yes");
    await expect.poll(() => there.begun().length, LONG).toBe(1);
    await kill(first);
    lab.write("shared.txt", SHARED.replace("last", "a person's"));
    lab.git("commit", "--quiet", "--all", "-m", "mine");
    const second = there.start("resume", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines: T1.1");
    there.release("work");
    there.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("1 done")]);
    expect(there.begun()).toEqual(["T1.1"]);
    expect(lab.git("show", "phase/1-all:shared.txt")).toMatch(/^theirs\n/);
  }, 480_000);

  it("[E156] knows the end of a turn that was heard before, and proves what came of it", async () => {
    await using there = await openSite(engine());
    const { lab } = there;
    there.release("work");
    const first = there.start("run", "--yes");
    const away = () =>
      readdirSync(join(lab.root, ".espalier", "away")).filter(name =>
        readFileSync(join(lab.root, ".espalier", "away", name), "utf8").includes('"taken"'),
      );
    await expect.poll(() => there.begun().length, LONG).toBe(TASKS.length);
    await expect.poll(() => away().length, LONG).toBe(TASKS.length);
    await kill(first);
    const second = there.start("resume", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines");
    there.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(there.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO49] ends as it stands where its hub shuts it out, and goes on once it is let in again", async () => {
    await using there = await openSite(engine());
    const first = there.start("run", "--yes");
    await expect.poll(() => there.begun().length, LONG).toBe(TASKS.length);
    there.shutOut("me", true);
    expect([await first.ended, first.said()]).toEqual([
      6,
      expect.stringContaining("the token is not known, was revoked, or has expired"),
    ]);
    expect(first.said()).toContain("ask whoever keeps the hub for a token");
    there.shutOut("me", false);
    const second = there.start("resume", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines: T1.1, T1.2, T1.3");
    there.release("work");
    there.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(there.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO57] ends soon where it is stopped while its hub is away, and its agents go on", async () => {
    await using there = await openSite(engine());
    const first = there.start("run", "--yes");
    await expect.poll(() => there.begun().length, LONG).toBe(TASKS.length);
    await there.leave();
    first.child.kill("SIGTERM");
    expect([await first.ended, first.said()]).toEqual([
      6,
      expect.stringContaining(`the run was stopped while ${there.url} was not reached`),
    ]);
    await there.serveAgain();
    const second = there.start("resume", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines: T1.1, T1.2, T1.3");
    there.release("work");
    there.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(there.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO45] has tasks done by an agent that only a machine has, and names it where tasks say of nobody", async () => {
    const own = `sh -c 'echo "$ESPALIER_TASK" > made.txt; echo "DONE:$ESPALIER_SIGNAL_ID"'`;
    await using there = await openSite(
      engine(),
      ["T1.1"],
      ":",
      `agents:\n  mine: { command: ${JSON.stringify(own)} }\n`,
    );
    const { lab } = there;
    lab.write("TASKS.md", "# Plan\n\n## Phase 1: All\n\n### [ ] T1.1: Make it\n");
    lab.git("commit", "--quiet", "--all", "-m", "nobody");
    const nobody = there.start("run", "--yes");
    expect([await nobody.ended, nobody.said()]).toEqual([
      2,
      expect.stringContaining("an agent that a machine has: espalier run --agent mine"),
    ]);
    lab.write("TASKS.md", "# Plan\n\n## Phase 1: All\n\n### [ ] T1.1: Make it\n- agent: mine\n");
    lab.git("commit", "--quiet", "--all", "-m", "mine");
    const named = there.start("run", "--yes");
    expect([await named.ended, named.said()]).toEqual([0, expect.stringContaining("1 done")]);
    expect(lab.git("show", "phase/1-all:made.txt")).toBe("T1.1");
  }, 120_000);
});
