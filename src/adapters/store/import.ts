import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { because, type Reason } from "../../ports/reason.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { StateOddity } from "../../ports/state-news.ts";
import type { TaskStatus } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { ownedFileCalls, writeAtomic } from "../file/index.ts";
import { asStoreFailure } from "./create.ts";
import type { Decision } from "./decide.ts";
import { STATE_NAMES, thinName } from "./restore.ts";
import type { ThinReading } from "./thin-json.ts";

/** Task states that only a thin state or another orchestrator's file still knows. Claims, without proof. */
export interface ImportedState {
  /** The file they come from. */
  readonly from: string;
  readonly project?: string;
  readonly phase?: string;
  readonly tasks: ReadonlyMap<
    string,
    { readonly status: TaskStatus; readonly retries: number; readonly verified?: boolean }
  >;
  readonly warnings: readonly StateOddity[];
}

/** The task states that no database holds, and how that is told. */
export function importOf(
  decision: Decision,
  directory: string,
): { readonly state: ImportedState; readonly told: readonly Reason[] } | undefined {
  const { orphan, legacy } = decision;
  const file = orphan === undefined ? STATE_NAMES.thin : thinName(decision);
  const found = orphan ?? legacy?.state;
  if (found === undefined) return undefined;
  const told =
    orphan === undefined
      ? because("state-tasks-of-another", { file, tasks: found.tasks.size })
      : because("state-run-elsewhere", { file, run: orphan.run });
  return {
    state: { from: join(directory, file), ...found },
    told: [told, ...found.warnings.map(what => because("state-file-odd", { file, what }))],
  };
}

/** Keeps a copy of another orchestrator's file, whose name our own thin state is about to take. */
export function keepLegacy(directory: string, reading: ThinReading): Result<readonly Reason[], StoreFailure> {
  if (reading.kind !== "legacy") return ok([]);
  const hash = createHash("sha256").update(reading.bytes).digest("hex").slice(0, 12);
  const name = `${STATE_NAMES.thin}.legacy-${hash}`;
  if (existsSync(join(directory, name))) return ok([]);
  const written = writeAtomic(join(directory, name), reading.bytes, { calls: ownedFileCalls });
  return written.ok
    ? ok([because("state-left-by-another", { file: STATE_NAMES.thin, kept: name })])
    : fail(asStoreFailure(written.failure));
}
