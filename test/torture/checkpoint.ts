import {
  applyDelta,
  checkpointId,
  deltaName,
  listedLink,
  listedState,
  mergeCheckpoint,
  proveDelta,
  replay,
  studyHistory,
  writeDelta,
} from "../../src/checkpoint/index.ts";
import { falseLines } from "./human-half.ts";
import { Random } from "./random.ts";

/** What generated histories came to. */
export interface CheckpointTally {
  readonly pairs: number;
  readonly replays: number;
  readonly violations: readonly string[];
}

const CREATED = "2026-01-01T00:00:00Z";
/** Pairs of one history. */
const LENGTH = 25;

/** Lines that are hard on tables, fences and messages, and ordinary ones. */
const LINES: readonly string[] = [
  "",
  "",
  "- D-1: keep it",
  "- D-2: drop → it",
  "- [ ] bake",
  "- [x] bake",
  "- [ ] sell: now",
  "| T1 | pending | x |",
  "| T1 | completed | x |",
  "| T2 | open | a \\| b |",
  "| File | Status | Key |",
  "|---|---|---|",
  "## Decisions",
  "### Decisions",
  "## Problem",
  "### Current State",
  "### Next Actions",
  "## User Rules",
  "## B",
  "## B",
  "```",
  "~~~~",
  "---",
  "key: value",
  "status: active",
  "parent: chk-001",
  "- Phase 1 → a → b",
  "[CONTEXT-UPDATE] CHK-v1 → CHK-v2",
  "## Delta",
  "## Full",
  "## Merge Instructions",
  "## Summary",
  "\\- x",
  "text with 한국어 and 👍🏽",
  "foo\rbar",
  "x  ",
  "\ttab",
  "\uFEFFbom",
  "a\u2028b",
  "a\u0000b",
];

function line(random: Random): string {
  const text = random.pick(LINES);
  return random.chance(0.3) ? `${text} ${random.below(50)}` : text;
}

function begin(random: Random): string {
  const lines = Array.from({ length: random.between(0, 40) }, () => line(random));
  const head = random.chance(0.7) ? ["---", "checkpoint: chk-001", `created: ${CREATED}`, "---", ""] : [];
  return [...head, ...lines].join(random.chance(0.1) ? "\r\n" : "\n");
}

function edit(text: string, random: Random): string {
  const kind = random.below(20);
  if (kind === 0) return begin(random);
  if (kind === 1) return text;
  if (kind === 2)
    return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n");
  if (kind === 3) return mergeCheckpoint(text, begin(random), { shift: random.chance(0.5), recent: 3 }).text;
  const lines = text.split("\n");
  for (let left = random.between(1, 5); left > 0; left--) {
    const added = Array.from({ length: random.below(4) }, () => line(random));
    lines.splice(random.below(lines.length + 1), random.below(4), ...added);
  }
  return lines.join("\n");
}

/** One history with forks: every pair is proved, and any state leads to any other. Returns what was broken. */
function live(seed: number, pairs: number): { readonly broken?: string; readonly replays: number } {
  const random = new Random(seed);
  const texts = [begin(random)];
  const files = [{ file: `${checkpointId(1)}.md`, text: texts[0]! }];
  const deltas = new Map<string, string>();
  for (let at = 1; at <= pairs; at++) {
    const parent = random.chance(0.8) ? at - 1 : random.below(at);
    const [before, after] = [texts[parent]!, edit(texts[parent]!, random)];
    const [from, to] = [checkpointId(parent + 1), checkpointId(at + 1)];
    const locale = random.pick(["en", "ko"] as const);
    // Cheap tokens leave room to tell all of it, dear ones little.
    const charsPerToken = random.pick([4, 40]);
    const made = writeDelta(
      { id: from, text: before },
      { id: to, text: after },
      {
        created: CREATED,
        locale,
        countTokens: text => Math.ceil(text.length / charsPerToken),
      },
    );
    if (!made.ok) return { broken: `seed ${seed}, ${to}: not made: ${made.failure.message}`, replays: 0 };
    const amiss = proveDelta(made.value.text, before, after)[0];
    if (amiss !== undefined)
      return { broken: `seed ${seed}, ${to}: ${amiss.code} ${amiss.message}`, replays: 0 };
    const lie = locale === "en" ? falseLines(made.value.text, before, after)[0] : undefined;
    if (lie !== undefined) return { broken: `seed ${seed}, ${to}: not true: ${lie}`, replays: 0 };
    const elsewhere = texts[random.below(texts.length)]!;
    const applied = applyDelta(made.value.text, elsewhere);
    if (applied.ok && applied.value.text !== after)
      return { broken: `seed ${seed}, ${to}: half applied to another base`, replays: 0 };
    texts.push(after);
    deltas.set(deltaName(from, to), made.value.text);
  }
  // Only the oldest full state is kept: everything else lives in deltas.
  const history = studyHistory({
    states: files.map(({ file, text }) => ({ ...listedState({ file, text }), id: checkpointId(1) })),
    links: [...deltas].flatMap(([name, text]) => listedLink({ file: `${name}.md`, text }) ?? []),
    unreadable: [],
  });
  const reader = {
    state: (id: string) => (id === checkpointId(1) ? texts[0] : undefined),
    delta: (from: string, to: string) => deltas.get(deltaName(from, to)),
  };
  let replays = 0;
  for (let left = 8; left > 0; left--) {
    const [from, to] = [random.below(texts.length), random.below(texts.length)];
    const done = replay(history, checkpointId(from + 1), checkpointId(to + 1), reader);
    replays++;
    if (!done.ok)
      return { broken: `seed ${seed}: ${from + 1} → ${to + 1}: ${done.failure.message}`, replays };
    if (done.value.text !== texts[to])
      return { broken: `seed ${seed}: ${from + 1} → ${to + 1}: other bytes`, replays };
  }
  return { replays };
}

/** Lives histories of so many pairs in all; stops at the first that breaks a promise. */
export function simulateCheckpoints(first: number, pairs: number): CheckpointTally {
  let replays = 0;
  let done = 0;
  for (let seed = first; done < pairs; seed++) {
    const length = Math.min(LENGTH, pairs - done);
    const { broken, replays: more } = live(seed, length);
    replays += more;
    done += length;
    if (broken !== undefined) return { pairs: done, replays, violations: [broken] };
  }
  return { pairs: done, replays, violations: [] };
}
