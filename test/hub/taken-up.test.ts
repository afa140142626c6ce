import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAwayBook } from "../../src/adapters/fleet/away-book.ts";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { findProgram } from "../../src/adapters/process/index.ts";
import { openSqliteReader } from "../../src/adapters/store/index.ts";
import { createGitService, createHub, type KeyedEngine, serveHub } from "../../src/hub/index.ts";
import { openWorker, readRules, type Worker } from "../../src/worker/index.ts";
import { type GitLab, must, openGitLab } from "../vcs/lab.ts";
import { noEngine, testEngine, who } from "./bench.ts";

const PROGRAM = fileURLToPath(new URL("./coordinator.ts", import.meta.url));
const PATIENCE = { beatMs: 200, leaseMs: 60_000, orphanMs: 60_000 };
const TASKS = ["T1.1", "T1.2", "T1.3"];

let engine: KeyedEngine;
beforeAll(async () => {
  if (noEngine === undefined) engine = await testEngine();
}, 60_000);
afterAll(() => engine?.close());

/** A process that conducts a run, and what it has said. */
interface Coordinator {
  readonly child: ChildProcess;
  said(): string;
  /** Resolves with the exit code, null where it was killed. */
  readonly ended: Promise<number | null>;
}

interface Site extends AsyncDisposable {
  readonly lab: GitLab;
  start(...args: string[]): Coordinator;
  /** The hub, and what its tokens begin with. */
  readonly url: string;
  readonly pool: string;
  /** Ids of tasks in the order their agents began, each as often as it did. */
  begun(): readonly string[];
  release(name: "work" | "proof"): void;
}

let sites = 0;

/** Each task writes to it as well; its first line is theirs, its last one a person's. */
const SHARED = `first\n${"between\n".repeat(20)}last\n`;

/** A project whose tasks wait in their agents, and in their proofs, until they are let go on; a hub, and a worker with two slots more. */
async function site(tasks: readonly string[] = TASKS, edit = ":"): Promise<Site> {
  const lab = openGitLab();
  const pool = `t${++sites}`;
  const [began, work, proof, home] = ["began", "work", "proof", "home"].map(name => lab.place(name));
  mkdirSync(home!);
  const wait = (file: string) => `while [ ! -e ${file} ]; do sleep 0.05; done`;
  const task = (id: string) =>
    [
      `### [ ] ${id}: Write ${id}`,
      "- run: |",
      `    echo ${id} >> ${began}`,
      `    ${wait(work!)}`,
      `    echo ${id} > ${id}.txt`,
      `    ${edit}`,
      "- verify: |",
      `    test -e ${id}.txt && ${wait(proof!)}`,
    ].join("\n");
  lab.write("TASKS.md", `# Plan\n\n## Phase 1: All\n\n${tasks.map(task).join("\n\n")}\n`);
  lab.write("shared.txt", SHARED);
  lab.git("add", "--all");
  lab.git("commit", "--quiet", "-m", "plan");
  const hub = createHub(engine, PATIENCE);
  const git = must(findProgram("git", { path: process.env["PATH"] }));
  const served = await serveHub({
    hub,
    patience: PATIENCE,
    host: "127.0.0.1",
    port: 0,
    who,
    git: createGitService(hub, lab.place("hub"), git),
  });
  const joined = Promise.withResolvers<void>();
  const client = openHub(served.url, `machine:${pool}:m1`);
  const worker: Worker = await openWorker({
    client,
    rules: readRules(undefined, lab.root, true),
    slots: tasks.length + 2,
    labels: [],
    folder: lab.place("machine"),
    env: { PATH: process.env["PATH"], HOME: home },
    tell: news => news.type === "joined" && joined.resolve(),
    kept: () => {},
  });
  await joined.promise;
  const children: ChildProcess[] = [];
  return {
    lab,
    pool,
    url: served.url,
    start(...args) {
      const child = spawn(process.execPath, [PROGRAM, ...args, "--on", served.url], {
        cwd: lab.root,
        env: { PATH: process.env["PATH"], HOME: home, ESPALIER_HUB_TOKEN: `run:${pool}:me` },
        stdio: ["ignore", "pipe", "pipe"],
      });
      children.push(child);
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", part => (said += `${part}`));
      return { child, said: () => said, ended: once(child, "close").then(([code]) => code as number | null) };
    },
    begun: () => {
      appendFileSync(began!, "");
      return readFileSync(began!, "utf8").split("\n").filter(Boolean);
    },
    release: name => writeFileSync(name === "work" ? work! : proof!, ""),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      worker.stop("hard");
      await worker.ended.catch(() => {});
      client.close();
      hub.close();
      await served.close();
      lab[Symbol.dispose]();
    },
  };
}

async function kill({ child, ended }: Coordinator): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

const LONG = { timeout: 90_000, interval: 50 };

describe.skipIf(noEngine !== undefined)(
  `a run whose process was killed${noEngine === undefined ? "" : ` (${noEngine})`}`,
  () => {
    it("[E156] goes on with what its agents elsewhere are at, and with none of it twice", async () => {
      await using there = await site();
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
    }, 240_000);

    it("[E156] leaves the folder of what goes on as it stands, whatever a person has committed meanwhile", async () => {
      await using there = await site(["T1.1"], "sed -i s/^first$/theirs/ shared.txt");
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
    }, 240_000);

    it("[E156] knows the end of a turn that was heard before, and proves what came of it", async () => {
      await using there = await site();
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
    }, 240_000);

    it("[E159] ends where a newer coordinator has its run, says whose it is, and leaves its agents alone", async () => {
      await using there = await site();
      const { lab, pool, url } = there;
      const first = there.start("run", "--yes");
      await expect.poll(() => there.begun().length, LONG).toBe(TASKS.length);
      const state = openSqliteReader({ path: join(lab.root, ".espalier", "espalier.db") });
      if (!state.ok || state.value === undefined) throw new Error("no state");
      const stored = state.value.load();
      if (!stored.ok || stored.value === undefined) throw new Error("no run");
      state.value.close();
      const { run, openAttempts } = stored.value;
      const tokens = openAttempts.map(({ token }) => token);
      const client = openHub(url, `run:${pool}:you`);
      const folder = lab.place("other");
      cpSync(join(lab.root, ".espalier", "away"), folder, { recursive: true });
      const book = openAwayBook(folder);
      const other = await openHubFleet({ client, run: run.id, taken: { book, tokens } });
      expect([await first.ended, first.said()]).toEqual([
        4,
        expect.stringContaining(`you on ${hostname()} has taken this run over`),
      ]);
      there.release("work");
      for (const token of tokens) {
        const ends: string[] = [];
        for await (const { event } of other.follow(`${token}/1`, 1)) {
          if (event.type === "ended") ends.push(event.end.kind);
          if (event.type === "ended") await other.tell(`${token}/1`, { type: "end" });
        }
        expect(ends).toEqual(["completed"]);
      }
      expect(there.begun().toSorted()).toEqual(TASKS);
      client.close();
    }, 240_000);
  },
);
