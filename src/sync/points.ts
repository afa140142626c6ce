/** The moments at which a teammate is given context, numbered as the documents number them. */
export type PointId =
  | "IP-001"
  | "IP-002"
  | "IP-003"
  | "IP-004"
  | "IP-005"
  | "IP-006"
  | "IP-007"
  | "IP-008"
  | "IP-009"
  | "IP-010";

/** What goes out at an injection point. */
export interface InjectionPoint {
  readonly trigger: string;
  /**
   * `full`: the whole document; `delta`: what is missing, in full only where a fallback rule says so; `version`: what is
   * missing, and where nothing is, the version alone; `none`: nothing of the document.
   */
  readonly context: "full" | "delta" | "version" | "none";
  /** Whether the task-context goes along: task text, dependency results, previous attempts. */
  readonly task: boolean;
  /** Whom it concerns: the one it is about, those a change affects, or the whole team. */
  readonly to: "one" | "affected" | "all";
}

/** Overrides of the table, point by point. */
export type PointOverrides = Partial<Record<PointId, Partial<Omit<InjectionPoint, "trigger">>>>;

/** The documents' table; why IP-002 and IP-009 differ from it stands in SPEC.md. */
export const INJECTION_POINTS: Readonly<Record<PointId, InjectionPoint>> = {
  "IP-001": { trigger: "initial spawn", context: "full", task: true, to: "one" },
  "IP-002": { trigger: "mid-session assignment", context: "delta", task: true, to: "one" },
  "IP-003": { trigger: "interface change", context: "delta", task: false, to: "affected" },
  "IP-004": { trigger: "architecture change", context: "delta", task: false, to: "all" },
  "IP-005": { trigger: "recovery of a lost context", context: "full", task: true, to: "one" },
  "IP-006": { trigger: "replacement teammate", context: "full", task: true, to: "one" },
  "IP-007": { trigger: "plan approval or rejection", context: "version", task: false, to: "one" },
  "IP-008": { trigger: "deviation correction", context: "none", task: true, to: "one" },
  "IP-009": { trigger: "phase broadcast", context: "delta", task: false, to: "all" },
  "IP-010": { trigger: "team memory relay", context: "none", task: false, to: "all" },
};

/** A point as the table and its overrides have it. */
export function pointOf(id: PointId, overrides: PointOverrides): InjectionPoint {
  return { ...INJECTION_POINTS[id], ...overrides[id] };
}
