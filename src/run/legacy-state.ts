import {
  fail,
  ok,
  type Result,
  type StateDamage,
  type StateFieldProblem,
  type StateOddity,
  type TaskStatus,
} from "../ports/index.ts";

/** What a state file of another orchestrator says about one task. */
export interface LegacyTask {
  /** Never `in_progress`: whoever worked on it is gone. */
  readonly status: TaskStatus;
  readonly retries: number;
}

/** A state file, read for import. Completions in it are claims: nothing in it proves them. */
export interface LegacyState {
  readonly project?: string;
  /** The label of the phase that was open. */
  readonly phase?: string;
  readonly tasks: ReadonlyMap<string, LegacyTask>;
  /** What was left out or contradicts itself, naming the field. */
  readonly warnings: readonly StateOddity[];
}

/** Why nothing can be imported. */
export interface LegacyFailure {
  readonly kind: "not-json" | "unknown-shape" | "version";
  readonly how: StateDamage;
}

type Json = Readonly<Record<string, unknown>>;

/** What has been read so far. */
interface Findings {
  readonly statuses: Map<string, Set<TaskStatus>>;
  readonly retries: Map<string, number>;
  readonly warnings: StateOddity[];
  unlisted: number;
}

const MAX_WARNINGS = 50;
const MAX_ID = 200;
const MAX_PLACE = 220;
const MAX_RETRIES = 1000;
/** What no id contains. */
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;

// From least to most finished: of several statuses of one task the first holds.
const ORDER = [
  "pending",
  "ready",
  "blocked",
  "paused",
  "failed",
  "skipped",
  "cancelled",
  "completed",
] as const satisfies readonly TaskStatus[];

/** Names of lists, folded. */
const LISTS: ReadonlyMap<string, TaskStatus> = new Map<string, TaskStatus>([
  ...ORDER.map((status): [string, TaskStatus] => [status, status]),
  ["inprogress", "ready"],
  ["done", "completed"],
]);

/** Words a task's own status may be, folded. */
const WORDS: ReadonlyMap<string, TaskStatus> = new Map<string, TaskStatus>([
  ...LISTS,
  ["todo", "pending"],
  ["open", "pending"],
  ["running", "ready"],
  ["active", "ready"],
  ["review", "ready"],
  ["waiting", "ready"],
  ["deferred", "paused"],
  ["error", "failed"],
  ["canceled", "cancelled"],
  ["complete", "completed"],
  ["closed", "completed"],
]);

/** Reads a state file of version 1.x or 2.x, or one of the shapes found beside them. Never throws. */
export function readLegacyState(json: unknown): Result<LegacyState, LegacyFailure> {
  const parsed = typeof json === "string" ? parse(json) : ok(json);
  if (!parsed.ok) return parsed;
  const root = parsed.value;
  if (!isObject(root)) return refused("unknown-shape", { is: "no-object" });
  const { version } = root;
  if ((typeof version === "string" || typeof version === "number") && majorOf(version) >= 3)
    return refused("version", { is: "other-version", of: String(version).slice(0, MAX_PLACE) });

  const found: Findings = { statuses: new Map(), retries: new Map(), warnings: [], unlisted: 0 };
  const listed = readLists(found, root, "");
  const tasked = readTasks(found, root["tasks"]);
  const counted = readRetries(found, root);
  const phases = readPhases(found, root);
  if (!listed && !tasked && !counted && !phases.told) {
    return refused("unknown-shape", { is: "names-nothing" });
  }
  const tasks = settle(found);
  const { project } = root;
  return ok({
    ...(typeof project === "string" && project !== "" ? { project } : {}),
    ...(phases.open === undefined ? {} : { phase: phases.open }),
    tasks,
    warnings: [...found.warnings, ...(found.unlisted > 0 ? [{ more: found.unlisted }] : [])],
  });
}

function refused(kind: LegacyFailure["kind"], how: StateDamage): Result<never, LegacyFailure> {
  return fail({ kind, how });
}

function parse(text: string): Result<unknown, LegacyFailure> {
  try {
    return ok(JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text));
  } catch (error) {
    return fail({
      kind: "not-json",
      how: { said: (error as Error).message },
    });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function majorOf(version: string | number): number {
  return typeof version === "number" ? Math.trunc(version) : Number.parseInt(version, 10);
}

function note(found: Findings, warning: StateOddity): void {
  if (found.warnings.length < MAX_WARNINGS) found.warnings.push(warning);
  else found.unlisted++;
}

function warn(found: Findings, where: string, problem: StateFieldProblem): void {
  note(found, { at: where.slice(0, MAX_PLACE), problem });
}

/** A key or word without case and separators; texts too long to be either are none. */
function folded(word: string): string {
  if (word.length > 40) return "";
  return word.toLowerCase().replaceAll("_", "").replaceAll("-", "").replaceAll(" ", "");
}

/** The status a list of this name holds: `completed`, `completed_tasks`, `completedTasks`. */
function listStatus(key: string): TaskStatus | undefined {
  const name = folded(key);
  return LISTS.get(name.endsWith("tasks") ? name.slice(0, -"tasks".length) : name);
}

function entries(found: Findings, of: Json, where: string): [string, unknown][] {
  const all = Object.entries(of);
  const safe = all.filter(([key]) => key !== "__proto__");
  if (safe.length < all.length) warn(found, `${where}__proto__`, "no-key");
  return safe;
}

/** Lists by status, at the top level or under `tasks`. Whether there was one. */
function readLists(found: Findings, of: Json, where: string): boolean {
  let any = false;
  for (const [key, value] of entries(found, of, where)) {
    const status = listStatus(key);
    if (status === undefined) continue;
    any = true;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) claimItem(found, item, status, `${where}${key}[${index}]`);
    } else if (isObject(value)) {
      for (const [id, item] of entries(found, value, `${where}${key}.`)) {
        claim(found, id, status, `${where}${key}.${id}`);
        readOwnRetries(found, id, item, `${where}${key}.${id}`);
      }
    } else if (typeof value === "number" && value > 0) {
      warn(found, `${where}${key}`, "no-names");
    } else if (value !== null && value !== undefined && value !== 0) {
      warn(found, `${where}${key}`, "no-list");
    }
  }
  return any;
}

function claimItem(found: Findings, item: unknown, status: TaskStatus, where: string): void {
  const id = isObject(item) ? (item["id"] ?? item["task_id"]) : item;
  claim(found, id, status, where);
  readOwnRetries(found, id, item, where);
}

/** What stands under `tasks` besides lists by status. Whether anything did. */
function readTasks(found: Findings, tasks: unknown): boolean {
  if (Array.isArray(tasks)) {
    for (const [index, task] of tasks.entries()) {
      const where = `tasks[${index}]`;
      if (!isObject(task)) warn(found, where, "no-object");
      else claimItem(found, task, wordOf(found, task["status"], where), where);
    }
    return true;
  }
  if (!isObject(tasks)) return false;
  readLists(found, tasks, "tasks.");
  for (const [id, task] of Object.entries(tasks)) {
    if (id === "__proto__" || listStatus(id) !== undefined) continue;
    const where = `tasks.${id}`;
    claim(found, id, wordOf(found, isObject(task) ? task["status"] : task, where), where);
    readOwnRetries(found, id, task, where);
  }
  return true;
}

function wordOf(found: Findings, word: unknown, where: string): TaskStatus {
  const status = typeof word === "string" ? WORDS.get(folded(word)) : undefined;
  if (status === undefined) warn(found, where, "unknown-status");
  return status ?? "pending";
}

function claim(found: Findings, given: unknown, status: TaskStatus, where: string): void {
  const id = idOf(given);
  if (id === undefined) warn(found, where, "no-task");
  else found.statuses.set(id, (found.statuses.get(id) ?? new Set()).add(status));
}

function idOf(given: unknown): string | undefined {
  if (typeof given === "number" && Number.isSafeInteger(given)) return String(given);
  if (typeof given !== "string" || given.length > MAX_ID * 2) return undefined;
  const id = given.trim();
  return id === "" || id.length > MAX_ID || CONTROL.test(id) ? undefined : id;
}

function readRetries(found: Findings, root: Json): boolean {
  let any = false;
  for (const key of ["retry_counts", "retryCounts"]) {
    const counts = root[key];
    if (counts === undefined || counts === null) continue;
    any = true;
    if (!isObject(counts)) warn(found, key, "no-object");
    else
      for (const [id, count] of entries(found, counts, `${key}.`))
        setRetries(found, id, count, `${key}.${id}`);
  }
  return any;
}

function readOwnRetries(found: Findings, id: unknown, task: unknown, where: string): void {
  if (!isObject(task)) return;
  const count = task["retry_count"] ?? task["retryCount"] ?? task["retries"];
  if (count !== undefined && count !== null) setRetries(found, id, count, where);
}

function setRetries(found: Findings, given: unknown, count: unknown, where: string): void {
  const id = idOf(given);
  if (id === undefined) return;
  if (typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= MAX_RETRIES) {
    found.retries.set(id, Math.max(count, found.retries.get(id) ?? 0));
  } else {
    warn(found, where, "no-retries");
  }
}

function readPhases(
  found: Findings,
  root: Json,
): { readonly told: boolean; readonly open: string | undefined } {
  const execution = isObject(root["execution"]) ? root["execution"] : {};
  const values = [execution["current_phase"], root["current_phase"], root["currentPhase"]];
  const finished = root["completed_phases"] ?? root["completedPhases"];
  const claimed = Array.isArray(finished) && finished.length > 0;
  if (claimed && ![...found.statuses.values()].some(statuses => statuses.has("completed"))) {
    warn(found, "completed_phases", "phases-alone");
  }
  return {
    told: finished !== undefined || values.some(value => value !== undefined),
    open: values.map(phaseLabel).find(label => label !== undefined),
  };
}

function phaseLabel(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) && value >= 0 ? String(value) : undefined;
  if (typeof value !== "string" || value.length > 20) return undefined;
  const label = value.trim().toUpperCase();
  if (label === "PF") return label;
  const digits = label.startsWith("PHASE")
    ? label.slice(5).trim()
    : label.startsWith("P")
      ? label.slice(1)
      : label;
  return /^\d+(?:\.\d+)?$/.test(digits) ? digits : undefined;
}

function settle(found: Findings): ReadonlyMap<string, LegacyTask> {
  const tasks = new Map<string, LegacyTask>();
  for (const [id, statuses] of found.statuses) {
    const status = ORDER.find(one => statuses.has(one))!;
    if (statuses.size > 1 && (statuses.has("completed") || statuses.has("failed"))) {
      note(found, { task: id, statuses: [...statuses], taken: status });
    }
    tasks.set(id, { status, retries: found.retries.get(id) ?? 0 });
  }
  for (const [id, retries] of found.retries)
    if (!tasks.has(id)) tasks.set(id, { status: "pending", retries });
  return tasks;
}
