import type { Span } from "../../../src/server/shapes/history.ts";

/** What the rows of the chart stand for. */
export type Grouping = "task" | "agent" | "machine";

/** A row of the chart: its bars never cover each other where it is a task's. */
export interface Lane {
  readonly key: string;
  /** The task, agent or machine. */
  readonly name: string;
  readonly spans: readonly Span[];
}

/** One row for each task, in the order of the plan. Linear. */
function byTask(spans: readonly Span[], order: readonly string[]): Lane[] {
  const groups = Map.groupBy(spans, span => span.task);
  const known = new Set(order);
  const gone = [...groups.keys()].filter(task => !known.has(task));
  return [...order, ...gone].flatMap(task => {
    const own = groups.get(task);
    return own === undefined ? [] : [{ key: task, name: task, spans: own }];
  });
}

/** As many rows for each name as it was at work on at once: each attempt takes the first row that is free. */
function packed(spans: readonly Span[], nameOf: (span: Span) => string): Lane[] {
  const lanes: Lane[] = [];
  for (const [name, own] of [...Map.groupBy(spans, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const rows: { end: number; spans: Span[] }[] = [];
    for (const span of own) {
      const end = span.endedAt === 0 ? Number.POSITIVE_INFINITY : span.endedAt;
      const free = rows.find(row => row.end <= span.startedAt);
      if (free === undefined) rows.push({ end, spans: [span] });
      else {
        free.end = end;
        free.spans.push(span);
      }
    }
    for (const [at, row] of rows.entries()) lanes.push({ key: `${at} ${name}`, name, spans: row.spans });
  }
  return lanes;
}

/** The rows of the chart. `here` names the machine of attempts that were carried out on this one. */
export function lanesOf(
  spans: readonly Span[],
  grouping: Grouping,
  order: readonly string[],
  here: string,
): Lane[] {
  if (grouping === "task") return byTask(spans, order);
  return packed(spans, span => (grouping === "agent" ? span.agent : (span.machine ?? here)));
}

/** A stretch of time that is looked at. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Left edge and width of a bar in per cent of a stretch; undefined where nothing of it is seen. */
export function placeOf(
  { startedAt, endedAt }: Pick<Span, "startedAt" | "endedAt">,
  { from, to }: Stretch,
): { readonly left: number; readonly width: number } | undefined {
  const end = endedAt === 0 ? to : endedAt;
  if (end < from || startedAt > to) return undefined;
  const share = (at: number) => ((Math.min(to, Math.max(from, at)) - from) / Math.max(1, to - from)) * 100;
  return { left: share(startedAt), width: share(end) - share(startedAt) };
}

/** Lengths of time between two marks of the axis, in milliseconds. */
const STEPS = [
  1, 2, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 604_800,
].map(seconds => seconds * 1000);

/** Whole moments that mark a stretch, at most `most` of them. */
export function marksOf({ from, to }: Stretch, most: number): number[] {
  const step = STEPS.find(length => (to - from) / length <= most) ?? (to - from) / most;
  const first = Math.ceil(from / step) * step;
  return Array.from(
    { length: Math.max(0, Math.floor((to - first) / step) + 1) },
    (_, at) => first + at * step,
  );
}
