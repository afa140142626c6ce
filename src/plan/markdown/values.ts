import { agentCalled } from "../../ports/index.ts";
import { told } from "../../text/index.ts";
import { createReport, type Report } from "../report.ts";
import { readBox } from "../syntax/box.ts";
import { type FieldKey, fieldName, type TaskValues, VALUED } from "../syntax/fields.ts";
import { leadingState, type State } from "../syntax/marks.ts";
import type { Field } from "./document.ts";
import { placeOf, READERS, roleOf, stripped } from "./value-readers.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The parts of a task that its fields say, dependencies aside. */
export type Values = Mutable<TaskValues> & { state?: State };

/** A status may be a box of its own: `[x] 완료`. */
function statusOf(value: string): State | undefined {
  const text = stripped(value);
  return readBox(text, 0, text.length)?.state ?? leadingState(text);
}

function shallowest(fields: readonly Field[]): Field | undefined {
  let best: Field | undefined;
  for (const field of fields) if (best === undefined || field.depth < best.depth) best = field;
  return best;
}

/** What the fields of one task say. `fields` stand in order of authority: the first of a key counts. */
export function readValues(fields: readonly Field[], report: Report): Values {
  const named = Map.groupBy(fields, ({ key }) => key);
  const first = (key: FieldKey) => shallowest(named.get(key) ?? []);
  const said: Partial<Values> = { files: [] };
  const read = said as Record<string, unknown>;
  for (const [key, row] of VALUED) {
    const all = named.get(key);
    const field = all === undefined ? undefined : shallowest(all);
    if (all === undefined || field === undefined) continue;
    const value = READERS[row.value]({ key, row, field, all, report });
    if (value !== undefined) read[key] = value;
  }
  said.kind ??= said.fills === undefined ? "worker" : "context-fill";
  const values = said as Values;
  settleRole(values, first("role"));
  settleTests(values, first("tdd"));
  settleKind(values, first("kind"), report);
  const status = first("status");
  const state = status === undefined ? undefined : statusOf(status.text);
  if (state !== undefined) values.state = state;
  return values;
}

/** A role is the specialist too where none is; an agent is one only by a name we know, or beside a specialist. */
function settleRole(values: Values, role: Field | undefined): void {
  const named = values.role ?? (role === undefined ? undefined : roleOf(role));
  if (values.specialist === undefined && named !== undefined) values.specialist = named;
  const { agent } = values;
  // Names in a list may be the configuration's.
  if (typeof agent !== "string" || values.specialist !== undefined || agentCalled(agent) !== undefined)
    return;
  values.specialist = agent;
  delete values.agent;
}

/** `RED → GREEN` is a yes. */
function settleTests(values: Values, tdd: Field | undefined): void {
  const words = tdd?.text.toLowerCase() ?? "";
  if (values.tdd === undefined && words.includes("red") && words.includes("green")) values.tdd = true;
}

function settleKind(values: Values, kind: Field | undefined, report: Report): void {
  if (kind === undefined || values.kind === "worker" || values.fills !== undefined) return;
  report.add(
    "error",
    "NO_TARGET",
    placeOf(kind),
    told`a context-fill task must say which node it fills`,
    told`add fills: ctx-\u2026`,
  );
}

const HANDED_DOWN = VALUED.flatMap(([key, { isHandedDown }]) => (isHandedDown === true ? [key] : []));

/** What is of no use to a container or group, which no agent is given: how work is done, and what proves it. */
const OF_WORK = VALUED.filter(
  ([key, { always, isHandedDown }]) =>
    always !== true && isHandedDown !== true && key !== "origin" && key !== "worktree",
);

/** Tells each field below a container or group that would only count below a task. */
export function tellIdle(id: string, fields: readonly Field[], report: Report): void {
  const values = readValues(fields, createReport(0));
  for (const [key] of OF_WORK) {
    const field = values[key] === undefined ? undefined : fields.find(one => one.key === key);
    if (field !== undefined)
      report.add(
        "warning",
        "BAD_FIELD",
        placeOf(field),
        told`${fieldName(key)} has no effect on ${id}, which only holds tasks`,
        told`write it below those tasks`,
      );
  }
}

/** What the fields of a container or group say for the tasks in it that do not say it themselves; undefined for nothing. */
export function readHandedDown(fields: readonly Field[], report: Report): Partial<Values> | undefined {
  const own = fields.filter(({ key }) => HANDED_DOWN.some(one => one === key));
  if (own.length === 0) return undefined;
  const values = readValues(own, report);
  return Object.fromEntries(
    HANDED_DOWN.flatMap(key => (values[key] === undefined ? [] : [[key, values[key]]])),
  ) as Partial<Values>;
}
