import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import type { Order } from "../../src/ports/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { openWorker, readRules } from "../../src/worker/index.ts";
import { must } from "../vcs/lab.ts";
import { joinAs, PLAIN, type Place, place, QUICK } from "./bench.ts";
import { given, until } from "./follow.ts";
import { openSite, type Site } from "./site.ts";
import { withEngine } from "./with-engine.ts";

/** The first commit of some other repository. */
const OTHER = "a".repeat(40);
const OWN = "b".repeat(40);
const LONG = { patience: { ...QUICK, leaseMs: 60_000 } };

/** Another machine of a site, by its owner's rules. */
async function join({ lab, url, pool }: Site, name: string, rules: string) {
  const home = lab.place(`${name}-home`);
  mkdirSync(home);
  const ruled = lab.place(`${name}.yaml`);
  writeFileSync(ruled, rules);
  const client = openHub(url, `machine:${pool}:${name}`);
  const worker = await openWorker({
    client,
    rules: readRules(ruled, lab.root, true),
    slots: 2,
    labels: [],
    folder: lab.place(name),
    env: { PATH: process.env["PATH"], HOME: home },
    tell: () => {},
    kept: () => {},
  });
  return {
    async [Symbol.asyncDispose]() {
      worker.stop("hard");
      await worker.ended.catch(() => {});
      client.close();
    },
  };
}

/** A second machine at a hub, which lets everything be worked on. */
const second = (
  there: Pick<Place, "url" | "pool">,
  { agent }: ReturnType<typeof scriptedAgent>,
  slots: number,
  bench = PLAIN,
) => joinAs(there, "m2", agent, { slots, bench });

const within = (repository: string, message: string, id: string): Order => ({
  ...given(message, id),
  base: { repository, commit: "c".repeat(40), head: "d".repeat(40) },
});

withEngine("what machines do not let be worked on", engine => {
  it("[HB28] waits with the reason where no machine takes the repository, and goes to the one that comes and does", async () => {
    await using site = await openSite(engine(), ["T1.1"], ":", `repositories: ["${OTHER}"]\n`);
    site.release("work");
    site.release("proof");
    const first = site.lab.git("rev-list", "--max-parents=0", "HEAD");
    const run = site.start("run", "--yes");
    await expect.poll(run.said, { timeout: 30_000 }).toContain("NO_MACHINE");
    expect(run.said()).toContain(`takes the repository ${first}`);
    await using _ = await join(site, "m2", `repositories: ["${OTHER}", "${first}"]\n`);
    expect([await run.ended, run.said()]).toEqual([0, expect.stringContaining("T1.1")]);
    expect(site.begun()).toEqual(["T1.1"]);
  });

  it("[HB29] another machine works on what one cannot set a folder up for", async () => {
    await using site = await openSite(engine(), ["T1.1"], ":", 'setup: ["echo no compiler; false"]\n');
    site.release("work");
    site.release("proof");
    await using _ = await join(site, "m2", "");
    const run = site.start("run", "--yes");
    expect([await run.ended, run.said()]).toEqual([0, expect.not.stringContaining("no compiler")]);
    expect(site.begun()).toEqual(["T1.1"]);
  });

  it("[HB28] an order is held only by a machine that takes its repository, also where it has waited and by a hub that was started anew", async () => {
    const [one, other] = [scriptedAgent("scripted"), scriptedAgent("scripted")];
    const there = await place(engine(), [one.agent], { ...LONG, slots: 8, repositories: [OTHER] });
    const { fleet } = there;
    const alone = await fleet.submit(within(OWN, "no", "a0/1"));
    expect(alone).toMatchObject({ failure: { kind: "no-machine", repository: OWN } });
    const unknown = await fleet.submit({ ...within(OWN, "no", "a1/1"), agent: "nobody" });
    expect(unknown).toMatchObject({ failure: { kind: "no-machine" } });
    expect(unknown).not.toHaveProperty("failure.repository");
    await using _ = await second(there, other, 1);
    must(await fleet.submit(within(OWN, "wait", "a2/1")));
    await until(fleet, "line", 1, "a2/1");
    must(await fleet.submit(within(OWN, "later", "a3/1")));
    await there.restart();
    await expect.poll(() => fleet.machines(), { timeout: 10_000 }).toHaveLength(2);
    // The machine that has room is asked first.
    must(await fleet.submit(within(OTHER, "there", "a4/1")));
    await until(fleet, "ended", 1, "a4/1");
    expect(one.script.messages).toEqual(["there"]);
    await fleet.cancel("a2/1", "hard");
    await fleet.tell("a2/1", { type: "end" });
    await until(fleet, "ended", 1, "a3/1");
    expect([one.script.messages, other.script.messages]).toEqual([["there"], ["wait", "later"]]);
    const told = (await fleet.machines()).map(({ name, repositories }) => [name, repositories]);
    expect(Object.fromEntries(told)).toEqual({ m1: [OTHER], m2: undefined });
    await there.dispose();
  });
});
