import { describe, expect, it } from "vitest";
import { checkpointList, checkpointView } from "../../../src/cli/views/checkpoint-view.ts";
import { lookOf } from "../../../src/cli/views/look.ts";
import { checkpointWords } from "../../../src/cli/views/words/checkpoint-words.ts";
import { CHECKPOINT, chain, historyOf, small } from "../../checkpoint/documents.ts";

const PIPE = lookOf({ isTTY: false }, {}, "en");
const NARROW = lookOf({ isTTY: true, columns: 40 }, { TERM: "xterm" }, "en");
const ENGLISH = checkpointWords("en");
const FACTS = { id: "chk-002", standing: "current", since: "" } as const;

const view = (text: string, facts: Parameters<typeof checkpointView>[1] = FACTS) =>
  checkpointView(text, facts, ENGLISH, PIPE);

describe("a checkpoint for people", () => {
  it("tells what it is about, where it stands, what comes next and what led here", () => {
    expect(view(CHECKPOINT, { ...FACTS, since: "Prices: 1 item added." })).toEqual([
      "chk-002  current  2026-03-01T09:00:00Z  ← chk-001  session 7",
      "",
      "What it is about",
      "  Sell bread online.",
      "",
      "Where it stands",
      "  The menu stands.",
      "",
      "Next",
      "  1. Finish T1.2",
      "",
      "Since the one before",
      "  Prices: 1 item added.",
      "",
      "Latest decisions",
      "  D-1: Prices are integers in cents",
      "  D-2: Mails go out through a queue",
      "",
      "Latest steps",
      "  Phase 1 → Menu → done",
      "  Phase 1 → Prices → done",
      "",
      "Latest files",
      "  created   src/menu.ts  the menu",
      "  created   src/price.ts  a | b",
    ]);
  });

  it("puts what waits for a person before what comes next", () => {
    const text = CHECKPOINT.replace("| T1.2 Prices | in_progress |  |", "| T1.2 Prices | paused | no mill |");
    const lines = view(text);
    expect(lines.indexOf("Waits for a person")).toBeLessThan(lines.indexOf("Next"));
    expect(lines).toContain("  paused   T1.2 Prices: no mill");
  });

  it("draws a bar for each phase", () => {
    const text = CHECKPOINT.replace(
      "| Task | Status | Note |",
      "| Phase | Status | Completed |\n|---|---|---|\n| 1: Build | open | 3 of 4 |\n| 2 | pending | 0 of 0 |\n\n| Task | Status | Note |",
    );
    expect(view(text)).toEqual(
      expect.arrayContaining([
        "  █████████░░░ 3 of 4     open     1: Build",
        "  ░░░░░░░░░░░░ 0 of 0     pending  2",
      ]),
    );
  });

  it("shows the newest of long lists, and counts the rest", () => {
    const many = Array.from({ length: 30 }, (_, at) => `- D-${at}: x`).join("\n");
    const lines = view(
      CHECKPOINT.replace("- D-1: Prices are integers in cents\n- D-2: Mails go out through a queue", many),
    );
    expect(lines).toContain("  … 24");
    expect(lines).toContain("  D-29: x");
    expect(lines).not.toContain("  D-23: x");
  });

  it("shows a document that is none without a word too many", () => {
    expect(view("", { id: "x", standing: undefined, since: "" })).toEqual(["x"]);
    expect(view("just text\n").length).toBe(1);
  });

  it("cuts lines to a narrow terminal, and makes foreign marks visible", () => {
    const hostile = CHECKPOINT.replace("Sell bread online.", `Sell \u001b[31m\u202e ${"bread ".repeat(50)}`);
    for (const line of checkpointView(hostile, FACTS, ENGLISH, NARROW)) {
      const plain = line.replaceAll(/\u001b\[[0-9;]*m/g, "");
      expect(plain.length).toBeLessThanOrEqual(40);
      expect(plain).not.toContain("\u202e");
    }
  });

  it("speaks Korean", () => {
    const lines = checkpointView(CHECKPOINT, FACTS, checkpointWords("ko"), PIPE);
    expect(lines).toEqual(expect.arrayContaining(["무엇을 하는가", "현재 상태", "다음 작업", "최근 결정"]));
  });
});

describe("the list", () => {
  it("has a line for each, the newest last, with what led to it", () => {
    const { history } = historyOf(chain(3));
    const lines = checkpointList(history, ENGLISH, PIPE);
    expect(lines.map(line => line.slice(0, 43).trimEnd())).toEqual([
      "chk-001  2026-03-01T09:00:00Z  superseded",
      "chk-002  2026-03-01T09:00:00Z  superseded",
      "chk-003  2026-03-01T09:00:00Z  current  Fro",
    ]);
  });

  it("tells those that only deltas lead to", () => {
    const { "chk-002.md": _, ...files } = chain(3);
    expect(checkpointList(historyOf(files).history, ENGLISH, PIPE)[1]).toContain("in deltas only");
  });

  it("tells open ends, and no current one between them", () => {
    const { history } = historyOf({ ...chain(2), "chk-003.md": small("chk-003", "chk-001", "fork") });
    expect(checkpointList(history, ENGLISH, PIPE).filter(line => line.includes("open end"))).toHaveLength(2);
  });

  it("aligns ids of any length, and is empty for an empty folder", () => {
    const { history } = historyOf({
      "a.md": small("a", undefined),
      "longer-name.md": small("longer-name", "a"),
    });
    expect(checkpointList(history, ENGLISH, PIPE)[0]?.indexOf("2026")).toBe("longer-name".length + 2);
    expect(checkpointList(historyOf({}).history, ENGLISH, PIPE)).toEqual([]);
  });
});
