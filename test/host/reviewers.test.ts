import { describe, expect, it } from "vitest";
import { requireDiffs, requireReviewer } from "../../src/host/run/require-agents.ts";
import { reviewsIn } from "../../src/host/run/reviews.ts";
import type { Agent, RunEvent } from "../../src/ports/index.ts";
import { because } from "../../src/ports/index.ts";
import { Puppets } from "../engine/puppets.ts";

const judge = new Puppets({ name: "judge" }).agent;
const agents = new Map<string, Agent>([
  ["judge", judge],
  ["shell", new Puppets({ name: "shell", reports: "exit" }).agent],
  ["gone", { ...judge, name: "gone", probe: async () => ({ found: false, problem: "not on PATH" }) }],
]);

describe("reviewers", () => {
  it("[HO28] that are there and answer may review", async () => {
    await expect(requireReviewer("judge", "review.agent", agents)).resolves.toMatchObject({ agent: judge });
  });

  it.each([
    ["jugde", "UNKNOWN_AGENT", 'no agent named "jugde" (needed by review.agent)'],
    [
      "shell",
      "NO_REVIEWER",
      "agent shell cannot review: it tells only an exit code (needed by review.agent)",
    ],
    ["gone", "AGENT_NOT_FOUND", "agent gone: not on PATH"],
  ])("[HO28] that cannot are refused before anything starts: %s", async (name, code, message) => {
    await expect(requireReviewer(name, "review.agent", agents)).rejects.toMatchObject({ code, message });
  });

  it("[HO28] that are required need a repository", () => {
    const review = { agent: "judge", rounds: 2, required: true };
    expect(() => requireDiffs({ review }, false)).toThrow("review.required: true needs a git repository");
    expect(() => requireDiffs({ review }, true)).not.toThrow();
    expect(() => requireDiffs({ review: { ...review, required: false } }, false)).not.toThrow();
  });

  it("[HO22] are told by what a run said of each task last", () => {
    const reviewed = (task: string, verdict: "approved" | "findings", round: number): RunEvent => ({
      type: "reviewed",
      task,
      attempt: 1,
      by: "judge",
      verdict,
      round,
    });
    const person = (task: string, action: string): RunEvent => ({
      type: "person",
      action,
      task,
      note: "",
      by: "ray",
    });
    const message = because("unreviewed", { by: "judge", why: because("no-signal", {}) });
    const none = (task: string): RunEvent => ({ type: "warning", code: "UNREVIEWED", message, task });
    const events = [
      reviewed("T1", "findings", 1),
      reviewed("T1", "approved", 2),
      none("T2"),
      reviewed("T3", "approved", 1),
      reviewed("T3", "findings", 1),
      reviewed("T4", "approved", 1),
      none("T4"),
      person("T5", "approve"),
      person("T6", "approve"),
      person("T6", "send-back"),
    ];
    expect([...reviewsIn(events.map(event => ({ event })))]).toEqual([
      ["T1", { kind: "approved", by: "judge", rounds: 2 }],
      ["T2", { kind: "unreviewed" }],
      ["T4", { kind: "unreviewed" }],
      ["T5", { kind: "person", by: "ray" }],
    ]);
  });
});
