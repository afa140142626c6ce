/**
 * Where a project's task file is looked for, in this order. A `*` stands for one folder name; of several matches the first
 * by name comes first.
 */
export const CANDIDATE_PATHS: readonly string[] = [
  "docs/planning/TASKS.md",
  "docs/planning/06-tasks.md",
  "TASKS.md",
  "specs/*/tasks.md",
  ".kiro/specs/*/tasks.md",
  ".taskmaster/tasks/tasks.json",
];
