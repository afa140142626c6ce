import { describe, expect, it } from "vitest";
import { type Lead, readWords } from "../../../src/sync/index.ts";
import { type Bench, type BenchOptions, openBench, SHELL_OK } from "../../engine/bench.ts";
import { quiet } from "../../engine/manual-clock.ts";
import { inEnglish } from "../../reasons.ts";
import { ackLine, must, PAGE, phase } from "./lab.ts";

const TASKS = "### [ ] T1.1: a\n## Phase 2: q\n### [ ] T2.1: b\n";
const GUEST = { teammate: "guest", session: "cli" };

/** An engine whose phases are judged; `judged` counts how often. */
function gated(options: Partial<BenchOptions> = {}): Bench & { readonly judged: { count: number } } {
  const judged = { count: 0 };
  const bench = openBench({
    tasks: TASKS,
    policy: { settlePhases: true },
    engine: { phaseVerify: "check" },
    shell: async ({ task }) => {
      if (task === "phase") judged.count += 1;
      return SHELL_OK;
    },
    ...options,
  });
  return Object.assign(bench, { judged });
}

const lead = (bench: Bench): Lead => must(bench.engine.shared.lead("GC"));
const warned = (bench: Bench, code: string): string[] =>
  bench.events.flatMap(event =>
    event.type === "warning" && event.code === code ? [inEnglish(event.message)] : [],
  );

/** The first task runs, and a guest has been sent the first version but has not said that it holds it. */
async function withGuest(bench: Bench): Promise<void> {
  const { shared } = bench.engine;
  must(await shared.act("GC", { type: "publish", text: PAGE }));
  must(await shared.act("GC", { type: "join", ...GUEST, proof: "word" }));
}

async function finish(bench: Bench, task: string): Promise<void> {
  const part = await bench.puppets.next(task);
  part.say(`DONE:${part.id}`);
}

describe("the gate of a phase", () => {
  it("[E33] waits for a teammate that has not acknowledged, and is judged with its word", async () => {
    using bench = gated();
    const end = bench.start();
    await withGuest(bench);
    await finish(bench, "T1.1");
    await bench.event(event => event.type === "warning" && event.code === "GATE_WAITS");
    await quiet();
    expect(bench.judged.count).toBe(0);
    expect(lead(bench).gate).toMatchObject({ id: "phase 1", version: 1, judging: false });
    expect(warned(bench, "GATE_WAITS")).toEqual([
      "the gate of phase 1 waits for an acknowledgement of guest; espalier context leave NAME takes somebody off the team",
    ]);
    must(await bench.engine.shared.hear(readWords(ackLine(1, "0/0")), GUEST));
    await finish(bench, "T2.1");
    await end;
    expect(bench.judged.count).toBe(2);
    expect(warned(bench, "GATE_STALE")).toEqual([]);
    expect(lead(bench).gate).toBeUndefined();
  });

  it("[E33] goes on without who is silent for as long as an acknowledgement may take, and says so", async () => {
    using bench = gated();
    const end = bench.start();
    await withGuest(bench);
    await finish(bench, "T1.1");
    await bench.event(event => event.type === "warning" && event.code === "GATE_WAITS");
    await bench.clock.advance(119_000);
    expect(bench.judged.count).toBe(0);
    await bench.clock.advance(1_000);
    await finish(bench, "T2.1");
    expect(bench.judged.count).toBe(1);
    expect(lead(bench).teammates.get("guest")?.stale).toBe(true);
    expect(warned(bench, "GATE_STALE")).toEqual([
      "the gate of phase 1 goes on without guest, who did not acknowledge",
    ]);
    must(await bench.engine.shared.act("GC", { type: "leave", teammate: "guest" }));
    await end;
  });

  it("[E33] waits for nobody where there is no teammate, or none that can answer", async () => {
    using bench = gated();
    const end = bench.start();
    const { shared } = bench.engine;
    must(await shared.act("GC", { type: "publish", text: PAGE }));
    must(await shared.act("GC", { type: "join", teammate: "reader", session: "cli", proof: "none" }));
    await finish(bench, "T1.1");
    await finish(bench, "T2.1");
    await end;
    expect(bench.judged.count).toBe(2);
    expect(warned(bench, "GATE_WAITS")).toEqual([]);
  });

  it("[E33] holds back what is published while it is judged, and lets it go with the verdict", async () => {
    const judging = Promise.withResolvers<void>();
    const verdict = Promise.withResolvers<void>();
    using bench = gated({
      shell: async ({ task }) => {
        if (task === "phase") {
          judging.resolve();
          await verdict.promise;
        }
        return SHELL_OK;
      },
    });
    const end = bench.start();
    await withGuest(bench);
    const { shared } = bench.engine;
    must(await shared.hear(readWords(ackLine(1, "0/0")), GUEST));
    const heard: number[] = [];
    shared.listen("cli", ({ version }) => heard.push(version));
    await finish(bench, "T1.1");
    await judging.promise;
    must(await shared.act("GC", { type: "publish", text: phase(1) }));
    expect(heard).toEqual([]);
    verdict.resolve();
    const second = await bench.puppets.next("T2.1");
    expect(heard).toEqual([2]);
    // The verdict and the end of the freeze are one change: no crash can keep one without the other.
    const lifted = bench.changes.find(({ context }) =>
      context?.log?.some(({ entry }) => entry.includes('"unfrozen"')),
    );
    expect(lifted?.context?.labels).toEqual([{ label: "GC", serial: 3 }]);
    expect(lifted?.attempts?.map(({ task }) => task)).toEqual(["T2.1"]);
    must(await shared.act("GC", { type: "leave", teammate: "guest" }));
    second.say(`DONE:${second.id}`);
    await end;
  });

  it("[E33] waits no longer when a stop is asked for", async () => {
    using bench = gated();
    const end = bench.start();
    await withGuest(bench);
    await finish(bench, "T1.1");
    await bench.event(event => event.type === "warning" && event.code === "GATE_WAITS");
    await bench.engine.send({ type: "stop", by: "me", how: "soft" });
    expect(await end).toMatchObject({ kind: "ended" });
    expect(warned(bench, "GATE_STALE")).toEqual([]);
  });
});

describe("a run that begins", () => {
  it("[CK12] forgets the teammates of runs before it; one that goes on does not", async () => {
    using first = openBench({ tasks: "### [ ] T1.1: a\n" });
    const end = first.start();
    for (let n = 0; n < 25; n++) {
      const one = { teammate: `t${n}`, session: `s${n}` };
      must(await first.engine.shared.act("GC", { type: "join", ...one }));
      must(await first.engine.shared.act("GC", { type: "leave", teammate: one.teammate }));
    }
    await finish(first, "T1.1");
    await end;
    const rows = () => first.place.context.teammates.size;
    expect(rows()).toBe(25);
    using again = openBench({ tasks: "### [ ] T1.1: a\n", place: first.place, resume: true });
    await again.start();
    expect(rows()).toBe(25);
    using next = openBench({ tasks: "### [ ] T1.1: a\n", place: first.place });
    const over = next.start();
    await finish(next, "T1.1");
    await over;
    expect(rows()).toBe(20);
  });
});
