import { told } from "../../text/index.ts";
import { limitsOf } from "../limits.ts";
import { readPlan } from "../read.ts";
import type { ReadContext } from "../read-context.ts";
import { createReport, finding, NOWHERE, type Report } from "../report.ts";
import { createLocator, type Json, member, parseJson } from "../syntax/json-text.ts";
import { decodeSource } from "../syntax/source.ts";
import type { Diagnostic, PhaseInfo, Task } from "../types.ts";
import { isOtherRecord, readBeads } from "./beads.ts";
import type { ForeignKind } from "./foreign-kinds.ts";
import { readGitHub } from "./github.ts";

/** Tasks as another tool keeps them, under its own ids. Texts are foreign. */
export interface Foreign {
  readonly kind: ForeignKind;
  readonly project: string;
  readonly phases: readonly PhaseInfo[];
  readonly tasks: readonly Task[];
}

/** What a source was read as; without `foreign` it is none that we know, and the findings say why. */
export interface ForeignReading {
  readonly foreign: Foreign | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ForeignOptions {
  /** Path as people know it, `-` for standard input. */
  readonly path: string;
  /** What it is, where somebody said so. */
  readonly kind?: ForeignKind | undefined;
}

/** Bytes of a source: whole trackers fit, with every body. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A path by which the reader of task files takes numbered boxes for Kiro's. */
const AS_KIRO = ".kiro/specs/source/tasks.md";

/** Reads what `espalier import` and `export` are given. Never throws. */
export function readForeign(bytes: Uint8Array, { path, kind }: ForeignOptions): ForeignReading {
  const limits = { ...limitsOf(undefined), bytes: MOST_BYTES };
  const report = createReport(limits.diagnostics);
  const context: ReadContext = { path, allowMissing: true, limits, contextNodes: [], report };
  const text = decodeSource(bytes, limits, report);
  if (text === undefined) return { foreign: undefined, diagnostics: report.finish() };
  const tracker = trackerOf(text, path, kind);
  if (tracker === undefined) return readTasks(bytes, path, kind);
  const tasks = tracker === "beads" ? readBeads(text, context) : gitHubTasks(text, context);
  if (tasks.length > limits.tasks)
    report.add(
      "error",
      "TOO_MANY_TASKS",
      NOWHERE,
      told`${tasks.length} issues; at most ${limits.tasks} are read`,
      told`filter the list`,
    );
  tellDepth(tasks, report);
  const diagnostics = report.finish();
  const project = tracker === "beads" ? "Beads" : "Issues";
  const phases = [{ phase: 1, title: "" }];
  return { foreign: { kind: tracker, project, phases, tasks }, diagnostics };
}

/** Containers in one another that a task file can show. */
const MOST_NESTED = 6;

function tellDepth(tasks: readonly Task[], report: Report): void {
  const containers = new Map(tasks.flatMap(({ id, children }) => (children ?? []).map(child => [child, id])));
  const deep = tasks.find(({ id }) => {
    let at: string | undefined = id;
    for (let depth = 0; depth <= MOST_NESTED && at !== undefined; depth++) at = containers.get(at);
    return at !== undefined;
  });
  if (deep === undefined) return;
  const place = report.places.get(deep.id) ?? { line: deep.line, column: 1 };
  const message = told`${deep.id} is nested deeper than ${MOST_NESTED} containers`;
  report.add("error", "TOO_DEEP", place, message, told`move it up`);
}

function gitHubTasks(text: string, context: ReadContext): readonly Task[] {
  const parsed = parseJson(text);
  if (parsed.ok) return readGitHub(text, parsed.value, context);
  const place = createLocator(text)(parsed.problem.at);
  context.report.add(
    "error",
    "BAD_JSON",
    place,
    parsed.problem.message,
    told`correct the JSON at this place`,
  );
  return [];
}

/** What a list of issues is told by: its brackets, its lines, what stands in the first issue. */
function trackerOf(
  text: string,
  path: string,
  kind: ForeignKind | undefined,
): "github" | "beads" | undefined {
  if (kind !== undefined) return kind === "github" || kind === "beads" ? kind : undefined;
  if (path.toLowerCase().endsWith(".jsonl")) return "beads";
  const begin = text.trimStart();
  if (begin.startsWith("[")) {
    // A list that is malformed further on is still a list; boxes of Markdown are none.
    return /^\[\s*(?:\{|\]\s*$)/.test(begin.slice(0, 1000)) ? "github" : undefined;
  }
  if (!begin.startsWith("{")) return undefined;
  const whole = parseJson(text);
  if (!whole.ok) {
    const first = firstLine(begin);
    return isBead(first) || isOtherRecord(first) ? "beads" : undefined;
  }
  if (isBead(whole.value)) return "beads";
  return member(whole.value, "number") !== undefined && member(whole.value, "title") !== undefined
    ? "github"
    : undefined;
}

function firstLine(text: string): Json | undefined {
  const end = text.indexOf("\n");
  const parsed = parseJson(end < 0 ? text : text.slice(0, end));
  return parsed.ok ? parsed.value : undefined;
}

function isBead(value: Json | undefined): boolean {
  return ["id", "title", "status"].every(name => member(value, name) !== undefined);
}

function readTasks(bytes: Uint8Array, path: string, kind: ForeignKind | undefined): ForeignReading {
  const { plan, diagnostics } = readPlan(bytes, {
    path: kind === "kiro" ? AS_KIRO : path,
    allowMissing: true,
    limits: { bytes: MOST_BYTES },
  });
  const { format, project, phases, tasks } = plan;
  const isForeign = format === "spec-kit" || format === "kiro" || format === "task-master";
  if (isForeign && (kind === undefined || kind === format)) {
    const report = createReport(1);
    tellDepth(tasks, report);
    return {
      foreign: { kind: format, project, phases, tasks },
      diagnostics: [...report.finish(), ...diagnostics],
    };
  }
  const unreadable = diagnostics.filter(({ code }) => code === "BAD_JSON");
  const message =
    kind === undefined
      ? told`this reads as ${format}, not as anything to import`
      : told`this reads as ${format}, not as ${kind}`;
  const hint = isForeign
    ? told`leave --from out, or write --from ${format}`
    : tasks.length === 0
      ? told`no task stands in it`
      : told`espalier plan reads it as it is`;
  const strange = finding("error", "NOT_FOREIGN", NOWHERE, message, hint);
  return { foreign: undefined, diagnostics: unreadable.length > 0 ? unreadable : [strange] };
}
