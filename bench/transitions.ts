// What one durable state transition costs beyond the disk's own work, beside the documents' way of saving state.
// Run: npm run bench:transitions -- [folder on a disk] [folder in memory]
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSealing } from "../src/adapters/home/index.ts";
import { openSqliteStore } from "../src/adapters/store/index.ts";
import { Journal, thinStateJson } from "../src/engine/index.ts";
import type { Plan, Task } from "../src/plan/index.ts";
import { DEFAULT_POLICY, freshRun, step } from "../src/run/index.ts";

const TRANSITIONS = 1000;

function planOf(size: number): Plan {
  const tasks = Array.from(
    { length: size },
    (_, at): Task => ({
      id: `T1.${at}`,
      phase: 1,
      title: `task ${at}`,
      kind: "worker",
      done: false,
      dependsOn: at < 8 ? [] : [`T1.${at - 8}`],
      parallelWith: [],
      files: [],
      line: at,
      text: `### [ ] T1.${at}: task ${at}`,
    }),
  );
  return { format: "tasks-md", project: "bench", phases: [{ phase: 1, title: "" }], tasks, contextNodes: [] };
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Microseconds of the median transition: step, rows and events, committed. */
function ours(folder: string, size: number, sealed: boolean): number {
  const sealing = openSealing(join(folder, `${size}.home`));
  if (!sealing.ok) throw new Error(sealing.failure);
  const opened = openSqliteStore({
    path: join(folder, `${size}.db`),
    project: "bench",
    ...(sealed ? { sealing: sealing.value } : {}),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  const store = opened.value;
  const epoch = store.claimEpoch();
  if (!epoch.ok) throw new Error("no epoch");
  const run = freshRun(planOf(size), { policy: { ...DEFAULT_POLICY, parallel: 8 } }, () => "");
  const facts = { startedAt: 0, file: "", planHash: "", planJson: "{}", leadTokens: 0 };
  const journal = new Journal(run, { store, epoch: epoch.value }, "run", facts, 0, "running");
  const commit = (out: ReturnType<typeof step>) => {
    const failure = journal.commit(journal.change([out], [], journal.stamp(out.events, 0), 0));
    if (failure !== undefined) throw new Error(JSON.stringify(failure));
    return out.commands.flatMap(command => (command.type === "dispatch" ? [command] : []));
  };
  const first = step(run, { type: "start", resumed: false, now: 0 });
  for (const state of run.tasks) first.touched.add(state);
  const going = commit(first);
  const times: number[] = [];
  for (let at = 0; at < Math.min(TRANSITIONS, size - 8); at++) {
    const { task, attempt } = going.shift()!;
    const began = performance.now();
    const outcome = { kind: "done", verified: true, textHash: "" } as const;
    going.push(...commit(step(run, { type: "attempt-ended", task, attempt, outcome, ms: 0, now: 0 })));
    times.push((performance.now() - began) * 1000);
  }
  store.close();
  sealing.value.close();
  rmSync(join(folder, `${size}.db`));
  return median(times);
}

/** The documents' rule: copy the state file to its backup, then write it anew. No fsync: it may be lost or torn. */
function documents(folder: string, size: number): number {
  const path = join(folder, `${size}.json`);
  const run = freshRun(planOf(size), { policy: DEFAULT_POLICY }, () => "");
  const text = thinStateJson(run, { runId: "run", epoch: 1, seq: 1, now: 0 });
  writeFileSync(path, text);
  const times: number[] = [];
  for (let at = 0; at < 200; at++) {
    const began = performance.now();
    copyFileSync(path, `${path}.bak`);
    writeFileSync(path, thinStateJson(run, { runId: "run", epoch: 1, seq: at, now: 0 }));
    times.push((performance.now() - began) * 1000);
  }
  return median(times);
}

const disk = mkdtempSync(join(process.argv[2] ?? tmpdir(), "espalier-bench-"));
const memory = mkdtempSync(join(process.argv[3] ?? "/dev/shm", "espalier-bench-"));
try {
  console.log("median µs per transition        tasks  in memory (beyond fsync)  on disk (fsync included)");
  for (const size of [200, 1000, 10_000]) {
    const row = (name: string, inMemory: number, onDisk: number) =>
      console.log(
        `${name.padEnd(30)} ${String(size).padStart(6)} ${inMemory.toFixed(0).padStart(25)} ${onDisk.toFixed(0).padStart(25)}`,
      );
    row("espalier: step + SQLite commit", ours(memory, size, true), ours(disk, size, true));
    row("the same without seals", ours(memory, size, false), ours(disk, size, false));
    row("documents: cp .bak, write JSON", documents(memory, size), documents(disk, size));
  }
} finally {
  rmSync(disk, { recursive: true, force: true });
  rmSync(memory, { recursive: true, force: true });
}
