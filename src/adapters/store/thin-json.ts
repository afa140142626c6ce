import { fail, ok, type Result } from "../../ports/result.ts";
import type { StateDamage, StateOddity } from "../../ports/state-news.ts";
import type { TaskStatus } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { type LegacyState, readLegacyState } from "../../run/legacy-state.ts";
import { ownedFileCalls, readBounded } from "../file/index.ts";
import type { Position } from "./inspect.ts";
import { isSealedThin, type Seal } from "./seal.ts";

/** What the thin state says about one task. */
export interface ThinTask {
  /** As written, except that a task in progress or waiting is ready: whoever worked on it is gone. */
  readonly status: TaskStatus;
  readonly retries: number;
  readonly verified?: boolean;
  /** It was dispatched at least this often. */
  readonly attempts: number;
}

/** The thin state of a run, as its file tells it. */
export interface ThinState extends Position {
  readonly project: string;
  readonly phase?: string;
  readonly tasks: ReadonlyMap<string, ThinTask>;
  /** What could not be read, naming the field. */
  readonly warnings: readonly StateOddity[];
}

/** What a file under the thin state's name turned out to be. */
export type ThinReading =
  | { readonly kind: "missing" }
  | { readonly kind: "thin"; readonly state: ThinState }
  /** Left by another orchestrator; its bytes are kept with it. */
  | { readonly kind: "legacy"; readonly state: LegacyState; readonly bytes: Uint8Array }
  | { readonly kind: "damaged"; readonly how: StateDamage };

const MAX_BYTES = 64 * 2 ** 20;
const VERSION = 3;

const STATUSES: ReadonlyMap<unknown, TaskStatus> = new Map<string, TaskStatus>([
  ["pending", "pending"],
  ["ready", "ready"],
  ["in_progress", "ready"],
  ["waiting", "ready"],
  ["completed", "completed"],
  ["failed", "failed"],
  ["blocked", "blocked"],
  ["paused", "paused"],
  ["cancelled", "cancelled"],
  ["skipped", "skipped"],
]);

/**
 * Reads the thin state from a file. Only a newer version and an unreadable disk are failures. With a seal, one that this
 * program did not write is no better than a damaged one.
 */
export function readThin(path: string, seal?: Seal): Result<ThinReading, StoreFailure> {
  const read = readBounded(path, { maxBytes: MAX_BYTES, calls: ownedFileCalls });
  if (read.ok) return believed(parseThin(read.value), read.value, seal);
  switch (read.failure.kind) {
    case "missing":
      return ok({ kind: "missing" });
    case "not-regular":
      return fail({ kind: "not-owned", message: read.failure.message });
    case "too-large":
      return ok({ kind: "damaged", how: { said: read.failure.message } });
    case "permission":
    case "io":
      return fail({ kind: "io", message: read.failure.message });
  }
}

function believed(
  parsed: Result<ThinReading, StoreFailure>,
  bytes: Uint8Array,
  seal: Seal | undefined,
): Result<ThinReading, StoreFailure> {
  if (seal === undefined || !parsed.ok || parsed.value.kind !== "thin") return parsed;
  if (isSealedThin(seal, Buffer.from(bytes).toString("utf8"))) return parsed;
  return ok({ kind: "damaged", how: { is: "not-sealed" } });
}

/** Reads the thin state from its bytes. */
export function parseThin(bytes: Uint8Array): Result<ThinReading, StoreFailure> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return ok({ kind: "damaged", how: { said: (error as Error).message } });
  }
  const major = isObject(json) ? Number.parseInt(String(json["version"]), 10) : Number.NaN;
  if (major > VERSION) return fail({ kind: "newer", found: major, supported: VERSION });
  if (isObject(json) && Number.isSafeInteger(json["seq"]) && Number.isSafeInteger(json["epoch"])) {
    if (major === VERSION) return ok(thinFrom(json));
  }
  const legacy = readLegacyState(json);
  if (legacy.ok) return ok({ kind: "legacy", state: legacy.value, bytes });
  return ok({ kind: "damaged", how: legacy.failure.how });
}

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function thinFrom(json: Json): ThinReading {
  const { run, project, phase, tasks: rows } = json;
  const seq = json["seq"] as number;
  const epoch = json["epoch"] as number;
  if (typeof run !== "string" || run === "" || seq < 0 || epoch < 0 || !Array.isArray(rows)) {
    return { kind: "damaged", how: { is: "fields-missing" } };
  }
  const tasks = new Map<string, ThinTask>();
  const warnings: StateOddity[] = [];
  for (const [index, row] of rows.entries()) {
    const id: unknown = isObject(row) ? row["id"] : undefined;
    const task = isObject(row) ? taskFrom(row) : undefined;
    if (typeof id !== "string" || id === "" || task === undefined)
      warnings.push({ at: `tasks[${index}]`, problem: "unreadable" });
    else tasks.set(id, task);
  }
  const state: ThinState = {
    run,
    seq,
    epoch,
    project: typeof project === "string" ? project : "",
    ...(typeof phase === "string" || typeof phase === "number" ? { phase: String(phase) } : {}),
    tasks,
    warnings,
  };
  return { kind: "thin", state };
}

function taskFrom(row: Json): ThinTask | undefined {
  const status = STATUSES.get(row["status"]);
  if (status === undefined) return undefined;
  const { retry_count: count, verified } = row;
  const retries = typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : 0;
  const dispatched = row["status"] === "in_progress" || status === "completed" ? 1 : 0;
  return {
    status,
    retries,
    ...(typeof verified === "boolean" ? { verified } : {}),
    attempts: retries + dispatched,
  };
}
