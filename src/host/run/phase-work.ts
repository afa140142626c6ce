/** Where the work of one phase is. */
export interface PhaseWork {
  readonly phase: string;
  /** In the target, on its branch and ready to be merged, or on its branch and not all done. */
  readonly state: "merged" | "waits" | "unfinished";
  /** Its branch, where that stands. */
  readonly branch?: string;
}

/** Work that was taken out of the way, or landed in a phase that the plan has no more: it is in no phase. */
export interface AsideWork {
  readonly task?: string;
  /** The branch, ref or folder that holds it. */
  readonly where: string;
}

/** Where the work of a run is. */
export interface Whereabouts {
  readonly target: string;
  /** Phases that have worked on branches, in their order. */
  readonly phases: readonly PhaseWork[];
  readonly aside: readonly AsideWork[];
}

/** Phases that may be merged as things stand: none that builds on one which is not all done. */
export function readyToMerge(phases: readonly PhaseWork[]): readonly string[] {
  const end = phases.findIndex(({ state }) => state === "unfinished");
  return phases
    .slice(0, end < 0 ? phases.length : end)
    .flatMap(({ phase, state }) => (state === "waits" ? [phase] : []));
}
