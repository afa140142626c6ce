import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitVcs, openRepository } from "../src/adapters/vcs/git/index.ts";
import type { VcsFailure } from "../src/ports/index.ts";
import { reasonText } from "../src/text/index.ts";

/**
 * Forty worktrees asked for at once: ours through its queue, beside forty plain `git worktree add` side by side, each with
 * a branch from a remote's, as people write it. Failures and time; five rounds each. Then what landing a task costs, beside
 * the same by hand.
 * `node bench/worktrees.ts [--quick]`
 */
const AT_ONCE = 40;
const ROUNDS = process.argv.includes("--quick") ? 1 : 5;
const AUTHOR = ["-c", "user.name=b", "-c", "user.email=b@b"];

interface Scratch {
  readonly around: string;
  readonly root: string;
}

function scratch(): Scratch {
  const around = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  const root = join(around, "project");
  const origin = join(around, "origin");
  mkdirSync(origin);
  const git = (cwd: string, ...args: string[]) => execFileSync("git", [...AUTHOR, ...args], { cwd });
  git(origin, "init", "-q", "-b", "main");
  for (let n = 0; n < 200; n++) writeFileSync(join(origin, `file${n}.txt`), `${n}\n`.repeat(50));
  git(origin, "add", "-A");
  git(origin, "commit", "-q", "-m", "start");
  git(around, "clone", "-q", origin, "project");
  return { around, root };
}

const numbers = Array.from({ length: AT_ONCE }, (_, n) => n);

async function plain({ around, root }: Scratch): Promise<number> {
  const add = (n: number) =>
    new Promise<boolean>(resolve => {
      const args = ["worktree", "add", "-q", "-b", `task/${n}`, join(around, `t${n}`), "origin/main"];
      execFile("git", args, { cwd: root }, error => resolve(error === null));
    });
  return (await Promise.all(numbers.map(add))).filter(done => !done).length;
}

async function open({ around, root }: Scratch) {
  const opened = await openRepository({
    root,
    env: process.env,
    leaveOut: () => [],
    rescueDir: join(around, "rescued"),
    allows: () => false,
  });
  if (!opened.ok) throw new Error(opened.failure.code);
  return createGitVcs(opened.value);
}

async function ours(place: Scratch): Promise<number> {
  const vcs = await open(place);
  const add = (n: number) =>
    vcs.open({ branch: `task/${n}`, path: join(place.around, `t${n}`), from: "origin/main" });
  return (await Promise.all(numbers.map(add))).filter(done => !done.ok).length;
}

async function measure(name: string, make: (place: Scratch) => Promise<number>): Promise<void> {
  let failures = 0;
  const times: number[] = [];
  for (let at = 0; at < ROUNDS; at++) {
    const place = scratch();
    const began = performance.now();
    failures += await make(place);
    times.push(performance.now() - began);
    rmSync(place.around, { recursive: true, force: true });
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  say(
    `${name.padEnd(34)} ${failures} of ${ROUNDS * AT_ONCE} failed, ${(median / AT_ONCE).toFixed(1)} ms each`,
  );
}

/** Something that is done once for every task, in a repository of its own. */
type PerTask = (n: number) => Promise<void>;

const take = async <T>(
  call: Promise<{ ok: true; value: T } | { ok: false; failure: VcsFailure }>,
): Promise<T> => {
  const done = await call;
  if (!done.ok) throw new Error(reasonText(done.failure.reason, "en"));
  return done.value;
};

/** One task's whole way: its folder, its work, onto the phase's branch where others have landed since, cleared away. */
async function ourTask(place: Scratch): Promise<PerTask> {
  const vcs = await open(place);
  const into = await take(vcs.open({ branch: "phase/1", path: join(place.around, "p"), from: "main" }));
  const next = (n: number) =>
    take(vcs.open({ branch: `task/${n}`, path: join(place.around, `t${n}`), from: "phase/1" }));
  let folder = await next(0);
  return async n => {
    const following = await next(n + 1);
    writeFileSync(join(folder.path, `new${n}.txt`), "x\n");
    const { tree } = await take(vcs.snapshot(folder));
    const by = { task: `T1.${n}`, title: "x", attempt: `a${n}`, verified: true };
    await take(vcs.land({ folder, tree, into, how: "rebase", by }));
    await take(vcs.retire({ ...folder, heldBy: ["phase/1"], deleteBranch: true }));
    folder = following;
  };
}

/** The same by the commands a person would give, none of which looks whether anything would be lost. */
async function plainTask({ around, root }: Scratch): Promise<PerTask> {
  const git = (cwd: string, ...args: string[]) =>
    new Promise<void>((resolve, reject) => {
      execFile("git", [...AUTHOR, ...args], { cwd }, error => (error === null ? resolve() : reject(error)));
    });
  const phase = join(around, "p");
  const path = (n: number) => join(around, `t${n}`);
  const next = (n: number) => git(root, "worktree", "add", "-q", "-b", `task/${n}`, path(n), "phase/1");
  await git(root, "worktree", "add", "-q", "-b", "phase/1", phase, "main");
  await next(0);
  return async n => {
    await next(n + 1);
    writeFileSync(join(path(n), `new${n}.txt`), "x\n");
    await git(path(n), "add", "-A");
    await git(path(n), "commit", "-q", "-m", `T1.${n}`);
    await git(phase, "cherry-pick", `task/${n}`);
    await git(root, "worktree", "remove", path(n));
    await git(root, "branch", "-q", "-D", `task/${n}`);
  };
}

/** Processor time of a process and of everything it has started and ended, in milliseconds; 0 when it is not there. */
function cpuOf(pid: number | "self"): number {
  const path = `/proc/${pid}/stat`;
  const stat = existsSync(path) ? readFileSync(path, "utf8") : "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks * 10;
}

/** The same with what still lives of its own: the small process that calls git. What else the machine does is not in it. */
function cpuMs(): number {
  const children = readdirSync("/proc/self/task").flatMap(thread =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" "),
  );
  return children.reduce((sum, pid) => sum + (pid === "" ? 0 : cpuOf(Number(pid))), cpuOf("self"));
}

/** Both side by side, task by task, so that whatever else the machine does falls on both. */
async function landing(): Promise<void> {
  const tasks = numbers.slice(0, ROUNDS === 1 ? 10 : AT_ONCE);
  const places = [scratch(), scratch()] as const;
  const ways = [await plainTask(places[0]), await ourTask(places[1])];
  const times: number[][] = [[], []];
  const cpu = [0, 0];
  for (const n of tasks) {
    for (const [at, way] of ways.entries()) {
      const [began, cpuBegan] = [performance.now(), cpuMs()];
      await way(n);
      times[at]?.push(performance.now() - began);
      cpu[at] = (cpu[at] ?? 0) + cpuMs() - cpuBegan;
    }
  }
  const [plainMs = 0, ourMs = 0] = times.map(
    list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)],
  );
  say(
    `a task from its folder to the phase's branch: git alone ${plainMs.toFixed(0)} ms, espalier ${ourMs.toFixed(0)} ms`,
  );
  const [plainCpu = 0, ourCpu = 0] = cpu.map(ms => ms / tasks.length);
  say(
    `  of that the processor, ours and git's: git alone ${plainCpu.toFixed(0)} ms, espalier ${ourCpu.toFixed(0)} ms`,
  );
  for (const { around } of places) rmSync(around, { recursive: true, force: true });
}

const say = (line: string) => process.stdout.write(`${line}\n`);
await measure("git worktree add, side by side", plain);
await measure("espalier, one queue", ours);
await landing();
