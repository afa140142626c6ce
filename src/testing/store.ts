import { deepStrictEqual, doesNotThrow, ok as isTrue, strictEqual, throws } from "node:assert/strict";
import { because } from "../ports/index.ts";
import type { AttemptRow, Store } from "../ports/store.ts";
import { CONTEXT_RULES } from "./store-context.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "./store-rows.ts";
import { failureOf, good, type StoreRule } from "./store-rule.ts";

/** One requirement, for any test runner: `for (const { name, run } of storeConformance(setup)) test(name, run)`. */
export interface ConformanceCase {
  /** Begins with the rule's id in brackets. */
  readonly name: string;
  /** Why the case cannot be run with this adapter, in words; a runner shows it instead of running. */
  readonly skip?: string;
  /** Throws an AssertionError when the adapter does not keep the rule. */
  readonly run: () => Promise<void>;
}

/** One place that state lives in, such as a database file. */
export interface StorePlace {
  /** Opens the place for writing and takes over: its epoch is above all earlier ones, which stay usable to be fenced. */
  readonly writer: () => { readonly store: Store; readonly epoch: number };
  /** Opens the place for reading only. */
  readonly reader?: () => Store;
  /** Called once at the end, after all stores are closed. */
  readonly dispose?: () => void | Promise<void>;
}

/** What an adapter's author hands to the suite. */
export interface StoreSetup {
  /** Makes a new, empty place; called once for each case. */
  readonly place: () => StorePlace | Promise<StorePlace>;
  /** Why there is no `reader`, in words. */
  readonly noReader?: string;
}

/** Every requirement of the Store port, as cases for any test runner. */
export function storeConformance(setup: StoreSetup): readonly ConformanceCase[] {
  return [...RUN_RULES, ...CONTEXT_RULES].map(({ name, needsReader, check }) => ({
    name,
    ...(needsReader === true && setup.noReader !== undefined ? { skip: setup.noReader } : {}),
    run: async () => {
      const place = await setup.place();
      const opened: Store[] = [];
      const keep = <T extends Store>(store: T): T => {
        opened.push(store);
        return store;
      };
      try {
        check({
          writer: () => {
            const { store, epoch } = place.writer();
            return { store: keep(store), epoch };
          },
          reader: () => {
            isTrue(place.reader !== undefined, "the setup gives neither `reader` nor `noReader`");
            return keep(place.reader());
          },
        });
      } finally {
        for (const store of opened) store.close();
        await place.dispose?.();
      }
    },
  }));
}

const RUN_RULES: readonly StoreRule[] = [
  {
    name: "[ST1] an empty place holds nothing",
    check: place => {
      const { store } = place.writer();
      strictEqual(store.portVersion, 1);
      strictEqual(good(store.load()), undefined);
      deepStrictEqual(good(store.events("run-1", 0, 10)), []);
      deepStrictEqual(good(store.attempts("run-1", "T1")), []);
      deepStrictEqual(good(store.spans("run-1")), []);
    },
  },
  {
    name: "[ST2] what was committed is there after reopening, field for field",
    check: place => {
      const run = runRow({
        forced: ["2", "PF"],
        leadTokens: 123,
        reason: because("said", { by: "person", text: "waits" }),
        state: "waiting",
      });
      const tasks = [
        taskRow("T1.2", { status: "completed", verified: true, textHash: "h", attempts: 3, retries: 2 }),
        taskRow("T1.1", {
          status: "paused",
          reason: because("said", { by: "agent", text: "same error" }),
          sameError: 3,
          notBefore: 1_800_000_000_000.5,
        }),
      ];
      const kept = {
        usage: { inputTokens: 5, outputTokens: 0, costUsd: 0.25 },
        estimate: 12_000,
        session: "s-1",
        folder: "/demo/work",
        branch: "task/t1-2",
        commit: "c".repeat(40),
      };
      const attempts = [attemptRow("T1.1", 1), attemptRow("T1.2", 3, kept)];
      const events = [
        stampedEvent(1),
        stampedEvent(2, { type: "dispatched", tasks: ["T1.1"], retry: false }),
      ];
      const first = place.writer();
      good(first.store.commit({ epoch: first.epoch, runId: run.id, run, tasks, attempts, events }));
      first.store.close();
      const { store } = place.writer();
      deepStrictEqual(good(store.load()), { run, tasks, openAttempts: attempts, lastSeq: 2, usage: [] });
      deepStrictEqual(good(store.events(run.id, 0, 10)), events);
      deepStrictEqual(good(store.attempts(run.id, "T1.2")), [attempts[1]]);
    },
  },
  {
    name: "[ST3] absent parts stay, rows are replaced by their keys and keep their order",
    check: place => {
      const { store, epoch } = place.writer();
      const run = runRow();
      const tasks = ["T3", "T1", "T2"].map(id => taskRow(id));
      good(store.commit({ epoch, runId: run.id, run, tasks, attempts: [attemptRow("T1", 1)] }));
      const changed = taskRow("T1", { status: "ready", retries: 1 });
      good(store.commit({ epoch, runId: run.id, tasks: [changed] }));
      good(
        store.commit({
          epoch,
          runId: run.id,
          attempts: [attemptRow("T1", 1, { feedback: "again", unheard: "not so" })],
        }),
      );
      deepStrictEqual(good(store.load()), {
        run,
        tasks: [tasks[0], changed, tasks[2]],
        openAttempts: [attemptRow("T1", 1, { feedback: "again", unheard: "not so" })],
        lastSeq: 0,
        usage: [],
      });
      const later = runRow({ phase: "2", plan: '{"tasks":[1]}', updatedAt: 5 });
      good(store.commit({ epoch, runId: run.id, run: later }));
      deepStrictEqual(good(store.load())?.run, later);
      good(store.commit({ epoch, runId: run.id }));
      deepStrictEqual(good(store.load())?.run, later);
    },
  },
  {
    name: "[ST4] verified is three things: proven, not proven, not completed",
    check: place => {
      const { store, epoch } = place.writer();
      const tasks = [taskRow("a", { verified: true }), taskRow("b", { verified: false }), taskRow("c")];
      good(store.commit({ epoch, runId: "run-1", run: runRow(), tasks }));
      deepStrictEqual(good(store.load())?.tasks, tasks);
      good(store.commit({ epoch, runId: "run-1", tasks: [taskRow("a")] }));
      deepStrictEqual(good(store.load())?.tasks[0], taskRow("a"));
    },
  },
  {
    name: "[ST5] a removed task is gone, its attempts stay readable",
    check: place => {
      const { store, epoch } = place.writer();
      const done = attemptRow("T1", 1, { endedAt: 9, outcome: "failed" });
      const tasks = [taskRow("T1"), taskRow("T2")];
      good(store.commit({ epoch, runId: "run-1", run: runRow(), tasks, attempts: [done] }));
      good(store.commit({ epoch, runId: "run-1", removedTasks: ["T1", "never-there"] }));
      deepStrictEqual(good(store.load())?.tasks, [taskRow("T2")]);
      deepStrictEqual(good(store.attempts("run-1", "T1")), [done]);
    },
  },
  {
    name: "[ST6] open attempts are those without an end; attempts of a task come oldest first",
    check: place => {
      const { store, epoch } = place.writer();
      const commit = (...attempts: AttemptRow[]) => good(store.commit({ epoch, runId: "run-1", attempts }));
      good(store.commit({ epoch, runId: "run-1", run: runRow() }));
      commit(attemptRow("T2", 1), attemptRow("T1", 2));
      const ended = attemptRow("T1", 1, { endedAt: 7, outcome: "crashed", evidence: "e", finalMessage: "m" });
      commit(ended);
      deepStrictEqual(good(store.load())?.openAttempts, [attemptRow("T2", 1), attemptRow("T1", 2)]);
      deepStrictEqual(good(store.attempts("run-1", "T1")), [ended, attemptRow("T1", 2)]);
      commit(attemptRow("T2", 1, { endedAt: 8, outcome: "done" }));
      deepStrictEqual(good(store.load())?.openAttempts, [attemptRow("T1", 2)]);
      commit(attemptRow("T1", 1, { usage: { inputTokens: 1 } }));
      commit(attemptRow("T1", 1));
      deepStrictEqual(good(store.attempts("run-1", "T1"))[0], attemptRow("T1", 1));
    },
  },
  {
    name: "[ST7] events come in order, after the given one, at most as many as asked",
    check: place => {
      const { store, epoch } = place.writer();
      const events = Array.from({ length: 25 }, (_, index) => stampedEvent(index + 1));
      good(store.commit({ epoch, runId: "run-1", run: runRow(), events: events.slice(0, 10) }));
      good(store.commit({ epoch, runId: "run-1", events: events.slice(10) }));
      deepStrictEqual(good(store.events("run-1", 0, 100)), events);
      deepStrictEqual(good(store.events("run-1", 8, 4)), events.slice(8, 12));
      deepStrictEqual(good(store.events("run-1", 25, 4)), []);
      deepStrictEqual(good(store.events("run-1", 3, 0)), []);
      deepStrictEqual(good(store.events("other", 0, 100)), []);
      strictEqual(good(store.load())?.lastSeq, 25);
    },
  },
  {
    name: "[ST8] an event out of turn is a bug: it throws and nothing of its change is kept",
    check: place => {
      const { store, epoch } = place.writer();
      good(store.commit({ epoch, runId: "run-1", run: runRow(), events: [stampedEvent(1)] }));
      for (const turns of [[1], [3], [2, 4], [2, 2], [0]]) {
        const events = turns.map(seq => stampedEvent(seq));
        throws(() => store.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")], events }), /event/);
      }
      const stored = good(store.load());
      deepStrictEqual([stored?.tasks, stored?.lastSeq], [[], 1]);
      good(store.commit({ epoch, runId: "run-1", events: [stampedEvent(2)] }));
    },
  },
  {
    name: "[ST9] a change of a run that is not there, or of two runs, is a bug",
    check: place => {
      const { store, epoch } = place.writer();
      throws(() => store.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")] }), /run-1/);
      throws(() => store.commit({ epoch, runId: "run-2", run: runRow() }), /run-1/);
      strictEqual(good(store.load()), undefined);
    },
  },
  {
    name: "[ST10] a change under another epoch is refused whole, with both epochs",
    check: place => {
      const { store, epoch } = place.writer();
      good(store.commit({ epoch, runId: "run-1", run: runRow() }));
      for (const wrong of [epoch - 1, epoch + 1, 0]) {
        const change = { runId: "run-1", run: runRow({ phase: "9" }), tasks: [taskRow("T1")] };
        const refused = store.commit({ ...change, epoch: wrong, events: [stampedEvent(1)] });
        deepStrictEqual(failureOf(refused), { kind: "fenced", epoch: wrong, stored: epoch });
      }
      deepStrictEqual(good(store.load()), {
        run: runRow(),
        tasks: [],
        openAttempts: [],
        lastSeq: 0,
        usage: [],
      });
    },
  },
  {
    name: "[ST11] a writer that was taken over from can change nothing any more, even while it is open",
    check: place => {
      const old = place.writer();
      good(old.store.commit({ epoch: old.epoch, runId: "run-1", run: runRow() }));
      const current = place.writer();
      isTrue(current.epoch > old.epoch);
      const late = old.store.commit({ epoch: old.epoch, runId: "run-1", tasks: [taskRow("T1")] });
      deepStrictEqual(failureOf(late), { kind: "fenced", epoch: old.epoch, stored: current.epoch });
      good(current.store.commit({ epoch: current.epoch, runId: "run-1", tasks: [taskRow("T2")] }));
      deepStrictEqual(good(current.store.load())?.tasks, [taskRow("T2")]);
    },
  },
  {
    name: "[ST12] epochs rise with every writer, also after reopening",
    check: place => {
      let last = 0;
      for (let round = 0; round < 4; round++) {
        const { store, epoch } = place.writer();
        isTrue(Number.isSafeInteger(epoch) && epoch > last, `${epoch} after ${last}`);
        last = epoch;
        store.close();
      }
    },
  },
  {
    name: "[ST13] the run committed first at the latest is loaded, whatever its times say; earlier ones stay readable",
    check: place => {
      const { store, epoch } = place.writer();
      const early = runRow({ id: "z", startedAt: 9_000_000_000_000 });
      const late = runRow({ id: "a", startedAt: 5 });
      good(
        store.commit({ epoch, runId: "z", run: early, tasks: [taskRow("T1")], events: [stampedEvent(1)] }),
      );
      good(
        store.commit({
          epoch,
          runId: "a",
          run: late,
          events: [stampedEvent(1, { type: "stopping", by: "a" })],
        }),
      );
      good(store.commit({ epoch, runId: "z", run: early, events: [stampedEvent(2)] }));
      deepStrictEqual(good(store.load()), { run: late, tasks: [], openAttempts: [], lastSeq: 1, usage: [] });
      deepStrictEqual(good(store.events("z", 0, 9)), [stampedEvent(1), stampedEvent(2)]);
    },
  },
  {
    name: "[ST14] texts are kept exactly, whatever they contain",
    check: place => {
      const { store, epoch } = place.writer();
      const texts = [
        "__proto__",
        "constructor",
        "'; DROP TABLE tasks; --",
        "한국어 – 日本語 – 😀",
        "a\0b\r\n\t\u001b[31m\u202e\u0085",
        "x".repeat(65_536),
      ];
      const run = runRow({
        reason: because("said", { by: "agent", text: texts.join("|") }),
        plan: JSON.stringify(texts),
        forced: texts,
      });
      const tasks = texts.map(text => taskRow(text, { reason: because("said", { by: "agent", text }) }));
      const attempts = texts.map(text =>
        attemptRow(text, 1, { finalMessage: text, evidence: text, agent: text }),
      );
      const events = texts.map((text, index) =>
        stampedEvent(index + 1, { type: "blocked", task: text, by: text }),
      );
      good(store.commit({ epoch, runId: run.id, run, tasks, attempts, events }));
      deepStrictEqual(good(store.load()), {
        run,
        tasks,
        openAttempts: attempts,
        lastSeq: texts.length,
        usage: [],
      });
      deepStrictEqual(good(store.events(run.id, 0, 99)), events);
      for (const [index, text] of texts.entries()) {
        deepStrictEqual(good(store.attempts(run.id, text)), [attempts[index]]);
      }
    },
  },
  {
    name: "[ST15] neither the caller's objects nor the returned ones are the stored ones",
    check: place => {
      const { store, epoch } = place.writer();
      const run = { ...runRow(), forced: ["1"] };
      const task = { ...taskRow("T1") };
      const event = { ...stampedEvent(1) };
      good(store.commit({ epoch, runId: run.id, run, tasks: [task], events: [event] }));
      run.forced.push("2");
      Object.assign(run, { phase: "9" });
      Object.assign(task, { retries: 9 });
      Object.assign(event, { at: 9 });
      const loaded = good(store.load());
      deepStrictEqual([loaded?.run.phase, loaded?.run.forced, loaded?.tasks], ["1", ["1"], [taskRow("T1")]]);
      Object.assign(loaded?.tasks[0] as object, { retries: 9 });
      deepStrictEqual(good(store.load())?.tasks, [taskRow("T1")]);
      deepStrictEqual(good(store.events(run.id, 0, 9)), [stampedEvent(1)]);
    },
  },
  {
    name: "[ST16] closing twice is fine; a closed store answers with a failure",
    check: place => {
      const { store, epoch } = place.writer();
      good(store.commit({ epoch, runId: "run-1", run: runRow() }));
      store.close();
      doesNotThrow(() => store.close());
      strictEqual(failureOf(store.load()).kind, "io");
      strictEqual(failureOf(store.commit({ epoch, runId: "run-1" })).kind, "io");
      strictEqual(failureOf(store.events("run-1", 0, 1)).kind, "io");
      strictEqual(failureOf(store.attempts("run-1", "T1")).kind, "io");
      strictEqual(failureOf(store.spans("run-1")).kind, "io");
    },
  },
  {
    name: "[ST17] ten thousand tasks fit into one change",
    check: place => {
      const { store, epoch } = place.writer();
      const tasks = Array.from({ length: 10_000 }, (_, index) => taskRow(`T${index}`));
      good(store.commit({ epoch, runId: "run-1", run: runRow(), tasks }));
      deepStrictEqual(good(store.load())?.tasks, tasks);
    },
  },
  {
    name: "[ST18] a reader sees every commit of a living writer and can change nothing",
    needsReader: true,
    check: place => {
      const { store, epoch } = place.writer();
      good(store.commit({ epoch, runId: "run-1", run: runRow(), events: [stampedEvent(1)] }));
      const reader = place.reader();
      deepStrictEqual(good(reader.load()), good(store.load()));
      const tasks = [taskRow("T1", { status: "completed" })];
      good(
        store.commit({
          epoch,
          runId: "run-1",
          tasks,
          attempts: [attemptRow("T1", 1)],
          events: [stampedEvent(2)],
        }),
      );
      deepStrictEqual(good(reader.load()), good(store.load()));
      deepStrictEqual(good(reader.events("run-1", 1, 9)), [stampedEvent(2)]);
      deepStrictEqual(good(reader.attempts("run-1", "T1")), [attemptRow("T1", 1)]);
      strictEqual(failureOf(reader.commit({ epoch, runId: "run-1" })).kind, "read-only");
      good(store.commit({ epoch, runId: "run-1", tasks: [taskRow("T2")] }));
    },
  },
];
