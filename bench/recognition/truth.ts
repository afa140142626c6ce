import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanFormat } from "../../src/plan/types.ts";

/** What a careful reader says about one task of a file. */
export interface TruthTask {
  /** Empty where the file gives the task no id: it is then looked up by its line. */
  readonly id: string;
  /** 1-based line of its heading or item; 0 where the format has no lines. */
  readonly line: number;
  readonly done: boolean;
  /** Ids of the file that the task's own fields name, ranges and groups expanded. */
  readonly dependsOn: readonly string[];
  /** Other readings of the dependencies that are as right. */
  readonly orDependsOn?: readonly (readonly string[])[];
  /** What the graph says about a task without a dependency field. */
  readonly mermaidDependsOn?: readonly string[];
  /** Ids its own field names; absent where nothing was labelled. */
  readonly parallelWith?: readonly string[];
  readonly specialist: string | null;
  /** Holds sub-tasks that are tasks themselves. */
  readonly container?: boolean;
  /** Fields the file leaves open; they are not scored. */
  readonly ambiguous?: readonly ("id" | "done" | "dependsOn" | "specialist")[];
}

/** The labels of one file. */
export interface Truth {
  readonly name: string;
  readonly format: PlanFormat;
  readonly note?: string;
  readonly tasks: readonly TruthTask[];
  /** Other coherent readings of the whole file; the one that fits best is scored, never a mixture. */
  readonly orTasks?: readonly (readonly TruthTask[])[];
}

/** Reads the labels, by the first 12 hex digits of the SHA-256 of the labelled file. */
export function loadTruths(folder: string): Map<string, Truth> {
  const truths = new Map<string, Truth>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith(".json")) continue;
    truths.set(file.slice(0, -".json".length), JSON.parse(readFileSync(join(folder, file), "utf8")) as Truth);
  }
  return truths;
}

/** The name under which a file's labels are kept. */
export function truthKey(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}
