import { readdirSync, statSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { CANDIDATE_PATHS, type Plan, readPlan } from "../../plan/index.ts";
import type { StoredRun } from "../../ports/index.ts";
import { readStoredPlan } from "./stored-plan.ts";

/** The task file of a run, and its plan as it was read last. */
export type RunFile = Pick<StoredRun["run"], "file" | "plan">;

/** Limits of the search for a file that was moved: folders deep, entries, files that are read, bytes of each. */
const DEEPEST = 4;
const MOST_ENTRIES = 5000;
const MOST_READ = 200;
const LARGEST = 1024 ** 2;

/** A task's text whatever its boxes say. */
export function unticked(text: string): string {
  return text.replace(/\[[^\]\s]\]/, "[ ]");
}

/** Whether more than half of the tasks that a run has open, or of all where none is, stand in a plan word for word. */
function holdsTasks(run: RunFile, plan: Plan): boolean {
  const tasks = readStoredPlan(run.plan)?.plan.tasks ?? [];
  const open = tasks.filter(({ done }) => !done);
  const sought = open.length > 0 ? open : tasks;
  const there = new Map(plan.tasks.map(({ id, text }) => [id, unticked(text)]));
  const found = sought.filter(({ id, text }) => there.get(id) === unticked(text));
  return found.length > sought.length / 2;
}

/** Whether a run is one of this task file: by its name, or since the file that it had is gone and this one holds its tasks. */
export function isRunOf(root: string, run: RunFile, display: string, plan: Plan): boolean {
  return run.file === display || (isGone(root, run) && holdsTasks(run, plan));
}

/** Whether the task file of a run does not stand where it stood. */
export function isGone(root: string, { file }: Pick<RunFile, "file">): boolean {
  return statSync(resolve(root, file), { throwIfNoEntry: false }) === undefined;
}

/** Files below a folder with this ending, nearest first; what tools keep to themselves is passed over. */
function filesLike(root: string, ending: string): string[] {
  // Dot folders that hold task files are known by name.
  const dotted = CANDIDATE_PATHS.flatMap(path => path.split("/").slice(0, 1)).filter(name =>
    name.startsWith("."),
  );
  const found: string[] = [];
  let entries = 0;
  let folders = [root, ...dotted.map(name => join(root, name))];
  for (let depth = 0; depth < DEEPEST && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      let listed: ReturnType<typeof entriesOf>;
      try {
        listed = entriesOf(folder);
      } catch {
        continue;
      }
      for (const entry of listed) {
        if (++entries > MOST_ENTRIES) return found;
        const path = join(folder, entry.name);
        if (entry.isFile() && extname(entry.name) === ending) found.push(path);
        if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
          below.push(path);
      }
    }
    folders = below;
  }
  return [...new Set(found)];
}

function entriesOf(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

/** The files of a project that hold the tasks of a run whose own file is gone, as they are named. */
export function movedTo(root: string, run: RunFile): string[] {
  if (!isGone(root, run)) return [];
  const ids = readStoredPlan(run.plan)?.plan.tasks.map(({ id }) => id) ?? [];
  return filesLike(root, extname(run.file))
    .slice(0, MOST_READ)
    .filter(path => {
      const bytes = readBounded(path, { maxBytes: LARGEST });
      if (!bytes.ok) return false;
      const text = Buffer.from(bytes.value);
      if (!ids.some(id => text.includes(id))) return false;
      const { plan } = readPlan(bytes.value, { path, allowMissing: true });
      return holdsTasks(run, plan);
    })
    .map(path => relative(root, path));
}
