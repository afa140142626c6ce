import { describe, expect, it } from "vitest";
import type { State } from "../../src/checkpoint/history.ts";
import { standingOf } from "../../src/checkpoint/history.ts";
import {
  checkCheckpoint,
  composeCheckpoint,
  differences,
  mergeCheckpoint,
  readDelta,
  readFindings,
  studyHistory,
  taskClaims,
  writeIndex,
} from "../../src/checkpoint/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";

const rows = (count: number, status: string) =>
  `### Current State\n\n| Task | Status | Note |\n|---|---|---|\n${Array.from({ length: count }, (_, at) => `| T${at} x | ${status} | |`).join("\n")}\n`;
const items = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `- D-${at}: ${word} ${at}`).join("\n");

describe("time", () => {
  it.each(
    sampleOf<[string, (size: number) => () => unknown]>(
      [
        [
          "a table whose statuses all moved",
          size => () => differences(rows(size, "pending"), rows(size, "completed")),
        ],
        [
          "equal lines that moved",
          size => () => differences(`${"- a\n".repeat(size)}- b\n`, `- b\n${"- a\n".repeat(size)}`),
        ],
        ["items that all changed", size => () => differences(items(size, "a"), items(size, "b"))],
        ["headings without end", size => () => checkCheckpoint("## Problem\n".repeat(size))],
        ["broken rows", size => () => checkCheckpoint(`| a | b |\n|---|---|\n${"| x |\n".repeat(size)}`)],
        [
          "merging own sections",
          size => {
            const own = Array.from({ length: size }, (_, at) => `## Own ${at}\n\nx\n`).join("\n");
            return () => mergeCheckpoint(own, own.replaceAll("x", "y"));
          },
        ],
        [
          "merging decisions",
          size => () =>
            mergeCheckpoint(
              `### Decisions\n\n${items(size, "a")}\n`,
              `### Decisions\n\n${items(size, "b")}\n`,
            ),
        ],
        [
          "merging rows",
          size => () =>
            mergeCheckpoint(
              `### Artifact Trail\n\n${rows(size, "a")}`,
              `### Artifact Trail\n\n${rows(size, "b")}`,
            ),
        ],
        ["ticks", size => () => readDelta(`${"`".repeat(size)}\n${"[CONTEXT-UPDATE]\n".repeat(size)}`)],
        [
          "findings",
          size => () => readFindings(`## Artifacts\n\n${"- a/b: (((( ---- \n".repeat(size)}Decision: x\n`),
        ],
        [
          "findings under a title without end",
          size => () => readFindings(`${"# ".repeat(20 * size)}\n\n${"- a\n\n".repeat(size)}`),
        ],
        ["claims with blanks", size => () => taskClaims(rows(size, "completed"), new Set(["nothing"]))],
        [
          "one cell of blanks",
          size => () =>
            taskClaims(
              `### Current State\n\n| Task | Status |\n|---|---|\n| ${"a, ".repeat(size)} | x |\n`,
              new Set(["a"]),
            ),
        ],
      ],
      2,
      4,
      5,
    ),
  )(
    "[KW4] %s",
    (_, make) => {
      expect(growth(1_000, make, act => act())).toBeLessThan(LINEAR);
    },
    60_000,
  );

  it("[KW4] a long history is studied and listed", () => {
    const history = (count: number) => () => {
      const states: State[] = Array.from({ length: count }, (_, at) => ({
        id: `chk-${String(at + 1).padStart(3, "0")}`,
        file: `chk-${String(at + 1).padStart(3, "0")}.md`,
        hash: "x",
        bytes: 1,
        archived: false,
        ...(at === 0 ? {} : { parent: `chk-${String(at).padStart(3, "0")}` }),
      }));
      const studied = studyHistory({ states, links: [], unreadable: [] });
      writeIndex(studied);
      return studied.order.map(id => standingOf(studied, id));
    };
    expect(growth(1_000, history, act => act())).toBeLessThan(LINEAR);
  });

  it("[KW4] a plan of any size is composed", () => {
    const work = (count: number) => ({
      state: "x",
      phases: [],
      decisions: [],
      facts: [],
      crumbs: [],
      steps: [],
      files: [],
      next: [],
      rules: [],
      tasks: Array.from({ length: count }, (_, at) => ({
        id: `T${at}`,
        title: "t",
        phase: String(at % 10),
        status: "ready",
        note: "",
      })),
    });
    expect(growth(2_500, work, composeCheckpoint)).toBeLessThan(LINEAR);
  });
});
