import { describe, expect, it } from "vitest";
import { createLiveModel } from "../../../src/cli/views/live/live-model.ts";
import { wordsFor } from "../../../src/cli/views/words/words-for.ts";
import type { RunEvent } from "../../../src/ports/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { CONSTANT, growth } from "../../growth.ts";
import { agentSaid } from "../../reasons.ts";
import { NOON, told } from "./scene.ts";

function modelAfter(events: readonly RunEvent[], locale: Locale = "en", redact = (text: string) => text) {
  const model = createLiveModel(wordsFor(locale), redact);
  for (const [at, event] of events.entries()) model.hear(told(event, NOON + at), at);
  return model;
}

function recentOf(events: readonly RunEvent[], locale: Locale = "en") {
  return modelAfter(events, locale).recent.map(({ mark, subject, text, times }) => {
    const count = times === 1 ? "" : ` ×${times}`;
    return `${mark.sign} ${subject} ${text}${count}`;
  });
}

const started = (task: string, attempt = 1): RunEvent => ({
  type: "attempt-started",
  task,
  attempt,
  agent: "claude",
});
const said = (task: string, text: string, attempt = 1): RunEvent => ({
  type: "attempt-line",
  task,
  attempt,
  text,
});

describe("what runs", () => {
  it("[VL3] keeps the last line that says anything", () => {
    const model = modelAfter([
      started("a"),
      said("a", "one"),
      said("a", "two"),
      said("a", " \t "),
      said("a", ""),
    ]);
    expect(model.working.get("a")).toMatchObject({ agent: "claude", attempt: 1, since: 0, line: "two" });
  });

  it("[VL3] shows no signal by which an agent reports", () => {
    for (const signal of ["FAIL:a#k7f2a:no tool", "DONE:a#k7f2a", "> **DONE:a#k7f2a**", "APPROVE:a#k7f2a"]) {
      expect(modelAfter([started("a"), said("a", "one"), said("a", signal)]).working.get("a")?.line).toBe(
        "one",
      );
    }
    expect(modelAfter([started("a"), said("a", "done: 3 of 4")]).working.get("a")?.line).toBe("done: 3 of 4");
  });

  it("[VL3] hears only the newest attempt", () => {
    const model = modelAfter([started("a"), said("a", "old"), started("a", 2), said("a", "late", 1)]);
    expect(model.working.get("a")).toMatchObject({ attempt: 2, line: "", since: 2 });
    expect(modelAfter([said("ghost", "x")]).working.size).toBe(0);
  });

  it("[VL3] knows when the proof runs", () => {
    const verify: RunEvent = { type: "verify-started", task: "a", attempt: 1, command: "npm test" };
    expect(modelAfter([started("a"), verify]).working.get("a")?.verify).toBe("npm test");
    expect(modelAfter([started("a", 2), verify]).working.get("a")?.verify).toBeUndefined();
  });

  it("[VL3] [VV1] makes a line safe: redacted, without colours, its last state", () => {
    const model = modelAfter([], "en", text => text.replaceAll("hunter22", "[redacted]"));
    expect(model.safe(" \u001b[31m10%\r\u001b[32m20% hunter22\u001b[0m ")).toBe("20% [redacted]");
    expect(model.safe("\u202eevil\u0007\u009b2J")).toBe("\\u{202e}evil\\x07\\x9b2J");
    expect(model.safe("x".repeat(100_000)).length).toBe(1000);
  });

  it("[VL10] forgets what no longer runs", () => {
    const model = modelAfter([started("a"), started("b")]);
    model.keep(task => task === "b");
    expect([...model.working.keys()]).toEqual(["b"]);
  });

  it("[VL8] knows that a stop was asked for, by a person or by the run", () => {
    expect(modelAfter([]).stopping).toBe(false);
    expect(modelAfter([{ type: "stopping", by: "SIGTERM" }]).stopping).toBe(true);
    const model = modelAfter([]);
    model.stop();
    expect(model.stopping).toBe(true);
  });

  it("[VL2] a line costs constant time", () => {
    const workingOf = (size: number) =>
      modelAfter(Array.from({ length: size }, (_, at) => started(`t${at}`)));
    const say = (model: ReturnType<typeof workingOf>) => {
      for (let i = 0; i < 4000; i++) model.hear(told(said(`t${i % 500}`, `line ${i}`)), i);
      return model.working.get("t499")?.line;
    };
    expect(say(workingOf(500))).toBe("line 3999");
    expect(growth(500, workingOf, say)).toBeLessThan(CONSTANT);
  });
});

describe("what happened lately", () => {
  const blocked = (task: string): RunEvent => ({ type: "blocked", task, by: "T1.5" });

  it("[VL6] tells each kind of happening", () => {
    const events: RunEvent[] = [
      { type: "run-started", project: "p", tasks: 3, resumed: false },
      { type: "phase-started", phase: "1", title: "Domain", tasks: 3 },
      { type: "dispatched", tasks: ["T1"], retry: false },
      { type: "completed", task: "T1", verified: true, by: "agent", ms: 185_000 },
      { type: "completed", task: "T2", verified: false, by: "agent", ms: 900 },
      { type: "completed", task: "T3", verified: false, by: "children", ms: 0 },
      { type: "attempt-failed", task: "T4", reason: agentSaid("TypeError"), retries: 1, maxAttempts: 10 },
      { type: "retry-scheduled", task: "T4", inMs: 9000 },
      { type: "failed", task: "T4", reason: agentSaid("TypeError") },
      { type: "paused", task: "T5", reason: agentSaid("same error"), by: "rule" },
      { type: "waiting", task: "T6", agent: "claude", until: NOON },
      { type: "unblocked", task: "T7" },
    ];
    expect(recentOf(events)).toEqual([
      "▶  Phase 1  started, 3 tasks",
      "✓ T1 3m05s",
      "✓? T2 900ms  unverified",
      "✓ T3 ",
      "✗ T4 TypeError  retry 1/10",
      "✗ T4 no attempts left: TypeError",
      "‖ T5 same error",
      "~ T6 claude is out of quota until 12:00",
      "○ T7 no longer blocked",
    ]);
  });

  it("[VL6] tells what people, gates and surprises do", () => {
    const events: RunEvent[] = [
      { type: "person", action: "retry", task: "T1", note: "" },
      { type: "person", action: "skip", task: "T1", note: "not now" },
      { type: "person", action: "pause", task: "T1", note: "told by the pause itself" },
      { type: "person", action: "dance", task: "T1", note: "" },
      { type: "phase-ended", phase: "1", completed: 8, counted: 10 },
      { type: "phase-gated", phase: "1", completed: 8, counted: 10 },
      { type: "phase-forced", phase: "2", by: "kim" },
      { type: "foreign-signal", task: "T2", text: "DONE:T3" },
      { type: "plan-changed", added: 1, removed: 2, changed: 3 },
      { type: "warning", code: "NO_SIGNAL", message: agentSaid("nothing said"), task: "T2" },
      { type: "saturation", percent: 81, level: "save" },
      { type: "run-ended", outcome: "completed", reason: undefined },
    ];
    expect(recentOf(events)).toEqual([
      "! T1 retry",
      "! T1 skip: not now",
      "! T1 dance",
      "✓  Phase 1  ended, 8/10 done",
      "‖  Phase 1  only 8/10 done: the next phase waits for you",
      "!  Phase 2  forced open by kim",
      '! T2 said "DONE:T3": not its own signal, ignored',
      "!  task file changed: 1 added, 2 removed, 3 changed",
      "! T2 NO_SIGNAL: nothing said",
      "!  the lead's window is 81 % full",
    ]);
    expect(recentOf(events, "ko")[1]).toBe("! T1 건너뛰기: not now");
    expect(recentOf(events, "ko")[4]).toBe("‖  단계 1  8/10만 완료: 다음 단계는 사용자 확인 대기");
  });

  it("[VL6] a repetition raises a count, a wave of blocked tasks is one line", () => {
    const warning: RunEvent = { type: "warning", code: "STATE_NOT_WRITTEN", message: agentSaid("disk full") };
    const other: RunEvent = { type: "warning", code: "STATE_NOT_WRITTEN", message: agentSaid("still full") };
    expect(recentOf([warning, warning, warning, other])).toEqual([
      "!  STATE_NOT_WRITTEN: disk full ×3",
      "!  STATE_NOT_WRITTEN: still full",
    ]);
    expect(recentOf([blocked("T2.1"), blocked("T2.2"), blocked("T2.3")])).toEqual(["⊘ T2.1 by T1.5 ×3"]);
  });

  it("[VL6] [VV1] keeps only the latest, safe and short", () => {
    const events = Array.from(
      { length: 100 },
      (_, at): RunEvent => ({
        type: "paused",
        task: `T${at}\u001b[2J`,
        reason: agentSaid(`r${at}\n${"y".repeat(9999)}`),
        by: "rule",
      }),
    );
    const recent = recentOf(events);
    expect(recent).toHaveLength(12);
    expect(recent.at(-1)).toContain("‖ T99\\x1b[2J r99\\nyyy");
    expect(recent.at(-1)!.length).toBeLessThan(400);
  });

  it("[VL6] masks secrets before they can be cut in two", () => {
    const secret = "s3cr3t".repeat(100);
    const model = modelAfter(
      [{ type: "paused", task: "T1", reason: agentSaid(`${"x".repeat(250)}${secret}`), by: "rule" }],
      "en",
      text => text.replaceAll(secret, "[redacted]"),
    );
    expect(model.recent[0]?.text).not.toContain("s3cr3t");
  });
});
