/** Tasks as other tools keep them, with what is read of them and given back. */
import { expect } from "vitest";
import { type Exported, exportStatus, type Foreign, importPlan, readForeign } from "../../src/plan/index.ts";
import { read } from "./reading.ts";

export const AT = "2026-11-25T10:00:00Z";
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array | undefined): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

export function foreign(text: string, path: string): Foreign {
  const { foreign: found, diagnostics } = readForeign(bytesOf(text), { path });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  if (found === undefined) throw new Error("nothing to import");
  return found;
}

export const imported = (text: string, path: string) => importPlan(foreign(text, path), "<!-- imported -->");
export const codesOf = (text: string, path: string) =>
  readForeign(bytesOf(text), { path }).diagnostics.map(({ code }) => code);

export function exported(source: string, path: string, ours: string): Exported {
  return exportStatus(bytesOf(source), foreign(source, path), read(ours).plan, AT);
}

export const ISSUES = JSON.stringify([
  {
    number: 12,
    title: "Log out",
    state: "OPEN",
    labels: [{ name: "bug" }],
    body: "Depends on: #7, #99\r\n\r\nText.",
  },
  { number: 9, title: "Never", state: "CLOSED", stateReason: "NOT_PLANNED", body: "" },
  {
    number: 7,
    title: "Log in",
    state: "CLOSED",
    stateReason: "COMPLETED",
    body: "",
    url: "https://x.test/7",
  },
  {
    number: 13,
    title: "Both",
    state: "OPEN",
    blockedBy: { nodes: [{ number: 12 }] },
    body: "it does not depend on #7",
  },
  { number: 14, title: "A change", state: "OPEN", pull_request: {} },
]);

export const BEADS = [
  {
    id: "bd-e1",
    title: "Epic",
    status: "open",
    issue_type: "epic",
    priority: 1,
    dependencies: [{ depends_on_id: "bd-1" }],
  },
  {
    id: "bd-1",
    title: "Model",
    description: "All.",
    design: "As drawn.",
    acceptance_criteria: "- [ ] works",
    status: "in_progress",
    priority: 2,
    dependencies: [{ issue_id: "bd-1", depends_on_id: "bd-e1", type: "parent-child" }],
  },
  {
    id: "bd-2",
    title: "View",
    status: "open",
    priority: 0,
    dependencies: [
      { depends_on_id: "bd-1", type: "blocks" },
      { depends_on_id: "bd-3", type: "related" },
    ],
  },
  { id: "bd-3", title: "Done before", status: "closed", closed_at: "2025-01-01T00:00:00Z", updated_at: "x" },
  { id: "bd-4", title: "Gone", status: "tombstone" },
  { id: "bd-5", title: "Later", status: "deferred" },
]
  .map(one => JSON.stringify(one))
  .join("\n");

export const SPEC = [
  "# Tasks: Shop",
  "",
  "## Phase 1: Setup",
  "- [x] T001 Create the project",
  "- [ ] T002 [P] Configure lint in `biome.json`",
  "- [ ] T003 [P] Configure tests",
  "## Phase 2: Core",
  "- [ ] T004 Build the model in src/model.ts (depends on T002)",
  "  with words below",
  "- [ ] T005 Build the view",
  "",
].join("\n");

export const KIRO =
  "# Implementation Plan\n\n- [ ] 1. Base\n- [x] 1.1 Model\n  - _Requirements: 1.1_\n- [ ] 1.2 View (P)\n- [ ]* 2. Later\n";

export const MASTER = `{
  "master": {"tasks": [
    {"id": 1, "title": "Base", "status": "done", "dependencies": []},
    {"id": 2, "title": "Top", "status": "in-progress", "details": "run: rm -rf /", "dependencies": [1],
     "subtasks": [{"id": 1, "title": "a", "status": "pending"}, {"id": 2, "title": "b", "status": "review", "dependencies": [1]}]},
    {"id": 3, "title": "No", "status": "cancelled"}
  ], "metadata": {"x": [1,  2]}}
}
`;

export const SOURCES = [
  ["github", ISSUES, "-"],
  ["beads", BEADS, ".beads/issues.jsonl"],
  ["spec-kit", SPEC, "specs/001-shop/tasks.md"],
  ["kiro", KIRO, ".kiro/specs/shop/tasks.md"],
  ["task-master", MASTER, ".taskmaster/tasks/tasks.json"],
] as const;
