import { flatten } from "../json/task-master.ts";
import { applyEdits, type Edit, statusEdits, tickBoxes } from "../output/tick.ts";
import { createReport } from "../report.ts";
import { member, parseJson } from "../syntax/json-text.ts";
import { decodeExactly } from "../syntax/source.ts";
import type { Plan } from "../types.ts";
import { beadsOf } from "./beads.ts";
import type { Foreign } from "./foreign.ts";
import { originOf } from "./origin.ts";

/** What a source is told of one of its tasks. */
export interface StatusChange {
  readonly id: string;
  readonly to: "done" | "left-out";
}

/** The state of a task file, taken back to where its tasks came from. Ids are those of the source. */
export interface Exported {
  readonly changes: readonly StatusChange[];
  /** The source with these changes and every other byte as it was; undefined where it is no file that could be changed. */
  readonly bytes: Uint8Array | undefined;
  /** What a person runs instead, as programs and arguments. */
  readonly commands: readonly (readonly string[])[];
  /** Done or left out there, and open in the task file: nothing is opened again. */
  readonly ahead: readonly string[];
  /** Left out in the task file; the source has no word for that. */
  readonly unsaid: readonly string[];
  /** Origins of tasks that the source does not have. */
  readonly unknown: readonly string[];
}

/** Which sources can say that something was left out. */
const SAYS_LEFT_OUT: ReadonlySet<Foreign["kind"]> = new Set(["github", "task-master"]);

/** Takes the state of a task file back to its source; `at` is the moment, ISO 8601. Only what is done or left out is told. */
export function exportStatus(source: Uint8Array, foreign: Foreign, ours: Plan, at: string): Exported {
  const states = statesOf(ours, foreign);
  const changes: StatusChange[] = [];
  const ahead: string[] = [];
  const unsaid: string[] = [];
  const isGitHub = foreign.kind === "github";
  for (const { id, done, skip, putOff } of foreign.tasks) {
    const state = states.get(originOf(foreign.kind, id));
    states.delete(originOf(foreign.kind, id));
    // What was put off or given up there may be done here all the same; GitHub has closed it already.
    const isLeftOut = skip === true && putOff !== "behind";
    const isEnded = done || (isLeftOut && (state !== "done" || isGitHub));
    if (state === "open" && isEnded) ahead.push(id);
    else if (state === undefined || state === "open" || isEnded) continue;
    // It is left out here only for as long as what it waits for is put off there.
    else if (state === "left-out" && putOff === "behind") continue;
    else if (state === "left-out" && !SAYS_LEFT_OUT.has(foreign.kind)) unsaid.push(id);
    else changes.push({ id, to: state });
  }
  return {
    changes,
    bytes: isGitHub ? undefined : changed(source, foreign.kind, changes, at),
    commands: isGitHub ? changes.map(closing) : [],
    ahead,
    unsaid,
    unknown: [...states.keys()],
  };
}

/** What the tasks of each origin come to: one that was split is done when all of it is. */
function statesOf(ours: Plan, { kind }: Foreign): Map<string, StatusChange["to"] | "open"> {
  const states = new Map<string, StatusChange["to"] | "open">();
  for (const { origin, done, skip } of ours.tasks) {
    if (origin?.startsWith(`${kind}:`) !== true) continue;
    const state = skip === true ? "left-out" : done ? "done" : "open";
    const before = states.get(origin);
    states.set(
      origin,
      before === undefined || before === state
        ? state
        : before === "open"
          ? "open"
          : state === "open"
            ? "open"
            : "done",
    );
  }
  return states;
}

function closing({ id, to }: StatusChange): readonly string[] {
  return ["gh", "issue", "close", id, "--reason", to === "done" ? "completed" : "not planned"];
}

function changed(
  source: Uint8Array,
  kind: Exclude<Foreign["kind"], "github"> | "github",
  changes: readonly StatusChange[],
  at: string,
): Uint8Array {
  const done = changes.filter(({ to }) => to === "done").map(({ id }) => id);
  if (kind === "spec-kit" || kind === "kiro") return tickBoxes(source, { format: kind }, done);
  const text = changes.length === 0 ? undefined : decodeExactly(source);
  if (text === undefined) return source;
  const wanted = new Map(changes.map(({ id, to }) => [id, to]));
  const edits = kind === "beads" ? beadEdits(text, wanted, at) : masterEdits(text, wanted);
  return new TextEncoder().encode(applyEdits(text, edits));
}

function masterEdits(text: string, wanted: ReadonlyMap<string, StatusChange["to"]>): readonly Edit[] {
  const parsed = parseJson(text);
  const tasks = parsed.ok ? (flatten(parsed.value)?.tasks ?? []) : [];
  const those = (to: StatusChange["to"]) =>
    new Set([...wanted].filter(one => one[1] === to).map(([id]) => id));
  return [
    ...statusEdits(tasks, "done", those("done")),
    ...statusEdits(tasks, "cancelled", those("left-out")),
  ];
}

/** A closed issue of beads has the moment at which it was; without it beads refuses the line. */
function beadEdits(text: string, wanted: ReadonlyMap<string, unknown>, at: string): readonly Edit[] {
  return beadsOf(text, createReport(0))
    .filter(({ id }) => wanted.has(id))
    .flatMap(({ from, value }): Edit[] => {
      const told = { status: "closed", updated_at: at, closed_at: at };
      return Object.entries(told).map(([name, said]) => {
        const old = member(value, name);
        if (old !== undefined) return { at: from + old.at, end: from + old.end, text: JSON.stringify(said) };
        const end = from + value.end - 1;
        return { at: end, end, text: `,${JSON.stringify(name)}:${JSON.stringify(said)}` };
      });
    });
}
