import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSealing } from "../../src/adapters/home/index.ts";
import { openState, type SqliteStore } from "../../src/adapters/store/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { reasonText } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import { casesOf } from "../sample.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "./store-fixtures.ts";

let folder: string;
const state = () => join(folder, "state");
const home = () => join(folder, "home");

beforeEach(() => {
  folder = scratchFolder("espalier-seal-");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Held {
  readonly store: SqliteStore;
  readonly epoch: number;
}

/** Opens the sealed state for as long as `use` takes; what was told. */
function open(use: (held: Held) => void = () => {}): readonly string[] {
  const sealing = must(openSealing(home()));
  const opened = must(openState(state(), { project: "/demo", now: 1_900_000_000_000, sealing }));
  try {
    use({ store: opened.store, epoch: must(opened.store.claimEpoch()) });
  } finally {
    opened.store.close();
    sealing.close();
  }
  return opened.report.map(told => reasonText(told, "en"));
}
describe("a sealed state", () => {
  it("[SE8] is believed whatever text its rows hold", () => {
    const text = fc.string({ unit: "binary", maxLength: 30 }).map(made => `${made}\0\ud83d${made}`);
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 3 }), (reason, message, number) => {
        rmSync(state(), { recursive: true, force: true });
        rmSync(home(), { recursive: true, force: true });
        open(({ store, epoch }) => {
          const rows = {
            run: runRow({ reason: agentSaid(reason), plan: message }),
            tasks: [taskRow("T1", { reason: agentSaid(reason), notBefore: number / 3 })],
            attempts: [attemptRow("T1", number, { finalMessage: message, feedback: reason })],
            events: [stampedEvent(1), stampedEvent(2)],
          };
          must(store.commit({ epoch, runId: "run-1", ...rows }));
          must(store.commit({ epoch, runId: "run-1", events: [stampedEvent(3)] }));
        });
        expect(open()).toEqual([]);
      }),
      { numRuns: casesOf(4, 10) },
    );
  });

  it("[SE4] is believed when what is remembered of it lags, is torn or is gone", () => {
    const head = join(home(), "head");
    const write = (seq: number) =>
      open(({ store, epoch }) => {
        const run = seq === 1 ? { run: runRow() } : {};
        must(store.commit({ epoch, runId: "run-1", ...run, events: [stampedEvent(seq)] }));
      });
    write(1);
    const old = readFileSync(head);
    write(2);
    writeFileSync(head, old);
    expect(write(3)).toEqual([]);
    truncateSync(head, 20);
    expect(write(4)).toEqual([]);
    writeFileSync(head, "");
    expect(write(5)).toEqual([]);
    rmSync(head);
    expect(write(6)).toEqual([]);
    // It is never ahead: the last event is the one that was committed.
    expect(JSON.parse(readFileSync(head, "utf8"))).toMatchObject({ run: "run-1", seq: 6 });
    const [kept, later] = [readFileSync(join(state(), "espalier.db")), () => write(7)];
    later();
    writeFileSync(join(state(), "espalier.db"), kept);
    const sealing = must(openSealing(home()));
    const refused = openState(state(), { project: "/demo", now: 1_900_000_000_000, sealing });
    expect(refused).toMatchObject({ ok: false, failure: { kind: "set-back", event: 7 } });
    sealing.close();
  });

  it("[SE1] has a key of its own that only its owner reads, made once", () => {
    const [one, other] = [must(openSealing(home())), must(openSealing(home()))];
    expect(one.seal.of("x")).toBe(other.seal.of("x"));
    expect(must(openSealing(join(folder, "elsewhere"))).seal.of("x")).not.toBe(one.seal.of("x"));
    for (const name of ["key", "head"]) expect(statSync(join(home(), name)).mode & 0o777).toBe(0o600);
    expect(statSync(home()).mode & 0o777).toBe(0o700);
    for (const sealing of [one, other]) sealing.close();
  });
});
