import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryPlace, openMemoryStore } from "../../../src/adapters/store/index.ts";
import {
  type ContextStep,
  changesNothing,
  immediateLedger,
  joinSteps,
  together,
} from "../../../src/context/shared/index.ts";
import { mergeChanges } from "../../../src/context/shared/work.ts";
import type { ContextChange } from "../../../src/ports/index.ts";
import {
  documentRow,
  labelRow,
  nodeRow,
  teammateRow,
  textRow,
  versionRow,
} from "../../../src/testing/store-rows.ts";
import { growth, LINEAR } from "../../growth.ts";

const name = fc.constantFrom("GC", "API", "__proto__");
const some = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 3 });
const text = fc.constantFrom("a", "b", "c", "d");
const change: fc.Arbitrary<ContextChange> = fc.record(
  {
    texts: some(text.map(textRow)),
    dropTexts: some(text.map(one => textRow(one).hash)),
    labels: some(fc.tuple(name, fc.nat(5)).map(([label, serial]) => labelRow(label, { serial }))),
    versions: some(fc.tuple(name, fc.integer({ min: 1, max: 3 }), text).map(args => versionRow(...args))),
    teammates: some(
      fc.tuple(name, name, fc.nat(9)).map(([label, id, n]) => teammateRow(label, id, String(n))),
    ),
    dropTeammates: some(fc.tuple(name, name).map(([label, teammate]) => ({ label, teammate }))),
    nodes: some(fc.tuple(name, name).map(([id, by]) => nodeRow(id, { by }))),
    documents: some(
      fc
        .tuple(name, name, fc.nat(5))
        .map(([node, label, position]) => documentRow(node, label, { position })),
    ),
    log: some(fc.tuple(name, fc.nat(9)).map(([label, n]) => ({ at: n, label, entry: String(n) }))),
  },
  { requiredKeys: [] },
);

/** What a store holds after these changes, each committed by itself. */
function held(changes: readonly ContextChange[]): unknown {
  const place = memoryPlace();
  const store = openMemoryStore({ place });
  const epoch = store.claimEpoch();
  for (const context of changes) {
    const done = store.commit({ epoch: epoch.ok ? epoch.value : 0, runId: "", context });
    expect(done.ok).toBe(true);
  }
  return [
    store.context.load(),
    store.context.log(0, 1_000),
    [...place.context.texts].sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
}

describe("several changes as one", () => {
  it("[CK2] leave the store as they would one after the other, dropped and put texts included", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), changes => {
        expect(held([mergeChanges(changes)])).toEqual(held(changes));
      }),
      { numRuns: 300 },
    );
  });

  it("[CK2] change nothing where none of them does", () => {
    expect(changesNothing(undefined)).toBe(true);
    expect(changesNothing({})).toBe(true);
    expect(changesNothing(mergeChanges([]))).toBe(true);
    expect(changesNothing(mergeChanges([{}, { labels: [] }]))).toBe(true);
    expect(changesNothing({ dropTexts: ["x"] })).toBe(false);
    expect(changesNothing({ log: [{ at: 1, label: "GC", entry: "{}" }] })).toBe(false);
  });

  it("[CK2] take time linear in the rows, and may have more of them than a call has arguments", () => {
    const rowsOf = (size: number) => Array.from({ length: size }, (_, at) => nodeRow(`n${at}`));
    const twice = (nodes: ReturnType<typeof rowsOf>) => mergeChanges([{ nodes }, { nodes }]);
    expect(twice(rowsOf(200_000)).nodes).toHaveLength(400_000);
    expect(growth(10_000, rowsOf, twice)).toBeLessThan(LINEAR);
  });
});

describe("several works as one", () => {
  const step = (mark: string, trace: string[]): ContextStep => ({
    rows: { nodes: [nodeRow(mark)] },
    settled: () => trace.push(`settled ${mark}`),
  });

  it("[CK2] are done in their order, and settled in their order, once", () => {
    const trace: string[] = [];
    const work = (mark: string) => (now: number) => {
      trace.push(`${mark} at ${now}`);
      return step(mark, trace);
    };
    const done = together([work("a"), undefined, () => undefined, work("b")])(7);
    expect(trace).toEqual(["a at 7", "b at 7"]);
    expect(done?.rows.nodes?.map(({ id }) => id)).toEqual(["a", "b"]);
    done?.settled?.();
    expect(trace.slice(2)).toEqual(["settled a", "settled b"]);
  });

  it("[CK2] are one as they are where there is only one, and none where there is none", () => {
    const trace: string[] = [];
    const only = step("a", trace);
    expect(joinSteps([undefined, only])).toBe(only);
    expect(joinSteps([undefined, undefined])).toBeUndefined();
    expect(joinSteps([{ rows: {} }, { rows: {} }])?.settled?.()).toBeUndefined();
  });
});

describe("a ledger without an engine", () => {
  it("[CK1] writes before it settles, with the time it is given", async () => {
    const trace: string[] = [];
    const ledger = immediateLedger(
      rows => trace.push(`write ${rows.nodes?.length ?? 0}`),
      () => 42,
    );
    const done = await ledger.commit(now => ({
      rows: { nodes: [nodeRow(`at ${now}`)] },
      settled: () => trace.push(`settled at ${now}`),
    }));
    expect([done, trace]).toEqual([true, ["write 1", "settled at 42"]]);
  });

  it("[CK1] settles nothing that could not be written, and tells why", async () => {
    const trace: string[] = [];
    const ledger = immediateLedger(
      () => {
        throw new Error("no room");
      },
      () => 0,
    );
    const late = ledger.commit(() => ({
      rows: { nodes: [nodeRow("n")] },
      settled: () => trace.push("settled"),
    }));
    await expect(late).rejects.toThrow("no room");
    expect(trace).toEqual([]);
  });

  it("[CK1] writes nothing for a work that changes nothing, but settles it", async () => {
    let writes = 0;
    let settled = 0;
    const ledger = immediateLedger(
      () => writes++,
      () => 0,
    );
    expect(await ledger.commit(() => undefined)).toBe(true);
    expect(await ledger.commit(() => ({ rows: {}, settled: () => settled++ }))).toBe(true);
    expect([writes, settled]).toEqual([0, 1]);
  });
});
