import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../../src/ports/index.ts";
import { createHub } from "../../src/server/hub.ts";
import type { Monitor } from "../../src/server/index.ts";
import type { ChangeMessage, OutputMessage } from "../../src/server/shapes/stream.ts";
import { createParser, type Sent } from "../../web/src/state/sse.ts";
import { openStage, row, type Stage } from "./stage.ts";

const TASKS = "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n### [ ] T1.2: Roof\n- depends_on: [T1.1]\n";

let stage: Stage;
beforeEach(async () => {
  stage = await openStage({ tasks: TASKS });
});
afterEach(() => stage[Symbol.asyncDispose]());

/** A page that listens. */
async function listen(query = "", since?: string) {
  const abort = new AbortController();
  const response = await fetch(`${stage.page.origin}/api/stream${query}`, {
    headers: {
      authorization: `Bearer ${stage.page.token}`,
      ...(since === undefined ? {} : { "last-event-id": since }),
    },
    signal: abort.signal,
  });
  const heard: Sent[] = [];
  const waiting = new Set<() => void>();
  const parse = createParser(sent => {
    heard.push(sent);
    for (const look of waiting) look();
  });
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parse(decoder.decode(chunk, { stream: true }));
  })().catch(() => {});
  return {
    response,
    heard,
    changes: () =>
      heard.filter(one => one.event === "change").map(one => JSON.parse(one.data) as ChangeMessage),
    outputs: () =>
      heard.filter(one => one.event === "output").map(one => JSON.parse(one.data) as OutputMessage),
    /** Resolves once what was heard satisfies the check. */
    until: (check: () => boolean) =>
      new Promise<void>(resolve => {
        const look = () => {
          if (!check()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async leave() {
      abort.abort();
      await reading;
    },
  };
}

async function revision(): Promise<string> {
  return ((await (await stage.get("/api/run")).json()) as { revision: string }).revision;
}

describe("the stream", () => {
  it("[W133] tells that the shared context has moved, once, and nothing of what was there before", async () => {
    const entry = { at: 1, label: "GC", entry: "{}" };
    stage.commit({ context: { log: [entry, entry] } });
    const page = await listen("", await revision());
    stage.commit({ context: { log: Array.from({ length: 1200 }, () => entry) } });
    await page.until(() => page.changes().length > 0);
    stage.commit({ tasks: [row("T1.1", { status: "in_progress", attempts: 1 })] });
    await page.until(() => page.changes().length > 1);
    expect(page.changes()[0]).toEqual({ context: 1202 });
    expect(page.changes()[1]).toMatchObject({ tasks: [{ id: "T1.1" }] });
    expect(page.changes()[1]).not.toHaveProperty("context");
    await page.leave();
  });

  it("[W20] tells what moved and nothing else", async () => {
    const page = await listen("", await revision());
    stage.commit({ tasks: [row("T1.1", { status: "in_progress", attempts: 1 })] });
    stage.happen({ type: "dispatched", tasks: ["T1.1"], retry: false });
    await page.until(() => page.changes().some(change => change.events?.length === 1));
    const tasks = page.changes().flatMap(change => change.tasks ?? []);
    expect(tasks.map(task => [task.id, task.status])).toEqual([["T1.1", "in_progress"]]);
    expect(page.changes().flatMap(change => change.events ?? [])[0]?.event).toEqual({
      type: "dispatched",
      tasks: ["T1.1"],
      retry: false,
    });
    await page.leave();
  });

  it("[W21] goes on from the last event id: nothing twice, nothing missed", async () => {
    const first = await listen("", await revision());
    stage.happen({ type: "phase-started", phase: "1", title: "Build", tasks: 2 });
    await first.until(() => first.changes().length > 0);
    const last = first.heard.findLast(one => one.id !== "")?.id ?? "";
    await first.leave();
    const keeper = await listen("", last);
    stage.happen({ type: "phase-forced", phase: "1", by: "ann" });
    await keeper.until(() => keeper.changes().length > 0);
    const second = await listen("", last);
    await second.until(() => second.changes().length > 0);
    expect(
      second
        .changes()
        .flatMap(change => change.events ?? [])
        .map(one => one.event.type),
    ).toEqual(["phase-forced"]);
    await keeper.leave();
    await second.leave();
  });

  it.each(["", "nonsense", "000000000000-1", "-1"])(
    "[W22] an id %j of another start is answered by a reset",
    async since => {
      const page = await listen("", since === "" ? "x" : since);
      await page.until(() => page.heard.length > 0);
      expect(page.heard[0]?.event).toBe("reset");
      await page.leave();
    },
  );

  it("[W23] another plan is a reset: the page reads the whole again", async () => {
    const page = await listen("", await revision());
    const { run } = (await (await stage.get("/api/run")).json()) as { run: { id: string } };
    expect(run.id).toBe("run-1");
    const stored = stage.store.load();
    const before = stored.ok ? stored.value?.run : undefined;
    stage.commit({ run: { ...before!, plan: before!.plan.replace("Walls", "Fences") } });
    await page.until(() => page.heard.some(one => one.event === "reset"));
    const after = (await (await stage.get("/api/run")).json()) as { plan: { title: string }[] };
    expect(after.plan[0]?.title).toBe("Fences");
    await page.leave();
  });

  it("[W24] agents may say 10,000 lines: a page hears the newest in few messages", async () => {
    const page = await listen("?task=T1.1", await revision());
    for (let at = 1; at <= 10_000; at++)
      stage.say({ type: "attempt-line", task: "T1.1", attempt: 1, text: `line ${at}` });
    await page.until(() => page.outputs().some(output => output.last?.["T1.1"] === "line 10000"));
    expect(page.outputs().length).toBeLessThan(20);
    const lines = page.outputs().flatMap(output => output.lines ?? []);
    expect(lines.at(-1)).toEqual({ n: 10_000, text: "line 10000" });
    expect(lines.length).toBeLessThanOrEqual(600);
    await page.leave();
  });

  it("[W25] the lines of a task are for who follows it; others hear the last one", async () => {
    const other = await listen("?task=T1.2", await revision());
    stage.say({ type: "attempt-line", task: "T1.1", attempt: 1, text: "hello" });
    await other.until(() => other.outputs().length > 0);
    expect(other.outputs()[0]).toEqual({ last: { "T1.1": "hello" } });
    const late = await listen("?task=T1.1", await revision());
    await late.until(() => late.outputs().length > 0);
    expect(late.outputs()[0]).toEqual({ attempt: 1, lines: [{ n: 1, text: "hello" }] });
    await other.leave();
    await late.leave();
  });

  it("[W19] signals are told to nobody, neither as last words nor as lines", async () => {
    const page = await listen("?task=T1.1", await revision());
    for (const text of [
      "12 tests passed",
      "DONE:T1.1#k7f2",
      "  FAIL:T1.1#k7f2:no",
      "**APPROVE:T1.1#x**",
      "[DONE] T1.1",
      "   ",
    ])
      stage.say({ type: "attempt-line", task: "T1.1", attempt: 1, text });
    stage.say({ type: "attempt-line", task: "T1.2", attempt: 1, text: "DONE:T1.2#k7f2" });
    await page.until(() => page.outputs().flatMap(output => output.lines ?? []).length === 2);
    const last = page.outputs().flatMap(output => (output.last === undefined ? [] : [output.last]));
    expect(Object.assign({}, ...last)).toEqual({ "T1.1": "12 tests passed" });
    await page.leave();
  });

  it("[W26] a burst of 1,000 durable events reaches the page whole, in few messages", async () => {
    const page = await listen("", await revision());
    for (let at = 0; at < 1000; at++) stage.happen({ type: "unblocked", task: "T1.2" });
    const seen = () => page.changes().flatMap(change => change.events ?? []);
    await page.until(() => page.heard.some(one => one.event === "reset") || seen().length === 1000);
    expect(page.heard.length).toBeLessThan(120);
    await page.leave();
  });

  it("[W26] looks take a fifth of the time; one that had to wait for a processor holds no change up", () => {
    let [time, cost] = [0, 0];
    const due: { at: number; run: () => void }[] = [];
    const clock: Clock = {
      portVersion: 1,
      now: () => time,
      monotonic: () => time,
      after(ms, run) {
        const one = { at: time + ms, run };
        due.push(one);
        return () => due.splice(due.indexOf(one), 1);
      },
    };
    const monitor: Monitor = {
      ...stage.monitor,
      read() {
        time += cost;
        return stage.monitor.read();
      },
    };
    const hub = createHub(monitor, clock, "boot");
    const leave = hub.join({ task: undefined, hear: () => {} }, undefined);
    /** How long after a look that took so long the next one is. */
    const rest = (ms: number) => {
      cost = ms;
      const { at, run } = due.splice(0)[0]!;
      time = Math.max(time, at);
      run();
      stage.commit({ tasks: [row("T1.1", { attempts: time })] });
      return due[0]!.at - time;
    };
    expect([1, 20, 20, 20, 20].map(rest)).toEqual([40, 40, 40, 40, 100]);
    expect([400, 400, 400, 400].map(rest)).toEqual([100, 100, 100, 2000]);
    leave();
    hub.close();
  });

  it("[W27] says when nobody runs the project any more, and when somebody does again", async () => {
    const page = await listen("", await revision());
    stage.setLink({ live: false, held: false });
    await page.until(() => page.changes().some(change => change.link?.live === false));
    expect(page.changes().find(change => change.run !== undefined)?.run?.state).toBe("interrupted");
    stage.setLink({ live: true, held: true });
    await page.until(() => page.changes().some(change => change.link?.held === true));
    await page.leave();
  });

  it("[W29] somebody is there while a page is open; what agents ask reaches it, and the answer goes back", async () => {
    expect(stage.present()).toBe(0);
    const page = await listen("", await revision());
    const second = await listen();
    expect(stage.present()).toBe(1);
    const asked = {
      type: "asked",
      id: 7,
      task: "T1.1",
      attempt: 1,
      kind: "execute",
      title: "rm -rf\u202e",
    } as const;
    stage.setLink({ asked: [asked] });
    await page.until(() => page.changes().some(change => change.link?.asked.length === 1));
    expect(page.changes().find(change => change.link)?.link?.asked[0]).toEqual({
      id: 7,
      task: "T1.1",
      attempt: 1,
      kind: "execute",
      title: "rm -rf\\u{202e}",
    });
    await stage.post({ kind: "permit", id: 7, allowed: true });
    expect(stage.asked).toEqual([{ method: "permit", id: 7, allowed: true, by: "dashboard (ann)" }]);
    await page.leave();
    await second.leave();
    await expect.poll(() => stage.present()).toBe(0);
  });

  it("[W28] no more than 24 streams are open at once; one that leaves makes room", async () => {
    const pages = await Promise.all(Array.from({ length: 24 }, () => listen()));
    expect(pages.every(page => page.response.status === 200)).toBe(true);
    expect((await stage.get("/api/stream")).status).toBe(503);
    await pages[0]!.leave();
    let again = await listen();
    while (again.response.status === 503) again = await listen();
    expect(again.response.status).toBe(200);
    for (const page of [...pages.slice(1), again]) await page.leave();
  });

  it("[W28] asking for the head of a stream opens none, and nobody counts as there", async () => {
    const headers = { authorization: `Bearer ${stage.page.token}` };
    for (let at = 0; at < 30; at++)
      await fetch(`${stage.page.origin}/api/stream`, { method: "HEAD", headers });
    expect(stage.present()).toBe(0);
    const page = await listen();
    expect(page.response.status).toBe(200);
    await page.leave();
  });
});
