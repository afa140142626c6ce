import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openMemoryStore, openSqliteStore } from "../../src/adapters/store/index.ts";
import type { ContextChange } from "../../src/ports/index.ts";
import {
  documentRow,
  labelRow,
  nodeRow,
  runRow,
  teammateRow,
  textRow,
  versionRow,
} from "../../src/testing/store-rows.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "./store-fixtures.ts";

const names = fc.constantFrom("GC", "API", "__proto__", "한국어");
const words = fc.string({ unit: "grapheme", maxLength: 8 });
const json = fc.option(
  words.map(text => JSON.stringify(text)),
  { nil: undefined },
);
const few = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 3 });

const change: fc.Arbitrary<ContextChange> = fc.record(
  {
    texts: few(words.map(textRow)),
    dropTexts: few(words.map(text => textRow(text).hash)),
    labels: few(
      fc
        .tuple(names, fc.nat(9), json)
        .map(([label, serial, gate]) => labelRow(label, { serial, ...(gate === undefined ? {} : { gate }) })),
    ),
    versions: few(fc.tuple(names, fc.integer({ min: 1, max: 3 }), words).map(args => versionRow(...args))),
    teammates: few(
      fc.tuple(names, words, words).map(([label, id, text]) => teammateRow(label, id, JSON.stringify(text))),
    ),
    dropTeammates: few(fc.tuple(names, words).map(([label, teammate]) => ({ label, teammate }))),
    nodes: few(
      fc
        .tuple(words, fc.constantFrom("active" as const, "completed" as const), words)
        .map(([id, status, by]) => nodeRow(id, { status, by })),
    ),
    documents: few(
      fc
        .tuple(words, names, fc.nat(3), fc.boolean())
        .map(([node, label, position, withdrawn]) => documentRow(node, label, { position, withdrawn })),
    ),
    receipts: few(
      fc
        .tuple(fc.constantFrom("T1", "T2"), fc.integer({ min: 1, max: 2 }), words)
        .map(([task, attempt, text]) => ({ task, attempt, receipt: JSON.stringify(text) })),
    ),
    log: few(fc.tuple(names, words).map(([label, text]) => ({ at: 1, label, entry: JSON.stringify(text) }))),
  },
  { requiredKeys: [] },
);

it("any history of the context reads the same from the database and from memory, also after reopening", () => {
  const directory = scratchFolder("espalier-context-");
  let round = 0;
  try {
    fc.assert(
      fc.property(fc.array(fc.tuple(change, fc.boolean()), { maxLength: 8 }), steps => {
        const path = join(directory, `${round++}.db`);
        let store = must(openSqliteStore({ path, project: "/demo" }));
        const model = openMemoryStore();
        const epoch = must(store.claimEpoch());
        must(model.claimEpoch());
        for (const each of [store, model]) must(each.commit({ epoch, runId: "run-1", run: runRow() }));
        for (const [context, reopen] of steps) {
          if (reopen) {
            store.close();
            store = must(openSqliteStore({ path, project: "/demo" }));
          }
          expect(store.commit({ epoch, runId: "run-1", context })).toEqual(
            model.commit({ epoch, runId: "run-1", context }),
          );
          expect(store.context.load()).toEqual(model.context.load());
          expect(store.context.log(1, 2)).toEqual(model.context.log(1, 2));
          expect(store.context.receipts("run-1", "T1")).toEqual(model.context.receipts("run-1", "T1"));
          for (const { hash } of context.texts ?? [])
            expect(store.context.text(hash)).toEqual(model.context.text(hash));
        }
        store.close();
      }),
      { numRuns: 40 },
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
