import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type EpochStore,
  memoryPlace,
  openMemoryStore,
  openSqliteReader,
  openSqliteStore,
} from "../../src/adapters/store/index.ts";
import { fail } from "../../src/ports/index.ts";
import { type ConformanceCase, type StoreSetup, storeConformance } from "../../src/testing/store.ts";
import { runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "./store-fixtures.ts";

const claimed = (store: EpochStore) => ({ store, epoch: must(store.claimEpoch()) });

const setups: Record<string, StoreSetup> = {
  "in memory": {
    place: () => {
      const place = memoryPlace();
      return { writer: () => claimed(openMemoryStore({ place })) };
    },
    noReader: "state in memory cannot be opened by another process",
  },
  "on SQLite": {
    place: () => {
      const directory = scratchFolder("espalier-store-");
      const path = join(directory, "espalier.db");
      return {
        writer: () => claimed(must(openSqliteStore({ path, project: "demo" }))),
        reader: () => {
          const reader = must(openSqliteReader({ path }));
          if (reader === undefined) throw new Error("no database");
          return reader;
        },
        dispose: () => rmSync(directory, { recursive: true }),
      };
    },
  },
};

describe.each(Object.entries(setups))("store %s", (_, setup) => {
  it.for(storeConformance(setup))("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });
});

describe("the suite itself", () => {
  const verdicts = async (cases: readonly ConformanceCase[]): Promise<string[]> => {
    const broken: string[] = [];
    for (const rule of cases) {
      if (rule.skip !== undefined) continue;
      try {
        await rule.run();
      } catch {
        broken.push(rule.name.slice(0, rule.name.indexOf(" ")));
      }
    }
    return broken;
  };
  const spoilt = (spoil: (store: EpochStore) => Partial<EpochStore>): StoreSetup => ({
    noReader: "not needed here",
    place: () => {
      const place = memoryPlace();
      return {
        writer: () => {
          const { store, epoch } = claimed(openMemoryStore({ place }));
          return { store: { ...store, ...spoil(store) }, epoch };
        },
      };
    },
  });

  it("passes a sound store and names its rules once each", async () => {
    const cases = storeConformance(spoilt(() => ({})));
    expect(await verdicts(cases)).toEqual([]);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
    for (const { name } of cases) expect(name).toMatch(/^\[ST\d+\] [a-z]/);
  });

  it.each<[string, (store: EpochStore) => Partial<EpochStore>, string[]]>([
    [
      "ignores the epoch",
      store => ({ commit: change => store.commit({ ...change, epoch: must(store.claimEpoch()) }) }),
      ["[ST10]", "[ST11]"],
    ],
    ["forgets events", store => ({ events: () => store.events("none", 0, 0) }), ["[ST2]", "[ST7]"]],
    ["ignores the limit", store => ({ events: (run, after) => store.events(run, after, 1e6) }), ["[ST7]"]],
    [
      "always fails",
      () => ({ commit: () => fail({ kind: "full", message: "" }) }),
      ["[ST2]", "[ST16]", "[ST17]"],
    ],
    [
      "throws when closed twice",
      store => {
        let closed = false;
        return {
          close: () => {
            if (closed) throw new Error("closed twice");
            closed = true;
            store.close();
          },
        };
      },
      ["[ST16]"],
    ],
  ])("catches a store that %s", async (_, spoil, rules) => {
    expect(await verdicts(storeConformance(spoilt(spoil)))).toEqual(expect.arrayContaining(rules));
  });

  it("shows the reason of a skip", () => {
    const skipped = storeConformance(setups["in memory"]!).filter(({ skip }) => skip !== undefined);
    expect(skipped.map(({ skip }) => skip)).toEqual([
      "state in memory cannot be opened by another process",
      "state in memory cannot be opened by another process",
    ]);
  });

  it("tells when a setup gives neither a reader nor a reason", async () => {
    const { place } = setups["in memory"]!;
    const rule = storeConformance({ place }).find(({ name }) => name.startsWith("[ST18]"));
    await expect(rule?.run()).rejects.toThrow("neither");
  });
});

describe("a store in memory", () => {
  it("can be told to refuse, for simulations of full disks and takeovers", () => {
    let room = 1;
    const store = openMemoryStore({
      refuse: () => (room-- > 0 ? undefined : { kind: "full", message: "no room" }),
    });
    const epoch = must(store.claimEpoch());
    must(store.commit({ epoch, runId: "run-1", run: runRow() }));
    expect(
      store.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")], events: [stampedEvent(1)] }),
    ).toEqual({
      ok: false,
      failure: { kind: "full", message: "no room" },
    });
    expect(must(store.load())).toMatchObject({ tasks: [], lastSeq: 0 });
  });

  it("keeps places apart", () => {
    const one = openMemoryStore();
    must(one.commit({ epoch: must(one.claimEpoch()), runId: "run-1", run: runRow() }));
    expect(must(openMemoryStore().load())).toBeUndefined();
  });
});
