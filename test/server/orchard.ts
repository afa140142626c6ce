/** A run in the middle of its work, as the screenshots show it: every state, shared documents, receipts, checkpoints. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attemptName } from "../../src/adapters/local/state-files.ts";
import { createSharedContext, immediateLedger } from "../../src/context/shared/index.ts";
import type { Whereabouts } from "../../src/host/run/phase-work.ts";
import { type AttemptRow, because, type RunEvent, type TaskRow } from "../../src/ports/index.ts";
import { createCodec, DEFAULT_SYNC_POLICY } from "../../src/sync/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { agentSaid } from "../reasons.ts";
import { GC, makeCheckpoints } from "./orchard-documents.ts";
import { attempt, openStage, row, type Stage, type StageOptions } from "./stage.ts";

const TITLES: readonly (readonly [
  phase: string,
  title: string,
  tasks: readonly (readonly [string, string, string, string])[],
])[] = [
  ["0", "Ground", [["T0.1", "Describe the orchard API", "02-theoretical", ""]]],
  [
    "1",
    "Roots",
    [
      ["T1.1", "Store trees and rows", "backend-specialist", "T0.1"],
      ["T1.2", "Weather import", "backend-specialist", "T0.1"],
      ["T1.3", "Pruning calendar", "backend-specialist", "T1.1"],
      ["T1.4", "Seed the test orchard", "test-specialist", "T1.1"],
    ],
  ],
  [
    "2",
    "Branches",
    [
      ["T2.1", "REST endpoints for trees", "backend-specialist", "T1.1, T1.3"],
      ["T2.2", "Map of the rows", "frontend-specialist", "T1.1"],
      ["T2.3", "Frost warnings", "backend-specialist", "T1.2"],
      ["T2.4", "Calendar view", "frontend-specialist", "T1.3, T2.1"],
      ["T2.5", "Warning banner", "frontend-specialist", "T2.3"],
      ["T2.6", "Harvest forecast", "05-literature", "T1.2, T1.3"],
    ],
  ],
  [
    "3",
    "Fruit",
    [
      ["T3.1", "Walk through a season", "test-specialist", "T2.1, T2.4, T2.5"],
      ["T3.2", "Write the guide", "docs-specialist", "T2.4"],
      ["T3.3", "Release", "docs-specialist", "T3.1, T3.2"],
    ],
  ],
];

/** The task file of the orchard. */
export const ORCHARD: string = [
  "# Orchard planner",
  ...TITLES.flatMap(([phase, title, tasks]) => [
    `\n## Phase ${phase}: ${title}`,
    ...tasks.flatMap(([id, name, role, deps]) => [
      `\n### [ ] ${id}: ${name}`,
      `- specialist: ${role}`,
      ...(deps === "" ? [] : [`- depends_on: [${deps}]`]),
      `- files: src/${id.toLowerCase()}.ts`,
      `- verify: npm test -- ${id.toLowerCase()}`,
    ]),
  ]),
].join("\n");

const NOW = Date.now();
const MINUTE = 60_000;

/** So many minutes before the orchard stood as it stands. */
export const orchardAgo = (minutes: number): number => NOW - minutes * MINUTE;

function rows(): TaskRow[] {
  const done = (id: string, attempts = 1): TaskRow =>
    row(id, {
      status: "completed",
      attempts,
      retries: attempts - 1,
      verified: id !== "T1.4",
      ...(id === "T1.1" ? { reason: because("stale-context", { held: "GC-v1, now GC-v2" }) } : {}),
    });
  return [
    done("T0.1"),
    done("T1.1"),
    done("T1.2", 2),
    done("T1.3"),
    done("T1.4"),
    row("T2.1", { status: "in_progress", attempts: 1 }),
    row("T2.2", { status: "in_progress", attempts: 2, retries: 1, reason: agentSaid("tests failed") }),
    row("T2.3", {
      status: "paused",
      attempts: 3,
      retries: 3,
      sameError: 3,
      reason: agentSaid("the weather service refuses our key (401)"),
    }),
    row("T2.4"),
    row("T2.5"),
    row("T2.6", { status: "ready" }),
    row("T3.1"),
    row("T3.2"),
    row("T3.3"),
  ];
}

const FAILED = `FAIL test/frost.test.ts > warns before a night below zero
AssertionError: expected 401 to be 200
    at test/frost.test.ts:24:31`;

function usage(inputTokens: number, outputTokens: number, cachedTokens: number) {
  return { inputTokens, outputTokens, cachedTokens, costUsd: (inputTokens * 3 + outputTokens * 15) / 1e6 };
}

/** What an agent hands on: longer for some tasks than for others. */
function report(task: string): string {
  const lines = Array.from(
    { length: 60 + 90 * Number(task.at(-1)) },
    (_, at) => `- ${task} step ${at + 1}: row ${at % 7}, tree ${at}, checked`,
  );
  return [`Done with ${task}.`, ...lines].join("\n");
}

function attempts(): AttemptRow[] {
  const one = (
    task: string,
    number: number,
    from: number,
    to: number,
    more: Partial<AttemptRow>,
  ): AttemptRow =>
    attempt(task, number, {
      startedAt: orchardAgo(from),
      endedAt: to < 0 ? 0 : orchardAgo(to),
      agent: "claude",
      ...more,
    });
  const proof = (task: string) => ({
    evidence: `$ npm test -- ${task.toLowerCase()}\nexit 0`,
    commit: "9f2c1e77ab04d1c2",
    finalMessage: report(task),
  });
  const frost = {
    outcome: "failed",
    reason: agentSaid("the weather service refuses our key (401)"),
    evidence: FAILED,
    finalMessage:
      "I could not reach the forecast service.\nFAIL:T2.3#k7f2:the weather service refuses our key (401)",
  } as const;
  return [
    one("T0.1", 1, 61, 55, { usage: usage(18_400, 2_900, 0), ...proof("T0.1") }),
    one("T1.1", 1, 54, 43, {
      usage: usage(31_000, 5_200, 14_900),
      ...proof("T1.1"),
      branch: "phase/1-orchard-planner",
    }),
    one("T1.2", 1, 54, 47, {
      outcome: "unproven",
      reason: agentSaid("verify failed: exit 1"),
      evidence: "$ npm test -- t1.2\nexit 1",
      usage: usage(27_500, 3_100, 14_900),
      agent: "codex",
      machine: "lab-2",
    }),
    one("T1.2", 2, 46, 39, { usage: usage(29_800, 2_700, 22_100), agent: "codex", ...proof("T1.2") }),
    one("T1.3", 1, 42, 31, { usage: usage(24_900, 4_400, 15_200), ...proof("T1.3") }),
    one("T1.4", 1, 42, 36, { usage: usage(12_100, 1_900, 6_400), agent: "gemini", machine: "lab-2" }),
    one("T2.3", 1, 29, 25, { usage: usage(22_000, 1_200, 15_300), ...frost }),
    one("T2.3", 2, 24, 21, { usage: usage(22_900, 1_100, 21_400), ...frost }),
    one("T2.3", 3, 19, 16, { usage: usage(23_300, 900, 22_000), ...frost }),
    one("T2.2", 1, 28, 12, {
      outcome: "unproven",
      reason: agentSaid("tests failed"),
      evidence: "$ npm test -- t2.2\nexit 1",
      usage: usage(35_400, 6_000, 15_600),
      agent: "gemini",
    }),
    one("T2.1", 1, 9, -1, { outcome: "running", estimate: 24_000 }),
    one("T2.2", 2, 4, -1, { outcome: "running", agent: "gemini", estimate: 31_000 }),
  ];
}

const RECEIPT = {
  form: 1,
  node: "ctx-branches",
  tokens: 21_640,
  limit: 60_000,
  prefix: { tokens: 14_900, bytes: 52_000 },
  parts: [
    ["role", "role and rules", 640, 0, true, "given"],
    ["document", "GC-v4", 4_900, 0, true, "given"],
    ["document", "API-v2", 7_350, 0, true, "given"],
    ["document", "STYLE-v1", 1_900, 1, true, "given"],
    ["update", "GC-v5", 120, 0, true, "given"],
    ["result", "T1.1#1", 2_300, 1, true, "given"],
    ["result", "T1.3#1", 1_450, 2, true, "given"],
    ["result", "T1.2#2", 380, 3, true, "longer-than-a-result-may-be"],
    ["task", "T2.1", 2_600, 0, true, "given"],
    ["document", "WEATHER-v3", 0, "pointer", false, "longer-than-a-document-may-be"],
    ["document", "GC copy", 0, 0, false, "same-text"],
  ].map(([kind, source, tokens, level, isIn, why]) => ({ kind, source, tokens, level, in: isIn, why })),
};

/** What happened, and how many minutes ago. */
const EVENTS: readonly (readonly [ago: number, event: RunEvent])[] = [
  [61.5, { type: "run-started", project: "Orchard planner", tasks: 14, resumed: false }],
  [61, { type: "dispatched", tasks: ["T0.1"], retry: false }],
  [55, { type: "completed", task: "T0.1", verified: true, by: "agent", ms: 6 * MINUTE }],
  [54, { type: "dispatched", tasks: ["T1.1", "T1.2"], retry: false }],
  [
    47,
    {
      type: "attempt-failed",
      task: "T1.2",
      reason: agentSaid("verify failed: exit 1"),
      retries: 1,
      maxAttempts: 10,
    },
  ],
  [46, { type: "dispatched", tasks: ["T1.2"], retry: true }],
  [43, { type: "completed", task: "T1.1", verified: true, by: "agent", ms: 11 * MINUTE }],
  [42, { type: "dispatched", tasks: ["T1.3", "T1.4"], retry: false }],
  [39, { type: "completed", task: "T1.2", verified: true, by: "agent", ms: 7 * MINUTE }],
  [36, { type: "completed", task: "T1.4", verified: false, by: "agent", ms: 6 * MINUTE }],
  [31, { type: "completed", task: "T1.3", verified: true, by: "agent", ms: 11 * MINUTE }],
  [30, { type: "phase-started", phase: "2", title: "Branches", tasks: 6 }],
  [29, { type: "dispatched", tasks: ["T2.2", "T2.3"], retry: false }],
  [
    25,
    {
      type: "attempt-failed",
      task: "T2.3",
      reason: agentSaid("the weather service refuses our key (401)"),
      retries: 1,
      maxAttempts: 10,
    },
  ],
  [25, { type: "retry-scheduled", task: "T2.3", inMs: 2000 }],
  [24, { type: "dispatched", tasks: ["T2.3"], retry: true }],
  [
    16,
    {
      type: "paused",
      task: "T2.3",
      reason: agentSaid("the weather service refuses our key (401)"),
      by: "rule",
    },
  ],
  [
    12,
    {
      type: "attempt-failed",
      task: "T2.2",
      reason: agentSaid("tests failed"),
      retries: 1,
      maxAttempts: 10,
    },
  ],
  [9, { type: "dispatched", tasks: ["T2.1"], retry: false }],
  [
    5,
    {
      type: "person",
      action: "retry",
      task: "T2.2",
      note: "the map server was down",
      by: "dashboard (ann)",
    },
  ],
  [4, { type: "dispatched", tasks: ["T2.2"], retry: true }],
];

async function shareContext({ store, commit }: Stage, now: () => number): Promise<void> {
  const shared = createSharedContext({
    rows: store.context,
    ledger: immediateLedger(context => commit({ context }), now),
    policy: DEFAULT_SYNC_POLICY,
    codec: createCodec(countTokens),
  });
  const join = (teammate: string) =>
    shared.act("GC", { type: "join", teammate, session: `s-${teammate}`, proof: "hash", interests: [] });
  const acknowledge = async (teammate: string, version: number) => {
    const lead = shared.lead("GC");
    const mate = lead.ok ? lead.value?.teammates.get(teammate) : undefined;
    const text = shared.text("GC", version);
    if (mate?.flight === undefined || !text.ok || text.value === undefined) return;
    const ack = {
      label: "GC",
      version,
      hash: text.value.hash.slice(0, 12),
      serial: mate.flight.serial,
      impact: "NONE",
      action: "CONTINUE" as const,
      unclear: [],
      items: { applied: mate.flight.items, total: mate.flight.items },
    };
    await shared.act("GC", { type: "ack", teammate, session: `s-${teammate}`, ack });
  };
  await shared.act("GC", { type: "publish", text: GC[0]!, by: "ann" });
  await shared.act("API", { type: "publish", text: "# API\n\n- GET /trees\n- GET /rows\n", by: "T0.1 #1" });
  for (const mate of ["T2.1#1", "T2.2#2", "reviewer"]) {
    await join(mate);
    await acknowledge(mate, 1);
  }
  await shared.act("GC", { type: "publish", text: GC[1]!, by: "ann" });
  for (const mate of ["T2.1#1", "T2.2#2", "reviewer"]) await acknowledge(mate, 2);
  await shared.act("GC", { type: "lost", teammate: "reviewer", session: "s-reviewer", cause: "compaction" });
  await shared.act("GC", { type: "publish", text: GC[2]!, by: "T1.3 #1" });
  await acknowledge("T2.1#1", 3);
  const node = (id: string, parent: string | undefined, status: "active" | "completed") => ({
    id,
    ...(parent === undefined ? {} : { parent }),
    status,
    createdAt: NOW,
    by: "plan",
  });
  const document = (at: string, label: string, position: number, source: object, withdrawn = false) => ({
    node: at,
    label,
    place: position < 0 ? ("shared" as const) : ("own" as const),
    position: Math.max(0, position),
    source: JSON.stringify(source),
    withdrawn,
  });
  const by = { task: "T1.2", attempt: 2, agent: "codex", at: NOW, sha256: "0".repeat(64) };
  commit({
    context: {
      nodes: [
        node("root", undefined, "active"),
        node("ctx-roots", "root", "completed"),
        node("ctx-branches", "root", "active"),
      ],
      documents: [
        document("root", "GC", -1, { kind: "published", by: "ann" }),
        document("root", "API", 0, { kind: "fill", ...by, task: "T0.1", agent: "claude" }),
        document("ctx-roots", "WEATHER", 0, { kind: "added", index: 1, ...by }),
        document("ctx-branches", "STYLE", 0, { kind: "file", path: "docs/style.md" }),
        document(
          "ctx-branches",
          "IDEAS",
          1,
          { kind: "added", index: 1, ...by, task: "T2.2", agent: "gemini" },
          true,
        ),
      ],
      receipts: [{ task: "T2.1", attempt: 1, receipt: JSON.stringify(RECEIPT) }],
    },
  });
}

/** What attempts put out. */
const OUTPUTS: readonly (readonly [task: string, attempt: number, text: string])[] = [
  ["T1.2", 1, "$ npm test -- t1.2\nweather: 3 failed\nDONE:T1.2#k7f2\n"],
  ["T1.2", 2, "asking the weather service\n12 passed\n"],
  ["T2.3", 1, "the weather service answers 401\n"],
  ["T2.3", 3, "the Weather service answers 401\nFAIL:T2.3#k7f2:the weather service refuses our key (401)\n"],
];

const WORK_PLACES: Whereabouts = {
  target: "main",
  phases: [
    { phase: "1", state: "waits", branch: "phase/1-orchard-planner" },
    { phase: "2", state: "unfinished", branch: "phase/2-orchard-planner" },
  ],
  aside: [{ task: "T2.2", where: "task/t2-2-1" }],
};

/** Opens the orchard. */
export async function openOrchard(options: Partial<StageOptions> = {}): Promise<Stage> {
  const stage = await openStage({
    tasks: ORCHARD,
    rows,
    attempts: attempts(),
    work: WORK_PLACES,
    run: { phase: "2", startedAt: orchardAgo(61), updatedAt: NOW },
    ...options,
  });
  let tick = 0;
  await shareContext(stage, () => orchardAgo(50 - tick++));
  makeCheckpoints(stage.root, NOW);
  stage.happened(...EVENTS.map(([ago, event]) => [orchardAgo(ago), event] as const));
  mkdirSync(join(stage.root, ".espalier", "attempts"), { recursive: true });
  for (const [task, number, text] of OUTPUTS)
    writeFileSync(join(stage.root, ".espalier", "attempts", `${attemptName(task, number)}.log`), text);
  return stage;
}
