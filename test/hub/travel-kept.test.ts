import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { findProgram } from "../../src/adapters/process/index.ts";
import { sweep } from "../../src/worker/late-work.ts";
import { createWorkerGit } from "../../src/worker/worker-git.ts";
import { order } from "../order.ts";
import { must, openGitLab } from "../vcs/lab.ts";
import { busy, journey, oneTurn } from "./journey.ts";
import { withEngine } from "./with-engine.ts";

const run = promisify(execFile);
const KILLED = fileURLToPath(new URL("./killed-worker.ts", import.meta.url));

withEngine("work that is kept", engine => {
  it("[WK8] keeps what agents of a killed worker had changed, and clears the rest up", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const release = Promise.withResolvers<void>();
    await using there = await journey(engine(), lab, busy([() => release.promise]));
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
      const child = spawn(process.execPath, [KILLED, JSON.stringify({ ...given, order: there.orders[0] })], {
        stdio: ["pipe", "pipe", "inherit"],
      });
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
    await using there = await journey(engine(), lab, agent);
    expect(await oneTurn(there)).toMatchObject({ end: { kind: "completed" } });
    const before = refs();
    await there.work.tidy();
    expect([isHeld, before, refs(), lab.read("b.txt")]).toEqual([[1], 2, 0, "b\n"]);
  });

  it("[HB11] shows a machine the work of its own orders alone", async () => {
    using lab = openGitLab();
    const tried: number[] = [];
    await using there = await journey(engine(), lab, busy([]));
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
});
