import type { Created, WorkFile } from "../../checkpoint/index.ts";
import type { Result } from "../../ports/index.ts";

/** What a run asks to be kept as its next checkpoint. */
export interface KeepRequest {
  /** The new work, in the sections of a checkpoint. */
  readonly work: string;
  readonly created: string;
  readonly anchor: string;
  readonly headline: string;
  readonly shift?: boolean;
  /** The checkpoint its run was started from; the newest one where it is not kept here. */
  readonly parent?: string;
}

/** Where a run's checkpoints are kept. Made of files; every call is whole or not at all. */
export interface CheckpointKeeper {
  /** The run and its last event that the newest checkpoint knows of (`run#seq`), its text, and whether there is one at all. */
  latest(): { readonly exists: boolean; readonly anchor?: string; readonly text?: string };
  /** Makes and stores the next checkpoint with its delta. */
  keep(request: KeepRequest): Result<Created, string>;
  /** What commits of the repository changed, oldest first; empty without one. */
  changed(commits: readonly string[]): readonly WorkFile[];
}

/** What a checkpoint is written for; `when:` of the configuration names them, all but the last. */
export type CheckpointMoment = "phase" | "exit" | "saturation" | "decision" | "asked";
