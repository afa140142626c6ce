import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { openWorker, readRules } from "../../src/worker/index.ts";
import { scratchFolder } from "../scratch.ts";
import { leftAtEnd } from "./bench.ts";
import { openSite, type Site } from "./site.ts";
import { withEngine } from "./with-engine.ts";

const AGENT = fileURLToPath(new URL("./keeping-agent.ts", import.meta.url));
const LONG = { timeout: 180_000, interval: 50 };

const TASKS = `# Plan

## Phase 1: All

### [ ] T1.1: Write it down
- agent: keeper
`;

interface Prompt {
  readonly session: string;
  readonly cwd: string;
  readonly prompts: number;
  readonly isWhole: boolean;
}

/** A project with one task, whose agent needs two attempts; machines are told apart by what they have kept. */
async function openPair(engine: Parameters<typeof openSite>[0]) {
  const place = scratchFolder("espalier-sessions-");
  const released = join(place, "released");
  const rulesOf = (machine: string) => {
    const command = [process.execPath, AGENT, join(place, machine), released]
      .map(part => `'${part}'`)
      .join(" ");
    return JSON.stringify({ agents: { keeper: { acp: command, permissions: "deny" } } });
  };
  const site = await openSite(engine, [], ":", rulesOf("m1"));
  site.lab.write("TASKS.md", TASKS);
  site.lab.git("add", "--all");
  site.lab.git("commit", "--quiet", "-m", "the plan");
  const promptsOf = (machine: string): readonly Prompt[] => {
    const path = join(place, machine, "prompts");
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .split("\n")
      .flatMap(line => (line === "" ? [] : [JSON.parse(line) as Prompt]));
  };
  return {
    site,
    promptsOf,
    release: () => writeFileSync(released, ""),
    second: () => join2(site, place, rulesOf("m2")),
  };
}

/** Another machine joins, with more room than the first. */
async function join2({ url, pool }: Site, place: string, rules: string) {
  const [home, file] = [join(place, "home2"), join(place, "rules2.yaml")];
  mkdirSync(home);
  writeFileSync(file, rules);
  const client = openHub(url, `machine:${pool}:m2`);
  const joined = Promise.withResolvers<void>();
  const worker = await openWorker({
    client,
    rules: readRules(file, place, true),
    slots: 8,
    labels: [],
    folder: join(place, "machine2"),
    env: { PATH: process.env["PATH"], HOME: home },
    tell: news => news.type === "joined" && joined.resolve(),
    kept: () => {},
  });
  await joined.promise;
  return leftAtEnd(worker, client);
}

withEngine("sessions of agents on other machines", engine => {
  it("[WK12] [HB25] are gone on with where they were had, by a machine that has less room than others", async () => {
    const { site, promptsOf, release, second } = await openPair(engine());
    await using _ = site;
    const run = site.start("run", "--yes");
    await expect.poll(() => promptsOf("m1").length, LONG).toBe(1);
    await using __ = await second();
    release();
    expect([await run.ended, run.said()]).toEqual([0, expect.stringContaining("1 done")]);
    const [first, again] = promptsOf("m1");
    expect([promptsOf("m1").length, promptsOf("m2").length]).toEqual([2, 0]);
    expect(again).toEqual({ ...first, prompts: 1 });
    expect(site.lab.git("show", "phase/1-all:made.txt")).toBe("made");
  }, 480_000);

  it("[WK12] begin afresh on another machine, and are told everything there", async () => {
    const { site, promptsOf, release, second } = await openPair(engine());
    await using _ = site;
    const run = site.start("run", "--yes");
    await expect.poll(() => promptsOf("m1").length, LONG).toBe(1);
    await using __ = await second();
    const client = openHub(site.url, `run:${site.pool}:me`);
    const drain = z.strictObject({ machine: z.string(), on: z.boolean() });
    expect(await client.ask("drain", drain, { machine: "m1", on: true }, z.null())).toMatchObject({
      ok: true,
    });
    client.close();
    release();
    expect([await run.ended, run.said()]).toEqual([0, expect.stringContaining("1 done")]);
    const [first, again, ...more] = [...promptsOf("m1"), ...promptsOf("m2")];
    expect([promptsOf("m2").length, more]).toEqual([1, []]);
    expect(again).toMatchObject({ prompts: 0, isWhole: true });
    expect(again?.session).not.toBe(first?.session);
    expect(site.lab.git("show", "phase/1-all:made.txt")).toBe("made");
  }, 480_000);
});
