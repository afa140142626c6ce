import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { findProgram } from "../../src/adapters/process/index.ts";
import { firstCommit } from "../../src/adapters/vcs/git/index.ts";
import { createTravellingFleet } from "../../src/host/run/travelling.ts";
import {
  createGitService,
  createHub,
  type GitService,
  type KeyedEngine,
  type Patience,
  serveHub,
} from "../../src/hub/index.ts";
import { type Agent, type Fleet, type Order, type OrderEvent, ok } from "../../src/ports/index.ts";
import { createCells } from "../../src/worker/cell.ts";
import { startWorker } from "../../src/worker/index.ts";
import { sweep } from "../../src/worker/late-work.ts";
import { createWorkerGit } from "../../src/worker/worker-git.ts";
import { order } from "../order.ts";
import { type GitLab, must, openGitLab } from "../vcs/lab.ts";
import { noEngine, testEngine, who } from "./bench.ts";

const run = promisify(execFile);
const KILLED = fileURLToPath(new URL("./killed-worker.ts", import.meta.url));

let engine: KeyedEngine;
beforeAll(async () => {
  if (noEngine === undefined) engine = await testEngine();
}, 60_000);
afterAll(() => engine?.close());

/** An agent that does to its folder what a test says, turn by turn. */
function busy(turns: readonly ((cwd: string, env: Readonly<Record<string, string>>) => unknown)[]): Agent {
  return {
    portVersion: 1,
    name: "busy",
    reports: "signal",
    probe: async () => ({ found: true }),
    async open({ cwd, env }) {
      let at = 0;
      return ok({
        async *turn(message) {
          await turns[at++]?.(cwd, env);
          const end = { kind: "completed", finalMessage: message, exitCode: 0, outputBytes: 0 } as const;
          yield { type: "ended", end } as const;
        },
        cancel: async () => {},
        close: async () => {},
      });
    },
  };
}

interface Journey extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly lab: GitLab;
  readonly pool: string;
  readonly url: string;
  readonly first: string;
  readonly kept: string[];
  /** As its machine was given them. */
  readonly orders: Order[];
  readonly work: GitService;
}

/** Nobody is given up here because the machine of the tests is busy. */
const CALM: Patience = { beatMs: 100, leaseMs: 60_000, orphanMs: 60_000 };

let journeys = 0;

/** A project here, a hub, and a machine with one agent. */
async function journey(
  lab: GitLab,
  agent: Agent,
  lie?: (pool: string, url: string, first: string) => Promise<undefined>,
): Promise<Journey> {
  const pool = `j${++journeys}`;
  const hub = createHub(engine, CALM);
  const git = must(findProgram("git", { path: process.env["PATH"] }));
  const work = createGitService(hub, lab.place("hub"), git, 0);
  const served = await serveHub({
    hub,
    patience: CALM,
    host: "127.0.0.1",
    port: 0,
    who,
    git: work,
  });
  const folder = lab.place("machine");
  mkdirSync(folder);
  const client = openHub(served.url, `machine:${pool}:m1`);
  const kept: string[] = [];
  const orders: Order[] = [];
  const joined = Promise.withResolvers<void>();
  const repository = await lab.open();
  const first = must(await firstCommit(repository));
  const cells = createCells({
    client,
    folder,
    git: createWorkerGit({ client, folder, git, env: process.env }),
    admit: () => ok({ PATH: "/bin" }),
    prepare: async () => undefined,
    kept: (_, where) => kept.push(where),
  });
  const worker = startWorker({
    client,
    fleet: createLocalFleet({ agents: new Map([[agent.name, agent]]) }),
    agents: [{ name: agent.name, reports: agent.reports }],
    labels: [],
    slots: 2,
    bench: {
      ...cells,
      open: given => {
        orders.push(given);
        return cells.open(given);
      },
      ...(lie === undefined ? {} : { handIn: () => lie(pool, served.url, first) }),
    },
    tell: news => news.type === "joined" && joined.resolve(),
  });
  worker.ended.catch(() => {});
  await joined.promise;
  const own = openHub(served.url, `run:${pool}:me`);
  const fleet = createTravellingFleet({
    fleet: await openHubFleet({ client: own, run: "r1" }),
    client: own,
    repository,
    first,
    root: lab.root,
    waits: () => {},
  });
  return {
    fleet,
    lab,
    pool,
    url: served.url,
    first,
    kept,
    orders,
    work,
    async [Symbol.asyncDispose]() {
      worker.stop("hard");
      own.close();
      client.close();
      hub.close();
      await served.close();
    },
  };
}

/** Carries an order of one turn out in the main checkout; what was told of its end. */
async function oneTurn(
  { fleet, lab }: Journey,
  given: Parameters<typeof order>[0] = {},
): Promise<OrderEvent | undefined> {
  const own = order({ agent: "busy", cwd: lab.root, ...given });
  must(await fleet.submit(own));
  await fleet.tell(own.id, { type: "end" });
  let end: OrderEvent | undefined;
  for await (const { event } of fleet.follow(own.id, 1))
    if (event.type === "ended" || event.type === "lost" || event.type === "refused") end ??= event;
  return end;
}

const reasonOf = (event: OrderEvent | undefined): string =>
  event?.type === "ended" && event.end.kind === "failed" ? event.end.failure.message : JSON.stringify(event);

describe.skipIf(noEngine !== undefined)(
  `work that travels${noEngine === undefined ? "" : ` (${noEngine})`}`,
  () => {
    it("[FL16] stands in the folder as it was made, on top of all that stood there", async () => {
      using lab = openGitLab({ "a.txt": "one\n", "gone.txt": "x\n", ".gitignore": "*.log\n" });
      lab.write("half.txt", "not committed\n");
      lab.write("a.txt", "changed\n");
      lab.write("private.log", "stays here\n");
      const seen: string[] = [];
      const agent = busy([
        cwd => {
          seen.push(
            execFileSync("ls", ["-A"], { cwd, encoding: "utf8" }),
            readFileSync(join(cwd, "a.txt"), "utf8"),
          );
          seen.push(execFileSync("git", ["log", "--format=%s"], { cwd, encoding: "utf8" }));
          rmSync(join(cwd, "gone.txt"));
          mkdirSync(join(cwd, "deep"));
          writeFileSync(join(cwd, "deep", "new.sh"), "#!/bin/sh\n");
          chmodSync(join(cwd, "deep", "new.sh"), 0o755);
          writeFileSync(join(cwd, "a.txt"), "changed\nagain\n");
          writeFileSync(join(cwd, "made.log"), "stays there\n");
        },
      ]);
      await using there = await journey(lab, agent);
      expect(await oneTurn(there)).toMatchObject({ type: "ended", end: { kind: "completed" } });
      expect(seen).toEqual([
        ".espalier\n.git\n.gitignore\na.txt\ngone.txt\nhalf.txt\n",
        "changed\n",
        "start\n",
      ]);
      expect(lab.git("status", "--porcelain", "-uall")).toBe(
        " M a.txt\n D gone.txt\n?? deep/new.sh\n?? half.txt",
      );
      expect([lab.read("a.txt"), lab.has("made.log"), lab.read("private.log")]).toEqual([
        "changed\nagain\n",
        false,
        "stays here\n",
      ]);
      expect(
        execFileSync("stat", ["-c", "%a", join(lab.root, "deep/new.sh")], { encoding: "utf8" }).trim(),
      ).toBe("755");
      expect(lab.git("for-each-ref", "refs/espalier/came")).toBe("");
    });

    it("[FL16] takes each turn's work in before its end is told", async () => {
      using lab = openGitLab();
      const agent = busy([
        cwd => writeFileSync(join(cwd, "first.txt"), "1\n"),
        cwd => writeFileSync(join(cwd, "first.txt"), "2\n"),
      ]);
      await using there = await journey(lab, agent);
      must(await there.fleet.submit(order({ agent: "busy", cwd: lab.root })));
      const found: string[] = [];
      for await (const { event } of there.fleet.follow("tokenx/1", 1)) {
        if (event.type !== "ended") continue;
        found.push(lab.read("first.txt"));
        if (found.length === 1) await there.fleet.tell("tokenx/1", { type: "turn", turn: 2, text: "on" });
        else await there.fleet.tell("tokenx/1", { type: "end" });
      }
      expect(found).toEqual(["1\n", "2\n"]);
    });

    it("[TR1] brings files of the task there and back, and no value of the environment", async () => {
      using lab = openGitLab();
      const [lessons, context] = [lab.place("T1.1-1.md"), lab.place("T1.1-1.context.md")];
      writeFileSync(context, "read this\n");
      let heard: unknown;
      const agent = busy([
        (cwd, env) => {
          heard = [env, readFileSync(env["ESPALIER_CONTEXT"] ?? "", "utf8")];
          writeFileSync(join(cwd, ".espalier/files/T1.1-1.md"), "a lesson\n");
          writeFileSync(join(cwd, ".espalier/files/other.md"), "asked for by nobody\n");
        },
      ]);
      await using there = await journey(lab, agent);
      const env = { PATH: "/secret", API_KEY: "sk-1", ESPALIER_TASK: "T1.1", ESPALIER_CONTEXT: context };
      const end = await oneTurn(there, {
        env,
        writable: [lessons],
        message: `${lab.root}/TASKS.md: write to ${lessons}`,
      });
      expect(end).toMatchObject({ end: { finalMessage: "TASKS.md: write to .espalier/files/T1.1-1.md" } });
      expect(heard).toEqual([
        {
          PATH: "/bin",
          ESPALIER_TASK: "T1.1",
          ESPALIER_CONTEXT: expect.stringContaining("/.espalier/files/"),
        },
        "read this\n",
      ]);
      expect(readFileSync(lessons, "utf8")).toBe("a lesson\n");
      expect(lab.git("status", "--porcelain")).toBe("");
    });

    it("[TR2] is kept and not taken where the same file was changed here meanwhile", async () => {
      using lab = openGitLab();
      const agent = busy([
        cwd => {
          writeFileSync(join(cwd, "a.txt"), "theirs\n");
          writeFileSync(join(cwd, "b.txt"), "theirs\n");
          // A person is at work in the same checkout.
          lab.write("a.txt", "mine\n");
        },
      ]);
      await using there = await journey(lab, agent);
      expect(reasonOf(await oneTurn(there))).toContain("it is kept in refs/espalier/late/");
      expect([lab.read("a.txt"), lab.has("b.txt")]).toEqual(["mine\n", false]);
      const [ref = ""] = lab.git("for-each-ref", "--format=%(refname)", "refs/espalier/late").split("\n");
      expect(lab.git("show", `${ref}:work/b.txt`)).toBe("theirs");
    });

    it("[TR3] is refused where it is not on top of what was sent", async () => {
      using lab = openGitLab();
      const agent = busy([cwd => writeFileSync(join(cwd, "b.txt"), "b\n")]);
      await using there = await journey(lab, agent, async (pool, url, first) => {
        // A machine that lies: what it hands in is a commit of another place.
        const header = `http.extraHeader=Authorization: Bearer machine:${pool}:m1`;
        const place = `${url}/v1/git/${first}/tokenx%2F1`;
        await run("git", ["-c", header, "push", "-q", place, "HEAD:refs/heads/result-1"], { cwd: lab.root });
        return undefined;
      });
      expect(reasonOf(await oneTurn(there))).toContain("not on top of what was sent");
      expect(lab.git("status", "--porcelain")).toBe("");
    });

    it("[TR4] is refused where a repository lies hidden in it", async () => {
      using lab = openGitLab();
      const agent = busy([
        cwd => {
          const sub = join(cwd, "sub");
          execFileSync("git", ["init", "-q", sub]);
          execFileSync(
            "git",
            ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x"],
            {
              cwd: sub,
            },
          );
        },
      ]);
      await using there = await journey(lab, agent);
      expect(reasonOf(await oneTurn(there))).toContain("sub is a repository of its own");
    });

    it("[TR4] is refused where something was written into a submodule, which is empty there", async () => {
      using lab = openGitLab();
      lab.git("update-index", "--add", "--cacheinfo", `160000,${lab.git("rev-parse", "HEAD")},lib`);
      lab.git("commit", "-q", "-m", "a submodule");
      mkdirSync(join(lab.root, "lib"));
      const agent = busy([cwd => writeFileSync(join(cwd, "lib", "new.txt"), "x\n")]);
      await using there = await journey(lab, agent);
      expect(reasonOf(await oneTurn(there))).toContain("lib is a repository of its own");
      expect(lab.has("lib/new.txt")).toBe(false);
    });

    it("takes other work in beside a submodule as it was", async () => {
      using lab = openGitLab();
      lab.git("update-index", "--add", "--cacheinfo", `160000,${lab.git("rev-parse", "HEAD")},lib`);
      lab.git("commit", "-q", "-m", "a submodule");
      mkdirSync(join(lab.root, "lib"));
      const agent = busy([cwd => writeFileSync(join(cwd, "b.txt"), "b\n")]);
      await using there = await journey(lab, agent);
      expect(await oneTurn(there)).toMatchObject({ end: { kind: "completed" } });
      expect([lab.read("b.txt"), lab.git("status", "--porcelain")]).toEqual(["b\n", "?? b.txt"]);
    });

    it("[TR5] starts nothing that an agent has written into its folder", async () => {
      using lab = openGitLab({ "a.txt": "one\n" });
      const trap = lab.place("sprung");
      const agent = busy([
        cwd => {
          const git = (...args: string[]) => execFileSync("git", args, { cwd });
          git("config", "filter.x.clean", `touch ${trap}; cat`);
          git("config", "core.fsmonitor", `touch ${trap}`);
          mkdirSync(join(cwd, ".git/hooks"), { recursive: true });
          writeFileSync(join(cwd, ".git/hooks/post-index-change"), `#!/bin/sh\ntouch ${trap}\n`, {
            mode: 0o755,
          });
          writeFileSync(join(cwd, ".gitattributes"), "* filter=x\n");
          writeFileSync(join(cwd, "b.txt"), "b\n");
        },
      ]);
      await using there = await journey(lab, agent);
      expect(await oneTurn(there)).toMatchObject({ end: { kind: "completed" } });
      expect([lab.has(trap), lab.read("b.txt")]).toEqual([false, "b\n"]);
    });

    it("[WK8] keeps what agents of a killed worker had changed, and clears the rest up", async () => {
      using lab = openGitLab({ "a.txt": "one\n" });
      const release = Promise.withResolvers<void>();
      await using there = await journey(lab, busy([() => release.promise]));
      const own = order({ agent: "busy", cwd: lab.root });
      must(await there.fleet.submit(own));
      while (there.orders.length === 0) await pause(10);
      const folder = lab.place("killed");
      mkdirSync(folder);
      const git = must(findProgram("git", { path: process.env["PATH"] }));
      const told: string[] = [];
      const found = (): string[] => readdirSync(join(folder, "orders"));
      const client = openHub(there.url, `run:${there.pool}:me`);
      const calls = createWorkerGit({ client, folder, git, env: process.env });
      const swept = () => sweep(calls, folder, (task, where) => told.push(`${task}: ${where}`));
      const begin = async (change: string): Promise<ChildProcess> => {
        const given = { url: there.url, token: `run:${there.pool}:me`, folder, git, change };
        const child = spawn(
          process.execPath,
          [KILLED, JSON.stringify({ ...given, order: there.orders[0] })],
          {
            stdio: ["pipe", "pipe", "inherit"],
          },
        );
        await once(child.stdout!, "data");
        return child;
      };
      const kill = async (child: ChildProcess) => {
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      };
      const idle = await begin("");
      await swept();
      const whileAlive = found().length;
      await kill(idle);
      await swept();
      expect([whileAlive, found(), told]).toEqual([1, [], []]);
      await kill(await begin("half done\n"));
      await swept();
      client.close();
      release.resolve();
      const [mirror = ""] = readdirSync(join(folder, "git"));
      const look = (...args: string[]) =>
        execFileSync("git", ["--git-dir", join(folder, "git", mirror), ...args], { encoding: "utf8" }).trim();
      const ref = look("for-each-ref", "--format=%(refname)");
      expect(ref).toMatch(/^refs\/espalier\/late\/[0-9a-f]{24}$/);
      expect(told).toEqual([`T1.1: ${ref} of ${join(folder, "git", mirror)}`]);
      expect([look("show", `${ref}:work/a.txt`), look("show", `${ref}:work/new.txt`), found()]).toEqual([
        "one",
        "half done",
        [],
      ]);
    });

    it("[HB13] keeps the work of an order until that is over, and no longer", async () => {
      using lab = openGitLab();
      const isHeld: number[] = [];
      const refs = (): number => {
        const place = lab.place(`hub/${there.pool}/${there.first}.git`);
        const listed = execFileSync("git", ["--git-dir", place, "for-each-ref"], { encoding: "utf8" });
        return listed.split("\n").length - 1;
      };
      const agent = busy([
        async cwd => {
          await there.work.tidy();
          isHeld.push(refs());
          writeFileSync(join(cwd, "b.txt"), "b\n");
        },
      ]);
      await using there = await journey(lab, agent);
      expect(await oneTurn(there)).toMatchObject({ end: { kind: "completed" } });
      const before = refs();
      await there.work.tidy();
      expect([isHeld, before, refs(), lab.read("b.txt")]).toEqual([[1], 2, 0, "b\n"]);
    });

    it("[HB11] shows a machine the work of its own orders alone", async () => {
      using lab = openGitLab();
      const tried: number[] = [];
      await using there = await journey(lab, busy([]));
      const url = `${there.url}/v1/git/${there.first}/tokenx%2F1`;
      await oneTurn(there);
      for (const token of [`machine:${there.pool}:m2`, `run:elsewhere:me`, "nobody"]) {
        const header = `http.extraHeader=Authorization: Bearer ${token}`;
        const env = { ...process.env, GIT_TERMINAL_PROMPT: "0" };
        const asked = run("git", ["-c", header, "ls-remote", url], { env });
        tried.push(
          await asked.then(
            () => 0,
            (error: { readonly code: number }) => error.code,
          ),
        );
      }
      expect(tried).toEqual([128, 128, 128]);
    });
  },
);
