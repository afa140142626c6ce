import { describe, expect, it } from "vitest";
import { type SyncEvent, syncLogLine } from "../../src/sync/index.ts";

const FACTS = { serial: 7, version: 4, from: 3, form: "delta", why: "next-version", tokens: 60 } as const;
const EVENTS: readonly SyncEvent[] = [
  {
    type: "published",
    version: 4,
    hash: "cd5f01ab12cd",
    by: "lead",
    sections: [],
    now: ["a"],
    later: ["b"],
    mergedFrom: 2,
  },
  { type: "published", version: 1, hash: "cd5f01ab12cd", by: "", sections: [], now: [], later: [] },
  { type: "unchanged", version: 4, by: "lead" },
  { type: "refused", by: "", reason: "same-section", message: "§Status", clashes: [] },
  { type: "joined", teammate: "a", session: "s", replaces: "b" },
  { type: "joined", teammate: "a", session: "s" },
  { type: "left", teammate: "a" },
  { type: "lost", teammate: "a", cause: "compaction" },
  { type: "sent", teammate: "a", session: "s", ...FACTS },
  { type: "acked", teammate: "a", version: 4, verdict: "forged", message: "m" },
  { type: "paused", teammate: "a", impact: "big" },
  { type: "clarify", teammate: "a", unclear: ["Status"], impact: "" },
  { type: "requested", teammate: "a", sections: ["Status"] },
  { type: "requested", teammate: "a", sections: [] },
  { type: "timeout", teammate: "a", version: 4, tries: 2 },
  { type: "silent", teammate: "a", version: 4 },
  { type: "up-to-date", teammate: "a", version: 4 },
  { type: "withheld", teammate: "a", why: "gate" },
  { type: "withheld", teammate: "a", why: "fetches" },
  { type: "frozen", gate: "P1", version: 4, waitsFor: ["a"] },
  { type: "gate-ready", gate: "P1", version: 4, stale: ["a"] },
  { type: "unfrozen", gate: "P1" },
  { type: "forgotten", teammates: 12 },
];

describe("the message log in two languages", () => {
  it.each(EVENTS.map(event => [event.type, event] as const))(
    "[SF5] tells %s with its numbers and names",
    (_, event) => {
      const english = syncLogLine("GC", event);
      const korean = syncLogLine("GC", event, "ko");
      expect(english.startsWith("[SYNC] GC: ")).toBe(true);
      expect(korean.startsWith("[SYNC] GC: ")).toBe(true);
      expect(korean).not.toBe(english);
      expect(korean).toMatch(/[\uac00-\ud7a3]/);
      const numbers = (line: string) =>
        (line.match(/\bv\d+|#\d+|\b\d+ (?:tokens|토큰)/g) ?? [])
          .map(word => word.split(" ")[0] ?? "")
          .sort((a, b) => (a < b ? -1 : 1));
      expect(numbers(korean)).toEqual(numbers(english));
    },
  );

  it("[SF5] gives every reason and verdict words of its own", () => {
    const whys = [
      "context-lost",
      "initial-spawn",
      "requested",
      "version-gap",
      "major-restructure",
      "unclear",
      "injection-point",
      "base-gone",
      "inexact",
      "next-version",
      "squashed",
      "asserted",
    ] as const;
    const verdicts = [
      "confirmed",
      "partial",
      "undercounted",
      "duplicate",
      "older",
      "unproven",
      "forged",
      "overcounted",
      "never-sent",
      "old-attempt",
      "old-session",
      "other-label",
      "ended",
      "unknown-teammate",
    ] as const;
    for (const locale of ["en", "ko"] as const) {
      const reasons = whys.map(why =>
        syncLogLine("GC", { type: "sent", teammate: "a", session: "s", ...FACTS, why }, locale),
      );
      const judged = verdicts.map(verdict =>
        syncLogLine("GC", { type: "acked", teammate: "a", version: 1, verdict, message: "" }, locale),
      );
      expect(new Set(reasons).size).toBe(whys.length);
      expect(new Set(judged).size).toBe(verdicts.length);
    }
  });

  it("[SF5] gives every refusal and every cause of a loss words of its own, in Korean no English ones", () => {
    const reasons = ["same-section", "unknown-base", "not-unicode", "too-large", "name"] as const;
    const causes = ["compaction", "resume", "restart", "reported"] as const;
    const clashes = [{ section: "상태", current: "", published: "" }];
    const message = "said in English";
    const lines = [
      ...reasons.map(
        (reason): SyncEvent => ({ type: "refused", by: "뒤", reason, message, base: 3, clashes }),
      ),
      ...causes.map((cause): SyncEvent => ({ type: "lost", teammate: "뒤", cause })),
    ].map(event => syncLogLine("GC", event, "ko"));
    expect(new Set(lines).size).toBe(reasons.length + causes.length);
    // The reason's name stays in brackets, as tools and the documents know it.
    for (const line of lines) expect(line.replace(/\([a-z-]+\)/, "")).not.toMatch(/[a-z]{3}/);
    expect(lines[0]).toBe("[SYNC] GC: 거부됨 (same-section): v3 이후 양쪽이 §상태 변경");
    expect(lines[4]).toContain("팀원 이름으로 쓸 수 없음: 뒤");
  });

  it("[SF5] shows foreign names harmless in both", () => {
    const event: SyncEvent = { type: "left", teammate: "a\u001b[31m\nb" };
    for (const locale of ["en", "ko"] as const) {
      const line = syncLogLine("GC", event, locale);
      expect(line.includes("\u001b") || line.includes("\n")).toBe(false);
    }
  });
});
