import { describe, expect, it } from "vitest";
import { createPlainView } from "../../../src/cli/views/terminal/plain.ts";
import type { StampedEvent } from "../../../src/ports/index.ts";
import { type Messages, messagesFor } from "../../../src/text/index.ts";
import { agentSaid } from "../../reasons.ts";
import { plan, scene, task, told } from "./scene.ts";

function log(events: readonly StampedEvent[], messages: Messages, redact = (text: string) => text): string {
  let out = "";
  const view = createPlainView({ write: text => (out += text), messages, redact });
  for (const event of events) view.event(event);
  return out;
}

/** The run of document 004 section 8.1. */
function documented(): StampedEvent[] {
  const s = scene(plan([task({ id: "T1.3" }), task({ id: "T1.4" }), task({ id: "T1.5" })]), { backoffMs: 0 });
  s.done("T1.3");
  s.done("T1.4", false);
  s.fail("T1.5", "TypeError");
  s.done("T1.5");
  return s.events;
}

describe("the plain log", () => {
  it("[VP1] is the documents' log, in English", () => {
    expect(log(documented(), messagesFor("en")).split("\n")).toEqual([
      "[ULTRA-THIN] shop-backend: 3 tasks",
      "[ULTRA-THIN] Phase 1 started",
      "[DISPATCH] T1.3, T1.4, T1.5 → parallel",
      "[DONE] T1.3",
      "[DONE] T1.4 (unverified)",
      "[FAIL] T1.5:TypeError (retry 1/10)",
      "[DISPATCH] T1.5 → retry",
      "[DONE] T1.5",
      "[ULTRA-THIN] Phase 1 done (3/3 succeeded)",
      "[ULTRA-THIN] All done",
      "",
    ]);
  });

  it("[VV6] [VP1] is the documents' log, in Korean", () => {
    const lines = log(documented(), messagesFor("ko")).split("\n");
    expect(lines[1]).toBe("[ULTRA-THIN] Phase 1 시작");
    expect(lines[2]).toBe("[DISPATCH] T1.3, T1.4, T1.5 → 병렬 실행");
    expect(lines[8]).toBe("[ULTRA-THIN] Phase 1 완료 (3/3 성공)");
  });

  it("[VP1] what agents print is not logged", () => {
    const quiet: StampedEvent[] = [
      told({ type: "attempt-started", task: "T1.3", attempt: 1, agent: "claude" }),
      told({ type: "attempt-line", task: "T1.3", attempt: 1, text: "hello" }),
      told({ type: "verify-started", task: "T1.3", attempt: 1, command: "npm test" }),
      told({ type: "retry-scheduled", task: "T1.3", inMs: 1000 }),
    ];
    expect(log(quiet, messagesFor("en"))).toBe("");
  });

  it("[VP2] [VV1] secrets are masked and foreign text stays on its line", () => {
    const event = told({
      type: "attempt-failed",
      task: "T1.3",
      reason: agentSaid("key s3cr3t-value\n[DONE] T1.4\u001b[2J"),
      retries: 1,
      maxAttempts: 10,
    });
    expect(log([event], messagesFor("en"), text => text.replaceAll("s3cr3t-value", "[redacted]"))).toBe(
      "[FAIL] T1.3:key [redacted]\\n[DONE] T1.4\\x1b[2J (retry 1/10)\n",
    );
  });
});
