/** Where one task stands, as a checkpoint tells it. */
export interface WorkTask {
  readonly id: string;
  readonly title: string;
  readonly phase: string;
  /** As the run has it: `completed`, `in_progress`, … */
  readonly status: string;
  readonly note: string;
}

/** One phase. */
export interface WorkPhase {
  readonly label: string;
  readonly title: string;
  readonly completed: number;
  readonly counted: number;
  readonly standing: "pending" | "open" | "ended";
}

/** A decision somebody took. */
export interface WorkDecision {
  readonly text: string;
  /** Task and agent, or a person. */
  readonly by: string;
}

/** A file that changed. */
export interface WorkFile {
  readonly path: string;
  readonly status: "created" | "modified" | "deleted";
  readonly change: string;
}

/** One line of the play-by-play. */
export interface WorkStep {
  readonly phase: string;
  readonly action: string;
  readonly outcome: string;
}

/** Something worth reading later. */
export interface WorkCrumb {
  readonly type: string;
  readonly reference: string;
  readonly hint: string;
}

/**
 * What a run knows of its work since the checkpoint before: everything a new checkpoint is made of. Texts from agents
 * and files are foreign; they are written as data.
 */
export interface Work {
  /** What all of it is for; absent where a checkpoint before says it. */
  readonly problem?: string;
  /** What this session is for; absent where it goes on as before. */
  readonly intent?: string;
  /** One paragraph on where the work stands. */
  readonly state: string;
  readonly phases: readonly WorkPhase[];
  readonly tasks: readonly WorkTask[];
  readonly decisions: readonly WorkDecision[];
  /** Facts by name: branch, commit, task file. */
  readonly facts: readonly (readonly [string, string])[];
  readonly crumbs: readonly WorkCrumb[];
  readonly steps: readonly WorkStep[];
  readonly files: readonly WorkFile[];
  readonly next: readonly string[];
  readonly rules: readonly string[];
  /** What stands where there is no decision and no next action; English without it. */
  readonly none?: { readonly decisions: string; readonly next: string };
}

/** A checkpoint's own front matter. */
export interface Identity {
  readonly checkpoint: string;
  /** ISO-8601. */
  readonly created: string;
  readonly anchor?: string;
  readonly parent?: string;
  readonly status: string;
  readonly supersedes?: string;
  readonly lastDelta?: string;
}
