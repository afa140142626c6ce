import { deepStrictEqual, ok as isTrue, strictEqual, throws } from "node:assert/strict";
import type { ContextChange, StoredContext } from "../ports/context-rows.ts";
import {
  attemptRow,
  documentRow,
  labelRow,
  nodeRow,
  runRow,
  taskRow,
  teammateRow,
  textRow,
  versionRow,
} from "./store-rows.ts";
import { failureOf, good, type StoreRule } from "./store-rule.ts";

const NOTHING: StoredContext = {
  labels: [],
  versions: [],
  teammates: [],
  nodes: [],
  documents: [],
  lastSeq: 0,
};
const entry = (text: string) => ({ at: 5, label: "GC", entry: JSON.stringify(text) });

/** The requirements of the Store port on versions, teammates, tree and receipts. */
export const CONTEXT_RULES: readonly StoreRule[] = [
  {
    name: "[ST19] an empty place holds no context",
    check: place => {
      const { context } = place.writer().store;
      deepStrictEqual(good(context.load()), NOTHING);
      deepStrictEqual(good(context.log(0, 10)), []);
      deepStrictEqual(good(context.receipts("run-1", "T1")), []);
      strictEqual(good(context.text("a".repeat(64))), undefined);
    },
  },
  {
    name: "[ST20] context that was committed is there after reopening, field for field, without any run",
    check: place => {
      const labels = [labelRow("GC", { serial: 7, gate: '{"id":"P1"}' }), labelRow("API")];
      const versions = [versionRow("GC", 1, "one"), versionRow("GC", 2, "two", { impact: '{"actions":[]}' })];
      const teammates = [teammateRow("GC", "back"), teammateRow("GC", "front")];
      const nodes = [
        nodeRow("root"),
        nodeRow("ctx-auth", { parent: "root", status: "merged", mergedInto: "root" }),
      ];
      const documents = [
        documentRow("root", "GC"),
        documentRow("ctx-auth", "API", { place: "own", position: 3, withdrawn: true }),
      ];
      const log = [entry("first"), entry("second")];
      const rows = { labels, versions, teammates, nodes, documents };
      const first = place.writer();
      const context = { ...rows, texts: [textRow("one"), textRow("two")], log };
      good(first.store.commit({ epoch: first.epoch, runId: "", context }));
      first.store.close();
      const { store } = place.writer();
      deepStrictEqual(good(store.context.load()), { ...rows, lastSeq: 2 });
      deepStrictEqual(
        good(store.context.log(0, 9)),
        log.map((line, index) => ({ ...line, seq: index + 1 })),
      );
      strictEqual(good(store.context.text(textRow("two").hash)), "two");
      strictEqual(good(store.load()), undefined);
    },
  },
  {
    name: "[ST21] rows of the context are replaced by their keys and keep their order",
    check: place => {
      const { store, epoch } = place.writer();
      const commit = (context: ContextChange) => good(store.commit({ epoch, runId: "", context }));
      commit({
        labels: [labelRow("B", { gate: "{}" }), labelRow("A")],
        versions: [versionRow("B", 1, "x"), versionRow("A", 1, "x")],
        teammates: [teammateRow("B", "a"), teammateRow("A", "a")],
        nodes: [nodeRow("n"), nodeRow("m")],
        documents: [documentRow("n", "B"), documentRow("m", "B")],
      });
      commit({
        labels: [labelRow("B", { serial: 9 })],
        versions: [versionRow("B", 1, "y")],
        teammates: [teammateRow("B", "a", '{"live":false}')],
        nodes: [nodeRow("n", { status: "abandoned" })],
        documents: [documentRow("n", "B", { withdrawn: true })],
      });
      deepStrictEqual(good(store.context.load()), {
        labels: [labelRow("B", { serial: 9 }), labelRow("A")],
        versions: [versionRow("B", 1, "y"), versionRow("A", 1, "x")],
        teammates: [teammateRow("B", "a", '{"live":false}'), teammateRow("A", "a")],
        nodes: [nodeRow("n", { status: "abandoned" }), nodeRow("m")],
        documents: [documentRow("n", "B", { withdrawn: true }), documentRow("m", "B")],
        lastSeq: 0,
      });
    },
  },
  {
    name: "[ST22] the context changes with the rest of its change or not at all",
    check: place => {
      const { store, epoch } = place.writer();
      good(store.commit({ epoch, runId: "run-1", run: runRow() }));
      const context = { labels: [labelRow("GC")], texts: [textRow("t")], log: [entry("e")] };
      const refused = store.commit({ epoch: epoch - 1, runId: "run-1", tasks: [taskRow("T1")], context });
      strictEqual(failureOf(refused).kind, "fenced");
      throws(() => store.commit({ epoch, runId: "never", tasks: [taskRow("T1")], context }), /never/);
      throws(() => store.commit({ epoch, runId: "", tasks: [taskRow("T1")], context }), /run/);
      deepStrictEqual(good(store.context.load()), NOTHING);
      strictEqual(good(store.context.text(textRow("t").hash)), undefined);
      good(store.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")], context }));
      deepStrictEqual(good(store.context.load()).labels, [labelRow("GC")]);
      deepStrictEqual(good(store.load())?.tasks, [taskRow("T1")]);
    },
  },
  {
    name: "[ST23] entries of the context's log are numbered from 1 without gaps, whoever commits them",
    check: place => {
      const { store, epoch } = place.writer();
      good(
        store.commit({ epoch, runId: "run-1", run: runRow(), context: { log: [entry("1"), entry("2")] } }),
      );
      good(store.commit({ epoch, runId: "", context: { log: [entry("3")] } }));
      store.close();
      const later = place.writer();
      good(later.store.commit({ epoch: later.epoch, runId: "", context: { log: [entry("4")] } }));
      const { context } = later.store;
      const seqs = (after: number, limit: number) => good(context.log(after, limit)).map(({ seq }) => seq);
      deepStrictEqual(seqs(0, 9), [1, 2, 3, 4]);
      deepStrictEqual(seqs(1, 2), [2, 3]);
      deepStrictEqual(seqs(4, 9), []);
      deepStrictEqual(seqs(0, 0), []);
      strictEqual(good(context.load()).lastSeq, 4);
    },
  },
  {
    name: "[ST24] a text is kept once, exactly, until it is dropped; what the same change puts stays",
    check: place => {
      const { store, epoch } = place.writer();
      const commit = (context: ContextChange) => good(store.commit({ epoch, runId: "", context }));
      const texts = ["", "a\0b\r\n\u{1F600}\uFEFF", "한국어".repeat(400_000)].map(textRow);
      commit({ texts });
      commit({ texts });
      for (const { hash, text } of texts) strictEqual(good(store.context.text(hash)), text);
      const [empty, odd, long] = texts as [(typeof texts)[0], (typeof texts)[0], (typeof texts)[0]];
      commit({ dropTexts: [empty.hash, odd.hash, "f".repeat(64)], texts: [odd] });
      strictEqual(good(store.context.text(empty.hash)), undefined);
      strictEqual(good(store.context.text(odd.hash)), odd.text);
      strictEqual(good(store.context.text(long.hash)), long.text);
    },
  },
  {
    name: "[ST24] a teammate that is dropped is forgotten at that document; what the same change puts stays, as a new row",
    check: place => {
      const { store, epoch } = place.writer();
      const commit = (context: ContextChange) => good(store.commit({ epoch, runId: "", context }));
      const [back, front, other] = [
        teammateRow("GC", "back"),
        teammateRow("GC", "front"),
        teammateRow("API", "back"),
      ];
      commit({ labels: [labelRow("GC"), labelRow("API")], teammates: [back, front, other] });
      commit({
        dropTeammates: [
          { label: "GC", teammate: "back" },
          { label: "GC", teammate: "nobody" },
        ],
      });
      deepStrictEqual(good(store.context.load()).teammates, [front, other]);
      commit({ dropTeammates: [{ label: "GC", teammate: "front" }], teammates: [front] });
      deepStrictEqual(good(store.context.load()).teammates, [other, front]);
      store.close();
      deepStrictEqual(good(place.writer().store.context.load()).teammates, [other, front]);
    },
  },
  {
    name: "[ST25] a text under another's hash, and JSON that is none, are bugs: nothing of the change is kept",
    check: place => {
      const { store, epoch } = place.writer();
      const broken: ContextChange[] = [
        { texts: [{ hash: textRow("a").hash, text: "b" }] },
        { labels: [labelRow("GC", { gate: "{" })] },
        { versions: [versionRow("GC", 1, "x", { impact: "" })] },
        { teammates: [teammateRow("GC", "back", "{'a':1}")] },
        { documents: [documentRow("n", "GC", { source: "file" })] },
        { log: [{ at: 1, label: "GC", entry: "said" }] },
      ];
      for (const change of broken) {
        throws(
          () => store.commit({ epoch, runId: "", context: { ...change, nodes: [nodeRow("n")] } }),
          /store/,
        );
        deepStrictEqual(good(store.context.load()), NOTHING);
      }
    },
  },
  {
    name: "[ST26] receipts belong to the attempts of one run, everything else outlives runs",
    check: place => {
      const { store, epoch } = place.writer();
      const receipt = (task: string, attempt: number, text: string) => ({
        task,
        attempt,
        receipt: `"${text}"`,
      });
      const old = [receipt("T1", 2, "b"), receipt("T1", 1, "a"), receipt("T2", 1, "c")];
      const context = { labels: [labelRow("GC")], receipts: old };
      throws(() => store.commit({ epoch, runId: "", context }), /run/);
      good(store.commit({ epoch, runId: "run-1", run: runRow(), context }));
      const next = runRow({ id: "run-2" });
      good(
        store.commit({ epoch, runId: "run-2", run: next, context: { receipts: [receipt("T1", 1, "z")] } }),
      );
      good(store.commit({ epoch, runId: "run-2", context: { receipts: [receipt("T1", 1, "y")] } }));
      deepStrictEqual(good(store.context.receipts("run-1", "T1")), [old[1], old[0]]);
      deepStrictEqual(good(store.context.receipts("run-2", "T1")), [receipt("T1", 1, "y")]);
      deepStrictEqual(good(store.context.receipts("run-2", "T2")), []);
      deepStrictEqual(good(store.context.load()).labels, [labelRow("GC")]);
    },
  },
  {
    name: "[ST27] what ended attempts cost is loaded with their run, in the order in which they began",
    check: place => {
      const { store, epoch } = place.writer();
      const ended = { endedAt: 9, outcome: "done" as const };
      const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 1, costUsd: 0.5 };
      const attempts = [
        attemptRow("T2", 1),
        attemptRow("T1", 1, { ...ended, usage }),
        attemptRow("T3", 1, ended),
        attemptRow("T4", 1, { usage, estimate: 7 }),
        attemptRow("T5", 1, { ...ended, estimate: 1234 }),
      ];
      good(store.commit({ epoch, runId: "run-1", run: runRow(), attempts }));
      const late = attemptRow("T2", 1, {
        ...ended,
        agent: "other",
        usage: { contextUsed: 1, contextSize: 2 },
      });
      good(store.commit({ epoch, runId: "run-1", attempts: [late] }));
      deepStrictEqual(good(store.load())?.usage, [
        { task: "T2", number: 1, agent: "other", usage: late.usage },
        { task: "T1", number: 1, agent: "command", usage },
        { task: "T5", number: 1, agent: "command", usage: {}, estimate: 1234 },
      ]);
      good(store.commit({ epoch, runId: "run-2", run: runRow({ id: "run-2" }) }));
      deepStrictEqual(good(store.load())?.usage, []);
    },
  },
  {
    name: "[ST31] the spans of a run are all its attempts, in the order they began, without their texts",
    check: place => {
      const { store, epoch } = place.writer();
      const told = { evidence: "e", finalMessage: "m", usage: { inputTokens: 1 }, folder: "/w" };
      const ended = { endedAt: 7, outcome: "unproven", machine: "m-1" } as const;
      const attempts = [attemptRow("T2", 1, { ...told, ...ended }), attemptRow("T1", 1), attemptRow("T2", 2)];
      good(store.commit({ epoch, runId: "run-1", run: runRow(), attempts }));
      good(
        store.commit({
          epoch,
          runId: "run-2",
          run: runRow({ id: "run-2" }),
          attempts: [attemptRow("T9", 1)],
        }),
      );
      good(store.commit({ epoch, runId: "run-1", attempts: [attemptRow("T1", 1, { agent: "other" })] }));
      const span = (task: string, number: number, agent = "command") => ({
        task,
        number,
        agent,
        startedAt: 1_700_000_000_002,
      });
      const open = { endedAt: 0, outcome: "running" } as const;
      deepStrictEqual(good(store.spans("run-1")), [
        { ...span("T2", 1), ...ended },
        { ...span("T1", 1, "other"), ...open },
        { ...span("T2", 2), ...open },
      ]);
    },
  },
  {
    name: "[ST28] neither the caller's rows of the context nor the returned ones are the stored ones",
    check: place => {
      const { store, epoch } = place.writer();
      const label = { ...labelRow("GC") };
      const line = { ...entry("e") };
      good(store.commit({ epoch, runId: "", context: { labels: [label], log: [line] } }));
      Object.assign(label, { serial: 9 });
      Object.assign(line, { entry: '"changed"' });
      Object.assign(good(store.context.load()).labels[0] as object, { serial: 8 });
      deepStrictEqual(good(store.context.load()).labels, [labelRow("GC")]);
      deepStrictEqual(good(store.context.log(0, 9)), [{ ...entry("e"), seq: 1 }]);
    },
  },
  {
    name: "[ST29] a closed store answers for its context with a failure",
    check: place => {
      const { store } = place.writer();
      const { context } = store;
      store.close();
      for (const answer of [context.load(), context.text(""), context.log(0, 1), context.receipts("", "")])
        strictEqual(failureOf(answer).kind, "io");
    },
  },
  {
    name: "[ST30] a reader sees the context of a living writer and can change nothing",
    needsReader: true,
    check: place => {
      const { store, epoch } = place.writer();
      const reader = place.reader();
      deepStrictEqual(good(reader.context.load()), NOTHING);
      const context = { labels: [labelRow("GC")], texts: [textRow("t")], log: [entry("e")] };
      good(store.commit({ epoch, runId: "", context }));
      deepStrictEqual(good(reader.context.load()), good(store.context.load()));
      strictEqual(good(reader.context.text(textRow("t").hash)), "t");
      isTrue(good(reader.context.log(0, 9)).length === 1);
      strictEqual(failureOf(reader.commit({ epoch, runId: "", context })).kind, "read-only");
    },
  },
];
