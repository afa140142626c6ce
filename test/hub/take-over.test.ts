import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { copyRef, copyUrl, gitAccess } from "../../src/adapters/fleet/by-git.ts";
import { dropCopies, listCopies, runRefs, sendCopy } from "../../src/adapters/vcs/git/index.ts";
import { createHub } from "../../src/hub/index.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "../vcs/lab.ts";
import { booksOf, COPIES, kill, openSite, type Site, TASKS, times } from "./site.ts";
import { withEngine } from "./with-engine.ts";

const LONG = { timeout: 180_000, interval: 50 };

const git = ({ lab, store }: Site, ...args: string[]): string => lab.git("--git-dir", store, ...args);

withEngine("a run that another machine takes over", engine => {
  it("[HO44] [HO71] [TR7] goes on there with what its agents are at, and with none of it twice", async () => {
    await using site = await openSite(engine(), TASKS, "echo said later");
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => site.begun().length, LONG).toBe(TASKS.length);
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
    await kill(first);
    const copy = git(site, "rev-parse", `${COPIES}/${site.copies()[0]}`);
    expect(() => site.lab.git("cat-file", "-e", copy)).toThrow(copy);
    // The machine is gone with all it had.
    rmSync(join(site.lab.root, ".espalier"), { recursive: true });
    const second = there.start("resume", "--take-over", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines: T1.1, T1.2, T1.3");
    expect(second.said()).toContain(`the run of ${hostname()} is taken over`);
    site.release("work");
    site.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
    const attempts = join(there.root, ".espalier", "attempts");
    const logs = readdirSync(attempts).filter(name => name.endsWith(".log"));
    const begins = `[espalier] taken over from ${hostname()}: what was said before is in its log there\n`;
    expect(logs).toHaveLength(TASKS.length);
    for (const name of logs) expect(readFileSync(join(attempts, name), "utf8")).toBe(`${begins}said later\n`);
    expect(there.git("ls-tree", "--name-only", "phase/1-all").split("\n")).toEqual(
      expect.arrayContaining(TASKS.map(id => `${id}.txt`)),
    );
    // What is over stays for whoever merges it elsewhere, and nobody goes on with what it was before.
    expect(site.copies()).toEqual([expect.stringMatching(/^\w+\/2-\d+$/)]);
    expect(existsSync(join(there.root, ".espalier", "copies"))).toBe(false);
    const third = site.clone();
    const merging = third.start("resume", "--take-over", "--yes");
    expect([await merging.ended, merging.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(third.git("rev-parse", "phase/1-all")).toBe(there.git("rev-parse", "phase/1-all"));
  }, 480_000);

  it("[E159] ends where it was, says whose it is now, and leaves its agents alone", async () => {
    await using site = await openSite(engine());
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => site.begun().length, LONG).toBe(TASKS.length);
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
    const second = there.start("resume", "--take-over", "--yes");
    expect([await first.ended, first.said()]).toEqual([
      4,
      expect.stringContaining(`clone1 on ${hostname()} has taken this run over`),
    ]);
    const before = site.lab.git("for-each-ref");
    site.release("work");
    site.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
    expect(site.lab.git("for-each-ref")).toBe(before);
  }, 480_000);

  it("[HO44] brings again what stood in a folder of the other machine", async () => {
    await using site = await openSite(engine());
    site.release("work");
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"taken"'), LONG).toBe(TASKS.length);
    await kill(first);
    const second = there.start("resume", "--take-over", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines");
    site.release("proof");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO69] has the work there that waits for its proof, which no agent is asked for again", async () => {
    const folder = scratchFolder("espalier-kept-");
    const [began, tool] = [join(folder, "began"), join(folder, "tool")];
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const agent = `cat > /dev/null; echo x >> ${began}; echo done > it.txt; echo DONE:$ESPALIER_SIGNAL_ID`;
    await using site = await openSite(engine(), [], ":", `command: sh -c '${agent}'\n`);
    const task = `### [ ] T1.1: Write it\n- agent: command\n- verify: ${tool}\n`;
    site.lab.write("TASKS.md", `# Plan\n\n## Phase 1: All\n\n${task}`);
    site.lab.git("commit", "--quiet", "--all", "-m", "the plan");
    const there = site.clone();
    const first = site.start("run", "--yes");
    expect([await first.ended, first.said()]).toEqual([5, expect.stringContaining("1 paused")]);
    rmSync(site.lab.root, { recursive: true });
    writeFileSync(tool, "#!/bin/sh\ntest -e it.txt\n", { mode: 0o755 });
    const second = there.start("resume", "--take-over", "--yes");
    expect([await second.ended, second.said()]).toEqual([5, expect.stringContaining("1 paused")]);
    const resuming = there.start("task", "resume", "T1.1");
    expect([await resuming.ended, resuming.said()]).toEqual([0, expect.anything()]);
    const third = there.start("resume", "--yes");
    expect([await third.ended, third.said()]).toEqual([0, expect.stringContaining("1 done")]);
    expect(readFileSync(began, "utf8")).toBe("x\n");
    expect(there.git("show", "phase/1-all:it.txt")).toBe("done");
  }, 480_000);

  it("[HO44] changes nothing where a branch has commits of its own, and says how to go on", async () => {
    await using site = await openSite(engine());
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
    await kill(first);
    there.git("checkout", "--quiet", "-b", "phase/1-all");
    writeFileSync(join(there.root, "mine.txt"), "mine\n");
    there.git("add", "mine.txt");
    there.git("commit", "--quiet", "-m", "mine");
    site.lab.git("commit", "--quiet", "--allow-empty", "-m", "theirs");
    there.git("checkout", "--quiet", "main");
    there.git("update-ref", "refs/heads/phase/1-all", there.git("commit-tree", "-m", "x", "HEAD^{tree}"));
    const before = there.git("for-each-ref");
    const refused = there.start("resume", "--take-over", "--yes");
    expect(await refused.ended).toBe(5);
    expect(refused.said()).toContain("BRANCH_DIFFERS");
    expect(refused.said()).toContain("git branch -m phase/1-all phase/1-all-before");
    const kept = (listed: string) => listed.split("\n").filter(line => !line.includes("refs/espalier/copy/"));
    expect(kept(there.git("for-each-ref"))).toEqual(before.split("\n"));
    expect(existsSync(join(there.root, ".espalier", "espalier.db"))).toBe(false);
    there.git("branch", "-m", "phase/1-all", "phase/1-all-before");
    site.release("work");
    site.release("proof");
    const second = there.start("resume", "--take-over", "--yes");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO44] changes nothing where files of the folder would be lost, or phases would go to another branch", async () => {
    await using site = await openSite(engine());
    const [there, other] = [site.clone(), site.clone("machine")];
    site.lab.write("more.txt", "theirs\n");
    site.lab.git("add", "more.txt");
    site.lab.git("commit", "--quiet", "-m", "more");
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
    await kill(first);
    const denied = other.start("resume", "--take-over", "--yes");
    expect([await denied.ended, denied.said()]).toEqual([
      6,
      expect.stringContaining("a machine has a token of its own, and so has a run"),
    ]);
    writeFileSync(join(there.root, "more.txt"), "mine\n");
    const held = there.start("resume", "--take-over", "--yes");
    expect([await held.ended, held.said()]).toEqual([5, expect.stringMatching(/FOLDER_HELD.*more\.txt/)]);
    expect(there.git("status", "--porcelain")).toBe("?? more.txt");
    rmSync(join(there.root, "more.txt"));
    there.git("checkout", "--quiet", "-b", "mine");
    there.git("branch", "--quiet", "-D", "main");
    const astray = there.start("resume", "--take-over", "--yes");
    expect([await astray.ended, astray.said()]).toEqual([5, expect.stringContaining("TARGET_DIFFERS")]);
    expect(there.git("branch", "--format=%(refname:short)")).toBe("mine");
    const [, advice = ""] = /git (checkout -b main \w+)/.exec(astray.said()) ?? [];
    there.git(...advice.split(" "));
    site.release("work");
    site.release("proof");
    const second = there.start("resume", "--take-over", "--yes");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(second.said()).not.toContain("damaged");
    expect(site.begun().toSorted()).toEqual(TASKS);
  }, 480_000);

  it("[HO44] [HO46] goes back to the machine it came from, whose own state stays beside it", async () => {
    await using site = await openSite(engine());
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
    const second = there.start("resume", "--take-over", "--yes");
    expect(await first.ended).toBe(4);
    await expect.poll(() => site.copies().length, LONG).toBe(2);
    await kill(second);
    // [HO46] What the other one did is not known here.
    const blind = site.start("resume", "--yes");
    expect([await blind.ended, blind.said()]).toEqual([5, expect.stringContaining("CONDUCTED_ELSEWHERE")]);
    site.release("work");
    site.release("proof");
    const third = site.start("resume", "--take-over", "--yes");
    expect([await third.ended, third.said()]).toEqual([0, expect.stringContaining("3 done")]);
    expect(site.begun().toSorted()).toEqual(TASKS);
    const state = readdirSync(join(site.lab.root, ".espalier"));
    const [aside = ""] = state.filter(name => name.startsWith("before-"));
    expect(readdirSync(join(site.lab.root, ".espalier", aside))).toContain("espalier.db");
  }, 480_000);

  it("[HO88] is not begun a second time from another folder, but where a person says so", async () => {
    await using site = await openSite(engine(), ["T1.1"]);
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(1);
    await expect.poll(() => site.copies().length, LONG).toBeGreaterThan(0);
    const [run = ""] = (site.copies()[0] ?? "").split("/");
    const second = there.start("run", "--yes");
    expect([await second.ended, second.said()]).toEqual([5, expect.stringContaining("RUN_ELSEWHERE")]);
    expect(second.said()).toContain(`${run} (TASKS.md, of ${hostname()}`);
    expect(second.said()).toContain(`espalier resume --take-over ${run} --on`);
    const again = there.start("resume", "--yes");
    expect(await again.ended).toBe(5);
    expect(site.begun()).toEqual(["T1.1"]);
    const own = there.start("run", "--yes", "--trust-state");
    await expect.poll(() => site.begun().length, LONG).toBe(2);
    site.release("work");
    site.release("proof");
    expect([await first.ended, await own.ended]).toEqual([0, 0]);
    // What has ended is in nobody's way.
    const third = site.clone().start("run", "--yes");
    expect(await third.ended).toBe(0);
  }, 480_000);

  it("[HO88] is told of, and keeps nobody from beginning another one, where its coordinator has ended", async () => {
    await using site = await openSite(engine(), ["T1.1"]);
    const there = site.clone();
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(1);
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(130);
    const [run = ""] = (site.copies()[0] ?? "").split("/");
    site.release("work");
    site.release("proof");
    const second = there.start("run", "--yes");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("RUN_LEFT")]);
    expect(second.said()).toContain(`espalier resume --take-over ${run} --on`);
  }, 480_000);

  it("[HO88] is no hindrance where this folder itself conducted it last, and begins another one", async () => {
    await using site = await openSite(engine(), ["T1.1"]);
    const first = site.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(1);
    await expect.poll(() => site.copies().length, LONG).toBeGreaterThan(0);
    const saving = site.start("checkpoint", "create");
    expect([await saving.ended, saving.said()]).toEqual([0, expect.anything()]);
    await kill(first);
    site.release("work");
    site.release("proof");
    const [, name = ""] = /(chk-\d+)/.exec(saving.said()) ?? [];
    const anew = site.start("resume", "--yes", "--from", name);
    expect([await anew.ended, anew.said()]).toEqual([0, expect.stringContaining("1 done")]);
  }, 480_000);

  it("[HO44] refuses what there is not, and what would hide a run of this folder", async () => {
    await using site = await openSite(engine());
    const there = site.clone();
    const none = there.start("resume", "--take-over");
    expect([await none.ended, none.said()]).toEqual([
      5,
      expect.stringContaining("has no run of this repository"),
    ]);
    expect(existsSync(join(there.root, ".espalier", "espalier.db"))).toBe(false);
    const missed = there.start("resume");
    expect([await missed.ended, missed.said()]).toEqual([
      2,
      expect.stringContaining(`espalier resume --take-over --on ${site.url}`),
    ]);
    const own = there.start("run", "--yes");
    await expect.poll(() => times(booksOf(site), '"sent"'), LONG).toBe(TASKS.length);
    await kill(own);
    const first = site.start("run", "--yes", "--trust-state");
    const state = join(site.lab.root, ".espalier", "orchestrate-state.json");
    await expect.poll(() => site.copies().length === 2 && existsSync(state), LONG).toBe(true);
    await kill(first);
    const which = there.start("resume", "--take-over", "--yes");
    expect([await which.ended, which.said()]).toEqual([5, expect.stringContaining("has several runs")]);
    expect(times(which.said(), `(TASKS.md, of ${hostname()}, as it stood at 20`)).toBe(2);
    const [name = ""] = readFileSync(state, "utf8").match(/[a-z0-9]{12}/) ?? [""];
    const hidden = there.start("resume", "--take-over", name, "--yes");
    expect([await hidden.ended, hidden.said()]).toEqual([5, expect.stringContaining("RUN_HERE")]);
  }, 480_000);

  it("[HB16] takes a copy from the newest coordinator only, and none in the place of another's", async () => {
    await using site = await openSite(engine());
    const { lab, pool, url } = site;
    const repository = await lab.open();
    mkdirSync(lab.place("objects"));
    const first = lab.git("rev-list", "--max-parents=0", "HEAD");
    const refs = must(await runRefs(repository, "main"));
    const access = gitAccess(url, `run:${pool}:me`);
    const hub = createHub(engine());
    const by = { name: "me", host: "here" };
    const older = await hub.claim(pool, "r1", by);
    const send = (epoch: number, ref: string) => {
      const copy = { refs, kept: [], files: new Map(), about: `${epoch}`, objects: lab.place("objects") };
      return sendCopy(repository, copy, { url: copyUrl(url, first, "r1", epoch), access, ref });
    };
    must(await send(older, copyRef({ run: "r1", epoch: older })));
    must(await send(older, copyRef({ run: "r1", epoch: older })));
    expect((await send(older, copyRef({ run: "r2", epoch: 1 }))).ok).toBe(false);
    expect((await send(older, "refs/heads/main")).ok).toBe(false);
    // The site's own hub has to hear of it, as it does of every claim.
    const { openHub } = await import("../../src/adapters/fleet/hub-client.ts");
    const { openHubFleet } = await import("../../src/adapters/fleet/hub.ts");
    const client = openHub(url, `run:${pool}:you`);
    const { epoch } = await openHubFleet({ client, run: "r1" });
    client.close();
    hub.close();
    expect(await send(older, copyRef({ run: "r1", epoch: older }))).toMatchObject({
      failure: { reason: { args: { text: expect.stringContaining("409") } } },
    });
    must(await send(epoch, copyRef({ run: "r1", epoch: epoch })));
    expect(site.copies()).toEqual([`r1/${older}`, `r1/${epoch}`]);
    await site.work.tidy();
    expect(site.copies()).toEqual([`r1/${epoch}`]);
    const read = { url: `${url}/v1/copies/${first}`, access };
    expect(Object.keys(must(await listCopies(repository, read)))).toEqual([
      copyRef({ run: "r1", epoch: epoch }),
    ]);
    const machine = { ...read, access: gitAccess(url, `machine:${pool}:m1`) };
    expect(await listCopies(repository, machine)).toMatchObject({
      failure: { reason: { args: { text: expect.stringContaining("403") } } },
    });
    const own = { url: copyUrl(url, first, "r1", epoch), access };
    must(await dropCopies(repository, own, [copyRef({ run: "r1", epoch: epoch })]));
    expect(site.copies()).toEqual([]);
  }, 480_000);
});
