import { describe, expect, it } from "vitest";
import type { Fleet, Order } from "../../src/ports/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";
import type { Part } from "./puppets.ts";
import { openSite } from "./site.ts";
import { workspacesThatLand } from "./still-workspaces.ts";

const failure = { kind: "exit", message: "exit 1", retryable: true } as const;

/** One turn of a session that names itself, and fails its task. */
function fail(part: Part, session: string): void {
  part.tell({ type: "session", id: session });
  part.say(`FAIL:${part.id}:not yet`);
}

async function over(bench: Bench, end: Promise<unknown>): Promise<void> {
  const last = await bench.puppets.next();
  last.say(`DONE:${last.id}`);
  expect(await end).toMatchObject({ outcome: "completed" });
}

describe("the session of the attempt before", () => {
  it("[E66] is gone on with where its folder is as it was, until that fails", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    const resumes = [];
    const first = await bench.puppets.next();
    resumes.push(first.request.resume);
    fail(first, "s-1");
    const second = await bench.puppets.next();
    resumes.push(second.request.resume);
    second.tell({ type: "session", id: "s-1" });
    second.end({ kind: "failed", failure, finalMessage: "" });
    const third = await bench.puppets.next();
    resumes.push(third.request.resume);
    fail(third, "s-2");
    const fourth = await bench.puppets.next();
    resumes.push(fourth.request.resume);
    fourth.say("no signal, and no session told");
    expect(resumes).toEqual([undefined, "s-1", undefined, "s-2"]);
    await over(bench, end);
  });

  it("[E66] is not by an agent that cannot", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    fail(await bench.puppets.next(), "s-1");
    const again = await bench.puppets.next();
    expect(again.request.resume).toBeUndefined();
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E166] is asked for on the machine that had it, unless it was cut off there", async () => {
    const puppets = { followUp: true, abilities: { resume: false, resumesThere: true } };
    const orders: Order[] = [];
    const fleet = (local: Fleet): Fleet => ({
      ...local,
      submit(order) {
        orders.push(order);
        return local.submit(order);
      },
    });
    using bench = openBench({ tasks: ONE, puppets, fleet });
    void bench.start();
    fail(await bench.puppets.next(), "s-1");
    const second = await bench.puppets.next();
    second.tell({ type: "session", id: "s-1" });
    second.line("seen");
    await bench.event(event => event.type === "attempt-line");
    await bench.engine.send({ type: "tick" });
    using next = openBench({ tasks: ONE, place: bench.place, resume: true, puppets, fleet });
    const end = next.start();
    await over(next, end);
    const rows = next.changes.flatMap(({ attempts = [] }) => attempts);
    expect(rows[0]).toMatchObject({ number: 2, outcome: "crashed", session: "s-1", machine: "local" });
    expect(orders.map(({ resume, prefers }) => [resume, prefers])).toEqual([
      [undefined, undefined],
      ["s-1", "local"],
      [undefined, undefined],
    ]);
  });

  it.each([
    ["kept", undefined],
    ["given", "s-1"],
    ["none", "s-1"],
  ] as const)("[E66] goes by what became of its work: %s", async (kind, resume) => {
    let opened = 0;
    const workspaces = workspacesThatLand(
      async () => ({ ok: true, value: { kind: "landed", commit: "1", joined: [] } }),
      () => (opened++ === 0 ? undefined : kind === "kept" ? { kind, ref: "refs/espalier/left/x" } : { kind }),
    );
    using bench = openBench({ tasks: ONE, puppets: { followUp: true }, world: { workspaces } });
    const end = bench.start();
    fail(await bench.puppets.next(), "s-1");
    const again = await bench.puppets.next();
    expect(again.request.resume).toBe(resume);
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it.each([
    ["alone in its phase", "### [ ] T1.1: a\n"],
    ["beside others", "### [ ] T1.1: a\n### [x] T1.2: b\n### [ ] T1.3: c\n"],
  ])("[E66] in a repository it is gone on with until its work is taken out: %s", async (_, tasks) => {
    using site = await openSite({ tasks, puppets: { followUp: true } });
    const end = site.bench.start();
    const next = () => site.bench.puppets.next("T1.1");
    const first = await next();
    expect(first.prompt).not.toContain("Your folder");
    fail(first, "s-1");
    const second = await next();
    expect(second.request.resume).toBe("s-1");
    expect(second.prompt).toContain("the attempt before left nothing in it");
    site.edit(second, "two\n");
    fail(second, "s-1");
    const third = await next();
    expect(third.request.resume).toBeUndefined();
    expect(third.prompt).toContain("What the attempt before left there was taken out");
    site.done(third);
    if (tasks.includes("T1.3")) site.done(await site.bench.puppets.next("T1.3"));
    expect(await end).toMatchObject({ outcome: "completed" });
  });
});
