import { writeSync } from "node:fs";
import { join } from "node:path";
import { writeAtomic } from "../../src/adapters/file/index.ts";
import { type OpenedState, openState, STATE_NAMES } from "../../src/adapters/store/index.ts";
import type { Result } from "../../src/ports/result.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { thinText } from "../adapters/store-fixtures.ts";

// Completes tasks for ever and says so after each commit, until it is killed. Lines on stdout:
// `ready`, `A id seq` (a completion is durable), `J seq` (the thin state tells of everything up to seq), `B seq` (backed up, everything up to seq).
// With `recover` it only opens the state: `recover` before, `ready` after.

const [directory = "", mode = "work"] = process.argv.slice(2);
const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

function must<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  say(`! ${JSON.stringify(result.failure)}`);
  return process.exit(1);
}

async function work({ store, imported }: OpenedState): Promise<void> {
  const epoch = must(store.claimEpoch());
  const stored = must(store.load());
  const runId = stored?.run.id ?? "run-1";
  const completed = new Set<string>();
  for (const { id, status } of stored?.tasks ?? []) if (status === "completed") completed.add(id);
  for (const [id, { status }] of imported?.tasks ?? []) if (status === "completed") completed.add(id);
  let seq = stored?.lastSeq ?? 0;
  if (stored === undefined) {
    const tasks = [...completed].map(id => taskRow(id, { status: "completed" }));
    must(store.commit({ epoch, runId, run: runRow({ id: runId, plan: "p".repeat(5000) }), tasks }));
  }
  say("ready");
  for (let step = 1; ; step++) {
    const id = `T${completed.size + 1}`;
    const attempt = attemptRow(id, 1, { finalMessage: "m".repeat((step * 37) % 900) });
    must(
      store.commit({ epoch, runId, tasks: [taskRow(id, { status: "in_progress" })], attempts: [attempt] }),
    );
    seq++;
    must(
      store.commit({
        epoch,
        runId,
        tasks: [taskRow(id, { status: "completed", verified: true, attempts: 1 })],
        attempts: [{ ...attempt, endedAt: 9, outcome: "done" }],
        events: [stampedEvent(seq)],
      }),
    );
    say(`A ${id} ${seq}`);
    completed.add(id);
    if (step % 7 === 0) {
      const text = thinText(
        { run: runId, epoch, seq },
        [...completed].map(each => ({ id: each, status: "completed" })),
      );
      must(writeAtomic(join(directory, STATE_NAMES.thin), text, { backup: old => old.length > 0 }));
      say(`J ${seq}`);
    }
    if (step % 5 === 0) {
      must(await store.backup(join(directory, `${STATE_NAMES.database}.bak`)));
      say(`B ${seq}`);
    }
  }
}

say(mode);
const opened = must(openState(directory, { project: "/torture", now: Date.now() }));
if (mode === "recover") say("ready");
else await work(opened);
