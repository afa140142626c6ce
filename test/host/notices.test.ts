import { describe, expect, it } from "vitest";
import { refusalOf } from "../../src/budget/index.ts";
import { createNoticeView } from "../../src/host/notify/view.ts";
import {
  because,
  fail,
  few,
  type NoticeMessage,
  type Notifier,
  ok,
  type Reason,
  type RunEvent,
} from "../../src/ports/index.ts";
import { createSpending, DEFAULT_POLICY, type RunState, restoreRun } from "../../src/run/index.ts";
import { noticeText } from "../../src/text/index.ts";
import { ManualClock, quiet } from "../engine/manual-clock.ts";
import { agentSaid } from "../reasons.ts";
import { plan, task } from "../run/build.ts";

/** A notifier that answers when it is told to; what it heard. */
function listener(answer: () => Promise<void> = async () => {}, name = "test") {
  const heard: NoticeMessage[] = [];
  const notifier: Notifier = {
    portVersion: 2,
    name,
    async notify(message) {
      heard.push(message);
      await answer();
      return ok(undefined);
    },
  };
  return { heard, notifier };
}

function runOf(...ids: readonly string[]): RunState {
  return restoreRun(plan(...ids.map(id => task(id))), [], { policy: DEFAULT_POLICY });
}

const EVERY = 30_000;

function view(run: RunState, notifiers: readonly Notifier[], ready: readonly string[] = []) {
  const clock = new ManualClock();
  const warned: Reason[] = [];
  const work = {
    target: "main",
    aside: [],
    phases: ready.map(phase => ({ phase, state: "waits" as const, branch: `phase/${phase}-x` })),
  };
  const made = createNoticeView({
    notifiers,
    run,
    clock,
    everyMs: EVERY,
    aftermath: async () => ({
      work,
      taken: { attempts: 1, tokens: 1200, estimated: 0, cost: 1.5, unpriced: 0 },
    }),
    warn: message => warned.push(message),
  });
  let seq = 0;
  const hear = (event: RunEvent) => made.event({ seq: ++seq, at: 1000 + seq, event });
  return { clock, warned, made, hear };
}

const paused = (id: string, reason: Reason = agentSaid("TypeError"), by: "rule" | "person" = "rule") =>
  ({ type: "paused", task: id, reason, by }) as const;
const asked = (id: number) =>
  ({ type: "asked", task: "T1.1", attempt: 1, id, kind: "execute", title: "git push" }) as const;
const ended = (outcome: "waiting" | "completed" | "failed", reason?: Reason) =>
  ({ type: "run-ended", outcome, reason }) as const;

describe("who is told what", () => {
  it.each([
    [paused("T1.1"), "espalier task resume T1.1"],
    [paused("T1.1", because("text-changed", {})), "espalier task show T1.1"],
    [paused("T1.1", because("run-block-unapproved", {})), "espalier resume"],
    [paused("T1.1", because("nobody-answered", { kind: "edit", said: "x" })), "espalier permit T1.1"],
    [paused("T 1;rm"), "espalier task resume 'T 1;rm'"],
    [asked(7), "espalier permit 7"],
    [{ type: "phase-left", phase: "1", branch: "phase/1-x", how: "" }, "espalier phase merge 1"],
    [{ type: "phase-refused", phase: "1", reason: agentSaid("red") }, "espalier phase show 1"],
    [{ type: "phase-gated", phase: "1", completed: 1, counted: 4 }, "espalier phase show 1"],
  ] as const)("[HO50] %j is told with what is typed to go on", async (event, command) => {
    const { heard, notifier } = listener();
    const { clock, hear } = view(runOf("T1.1"), [notifier]);
    hear(event);
    await clock.advance(1000);
    expect(heard).toMatchObject([{ notices: [{ command }] }]);
    const text = noticeText(heard[0]!, "en").split("\n");
    expect(text.at(-1)).toBe(`└── Go on: ${command}`);
  });

  it("[HO50] nobody is told what they did themselves, and lines of agents are no news", async () => {
    const { heard, notifier } = listener();
    const { clock, hear, made } = view(runOf("T1.1"), [notifier]);
    hear(paused("T1.1", because("paused-by-person", {}), "person"));
    hear({ type: "attempt-line", task: "T1.1", attempt: 1, text: "working" });
    hear({ type: "completed", task: "T1.1", verified: true, by: "agent", ms: 1 });
    await clock.advance(60_000);
    await made.drained();
    expect(heard).toEqual([]);
  });

  it("[HO50] a run in which nothing moves before an agent has quota again says until when, once", async () => {
    const { heard, notifier } = listener();
    const run = runOf("T1.1", "T1.2");
    const { clock, hear } = view(run, [notifier]);
    const waiting = (id: string) => ({ type: "waiting", task: id, agent: "codex", until: 9 }) as const;
    run.counts = { ...run.counts, pending: 0, ready: 0, in_progress: 1, waiting: 1 };
    Object.assign(run.byId.get("T1.1")!, { status: "waiting", notBefore: 2_000_000 });
    hear(waiting("T1.1"));
    await clock.advance(EVERY);
    expect(heard).toEqual([]);
    run.counts = { ...run.counts, in_progress: 0, waiting: 2 };
    Object.assign(run.byId.get("T1.2")!, { status: "waiting", notBefore: 1_000_000 });
    hear(waiting("T1.2"));
    hear(waiting("T1.2"));
    await clock.advance(EVERY);
    expect(heard).toMatchObject([{ notices: [{ kind: "quota", tasks: 2, until: 1_000_000 }] }]);
  });

  it("[HO50] the end for want of budget is told as a stop by the budget, once, with what would allow it", async () => {
    const run = runOf("T1.1");
    run.spending = createSpending({ maxTokens: 10 }, []);
    run.spending.refusal = refusalOf({ maxTokens: 10 }, { tokens: 9, cost: 0 }, { tokens: 5, cost: 0 });
    const left = { tasks: 1, tokens: 5, cost: 0, option: "--max-tokens 20" };
    const reason = because("budget-reached", { used: { tokens: 9, maxTokens: 10 }, left });
    run.ended = { outcome: "waiting", reason };
    const { heard, notifier } = listener();
    const { hear, made } = view(run, [notifier]);
    hear(ended("waiting", reason));
    await made.drained();
    const command = "espalier resume --max-tokens 20";
    expect(heard).toMatchObject([{ notices: [{ kind: "budget", reason, command }] }]);
  });

  it("[HO50] any other end is a summary: what was done, what is unproven, what it took, what is merged next", async () => {
    const run = runOf("T1.1", "T1.2");
    run.ended = { outcome: "completed", reason: undefined };
    Object.assign(run.byId.get("T1.1")!, { status: "completed", verified: true });
    Object.assign(run.byId.get("T1.2")!, { status: "completed", verified: false });
    const { heard, notifier } = listener();
    const { hear, made } = view(run, [notifier], ["1"]);
    hear({ type: "run-started", project: "demo", tasks: 2, resumed: false });
    hear(ended("completed"));
    await made.drained();
    expect(heard.map(message => noticeText(message, "en"))).toEqual([
      `🎉 All done!
├── Project: ${run.plan.project}
├── Completed: 2, 1 unverified
├── Took: 1ms, 1,200 tokens, $1.50
├── Ready to merge: 1
└── Go on: espalier phase merge 1`,
    ]);
  });

  it("[HO50] a run that breaks off is told with why", async () => {
    const { heard, notifier } = listener();
    const { made } = view(runOf("T1.1"), [notifier]);
    made.broke("the disk is full");
    await made.drained();
    expect(heard).toMatchObject([{ notices: [{ kind: "emergency", said: "the disk is full" }] }]);
  });
});

describe("a storm", () => {
  it("[HO51] is one message: the most urgent are named, the rest counted, with one command for all", async () => {
    const { heard, notifier } = listener();
    const { clock, hear } = view(runOf("T1.1"), [notifier]);
    hear({ type: "phase-ended", phase: "1", completed: 1, counted: 1 });
    for (let at = 0; at < 300; at++) hear(paused(`T1.${at}`));
    hear(asked(3));
    expect(heard).toEqual([]);
    await clock.advance(1000);
    expect(heard).toHaveLength(1);
    const { notices, more } = heard[0]!;
    expect([notices[0]?.kind, notices.length, more]).toEqual(["asked", 6, 295]);
    const text = noticeText(heard[0]!, "en");
    expect(text).toContain("⏸ 301 things wait for you");
    expect(text).toContain("⏸ T1.0 waits for you: TypeError → espalier task resume T1.0");
    expect(text.split("\n").at(-1)).toBe("└── Go on: espalier status");
    expect(text.length).toBeLessThan(2500);
  });

  it("[HO51] goes on as one message in each span, however many come", async () => {
    const { heard, notifier } = listener();
    const { clock, hear } = view(runOf("T1.1"), [notifier]);
    for (let second = 0; second < 90; second++) {
      hear(paused(`T1.${second}`));
      await clock.advance(1000);
    }
    expect(heard.map(({ notices, more }) => notices.length + more)).toEqual([1, 30, 30]);
  });

  it("[HO51] what is over before it is told is not told", async () => {
    const { heard, notifier } = listener();
    const { clock, hear } = view(runOf("T1.1"), [notifier]);
    hear(asked(1));
    hear(paused("T1.1"));
    hear(paused("T1.2"));
    hear({ type: "answered", task: "T1.1", id: 1, allowed: true, by: "ann" });
    hear({ type: "dispatched", tasks: ["T1.1"], retry: true });
    await clock.advance(1000);
    expect(heard).toMatchObject([{ notices: [{ kind: "paused", task: "T1.2" }], more: 0 }]);
  });

  it("[HO51] the end waits for no span, and takes along what has not been told", async () => {
    const run = runOf("T1.1");
    const { heard, notifier } = listener();
    const { clock, hear } = view(run, [notifier]);
    hear(paused("T1.1"));
    await clock.advance(1000);
    hear(paused("T1.2"));
    run.ended = { outcome: "waiting", reason: undefined };
    hear(ended("waiting"));
    await quiet();
    expect(heard).toHaveLength(2);
    expect(heard[1]).toMatchObject({ notices: [{ kind: "run-ended" }, { kind: "paused", task: "T1.2" }] });
  });

  it("[HO51] what comes while a message is on its way is the next one", async () => {
    const first = Promise.withResolvers<void>();
    const { heard, notifier } = listener(() => first.promise);
    const { clock, hear } = view(runOf("T1.1"), [notifier]);
    hear(paused("T1.1"));
    await clock.advance(1000);
    hear(paused("T1.2"));
    hear(paused("T1.3"));
    await clock.advance(10 * EVERY);
    expect(heard).toHaveLength(1);
    first.resolve();
    await quiet();
    await clock.advance(1000);
    expect(heard[1]).toMatchObject({ notices: [{ task: "T1.2" }, { task: "T1.3" }] });
  });
});

describe("whoever cannot be told", () => {
  it("[HO52] is broken off once a run that was told to stop has waited 2 s", {
    timeout: 20_000,
  }, async () => {
    const run = runOf("T1.1");
    run.stopping = true;
    const hanging: Notifier = {
      portVersion: 2,
      name: "webhook",
      notify: (_, over) =>
        new Promise(resolve => {
          over?.addEventListener("abort", () => resolve(fail("no time was left")), { once: true });
        }),
    };
    const { hear, made, warned } = view(run, [hanging]);
    hear(ended("waiting"));
    await made.drained();
    expect(warned).toEqual([because("not-told", { notifier: "webhook", said: "no time was left" })]);
  });

  it("[HO52] is named once the end has waited 2 s, and broken off after 10", {
    timeout: 20_000,
  }, async () => {
    const hanging: Notifier = {
      portVersion: 2,
      name: "command",
      notify: (_, over) =>
        new Promise(resolve => {
          over?.addEventListener("abort", () => resolve(fail("no time was left")), { once: true });
        }),
    };
    const { heard, notifier } = listener();
    const { hear, made, warned } = view(runOf("T1.1"), [hanging, notifier]);
    hear(ended("completed"));
    await made.drained();
    expect(heard).toHaveLength(1);
    expect(warned).toEqual([
      because("still-telling", { notifiers: few(["command"]), ms: 8_000 }),
      because("not-told", { notifier: "command", said: "no time was left" }),
    ]);
  });

  it("[HO52] is one warning, and the others are told", async () => {
    const notify = async () => fail("no answer");
    const broken: Notifier = { portVersion: 2, name: "slack", notify };
    const { heard, notifier } = listener();
    const { clock, hear, warned } = view(runOf("T1.1"), [broken, notifier]);
    hear(paused("T1.1"));
    await clock.advance(EVERY);
    hear(paused("T1.2"));
    await clock.advance(EVERY);
    expect(heard).toHaveLength(2);
    expect(warned).toEqual([because("not-told", { notifier: "slack", said: "no answer" })]);
  });
});
