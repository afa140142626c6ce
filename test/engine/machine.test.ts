import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Fleet, fail, type LossKind, type OrderEvent } from "../../src/ports/index.ts";
import { openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";

/** A fleet whose machine is lost once, where the agent of the first order it takes has got so far. */
function losing(fleet: Fleet, at: OrderEvent["type"] = "line", how?: LossKind): Fleet {
  let first: string | undefined;
  return {
    ...fleet,
    submit(order) {
      first ??= order.id;
      return fleet.submit(order);
    },
    async *follow(id, fromSeq) {
      for await (const report of fleet.follow(id, fromSeq)) {
        if (id === first && report.event.type === at) {
          yield {
            ...report,
            event: { type: "lost", why: "the machine hunter2-hunter2 does not answer", how },
          };
          return;
        }
        yield report;
      }
    },
  };
}

/** The logs of attempts below a folder, oldest first. */
function logsIn(folder: string): readonly string[] {
  return readdirSync(join(folder, ".espalier", "attempts"))
    .filter(name => name.endsWith(".log"))
    .toSorted()
    .map(name => readFileSync(join(folder, ".espalier", "attempts", name), "utf8"));
}

describe("the machine of an attempt", () => {
  it("[E65] stands in its row, and every session is an order of it", async () => {
    const orders: string[] = [];
    using bench = openBench({
      tasks: ONE,
      fleet: fleet => ({
        ...fleet,
        submit(order) {
          orders.push(order.id);
          return fleet.submit(order);
        },
      }),
    });
    const over = bench.start();
    const part = await bench.puppets.next();
    part.say(`DONE:${part.id}`);
    expect(await over).toMatchObject({ outcome: "completed" });
    const row = bench.changes.flatMap(({ attempts }) => attempts ?? []).at(-1);
    expect(row).toMatchObject({ machine: "local", outcome: "done" });
    expect(orders).toEqual([`${row?.token}/1`]);
  });

  it("[E65] says nothing against it where a stop ends the wait for a machine", async () => {
    const waiting = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    using bench = openBench({
      tasks: ONE,
      fleet: fleet => ({
        ...fleet,
        async submit() {
          waiting.resolve();
          await cancelled.promise;
          return fail({ kind: "no-machine", message: "no machine has an agent puppet" });
        },
        cancel: async () => cancelled.resolve(),
      }),
    });
    const over = bench.start();
    await waiting.promise;
    await bench.engine.send({ type: "stop", by: "you", how: "soft" });
    expect(await over).toMatchObject({ outcome: "interrupted" });
    expect(bench.events.filter(event => event.type === "warning")).toEqual([]);
    expect(bench.run.byId.get("T1.1")).toMatchObject({ retries: 0, stalls: 0 });
  });

  it("[E65] costs the task nothing when it is lost", async () => {
    using bench = openBench({ tasks: ONE, fleet: fleet => losing(fleet) });
    const over = bench.start();
    (await bench.puppets.next()).line("at work");
    const again = await bench.puppets.next();
    again.say(`DONE:${again.id}`);
    expect(await over).toMatchObject({ outcome: "completed" });
    expect(bench.run.byId.get("T1.1")).toMatchObject({ retries: 0, attempts: 2, stalls: 0 });
    const warnings = bench.events.filter(event => event.type === "warning" && event.code === "MACHINE_LOST");
    expect(warnings).toMatchObject([
      { code: "MACHINE_LOST", message: { args: { said: "the machine [redacted] does not answer" } } },
    ]);
  });

  it.each([
    ["an agent that worked there", "line", undefined, 1],
    ["an agent that worked there, by somebody's word", "line", "given-up", 0],
    ["nobody who worked there yet", "opened", undefined, 0],
  ] as const)("[RR12] is held against the task where it was lost with %s", async (_, at, how, stalls) => {
    using bench = openBench({ tasks: ONE, fleet: fleet => losing(fleet, at, how) });
    const over = bench.start();
    const part = await bench.puppets.next();
    if (at === "line") part.line("at work");
    const again = await bench.puppets.next();
    const lost = bench.changes.flatMap(({ tasks = [] }) => tasks);
    expect(Math.max(...lost.map(row => row.stalls ?? 0))).toBe(stalls);
    again.say(`DONE:${again.id}`);
    expect(await over).toMatchObject({ outcome: "completed" });
  });

  it("[E167] is told at the end of the log where it is lost, behind all that came of it", async () => {
    using bench = openBench({ tasks: ONE, fleet: fleet => losing(fleet) });
    const over = bench.start();
    const part = await bench.puppets.next();
    part.request.log("stdout", Buffer.from("half of a li"));
    part.line("at work");
    const again = await bench.puppets.next();
    again.request.log("stdout", Buffer.from("all of it\n"));
    again.say(`DONE:${again.id}`);
    expect(await over).toMatchObject({ outcome: "completed" });
    const [lost, whole] = logsIn(bench.folder);
    const why = "the machine [redacted] does not answer";
    expect(lost).toBe(
      `half of a li\n[espalier] the machine is lost (${why}): what it said after this never came\n`,
    );
    expect(whole).toBe("all of it\n");
  });
});
