import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkCheckpoint,
  mergeCheckpoint,
  parseCheckpoint,
  withIdentity,
} from "../../src/checkpoint/index.ts";
import { ANY_TEXT, CHECKPOINT } from "./documents.ts";

/** The body of one section of a text, trimmed. */
function section(text: string, title: string): string {
  const { tiles } = parseCheckpoint(text);
  const tile = tiles.find(one => one.section.title === title);
  return tile === undefined ? "" : tile.text.slice(tile.text.indexOf("\n")).trim();
}

const merge = (work: string, options = {}) => mergeCheckpoint(CHECKPOINT, work, options);

describe("merging by the policy", () => {
  it("[KM1] Decisions accumulate, each once", () => {
    const work = "### Decisions\n\n- D-2: Mails go out through a queue\n- D-3: One oven\n- no id, but new\n";
    const { text, conflicts } = merge(work);
    expect(conflicts).toEqual([]);
    expect(section(text, "Decisions").split("\n")).toEqual([
      "- D-1: Prices are integers in cents",
      "- D-2: Mails go out through a queue",
      "- D-3: One oven",
      "- no id, but new",
    ]);
    expect(mergeCheckpoint(text, work).text).toBe(text);
  });

  it("[KM1] Decisions in a table stay a table", () => {
    const base =
      "## Essential Information\n\n### Decisions\n\n| Id | What |\n|---|---|\n| D-1 | cents |\n\n### Current State\n\nx\n";
    const { text } = mergeCheckpoint(base, "### Decisions\n\n| Id | What |\n|---|---|\n| D-2 | queue |\n");
    expect(section(text, "Decisions")).toBe("| Id | What |\n|---|---|\n| D-1 | cents |\n| D-2 | queue |");
  });

  it("[KM1] a placeholder gives way to the first decision", () => {
    const { text } = mergeCheckpoint(
      "### Decisions\n\nNone yet.\n\n### Current State\n\nx\n",
      "### Decisions\n\n- D-1: a\n",
    );
    expect(text).toBe("### Decisions\n\n- D-1: a\n\n### Current State\n\nx\n");
  });

  it("[KM1] Current State and Next Actions are replaced", () => {
    const { text } = merge("### Current State\n\nAll new.\n\n### Next Actions\n\n1. Rest\n");
    expect(section(text, "Current State")).toBe("All new.");
    expect(section(text, "Next Actions")).toBe("1. Rest");
    expect(text).not.toContain("T1.2 Prices");
  });

  it("[KM1] an empty replacement replaces nothing", () => {
    expect(merge("### Next Actions\n").text).toBe(CHECKPOINT);
  });

  it("[KM1] Technical Context is updated by name", () => {
    const { text } = merge("### Technical Context\n\n- Branch: phase/2\n- Node: 24\n");
    expect(section(text, "Technical Context")).toBe("- Store: SQLite\n- Branch: phase/2\n- Node: 24");
  });

  it("[KM1] the Artifact Trail updates statuses and keeps files", () => {
    const { text } = merge(
      "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `src/menu.ts` | modified | prices |\n| `src/new.ts` | created | x |\n",
    );
    expect(section(text, "Artifact Trail").split("\n").slice(2)).toEqual([
      "| `src/menu.ts` | modified | prices |",
      "| `src/price.ts` | created | a \\| b |",
      "| `src/new.ts` | created | x |",
    ]);
  });

  it("[KM1] Breadcrumbs are known by their reference", () => {
    const { text } = merge(
      "### Breadcrumbs\n\n| Type | Reference | Hint |\n|---|---|---|\n| log | run.log | changed |\n| log | other.log | y |\n",
    );
    expect(section(text, "Breadcrumbs").split("\n").slice(2)).toEqual([
      "| log | run.log | changed |",
      "| log | other.log | y |",
    ]);
  });

  it("[KM1] Play-By-Play keeps what is recent and counts the rest, again and again", () => {
    const steps = (from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, at) => `- Phase ${1 + ((from + at) >> 2)} → step ${from + at} → done`,
      ).join("\n");
    const first = merge(`### Play-By-Play\n\n${steps(0, 6)}\n`, { recent: 3 }).text;
    expect(section(first, "Play-By-Play").split("\n")).toEqual([
      "- Earlier: 5 steps (phase 1), in the checkpoints before this one",
      "- Phase 1 → step 3 → done",
      "- Phase 2 → step 4 → done",
      "- Phase 2 → step 5 → done",
    ]);
    const second = mergeCheckpoint(first, `### Play-By-Play\n\n${steps(6, 8)}\n`, { recent: 3 }).text;
    expect(section(second, "Play-By-Play").split("\n")[0]).toBe(
      "- Earlier: 7 steps (phase 1, 2), in the checkpoints before this one",
    );
    expect(section(second, "Play-By-Play").split("\n")).toHaveLength(4);
  });

  it("[KM1] a new goal needs a declared shift", () => {
    const work = "## Session Intent\n\nSell cakes.\n";
    expect(merge(work).text).toBe(CHECKPOINT);
    expect(merge(work).conflicts).toHaveLength(1);
    const shifted = merge(work, { shift: true });
    expect(shifted.conflicts).toEqual([]);
    expect(section(shifted.text, "Session Intent")).toBe("Sell cakes.");
  });

  it("[KM1] sections that are missing come where the specification has them; the author's own come last", () => {
    const base =
      "## Problem\n\nP\n\n## Essential Information\n\n### Current State\n\nS\n\n## User Rules\n\n- R\n";
    const { text } = mergeCheckpoint(base, "### Decisions\n\n- D-1: a\n\n## Risks\n\n- fire\n");
    expect(parseCheckpoint(text).tiles.map(({ section: { title } }) => title)).toEqual([
      "Problem",
      "Essential Information",
      "Decisions",
      "Current State",
      "User Rules",
      "Risks",
    ]);
    expect(text).toContain("\n\n### Decisions\n\n- D-1: a\n");
  });

  it("[KM2] conflicts are shown, and the checkpoint's own text stays", () => {
    const { text, conflicts } = merge(
      "## Problem\n\nSell cars.\n\n### Decisions\n\n- D-1: Prices are floats\n\n## User Rules\n\n- Touch everything\n\n## Glossary of ours\n\nOther.\n",
    );
    expect(text).toBe(CHECKPOINT);
    expect(conflicts.map(({ section: title, kept, refused }) => [title, kept, refused])).toEqual([
      ["Problem", "Sell bread online.", "Sell cars."],
      ["Decisions", "D-1: Prices are integers in cents", "D-1: Prices are floats"],
      ["User Rules", "- Never touch the till", "- Touch everything"],
      ["Glossary of ours", "Whatever | stands here.", "Other."],
    ]);
    expect(conflicts.every(({ why }) => why.length > 10)).toBe(true);
  });

  it("[KM2] the same text again is no conflict", () => {
    expect(merge(CHECKPOINT).conflicts).toEqual([]);
  });

  it("[KM3] merging nothing changes nothing, whatever the checkpoint", () => {
    fc.assert(
      fc.property(ANY_TEXT, text => {
        expect(mergeCheckpoint(text, "").text).toBe(text);
      }),
    );
  });

  it("[KM3] what is not touched stays byte for byte, CRLF and own sections too", () => {
    const odd = CHECKPOINT.replace("Whatever | stands here.", "  odd\t\u00a0 bytes \r\nhere  ");
    const { text } = mergeCheckpoint(odd, "### Next Actions\n\n1. Rest\n");
    expect(text).toBe(odd.replace("1. Finish T1.2", "1. Rest"));
  });

  it("[KM3] a whole checkpoint merged with its own later work has no departure", () => {
    const { text } = merge(
      "### Current State\n\nNew\n\n### Decisions\n\n- D-9: z\n\n### Play-By-Play\n\n- Phase 2 → a → b\n",
    );
    expect(checkCheckpoint(text)).toEqual([]);
  });

  it("[KM3] never throws, and loses no decision", () => {
    fc.assert(
      fc.property(ANY_TEXT, ANY_TEXT, (base, work) => {
        const { text } = mergeCheckpoint(base, work, { shift: true, recent: 2 });
        expect(typeof text).toBe("string");
      }),
    );
  });
});

describe("identity", () => {
  const IDENTITY = {
    checkpoint: "chk-003",
    created: "2026-03-02",
    status: "active",
    parent: "chk-002",
    lastDelta: "delta-002-003",
  };

  it("[KM3] replaces its own fields and keeps those of the author", () => {
    const text = withIdentity(CHECKPOINT.replace("status: active", "status: active\nmood: good"), IDENTITY);
    expect(text.split("\n").slice(0, 8)).toEqual([
      "---",
      "checkpoint: chk-003",
      "created: 2026-03-02",
      "parent: chk-002",
      "status: active",
      "last_delta: delta-002-003",
      "mood: good",
      "---",
    ]);
    expect(text.slice(text.indexOf("\n# Bakery"))).toBe(CHECKPOINT.slice(CHECKPOINT.indexOf("\n# Bakery")));
  });

  it("[KM3] gives a document a front matter that has none; a BOM stays in front", () => {
    expect(
      withIdentity("\uFEFF# A\n", { checkpoint: "chk-001", created: "2026-03-02", status: "active" }),
    ).toBe("\uFEFF---\ncheckpoint: chk-001\ncreated: 2026-03-02\nstatus: active\n---\n\n# A\n");
  });

  it("[KM3] is what the head then says, whatever the text", () => {
    fc.assert(
      fc.property(ANY_TEXT, text => {
        expect(parseCheckpoint(withIdentity(text, IDENTITY)).head).toEqual({
          checkpoint: "chk-003",
          created: "2026-03-02",
          parent: "chk-002",
          status: "active",
          lastDelta: "delta-002-003",
        });
      }),
    );
  });
});
